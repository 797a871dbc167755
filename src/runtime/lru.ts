/** Limits an LRUCache to `n` entries. Its option `max` would allocate all entries at once. */
export const atMost = (n: number) => ({ maxSize: n, sizeCalculation: () => 1 });
