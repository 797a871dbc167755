/** Maximum credits of an account, a grant and a cap: sums of them stay safe integers. */
export const MAX_CREDITS = 1_000_000_000_000;
/** Maximum requests per second, and maximum burst, of a key. */
export const MAX_RATE = 1_000_000;
export const MAX_GRACE_MS = 366 * 86_400_000;
/** Timestamps are earlier than this: RFC 3339 has four-digit years. */
export const END_OF_TIME = Date.UTC(10_000, 0);
