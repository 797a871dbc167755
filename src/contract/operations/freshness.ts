const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const minutes = (n: number): number => n * MINUTE_MS;
export const hours = (n: number): number => n * HOUR_MS;
/** How long a "not found" is cached. */
export const ABSENT_FRESH_MS = MINUTE_MS;
