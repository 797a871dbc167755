import type { OperationId } from '../contract/operations/index.ts';
import type { Failure } from '../upstream/answer.ts';
import type { Exchange, SentRequest } from '../upstream/ports.ts';

export interface CapturedWork {
  readonly source: string;
  readonly operation: OperationId;
  readonly input: object;
  readonly requestId?: string | undefined;
}

/** Outcome of an attempt as far as captures read it; the whole object is stored. `defect`: the source threw. */
export interface CapturedOutcome {
  readonly tag: string;
  readonly what?: string;
  readonly detail?: string;
  readonly resource?: unknown;
  readonly unread?: readonly string[];
  readonly final?: true;
  readonly known?: true;
}

/** The same as an engine returns it: the resource as JSON. */
export interface EndedOutcome extends Omit<CapturedOutcome, 'resource'> {
  /** `fields.missing`: dotted paths of the fields without a value. */
  readonly resource?: { readonly bytes: Uint8Array; readonly fields?: { readonly missing: readonly string[] } };
}

/** One attempt with its exchanges, as it is passed to the writer. */
export interface AttemptCapture extends CapturedWork {
  readonly id: string;
  readonly atMs: number;
  readonly outcome: EndedOutcome;
  readonly exchanges: readonly Exchange[];
}

/** An exchange as the metadata record describes it. Its records follow in the file: a request and, if an answer came, a response each. */
export interface ExchangeFacts {
  readonly asked: Exchange['asked'];
  /** Whether an answer came to each request that was sent, oldest first. */
  readonly answered: readonly boolean[];
  /** The reply of the connector where it was no answer. */
  readonly failure?: Failure;
}

export interface CaptureFacts {
  readonly capture: string;
  /** `shared`: documents that attempts of the source share (robots.txt, the RDAP bootstrap). */
  readonly kind: 'attempt' | 'shared';
  readonly source: string;
  readonly operation: OperationId | null;
  readonly input: object | null;
  readonly requestId: string | null;
  readonly at: string;
  readonly outcome: CapturedOutcome | null;
  readonly exchanges: readonly ExchangeFacts[];
  readonly version: string;
}

export interface StoredCapture {
  readonly facts: CaptureFacts;
  readonly exchanges: readonly { readonly facts: ExchangeFacts; readonly sent: readonly SentRequest[] }[];
}
