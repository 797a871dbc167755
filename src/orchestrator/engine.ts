import type { Input, OperationId, Resource } from '../contract/operations/index.ts';
import type { Outcome } from '../sources/outcome.ts';

/** One attempt at one source: the unit of work. `leftMs` is what it may take, from now. */
export interface Work<Id extends OperationId = OperationId> {
  /** By its unique name. */
  readonly source: string;
  readonly operation: Id;
  readonly input: Input<Id>;
  readonly leftMs: number;
  /** Ends the attempt early; nobody waits for it any more. */
  readonly signal?: AbortSignal;
  /** Who asks, for fair turns at the source. Default: nobody in particular. */
  readonly account?: string;
}

/** Where the work runs. */
export interface Engine {
  /**
   * The outcome, within `leftMs` and a little: an attempt that takes longer is a `timeout`, however the source behaves.
   * Rejects only with a DefectError (the source threw) or an EngineAwayError (nobody could be asked).
   */
  attempt<Id extends OperationId>(work: Work<Id>): Promise<Outcome<Resource<Id>>>;
  /** Throws where no work can be done now. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** A source threw: a fault of ours, never the outside's. */
export class DefectError extends Error {
  constructor(source: string, cause: unknown) {
    super(`source ${source} threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'DefectError';
  }
}

/** No attempt was made, or its end is not known, because what carries the work is away: nothing is said of the source. `message` is for clients. */
export class EngineAwayError extends Error {
  readonly detail: string;
  constructor(message: string, detail: string) {
    super(message);
    this.name = 'EngineAwayError';
    this.detail = detail;
  }
}
