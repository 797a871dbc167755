import { LRUCache } from 'lru-cache';
import { atMost } from '../runtime/lru.ts';
import type { Store } from '../store/store.ts';

/** Keeps what `read` gives for an id until all are forgotten. A value that was read meanwhile is not cached. */
export function createCachedRows<V extends object>(
  { keyChanges }: Pick<Store, 'keyChanges'>,
  maxEntries: number,
  read: (id: string) => Promise<V | null>,
) {
  const cached = new LRUCache<string, V>(atMost(maxEntries));
  let generation = 0;
  /** Null also while changes by other gateways may be missed. */
  const peek = (id: string): V | null => (keyChanges && !keyChanges.fresh() ? null : (cached.get(id) ?? null));

  return {
    peek,
    /** Throws UNAVAILABLE if the store must be read and is unavailable. */
    async find(id: string): Promise<V | null> {
      const hit = peek(id);
      if (hit) return hit;
      const began = generation;
      const value = await read(id);
      if (value && began === generation) cached.set(id, value);
      return value;
    },
    forget(): void {
      generation++;
      cached.clear();
    },
  };
}
