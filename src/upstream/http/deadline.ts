import type { Clock } from '../../runtime/clock.ts';

/** Given as a reason because the default one, an exception with its stack, costs more than a request. */
const OVER = 'over';

/** Runs `work` under a signal that fires with `signal` or once `timeoutMs` have passed, whichever is first; no timer outlives it. */
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
  void clock.sleep(timeoutMs, over.signal).then(end);
  try {
    return await work(over.signal, clock.now() + timeoutMs);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** The longest silence that is borne, by phase. */
export interface Patience {
  readonly clock: Clock;
  /** Until the first byte. */
  readonly headersMs: number;
  /** Between two bytes of an answer. */
  readonly bodyMs: number;
}
export interface Watch {
  /** Something came. `begun`: the answer has begun. */
  heard(begun: boolean): void;
  end(): void;
}

/** Calls `late` once nothing was heard for longer than the phase allows. One sleep for many bytes: it looks at the time when it wakes. */
export function watch({ clock, headersMs, bodyMs }: Patience, late: (phase: 'headers' | 'body') => void): Watch {
  const done = new AbortController();
  let sinceMs = clock.now();
  let answering = false;
  const run = async () => {
    while (!done.signal.aborted) {
      const leftMs = sinceMs + (answering ? bodyMs : headersMs) - clock.now();
      if (leftMs <= 0) return late(answering ? 'body' : 'headers');
      // never past the end of a body's pause that may begin meanwhile
      await clock.sleep(Math.min(leftMs, bodyMs), done.signal);
    }
  };
  void run();
  return {
    heard(begun) {
      sinceMs = clock.now();
      answering = begun;
    },
    end: () => done.abort(OVER),
  };
}
