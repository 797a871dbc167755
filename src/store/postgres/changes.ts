import type { Clock } from '../../runtime/clock.ts';
import { createOutage } from '../../runtime/outage.ts';
import { repeat } from '../../runtime/repeat.ts';
import type { KeyChanges, StoreLog } from '../store.ts';
import { reasonOf } from '../unavailable.ts';

const POLL_MS = 400;
/** A counter that was read longer ago than this is stale. */
const FRESH_MS = 1_000;

/** Learns of key changes by polling their counter, from the first listener on. */
export function pollKeyChanges(clock: Clock, log: StoreLog, poll: () => Promise<number>): KeyChanges & { close(): Promise<void> } {
  const listeners: (() => void)[] = [];
  const outage = createOutage(clock, log, 'store: key changes cannot be asked for', 'store: key changes are asked for again');
  let polling: ReturnType<typeof repeat> | null = null;
  let seen: number | null = null;
  let seenAt = Number.NEGATIVE_INFINITY;

  async function look(closed: AbortSignal): Promise<number> {
    const asked = clock.now();
    try {
      const n = await poll();
      outage.worked();
      if (n !== seen) for (const changed of listeners) changed();
      seen = n;
      seenAt = asked;
    } catch (error) {
      if (!closed.aborted) outage.failed(reasonOf(error));
    }
    return POLL_MS;
  }

  return {
    listen(changed) {
      listeners.push(changed);
      polling ??= repeat(clock, look);
    },
    fresh: () => clock.now() - seenAt < FRESH_MS,
    close: async () => polling?.close(),
  };
}
