import type { HoldAnswer, Ledger } from '../../src/billing/types.ts';
import type { Disk } from './disk.ts';
import type { Owner, Timeline } from './timeline.ts';

/** Faults of the ledger that a test plants, to prove that the simulation finds them. */
export function captureTwice(ledger: Ledger): Ledger {
  const requests = new Map<string, Parameters<Ledger['hold']>[0]>();
  let captures = 0;
  return {
    ...ledger,
    async hold(request) {
      const answer = await ledger.hold(request);
      if (answer.ok) requests.set(answer.holdId, request);
      return answer;
    },
    async capture(holdId, amount) {
      await ledger.capture(holdId, amount);
      const request = requests.get(holdId);
      requests.delete(holdId);
      if (!request || amount === 0 || ++captures % 100 !== 0) return;
      const again = await ledger.hold({ ...request, amount });
      if (again.ok) await ledger.capture(again.holdId, amount);
    },
  };
}

/** Forgets each outcome of a watch, so that its slot runs again. */
export function forgetOutcomes(disk: Disk, forgotten: Set<string>): void {
  for (const { watch, slot } of disk.read('select watch, slot from watch_checks where credits > 0', [])) {
    const name = `${watch} ${slot}`;
    if (forgotten.has(name)) continue;
    forgotten.add(name);
    disk.read('delete from watch_checks where watch = ? and slot = ?', [watch, slot]);
    disk.read('update watches set next_at = ? where n = ?', [slot, watch]);
  }
}

/** A hold is said to be durable, and is written 30 ms later. */
export function replyBeforeHold(ledger: Ledger, timeline: Timeline, owner: Owner): Ledger {
  const later = new Map<string, Promise<HoldAnswer>>();
  let n = 0;
  const idOf = async (holdId: string): Promise<string> => {
    const answer = await later.get(holdId)?.catch(() => ({ ok: false }) as const);
    later.delete(holdId);
    return answer === undefined ? holdId : answer.ok ? answer.holdId : '';
  };
  return {
    ...ledger,
    async hold(request) {
      if (++n % 10 !== 0) return ledger.hold(request);
      const holdId = `${request.accountId}.0.early-${n}`;
      const hold = new Promise<HoldAnswer>((resolve) => timeline.add(30, owner, () => resolve(ledger.hold(request))));
      hold.catch(() => undefined); // a disk that fails refuses it after the answer
      later.set(holdId, hold);
      const remaining = await ledger.remaining(request.accountId);
      return { ok: true, holdId, remaining, expiresAt: timeline.now() + request.ttlMs };
    },
    async capture(holdId, amount) {
      const id = await idOf(holdId);
      if (id) await ledger.capture(id, amount);
    },
    async release(holdId) {
      const id = await idOf(holdId);
      if (id) await ledger.release(id);
    },
  };
}
