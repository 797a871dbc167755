import type { SourceState } from '../contract/admin/schemas.ts';
import type { Input, OperationId, Resource } from '../contract/operations/index.ts';
import type { SettingName, Settings } from '../settings.ts';
import type { Answer, Reply } from '../upstream/answer.ts';
import { decodeEncoded } from '../upstream/http/decode.ts';
import type { Attempt, Http, Lease, Pace, Whois } from '../upstream/ports.ts';
import { credentialsOf } from './credentials.ts';
import { unlessCutJson } from './cut-answers.ts';
import type { NotFound, Outcome } from './outcome.ts';
import { type BudgetPorts, createSourceBudget, type SourceBudget, type SourceBudgetRule } from './source-budget.ts';

export interface Ports extends BudgetPorts {
  readonly settings: Settings;
  readonly http: Http;
  readonly whois: Whois;
  readonly pace: Pace;
  /** Shared by a fleet; without it a source serialises its requests within this process. */
  readonly lease?: Lease;
  /** Without it every answer is parsed on the calling thread. */
  readonly parserThreads?: ParserThreads;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
}

export type { Attempt };

export type Ask<Id extends OperationId> = (input: Input<Id>, attempt: Attempt) => Promise<Outcome<Resource<Id>>>;
/** The operations that an opened source answers. A failure of the platform is an outcome; a throw is a defect. */
export type Asks = { [Id in OperationId]?: Ask<Id> };

/** One data source. `open` is called once per process, only if every needed setting is present; what it returns may keep state. `serves` and `partOf` are methods, so that a `Source<'serp'>` is a `Source`. */
export interface Source<Id extends OperationId = OperationId> {
  /** A neutral name: `X-Data-Source`, captures, alarms, engine and breaker. Sources that share it serve different operations. */
  readonly id: string;
  readonly operations: readonly Id[];
  /** Settings that must be set (or switched on) for it to be used. */
  readonly needs: readonly SettingName[];
  /** Credentials that are no settings: variables, each with its value, which may change while the process runs. */
  readonly keys?: readonly { readonly variable: string; readonly value: () => string | undefined }[];
  /** Its name in a setting that orders sources; a source that is not listed there is off. */
  readonly listed?: { readonly setting: SettingName; readonly as: string };
  /** Whether its `absent` ends the chain. `where none failed`: it says nothing of what a source before it, which failed, may hold. */
  readonly knowsAbsence: boolean | 'where none failed';
  /** False where this source can't answer this input (another engine's keyword, say); default: every input of its operations. */
  serves?(operation: Id, input: Input<Id>): boolean;
  /** What fails together, for the breaker (a registry, say); default: the whole source. */
  partOf?(operation: Id, input: Input<Id>): string;
  /** True where each part has a limit of its own; default: when one part is limited, the whole source rests. */
  readonly limitedByPart?: true;
  dailyCap?(settings: Settings): SourceBudgetRule;
  readonly readers?: ReaderEntries;
  readonly about: string;
  /** Set where the platform announced the end of this interface. */
  readonly sunset?: Sunset;
  /** Set where the platform's terms forbid automated access although its robots.txt allows it: one sentence for the operator. */
  readonly terms?: string;
  /** Why it is off until a setting switches it on: one sentence. */
  readonly offBecause?: string;
  readonly open: (ports: Ports) => Asks;
}

/** `date`: a month alone as its first day, null where no day is announced; `what`: one sentence, which names earlier dates, too; `instead`: in neutral words, for clients. */
export type Sunset = NonNullable<SourceState['sunset']>;

/** A pure function from one recorded answer to an outcome. */
export type Reader<Id extends OperationId = OperationId> = (answer: Answer, input: Input<Id>) => Outcome<Resource<Id>>;

/** A reader by its public name: `sightline parse` and the relay choose among them. */
export interface ReaderEntry {
  /** The operation whose input the reader takes and whose resource it returns. */
  readonly operation: OperationId;
  readonly load: () => Promise<Reader>;
}
export type ReaderEntries = Readonly<Record<string, ReaderEntry>>;

/** A parser of answers: an exported function by its module, so that a worker thread can load it. Input and result are plain data. */
export interface Parser<Input, Result> {
  /** `file:` URL. */
  readonly module: string;
  readonly name: string;
  /** Never set: carries the types. */
  readonly types?: (input: Input) => Result;
}
/** Runs parsers: for large answers in a worker thread, for small ones on the calling thread. */
export interface ParserThreads {
  /** The parser's result; an outcome `timeout` or `changed` if the attempt ends or the parser takes too long. */
  parse<Input, Result>(
    parser: Parser<Input, Result>,
    answer: Answer,
    input: Input,
    attempt: Attempt,
    /** `thread`: not on the calling thread, however small the answer is. */
    where?: 'thread',
  ): Promise<Result | NotFound>;
  close(): Promise<void>;
}

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
): Promise<(answer: Answer, input: Input) => Result | NotFound | Promise<Result | NotFound>> {
  const module: Readonly<Record<string, (answer: Answer, input: Input) => Result | Promise<Result>>> = await import(parser.module);
  const read = module[parser.name];
  if (!read) throw new Error(`${parser.module} does not export ${parser.name}`);
  const { screenReply } = await import('./challenge.ts');
  return (answer, input) => {
    // a body that was not decoded has not been checked for a challenge either
    const reply = answer.encoded ? screenReply(decodeEncoded(answer, answer.encoded.maxBytes)) : ({ tag: 'answer', answer } as const);
    if (reply.tag !== 'answer') return reply;
    const result = read(reply.answer, input);
    return result instanceof Promise ? result.then((late) => unlessCutJson(late, reply.answer)) : unlessCutJson(result, reply.answer);
  };
}

export const parseHere = async <Input, Result>(parser: Parser<Input, Result>, answer: Answer, input: Input): Promise<Result | NotFound> =>
  (await loadParser(parser))(answer, input);

/** Parses an answer; a failed request is its own outcome. Large answers are parsed in a worker thread, all of them `where` it says so. */
export async function parse<Input, Result>(
  { parserThreads }: Pick<Ports, 'parserThreads'>,
  parser: Parser<Input, Result>,
  reply: Reply | NotFound,
  input: Input,
  attempt: Attempt,
  where?: 'thread',
): Promise<Result | NotFound> {
  if (reply.tag !== 'answer') return reply;
  return parserThreads ? parserThreads.parse(parser, reply.answer, input, attempt, where) : parseHere(parser, reply.answer, input);
}

type Open = (ports: Ports, budget: SourceBudget) => Asks;
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
      let opened: { readonly by: string; readonly asks: Promise<Asks> } | null = null;
      const ask =
        (operation: OperationId): Ask<OperationId> =>
        async (input, attempt) => {
          // a connector keeps tokens and refusals of its credentials: with others it is opened anew
          const by = credentialsOf({ needs: source.needs ?? [], keys: source.keys }, ports.settings);
          if (opened?.by !== by) {
            const open = ([make, { screenPorts }]: [Open, typeof import('./challenge.ts')]): Asks =>
              make(screenPorts(ports), createSourceBudget(source.dailyCap?.(ports.settings) ?? NO_CAP, ports));
            opened = { by, asks: Promise.all([load(), import('./challenge.ts')]).then(open) };
          }
          const asked = (await opened.asks)[operation] as Ask<OperationId> | undefined;
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
    const { outcomeOfChallenge } = await import('./challenge.ts');
    return (answer, input) => outcomeOfChallenge(answer) ?? unlessCutJson(reader.read(answer, input), answer);
  },
});
