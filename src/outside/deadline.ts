import type { Clock } from './world.ts';

/** Runs `work` under a signal that fires with `signal` or once `timeoutMs` have passed, whichever is first; no timer outlives it. */
export async function within<T>(
  clock: Clock,
  timeoutMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal, untilMs: number) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return work(signal, Number.POSITIVE_INFINITY);
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener('abort', end, { once: true });
  void clock.sleep(timeoutMs, over.signal).then(end);
  try {
    return await work(over.signal, clock.now() + timeoutMs);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
