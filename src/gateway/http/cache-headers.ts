import type { CachedAnswer, CacheStatus } from '../../orchestrator/types.ts';

const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

/** `max-age` counts from the time at which the source was read, like `Age` (RFC 9111, 4.2). */
export const lifetimeOf = (cached: Pick<CachedAnswer, 'at' | 'freshUntil'>): number => seconds(cached.freshUntil - cached.at);
export const ageOf = (at: number, nowMs: number): number => seconds(nowMs - at);

/** `Cache-Status` (RFC 9211). `ttl`: seconds that the answer is still fresh, negative once it is stale. */
export function cacheStatusField(cacheStatus: CacheStatus, ttl: number): string {
  if (cacheStatus.how === 'hit') return `sightline; hit; ttl=${ttl}`;
  if (cacheStatus.how === 'stale') {
    // `max-stale` allowed the stale answer without an upstream request: a hit. A fresh copy was forwarded because the request forced it.
    return cacheStatus.fwdStatus === null
      ? `sightline; hit; ttl=${ttl}`
      : `sightline; fwd=${ttl > 0 ? 'request' : 'stale'}; fwd-status=${cacheStatus.fwdStatus}; ttl=${ttl}`;
  }
  return `sightline; fwd=${cacheStatus.fwd}${cacheStatus.stored ? '; stored' : ''}${cacheStatus.collapsed ? '; collapsed' : ''}`;
}

/** The cache result in one word, for metrics, usage and log. */
export const cacheWord = (cacheStatus: CacheStatus): string =>
  cacheStatus.how === 'miss' && cacheStatus.collapsed ? 'collapsed' : cacheStatus.how;

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Whether `If-None-Match` names this ETag: weak comparison (RFC 9110, 13.1.2), lists, `*`. */
export function matches(field: string | undefined, etag: string): boolean {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  for (const [, tag] of field.matchAll(TAG)) if (tag === opaque) return true;
  return false;
}
