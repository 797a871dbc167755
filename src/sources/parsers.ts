import type { Answer } from '../upstream/answer.ts';
import type { NotFound } from './outcome.ts';
import type { Attempt, Parser, Ports } from './source.ts';

type Parse = (answer: Answer, input: never) => unknown;
type ParserName<Module> = { [Name in keyof Module]: Module[Name] extends Parse ? Name : never }[keyof Module] & string;
type InputOf<F> = F extends (answer: Answer, input: infer Input) => unknown ? Input : never;
type ResultOf<F> = F extends Parse ? Awaited<ReturnType<F>> : never;

/** The exported functions of a module as parsers: `parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url))`. */
export const parsersIn =
  <Module>(module: URL) =>
  <Name extends ParserName<Module>>(name: Name): Parser<InputOf<Module[Name]>, ResultOf<Module[Name]>> => ({ module: module.href, name });

/** Rejects where the module does not export the parser: a defect. */
export async function loadParser<Input, Result>(
  parser: Parser<Input, Result>,
): Promise<(answer: Answer, input: Input) => Result | Promise<Result>> {
  const module: Readonly<Record<string, (answer: Answer, input: Input) => Result | Promise<Result>>> = await import(parser.module);
  const read = module[parser.name];
  if (!read) throw new Error(`${parser.module} does not export ${parser.name}`);
  return read;
}

export const parseHere = async <Input, Result>(parser: Parser<Input, Result>, answer: Answer, input: Input): Promise<Result> =>
  (await loadParser(parser))(answer, input);

/** Large answers are parsed in a worker thread if `ports` has them; it then gives an outcome if time runs out. `where`: always in one. */
export const parse = <Input, Result>(
  ports: Pick<Ports, 'parserThreads'>,
  parser: Parser<Input, Result>,
  answer: Answer,
  input: Input,
  attempt: Attempt,
  where?: 'thread',
): Promise<Result | NotFound> =>
  ports.parserThreads ? ports.parserThreads.parse(parser, answer, input, attempt, where) : parseHere(parser, answer, input);
