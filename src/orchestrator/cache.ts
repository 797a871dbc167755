import { LRUCache } from 'lru-cache';
import type { OperationId } from '../contract/operations/index.ts';
import type { CachedAnswer } from './types.ts';

/** Where answers are kept. The one in this process answers at once; a shared one may stand behind it. */
export interface AnswerCache {
  get(cacheKey: string): CachedAnswer | undefined | Promise<CachedAnswer | undefined>;
  set(cacheKey: string, cached: CachedAnswer): void;
  delete(cacheKey: string): void;
  /** Drops what is kept of an operation, or of one question of it. Gives how many. */
  purge(operation: OperationId, cacheKey?: string): number;
  readonly bytes: number;
  readonly entries: number;
}

/** Clocks of a fleet differ by less; an answer that was read later than that from now is from before the clock was set back. */
const SKEW_MS = 5_000;
export const isFromFuture = (cached: CachedAnswer, nowMs: number): boolean => cached.at > nowMs + SKEW_MS;

/** What an entry costs beside its bytes: key, tag, times, map slot. */
const OVERHEAD_BYTES = 500;

/** Byte-bounded; the least recently used goes first; nothing is given after its `keepUntil`. */
export function createLocalCache(maxBytes: number, now: () => number): AnswerCache {
  if (maxBytes === 0) return { get: () => undefined, set: () => {}, delete: () => {}, purge: () => 0, bytes: 0, entries: 0 };
  const cached = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: (k, cacheKey) => k.bytes.length + Buffer.byteLength(cacheKey) + OVERHEAD_BYTES,
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
      const cacheKeys = [...cached.keys()].filter((q) => q.startsWith(`${operation} `));
      for (const q of cacheKeys) cached.delete(q);
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
