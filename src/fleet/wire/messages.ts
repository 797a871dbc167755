import { type ErrorName, ServiceError } from '../../contract/errors.ts';
import type { OperationId } from '../../contract/operations/index.ts';
import { freshUntil } from '../../orchestrator/cache.ts';
import type { Run } from '../../orchestrator/coalescing.ts';
import type { AttemptOutcome, SerialisedResource, Work } from '../../orchestrator/engine.ts';
import type { CachedAnswer } from '../../orchestrator/types.ts';
import type { Found, NotFound } from '../../sources/outcome.ts';

/** Version of every message that this release writes, and the only one that it reads. */
export const VERSION = 6;
/** Why a message is refused: its format has another version than that of this release. Null: the same. */
export const versionFault = (kind: string, { v }: { readonly v?: unknown }): string | null =>
  v === VERSION ? null : `${kind} has version ${JSON.stringify(v) ?? 'none'}, this release reads version ${VERSION}`;

/** Data of a job: one attempt at one source for one gateway. */
export interface JobData extends Pick<Work, 'operation' | 'input' | 'account' | 'requestId'> {
  readonly v: typeof VERSION;
  /** Where the reply goes. These two fields are the same in every version, so that a refusal reaches its gateway. */
  readonly gatewayId: string;
  readonly attempt: number;
  /** Deadline, epoch ms by Redis' clock. */
  readonly untilMs: number;
  /** The leadership of the lookup, which the worker renews, so that no other gateway runs the same lookup meanwhile. Null: not shared. */
  readonly lead: readonly [key: string, token: string] | null;
}

