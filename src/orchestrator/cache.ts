import { LRUCache } from 'lru-cache';
import type { OperationId } from '../contract/operations/index.ts';
import type { CachedAnswer } from './types.ts';

/** Cache of answers. The local one returns values, a shared one promises. */
export interface AnswerCache {
  /** `mayLead`: without a fresh answer the caller joins the coalesced lookup at once, in the same turn of the event loop. */
  get(cacheKey: string, mayLead?: boolean): CachedAnswer | undefined | Promise<CachedAnswer | undefined>;
  set(cacheKey: string, cached: CachedAnswer): void;
  delete(cacheKey: string): void;
  /** Deletes the answers of an operation, or the one of a cache key. Returns how many. */
  purge(operation: OperationId, cacheKey?: string): number;
  readonly bytes: number;
  readonly entries: number;
}

/** Clocks of a fleet differ by less: an answer further in the future was stored before the clock was set back. */
const SKEW_MS = 5_000;
export const isFromFuture = (cached: CachedAnswer, nowMs: number): boolean => cached.at > nowMs + SKEW_MS;

/** Memory of an entry beside its body: key, ETag, times, map slot. */
const OVERHEAD_BYTES = 500;

/** LRU cache with a limit in bytes; no entry is returned after its `keepUntil`. */
export function createLocalCache(maxBytes: number, now: () => number): AnswerCache {
  if (maxBytes === 0) return { get: () => undefined, set: () => {}, delete: () => {}, purge: () => 0, bytes: 0, entries: 0 };
  const cached = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: (answer, cacheKey) => answer.bytes.length + Buffer.byteLength(cacheKey) + OVERHEAD_BYTES,
  });
  return {
    get(cacheKey) {
      const found = cached.get(cacheKey);
      if (found && (found.keepUntil <= now() || isFromFuture(found, now()))) {
        cached.delete(cacheKey);
        return undefined;
      }
      return found;
    },
    set: (cacheKey, answer) => void cached.set(cacheKey, answer),
    delete: (cacheKey) => void cached.delete(cacheKey),
    purge(operation, cacheKey) {
      if (cacheKey !== undefined) return Number(cached.delete(cacheKey));
      const cacheKeys = [...cached.keys()].filter((key) => key.startsWith(`${operation} `));
      for (const key of cacheKeys) cached.delete(key);
      return cacheKeys.length;
    },
    get bytes() {
      return cached.calculatedSize;
    },
    get entries() {
      return cached.size;
    },
  };
}
