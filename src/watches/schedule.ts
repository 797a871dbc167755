import { operationOf } from '../contract/operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { type CheckParts, check } from './check.ts';
import { claimSlot, type DueSlot, dueSlots } from './records.ts';
import { expire, replan } from './retention.ts';
import { type Running, startTurns, type Waiting } from './turns.ts';

export interface ScheduleParts extends CheckParts {
  /** For pauses between two looks at the table. */
  readonly clock: Clock;
  readonly newClaim: () => string;
  /** Requests that wait for an answer: while there are any, one check of an area at a time is made. */
  readonly inFlight: () => number;
}

const POLL_MS = 1_000;
const RETENTION_EVERY_MS = 600_000;

interface DueCheck extends Waiting {
  readonly slot: DueSlot;
}
/** The platforms of an area have their own pace, so that the checks of one area wait for nothing that another one needs. */
const targetOf = ({ operation }: DueSlot): string => operationOf(operation)?.area.id ?? '';

/** Makes the checks of due slots until it is closed. Any number of processes may do so on one store. */
export function startSchedule(parts: ScheduleParts): { close(): Promise<void> } {
  const { store, clock, log, settings } = parts;
  let tidiedAt = Number.NEGATIVE_INFINITY;

  async function due(): Promise<readonly DueCheck[]> {
    const now = await parts.now();
    if (Math.abs(now - tidiedAt) >= RETENTION_EVERY_MS) {
      tidiedAt = now;
      await replan(store, now);
      await expire(store, now);
    }
    const slots = await dueSlots(store, now);
    return slots.map((slot) => ({ id: slot.n, account: slot.account_id, target: targetOf(slot), slot }));
  }
  /** An account without a check in the area has a place beside those that others may have filled. */
  function mayBegin({ ofTarget, ofBoth }: Running): boolean {
    const places = parts.inFlight() > 0 ? 1 : settings.SIGHTLINE_WATCH_CHECKS;
    return ofTarget < places + Number(ofBoth === 0);
  }
  async function run({ slot }: DueCheck): Promise<void> {
    try {
      const claimed = await claimSlot(store, slot.n, await parts.now(), parts.newClaim());
      if (claimed) await check(parts, claimed);
    } catch (error) {
      // its claim ends, and the slot is made again
      const { stack, message } = error as Error;
      log('warn', 'a check of a watch failed', { watch: slot.n, reason: stack ?? message });
    }
  }
  return startTurns({
    clock,
    pollMs: POLL_MS,
    due,
    mayBegin,
    turnOf: ({ account, target }) => `${target} ${account}`,
    run,
    failed: (error) => log('warn', 'watches are not checked now', { reason: error.message }),
  });
}
