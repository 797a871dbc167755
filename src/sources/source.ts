import type { Inputs, OperationId, Resources } from '../contract/operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { SettingName, Settings } from '../settings.ts';
import type { Answer } from '../upstream/answer.ts';
import type { Http, Lease, Pace, Spending, Whois } from '../upstream/ports.ts';
import type { Outcome } from './outcome.ts';

/** Runs registered parsers (parsers.ts) by name: large answers in a worker thread, small ones on the calling thread. */
export interface ParserThreads {
  /** The parser's result; an outcome `timeout` or `changed` if the attempt ends or the parser takes too long. */
  parse(name: string, answer: Answer, input: unknown, attempt: Attempt): Promise<unknown>;
  close(): Promise<void>;
}

/** What a source may use; nothing else is reached from a connector. */
export interface Ports {
  readonly settings: Settings;
  readonly http: Http;
  readonly whois: Whois;
  readonly pace: Pace;
  /** Where a fleet runs, its own; without it a source keeps one for this process. */
  readonly lease?: Lease;
  /** Where what is paid is counted beyond this source: over a restart, or over a fleet. Without it a source counts for itself. */
  readonly spending?: Spending;
  /** Without it every answer is parsed on the calling thread. */
  readonly parserThreads?: ParserThreads;
  readonly clock: Clock;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  /** For the operator, never for clients; secrets do not belong here. */
  readonly log: (level: 'info' | 'warn', message: string, facts?: Record<string, unknown>) => void;
}

/** One attempt: it ends when `signal` fires; `deadlineMs` is that moment on the world's clock. */
export interface Attempt {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

export type Ask<Id extends OperationId> = (input: Inputs[Id], attempt: Attempt) => Promise<Outcome<Resources[Id]>>;
/** What an opened source answers. It never throws for the outside's failings: a throw is a defect. */
export type Asks = { [Id in OperationId]?: Ask<Id> };

/** Where facts come from. `open` is called once a process, only where every needed setting is there; what it returns may keep state. */
export interface Source {
  /** Shown as `X-Data-Source`: neutral where the platform has a neutral word. */
  readonly id: string;
  /** Unique among all sources, for the engine and the breaker; default: the id. */
  readonly name?: string;
  readonly operations: readonly OperationId[];
  /** Settings that must be set (or switched on) for it to be used. */
  readonly needs: readonly SettingName[];
  /** Its name in a setting that lists the sources of its operations in the order wanted; one that is not listed there is off. */
  readonly listed?: { readonly setting: SettingName; readonly as: string };
  /** Whether its `absent` ends the chain. */
  readonly knowsAbsence: boolean;
  /** False where this source can't answer this input (another engine's keyword, say); default: every input of its operations. */
  readonly serves?: (operation: OperationId, input: Inputs[OperationId]) => boolean;
  /** What fails together, for the breaker (a registry, say); default: the whole source. */
  readonly partOf?: (operation: OperationId, input: Inputs[OperationId]) => string;
  /** True where each part has a limit of its own; default: when one part is limited, the whole source rests. */
  readonly limitedByPart?: true;
  /** One line for `sightline sources`. */
  readonly about: string;
  readonly open: (ports: Ports) => Asks;
}

/** A pure function from one recorded answer to an outcome. */
export type Reader<Id extends OperationId = OperationId> = (answer: Answer, input: Inputs[Id]) => Outcome<Resources[Id]>;

/** What a source goes by inside: unique where ids are not. */
export const nameOf = (source: Source): string => source.name ?? source.id;
