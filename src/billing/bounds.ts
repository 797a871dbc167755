/** Most credits that an account can own, a grant can move and a cap can name: sums of them stay exact numbers. */
export const MAX_CREDITS = 1_000_000_000_000;
/** Most requests a second, and at once, of a key. */
export const MAX_RATE = 1_000_000;
/** Longest grace time of a rerolled key: 366 days. */
export const MAX_GRACE_MS = 366 * 86_400_000;
/** Instants lie before this: RFC 3339 has years of four digits. */
export const END_OF_TIME = Date.UTC(10_000, 0);