/** A message with a body: a line of JSON, then the bytes of the body. */
const encodeMessage = (head: object, body: Buffer = NO_BYTES): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ v: VERSION, ...head })}\n`), body]);
/** The line of JSON, why it is refused, and the body: a copy, so that a cached one does not keep the whole packet in memory. */
function readMessage<T extends object>(kind: string, encoded: Buffer) {
  const end = encoded.indexOf(NEWLINE);
  const head = JSON.parse(encoded.toString('utf8', 0, end < 0 ? encoded.length : end)) as T;
  return { head, fault: versionFault(kind, head), body: end < 0 ? NO_BYTES : Buffer.from(encoded.subarray(end + 1)) };
}
/** Throws for an unreadable message and for one of another version. */
function decodeMessage<T extends object>(kind: string, encoded: Buffer): { readonly head: T; readonly body: Buffer } {
  const { head, fault, body } = readMessage<T>(kind, encoded);
  if (fault !== null) throw new Error(fault);
  return { head, body };
}
const NEWLINE = 10;
const NO_BYTES = Buffer.alloc(0);

/** Result of an attempt. `refused`: the worker could not read the job. */
export type Reply = { readonly outcome: AttemptOutcome } | { readonly defect: string } | { readonly refused: string };
type SentOutcome = NotFound | (Omit<Found, 'resource'> & { readonly resource: Omit<SerialisedResource, 'bytes'> });
type SentReply = Exclude<Reply, { outcome: AttemptOutcome }> | { readonly outcome: SentOutcome };

/** A reply to an attempt. The body is the resource, as it is cached and sent. */
export function encodeReply(attempt: number, reply: Reply): Buffer {
  if (!('outcome' in reply) || reply.outcome.tag !== 'found') return encodeMessage({ attempt, reply });
  const { bytes, ...resource } = reply.outcome.resource;
  return encodeMessage({ attempt, reply: { outcome: { ...reply.outcome, resource } } }, bytes);
}
export function decodeReply(encoded: Buffer): { readonly attempt: number; readonly reply: Reply } {
  const { head, fault, body } = readMessage<{ attempt: number; reply: SentReply }>('a reply', encoded);
  const { attempt, reply } = head;
  if (fault !== null) return { attempt, reply: { refused: fault } };
  if (!('outcome' in reply)) return { attempt, reply };
  const { outcome } = reply;
  if (outcome.tag !== 'found') return { attempt, reply: { outcome } };
  return { attempt, reply: { outcome: { ...outcome, resource: { ...outcome.resource, bytes: body } } } };
}

type CachedHead = Omit<CachedAnswer, 'bytes'>;
/** How a leadership ended. `ended`: no result is sent; followers read the shared cache and may lead themselves. */
type MessageHead =
  | { readonly kind: 'ended' }
  | ({ readonly kind: 'cached' } & CachedHead)
  | { readonly kind: 'error'; readonly failure: ErrorName; readonly message: string; readonly headers: Record<string, string> };

/** The times of an answer are sent in Redis' time, which is `aheadMs` ahead of this process's clock. */
const shifted = ({ etag, at, freshForMs, keepForMs, source, unread, absent, delivered }: CachedHead, ms: number): CachedHead => ({
  ...{ etag, at: at + ms, freshForMs, keepForMs, source, unread },
  ...(absent !== undefined && { absent }),
  ...(delivered !== undefined && { delivered }),
});

/** An entry of the shared cache: the times that Lua compares ("read fresh-until", Redis' time), a line of JSON, then the body as sent to clients. */
export const encodeCached = (cached: CachedAnswer, aheadMs: number): Buffer =>
  Buffer.concat([
    Buffer.from(`${cached.at + aheadMs} ${freshUntil(cached) + aheadMs}\n`),
    encodeMessage(shifted(cached, aheadMs), cached.bytes),
  ]);
export function decodeCached(encoded: Buffer, aheadMs: number): CachedAnswer {
  const { head, body } = decodeMessage<CachedHead>('a cached answer', encoded.subarray(encoded.indexOf(NEWLINE) + 1));
  return { ...shifted(head, -aheadMs), bytes: body };
}

export const ENDED = encodeMessage({ kind: 'ended' } satisfies MessageHead);
/** The result of a lookup for the followers at other gateways, without its attempts. */
export function encodeRun(run: Run, aheadMs: number): Buffer {
  if (run.cached) return encodeMessage({ kind: 'cached', ...shifted(run.cached, aheadMs) } satisfies MessageHead, run.cached.bytes);
  const { failure, message, headers } = run.error;
  return encodeMessage({ kind: 'error', failure, message, headers } satisfies MessageHead);
}
/** Null for `ENDED`. */
export function decodeRun(encoded: Buffer, aheadMs: number): Run | null {
  const { head, body } = decodeMessage<MessageHead>('a coalescing message', encoded);
  if (head.kind === 'ended') return null;
  const none = { attempts: [], upstreamMs: 0 };
  if (head.kind === 'cached') return { ...none, stored: true, cached: { ...shifted(head, -aheadMs), bytes: body }, error: null };
  return { ...none, stored: false, cached: null, error: new ServiceError(head.failure, head.message, head.headers) };
}

/** Without `epoch`: one answer is deleted, and no epoch begins. */
export interface Purge {
  readonly operation: OperationId | null;
  /** Only this answer is purged, at a gateway that knows the epoch `before`; null: all of the operation. */
  readonly cacheKey: string | null;
  readonly before: number;
  readonly epoch: number;
}
/** The deletion of one answer, in the form of purge-publish.lua: "version before epoch operation", then the cache key. */
export const encodeForget = (cacheKey: string): Buffer => Buffer.from(`${VERSION} 0 0 \n${cacheKey}`);
/** Throws for an unreadable message and for one of another version. */
export function decodePurge(encoded: Buffer): Purge {
  const [, version, before, epoch, operation, cacheKey = ''] = /^(\S+)(?: (\d+) (\d+) (\S*)\n(.*))?/s.exec(encoded.toString()) ?? [];
  const fault = versionFault('a purge', { v: Number(version) });
  if (fault !== null) throw new Error(fault);
  if (epoch === undefined) throw new Error('a purge cannot be read');
  return { operation: (operation || null) as OperationId | null, cacheKey: cacheKey || null, before: Number(before), epoch: Number(epoch) };
}
