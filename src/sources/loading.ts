import type { Input, OperationId, Resource } from '../contract/operations/index.ts';
import type { Answer } from '../upstream/answer.ts';
import { outcomeOfChallenge, screenPorts } from './challenge.ts';
import type { NotFound, Outcome } from './outcome.ts';
import type { Ask, Asks, Attempt, Parser, Ports, Reader, ReaderEntry, Source, SourceBudgetRule } from './source.ts';

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

type Open = (ports: Ports, cap: SourceBudgetRule) => Asks;
/** A source; `needs` is empty and `knowsAbsence` true where they are left out. */
type Described<Id extends OperationId> = Omit<Source<Id>, 'open' | 'needs' | 'knowsAbsence'> &
  Partial<Pick<Source, 'needs' | 'knowsAbsence'>> & { readonly load: () => Promise<Open> };

const NO_CAP: SourceBudgetRule = { key: '', maxRequests: 0, maxUsd: 0, usdEach: 0, settings: '' };

/** A source whose connector is loaded on the first request, so that neither the start nor a process without requests to it loads its parser. */
export function lazily<const Id extends OperationId>({ load, ...source }: Described<Id>): Source {
  return {
    needs: [],
    knowsAbsence: true,
    ...source,
    open(ports) {
      let opened: Promise<Asks> | null = null;
      const ask =
        (operation: OperationId): Ask<OperationId> =>
        async (input, attempt) => {
          opened ??= load().then((open) => open(screenPorts(ports), source.dailyCap?.(ports.settings) ?? NO_CAP));
          const asked = (await opened)[operation] as Ask<OperationId> | undefined;
          if (!asked) throw new Error(`the connector does not answer ${operation}, though its source says so`);
          return asked(input, attempt);
        };
      return Object.fromEntries(source.operations.map((operation) => [operation, ask(operation)])) as Asks;
    },
  };
}

/** A reader that is loaded on first use. A challenge page is recognised before it. */
export const lazyReader = <Id extends OperationId>(operation: Id, load: () => Promise<Reader<Id>>): ReaderEntry => ({
  operation,
  async load() {
    // a method, so that a reader of one operation's input is accepted: the caller passes the input of `operation`
    const reader: { read(answer: Answer, input: Input): Outcome<Resource> } = { read: await load() };
    return (answer, input) => outcomeOfChallenge(answer) ?? reader.read(answer, input);
  },
});
