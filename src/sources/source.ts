import type { Input, OperationId, Resource } from '../contract/operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { SettingName, Settings } from '../settings.ts';
import type { Answer } from '../upstream/answer.ts';
import type { Attempt, Http, Lease, Pace, Spending, SpendRule, Whois } from '../upstream/ports.ts';
import type { NotFound, Outcome } from './outcome.ts';

export interface Ports {
  readonly settings: Settings;
  readonly http: Http;
  readonly whois: Whois;
  readonly pace: Pace;
  /** Shared by a fleet; without it a source serialises its requests within this process. */
  readonly lease?: Lease;
  /** Counts what paid sources cost across restarts or across a fleet; without it a source counts in memory. */
  readonly spending?: Spending;
  readonly paid?: PaidMetrics;
  /** Without it every answer is parsed on the calling thread. */
  readonly parserThreads?: ParserThreads;
  readonly clock: Clock;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  /** For the operator, never for clients; secrets do not belong here. */
  readonly log: (level: 'info' | 'warn', message: string, facts?: Record<string, unknown>) => void;
}

export interface PaidMetrics {
  cost(source: string, usd: number): void;
  /** A request was not made because the daily cap of the source is reached. */
  capRefused(source: string): void;
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
  /** Its name in a setting that orders sources; a source that is not listed there is off. */
  readonly listed?: { readonly setting: SettingName; readonly as: string };
  readonly knowsAbsence: boolean;
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
  readonly open: (ports: Ports) => Asks;
}

/** The announced end of an interface of a platform. */
export interface Sunset {
  /** The last announced day, `YYYY-MM-DD`; a month alone as its first day. */
  readonly date: string;
  /** One sentence; it names earlier dates, too. For the operator. */
  readonly what: string;
  /** What remains, in neutral words: clients read it after the date. */
  readonly instead: string;
  readonly reference: string;
}

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

export interface SourceBudgetRule extends SpendRule {
  readonly usdEach: number;
  readonly settings: string;
}
