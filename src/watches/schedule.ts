import type { Clock } from '../runtime/clock.ts';
import { repeat } from '../runtime/repeat.ts';
import { type CheckParts, check } from './check.ts';
import { claimDue } from './records.ts';
import { expire, replan } from './retention.ts';

export interface ScheduleParts extends CheckParts {
  /** For pauses between two looks at the table. */
  readonly clock: Clock;
  readonly newClaim: () => string;
  /** Requests that wait for an answer: while there are any, one check at a time is made. */
  readonly inFlight: () => number;
}

const POLL_MS = 5_000;
const RETENTION_EVERY_MS = 600_000;

/** Makes the checks of due slots until it is closed. Any number of processes may do so on one store. */
export function startSchedule(parts: ScheduleParts) {
  const { store, clock, log, settings } = parts;
  const running = new Set<Promise<void>>();
  let tidiedAt = Number.NEGATIVE_INFINITY;

  const free = (): number => (parts.inFlight() > 0 ? 1 : settings.SIGHTLINE_WATCH_CHECKS) - running.size;

  async function startDue(): Promise<number> {
    const slots = free() > 0 ? await claimDue(store, free(), await parts.now(), parts.newClaim) : [];
    for (const slot of slots) {
      const run = check(parts, slot).then(
        () => undefined,
        // its claim ends, and the slot is made again
        (error: Error) => log('warn', 'a check of a watch failed', { watch: slot.watch.id, reason: error.stack ?? error.message }),
      );
      running.add(run);
      void run.then(() => running.delete(run));
    }
    return slots.length;
  }
  /** Returns the pause until the next turn. */
  async function turn(closed: AbortSignal): Promise<number> {
    const now = await parts.now();
    if (Math.abs(now - tidiedAt) >= RETENTION_EVERY_MS) {
      tidiedAt = now;
      await replan(store, now);
      await expire(store, now);
    }
    while (!closed.aborted && (await startDue()) > 0) if (free() <= 0) await Promise.race(running);
    if (running.size === 0) return POLL_MS;
    await Promise.race([...running, clock.sleep(POLL_MS, closed)]);
    return 0;
  }
  const turns = repeat(clock, (closed) =>
    turn(closed).catch((error: Error) => {
      log('warn', 'watches are not checked now', { reason: error.message });
      return POLL_MS;
    }),
  );
  return {
    /** Waits for the checks that run. */
    async close(): Promise<void> {
      await turns.close();
      await Promise.all(running);
    },
  };
}
