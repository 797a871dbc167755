import { createPace } from '../upstream/pace.ts';
import type { Pace, PaceRule } from '../upstream/ports.ts';
import type { Fleet, FleetParts } from './membership.ts';
import { laneKey, paceKeys } from './wire/keys.ts';
import { script } from './wire/scripts.ts';

const LATE_MS = 20;
/** A turn that came later than the next one was due is not used, nor one that came later than this: others have used the pace since. */
const STALE_MS = 250;
/** Turns of one request that are left unused: a process that is always slow would else never send. Each is lost to all. */
const MOST_STALE = 2;
/** A ticket that does not return for this long after its turn is removed. */
const SILENT_MS = 1_000;

const takeScript = script('pace-take');
const leaveScript = script('pace-leave');
const restingScript = script('pace-resting');
const restScript = script('pace-rest');

/** Paces the upstream requests of a fleet. While Redis is unavailable each process uses its share: the rule divided by the last known workers. */
export function createRedisPace({
  fleet,
  clock,
  monotonicMs = () => performance.now(),
}: Pick<FleetParts, 'clock' | 'monotonicMs'> & { readonly fleet: Fleet }): Pace {
  const local = createPace({ now: monotonicMs, sleep: clock.sleep });
  let tickets = 0;
  const share = (rule: PaceRule): PaceRule => ({
    ...rule,
    everyMs: rule.everyMs * fleet.workers,
    burst: 1, // the burst may have been used just before
  });

  async function take(rule: PaceRule, patienceMs: number, signal?: AbortSignal): Promise<number> {
    const until = monotonicMs() + patienceMs;
    const ticket = `${fleet.id}/${tickets++}`;
    const keys = paceKeys(rule.key);
    const staleMs = Math.max(LATE_MS, Math.min(rule.everyMs, STALE_MS));
    let unused = 0;
    for (;;) {
      // a process that was suspended has joined again in a moment: until then the others use the whole pace
      const isUp = fleet.up || (await fleet.hasRejoined());
      const leftMs = Math.max(0, until - monotonicMs());
      if (!isUp) return local.take(share(rule), leftMs, signal);
      const { burst, account = '' } = rule;
      const times = {
        everyMs: Math.max(0, rule.everyMs),
        patienceMs: leftMs,
        joinedMs: fleet.upForMs,
        lateMs: LATE_MS,
        silentMs: SILENT_MS,
      };
      const args = { ...times, burst, ticket, account };
      const sentMs = monotonicMs();
      const answer = (await takeScript(fleet.redis, keys, args).catch(() => null)) as [string, number] | null;
      if (!answer) return local.take(share(rule), leftMs, signal);
      const [waitMs, verdict] = [Number(answer[0]), answer[1]];
      // this process stood still with its turn
      const isStale = verdict === 1 && unused < MOST_STALE && monotonicMs() - sentMs - fleet.roundTripMs > staleMs;
      if (isStale && !signal?.aborted) {
        unused++;
        continue;
      }
      if (verdict === 1 && !signal?.aborted) return 0;
      if (verdict === 0) return Math.max(1, waitMs);
      const turn = monotonicMs() + waitMs;
      await clock.sleep(waitMs, signal);
      if (!signal?.aborted) continue;
      if (fleet.up) await leaveScript(fleet.redis, keys, { ticket }).catch(() => undefined); // a ticket that does not return is removed
      return Math.max(1, turn - monotonicMs());
    }
  }

  return {
    take,
    async rest(key, ms) {
      if (!(ms > 0)) return;
      // stored in both: either may pace the next request
      await local.rest(key, ms);
      if (fleet.up) await restScript(fleet.redis, { lane: laneKey(key) }, { restMs: ms }).catch(() => undefined);
    },
    async resting(key) {
      const localMs = await local.resting(key);
      if (!fleet.up) return localMs;
      const sharedMs = await restingScript(fleet.redis, { lane: laneKey(key) }, {}).catch(() => 0);
      return Math.max(0, localMs, Number(sharedMs));
    },
  };
}
