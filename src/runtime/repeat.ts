import type { Clock } from './clock.ts';

/** Does `work` until it is closed, each time after the pause (ms) that the last one returned; the first time after `firstMs`. */
export function repeat(clock: Clock, work: (closed: AbortSignal) => Promise<number>, firstMs = 0): { close(): Promise<void> } {
  const closed = new AbortController();
  const running = (async () => {
    if (firstMs > 0) await clock.sleep(firstMs, closed.signal);
    while (!closed.signal.aborted) await clock.sleep(await work(closed.signal), closed.signal);
  })();
  return {
    async close() {
      closed.abort('closed');
      await running;
    },
  };
}
