import { hash } from 'node:crypto';

/** Keys of the shared cache: entries by expiry, sizes of the entries, and the prefix of the entries themselves. */
export const CACHE_KEYS = ['sightline:cache:order', 'sightline:cache:sizes', 'sightline:cache:entry:'] as const;

/** Where a cached answer and the leadership of its lookup are in Redis. */
export interface Place {
  readonly member: string;
  /** Key of the cached answer. */
  readonly entry: string;
  /** Key of the leadership, and channel of its result. */
  readonly lead: string;
}
export function placeOf(cacheKey: string): Place {
  const name = hash('sha256', cacheKey, 'base64url');
  const member = `${cacheKey.slice(0, cacheKey.indexOf(' '))} ${name}`;
  return { member, entry: `${CACHE_KEYS[2]}${member}`, lead: `sightline:lead:${name}` };
}
