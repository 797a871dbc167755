import { operationOf } from '../contract/operations/index.ts';
import { createOutage } from '../runtime/outage.ts';
import type { Store } from '../store/store.ts';
import { type CheckParts, check } from './check.ts';
import { claimSlot, isDue, isFree, type StoredWatch } from './records.ts';
import { expire, replan } from './retention.ts';
import { type Running, startTurns, type Waiting } from './turns.ts';

export interface ScheduleParts extends CheckParts {
  readonly newClaim: () => string;
  /** Requests that wait for an answer: while there are any, one check of an area at a time is made. */
  readonly inFlight: () => number;
}

const POLL_MS = 1_000;
const RETENTION_EVERY_MS = 600_000;

/** A slot that is due. */
export type DueSlot = Pick<StoredWatch, 'n' | 'account_id' | 'operation' | 'next_at'>;
/** Due slots that are read at a time: of each account and operation, and in all. */
const MOST_OF_EACH = 20;
const MOST_DUE = 2_000;

/** Slots and dates that are due and not claimed, by their age among those of their account and operation. */
export async function dueSlots({ db }: Pick<Store, 'db'>, nowMs: number): Promise<readonly DueSlot[]> {
  // one statement in most turns
  if (!(await db.selectFrom('watches').select('n').where(isDue(nowMs)).limit(1).executeTakeFirst())) return [];
  const columns = ['n', 'account_id', 'operation', 'next_at'] as const;
  return db
    .selectFrom((from) =>
      from
        .selectFrom('watches')
        .select(columns)
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy(['account_id', 'operation']).orderBy('next_at'))
            .as('place'),
        )
        .where(isDue(nowMs))
        .where(isFree(nowMs))
        .as('due'),
    )
    .select(columns)
    .where('place', '<=', MOST_OF_EACH)
    .orderBy('place')
    .orderBy('next_at')
    .limit(MOST_DUE)
    .execute();
}

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
    outage: createOutage(clock, log, 'watches are not checked now', 'watches are checked again'),
  });
}
