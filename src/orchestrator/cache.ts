import { LRUCache } from 'lru-cache';
import type { Input, OperationId } from '../contract/operations/index.ts';
import type { CachedAnswer, CacheStatus, Freshness } from './types.ts';

/** The cache result in one word, for metrics, usage and log. */
export const cacheWord = (cacheStatus: CacheStatus): string =>
  cacheStatus.how === 'miss' && cacheStatus.collapsed ? 'collapsed' : cacheStatus.how;

export interface AnswerCache {
  local(cacheKey: string): CachedAnswer | undefined;
  /** From this process or a shared cache; claims nothing. */
  get(cacheKey: string): Promise<CachedAnswer | undefined>;
  set(cacheKey: string, cached: CachedAnswer): void;
  delete(cacheKey: string): void;
  /** Deletes the answers of an operation, or the one of a cache key. Returns how many. */
  purge(operation: OperationId, cacheKey?: string): number;
}

/** Clocks of a fleet differ by less: an answer further in the future was stored before the clock was set back. */
export const SKEW_MS = 5_000;
export const isFromFuture = (cached: CachedAnswer, nowMs: number): boolean => cached.at > nowMs + SKEW_MS;
export const freshUntil = (cached: CachedAnswer): number => cached.at + cached.freshForMs;
export const keepUntil = (cached: CachedAnswer): number => cached.at + cached.keepForMs;

/** Which cached answers satisfy a request. */
export interface Acceptance {
  /** `no-cache`: of cached answers only those that were read since the request came, as the result of another one for the same. */
  readonly noCache: boolean;
  /** Read at this time or later, epoch ms. */
  readonly readSinceMs: number;
  /** They stay fresh for so long. */
  readonly freshMs: number;
  /** They may be stale for so long; null: they may not. Never of a "not found". */
  readonly staleMs: number | null;
}
export const acceptanceOf = ({ noCache, maxAgeMs, minFreshMs, maxStaleMs }: Freshness, nowMs: number): Acceptance => ({
  noCache,
  readSinceMs: noCache ? nowMs : maxAgeMs === null ? 0 : nowMs - maxAgeMs,
  freshMs: minFreshMs ?? 0,
  staleMs: minFreshMs === null ? maxStaleMs : null,
});
/** How a cached answer satisfies the request; null: it does not. */
export function acceptedAs(cached: CachedAnswer, { noCache, readSinceMs, freshMs, staleMs }: Acceptance, nowMs: number) {
  if (noCache || cached.at < readSinceMs) return null;
  const lateMs = nowMs - freshUntil(cached);
  if (lateMs < 0) return -lateMs < freshMs ? null : 'fresh';
  return staleMs !== null && cached.absent === undefined && lateMs <= staleMs ? 'stale' : null;
}

/** Memory of an entry beside its body: key, ETag, times, map slot. */
const OVERHEAD_BYTES = 500;

/** LRU cache with a limit in bytes; no entry is returned after its `keepForMs`. */
export function createLocalCache(maxBytes: number, now: () => number): AnswerCache {
  if (maxBytes === 0) return { local: () => undefined, get: async () => undefined, set: () => {}, delete: () => {}, purge: () => 0 };
  const cached = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: (answer, cacheKey) => answer.bytes.length + Buffer.byteLength(cacheKey) + OVERHEAD_BYTES,
  });
  function find(cacheKey: string): CachedAnswer | undefined {
    const found = cached.get(cacheKey);
    if (!found || (keepUntil(found) > now() && !isFromFuture(found, now()))) return found;
    cached.delete(cacheKey);
    return undefined;
  }
  return {
    local: find,
    get: async (cacheKey) => find(cacheKey),
    set: (cacheKey, answer) => void cached.set(cacheKey, answer),
    delete: (cacheKey) => void cached.delete(cacheKey),
    purge(operation, cacheKey) {
      if (cacheKey !== undefined) return Number(cached.delete(cacheKey));
      const cacheKeys = [...cached.keys()].filter((key) => key.startsWith(`${operation} `));
      for (const key of cacheKeys) cached.delete(key);
      return cacheKeys.length;
    },
  };
}

/** Cache key of an operation with an input, independent of the order of its fields. `account`: the only account that the answer is for. */
export function cacheKeyOf(operation: OperationId, input: Input, account?: string): string {
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  const shared = `${operation} ${JSON.stringify(fields)}`;
  return account === undefined ? shared : `${shared} ${account}`;
}
