import { hash } from 'node:crypto';
import type { TSchema } from 'typebox';
import type { Captures } from '../captures/captures.ts';
import { faultFinder } from '../contract/operations/define.ts';
import { type Input, OPERATIONS, type Operation, type OperationId, type Resource } from '../contract/operations/index.ts';
import { type FieldPresence, presenceIn } from '../monitoring/field-presence.ts';
import { changed, type Found, type NotFound, type Outcome } from '../sources/outcome.ts';

/** One attempt at one source: the unit of work. `leftMs`: time until its deadline. */
export interface Work<Id extends OperationId = OperationId> {
  readonly source: string;
  readonly operation: Id;
  readonly input: Input<Id>;
  readonly leftMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The account of the request, for fair queueing at the source. Default: none. */
  readonly account?: string | undefined;
  readonly requestId?: string | undefined;
  /** Of a lookup that others may join: whoever makes the attempt keeps its leadership alive. */
  readonly cacheKey?: string | undefined;
}

/** Records the upstream exchanges of attempts, beside the answer: it neither waits nor throws. */
export type AttemptRecorder = Pick<Captures, 'begin'>;

export interface Engine {
  /** A `timeout` soon after `leftMs`. Rejects with a DefectError (the source threw) or an EngineAwayError alone. */
  attempt<Id extends OperationId>(work: Work<Id>): Promise<AttemptOutcome>;
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

/** A resource that satisfies the contract, serialised once: where the attempt was made. */
export interface SerialisedResource {
  readonly bytes: Buffer;
  /** Weak entity tag over the resource without the times at which it was read. */
  readonly etag: string;
  /** Freshness lifetime from the end of the attempt. */
  readonly freshForMs: number;
  readonly fields: FieldPresence;
}
export type AttemptOutcome = (Omit<Found, 'resource' | 'freshAtMostMs'> & { readonly resource: SerialisedResource }) | NotFound;

export type Check = (operation: OperationId, resource: unknown) => Promise<string | null>;

/** Checks resources against the contract's schemas, compiled on first use. Null if valid, else the fault with its path (for the log). */
export function createCheck(): Check {
  const finders = new Map<TSchema, ReturnType<typeof faultFinder>>();
  return async (operation, resource) => {
    const schema = OPERATIONS[operation].resource;
    const faultOf = finders.get(schema) ?? faultFinder(schema);
    finders.set(schema, faultOf);
    const fault = await faultOf(resource);
    return fault && `${fault.pointer || '/'} ${fault.why}`;
  };
}

/** Checks a found resource against the contract and serialises it; `changed` if it does not fit. */
export async function serialise(operation: OperationId, outcome: Outcome<Resource>, check: Check, nowMs: number): Promise<AttemptOutcome> {
  if (outcome.tag !== 'found') return outcome;
  const { resource, freshAtMostMs = Number.POSITIVE_INFINITY, ...more } = outcome;
  const wrong = await check(operation, resource);
  if (wrong !== null) return changed('The answer of the source does not fit the contract.', wrong);
  const { freshForMs }: Operation = OPERATIONS[operation];
  const text = JSON.stringify(resource);
  const [bytes, etag] = [Buffer.from(text), etagOf(resource, text)];
  const serialised = { bytes, etag, freshForMs: Math.min(freshForMs(resource, nowMs), freshAtMostMs), fields: presenceIn(resource) };
  return { ...more, resource: serialised };
}

/** The entity tag is over the JSON of the resource without the times at which it was read. `text`: its JSON with them. */
export function etagOf(resource: object, text: string): string {
  const { scrapedAt, checkedAt } = resource as { scrapedAt?: unknown; checkedAt?: unknown };
  const times = JSON.stringify({ scrapedAt, checkedAt }).slice(1, -1);
  // cut out where they stand once, before another member: to serialise again takes longer than the rest
  const [before, after = '', more] = times ? text.split(times) : [text];
  const isCut = !times || (after.startsWith(',') && more === undefined);
  const hashed = isCut ? before + after.slice(1) : JSON.stringify({ ...resource, scrapedAt: undefined, checkedAt: undefined });
  return `W/"${hash('sha256', hashed, 'base64url').slice(0, 22)}"`;
}
