/** `stated`: only where the answer has `Retry-After`. */
export type Retryable = boolean | 'stated';

/** A longer wait is the caller's decision, not a retry. */
export const MAX_RETRY_WAIT_MS = 15 * 60_000;

/** Whether the same request may succeed within minutes without anyone's doing. `retryAfterMs`: null where no `Retry-After` came. */
export const mayRetry = (rule: Retryable, retryAfterMs: number | null): boolean =>
  retryAfterMs === null ? rule === true : rule !== false && retryAfterMs <= MAX_RETRY_WAIT_MS;
