import { hash } from 'node:crypto';
import { type ErrorName, ServiceError } from '../contract/errors.ts';
import type { Run } from '../orchestrator/coalescing.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import { decodeMessage, encodeMessage } from './codec.ts';

/** Keys of the shared cache: entries by expiry, sizes of the entries, and the prefix of the entries themselves. */
export const CACHE_KEYS = ['sightline:cache:order', 'sightline:cache:sizes', 'sightline:cache:entry:'] as const;

/** Where a cached answer and the leadership of its lookup are in Redis. */
export interface Place {
  readonly member: string;
  readonly entry: string;
  /** Key of the leadership, and channel of its result. */
  readonly lead: string;
}
export function placeOf(cacheKey: string): Place {
  const name = hash('sha256', cacheKey, 'base64url');
  const member = `${cacheKey.slice(0, cacheKey.indexOf(' '))} ${name}`;
  return { member, entry: `${CACHE_KEYS[2]}${member}`, lead: `sightline:lead:${name}` };
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

/** A cached answer: a line of JSON, then the body as sent to clients. */
export const encodeCached = (cached: CachedAnswer, aheadMs: number): Buffer => encodeMessage(shifted(cached, aheadMs), cached.bytes);
export function decodeCached(encoded: Buffer, aheadMs: number): CachedAnswer {
  const { head, body } = decodeMessage<CachedHead>('a cached answer', encoded);
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
