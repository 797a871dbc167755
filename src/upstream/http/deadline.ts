import { after, type Clock } from '../../runtime/clock.ts';

/** Abort reason as a string: the default DOMException with its stack costs more than a request. */
const OVER = 'over';

/** Runs `work` under a signal that fires with `signal` or after `timeoutMs`, whichever is first. Its timer ends with it. */
export async function within<T>(
  clock: Clock,
  timeoutMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal, untilMs: number) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return work(signal, Number.POSITIVE_INFINITY);
  const over = new AbortController();
  const end = () => over.abort(OVER);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const cancel = after(clock, timeoutMs, end);
  try {
    return await work(over.signal, clock.now() + timeoutMs);
  } finally {
    cancel();
    signal.removeEventListener('abort', end);
  }
}

/** Time to connect, from the request to the first byte of the answer, and the longest pause within its body. */
export const CONNECT_TIMEOUT_MS = 5_000;
export const HEADERS_TIMEOUT_MS = 10_000;
export const BODY_TIMEOUT_MS = 10_000;

/** Longest pause until the first byte, and between two bytes of an answer. */
export interface Patience {
  readonly clock: Clock;
  readonly headersMs: number;
  readonly bodyMs: number;
}
export type Watch = ReturnType<typeof watch>;

/** Calls `late` after a pause longer than the phase allows. One timer serves many bytes: it checks the time when it fires. */
export function watch({ clock, headersMs, bodyMs }: Patience, late: (phase: 'headers' | 'body') => void) {
  let sinceMs = clock.now();
  let answering = false;
  const look = (): void => {
    const leftMs = sinceMs + (answering ? bodyMs : headersMs) - clock.now();
    if (leftMs <= 0) late(answering ? 'body' : 'headers');
    // at most `bodyMs`: the body may begin meanwhile, and its limit may end first
    else cancel = after(clock, Math.min(leftMs, bodyMs), look);
  };
  let cancel = (): void => {};
  look();
  return {
    /** Bytes arrived. `begun`: the answer has begun. */
    heard(begun: boolean): void {
      sinceMs = clock.now();
      answering = begun;
    },
    end: (): void => cancel(),
  };
}
