/** Limits an LRUCache to `n` entries. Its own `max` would allot all their places at once. */
export const atMost = (n: number) => ({ maxSize: n, sizeCalculation: () => 1 });
