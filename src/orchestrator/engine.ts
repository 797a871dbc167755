import type { Captures } from '../captures/captures.ts';
import type { Input, OperationId } from '../contract/operations/index.ts';
import type { AttemptOutcome } from './serialise.ts';

/** One attempt at one source: the unit of work. `leftMs`: time until its deadline. */
export interface Work<Id extends OperationId = OperationId> {
  /** By its unique name. */
  readonly source: string;
  readonly operation: Id;
  readonly input: Input<Id>;
  readonly leftMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The account of the request, for fair queueing at the source. Default: none. */
  readonly account?: string | undefined;
  /** The request that caused the attempt, for captures. */
  readonly requestId?: string | undefined;
}

/** Records the upstream exchanges of attempts, beside the answer: it neither waits nor throws. */
export type AttemptRecorder = Pick<Captures, 'begin'>;

export interface Engine {
  /**
   * Resolves soon after `leftMs` at the latest: an attempt that takes longer is a `timeout`.
   * Rejects only with a DefectError (the source threw) or an EngineAwayError (the engine is unavailable).
   */
  attempt<Id extends OperationId>(work: Work<Id>): Promise<AttemptOutcome>;
  /** Throws if no attempt can be made now. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** A source threw: a defect of this service, not a failure of the upstream. */
export class DefectError extends Error {
  constructor(source: string, cause: unknown) {
    super(`source ${source} threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DefectError';
  }
}

/** The engine is unavailable (Redis, workers): no attempt was made, or its result is unknown. `message`: for clients, `detail`: logs. */
export class EngineAwayError extends Error {
  readonly detail: string;
  constructor(message: string, detail: string) {
    super(message);
    this.name = 'EngineAwayError';
    this.detail = detail;
  }
}
