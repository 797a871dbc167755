import { LRUCache } from 'lru-cache';
import type { OperationId } from '../contract/operations.ts';
import type { Kept } from './types.ts';

/** Where answers are kept. The one in this process answers at once; a shared one may stand behind it. */
export interface AnswerCache {
  get(question: string): Kept | undefined | Promise<Kept | undefined>;
  set(question: string, kept: Kept): void;
  delete(question: string): void;
  /** Drops what is kept of an operation, or of one question of it. Gives how many. */
  purge(operation: OperationId, question?: string): number;
  readonly bytes: number;
  readonly entries: number;
}

/** Clocks of a fleet differ by less; an answer that was read later than that from now is from before the clock was set back. */
const SKEW_MS = 5_000;
export const isFromFuture = (kept: Kept, nowMs: number): boolean => kept.at > nowMs + SKEW_MS;

/** What an entry costs beside its bytes: key, tag, times, map slot. */
const OVERHEAD_BYTES = 500;

/** Byte-bounded; the least recently used goes first; nothing is given after its `keepUntil`. */
export function createLocalCache(maxBytes: number, now: () => number): AnswerCache {
  if (maxBytes === 0) return { get: () => undefined, set: () => {}, delete: () => {}, purge: () => 0, bytes: 0, entries: 0 };
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: (k, question) => k.bytes.length + Buffer.byteLength(question) + OVERHEAD_BYTES,
  });
  return {
    get(question) {
      const found = kept.get(question);
      if (found && (found.keepUntil <= now() || isFromFuture(found, now()))) {
        kept.delete(question);
        return undefined;
      }
      return found;
    },
    set: (question, answer) => void kept.set(question, answer),
    delete: (question) => void kept.delete(question),
    purge(operation, question) {
      if (question !== undefined) return Number(kept.delete(question));
      const questions = [...kept.keys()].filter((q) => q.startsWith(`${operation} `));
      for (const q of questions) kept.delete(q);
      return questions.length;
    },
    get bytes() {
      return kept.calculatedSize;
    },
    get entries() {
      return kept.size;
    },
  };
}
