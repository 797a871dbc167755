import type { Clock } from '../runtime/clock.ts';
import { repeat } from '../runtime/repeat.ts';
import type { Lease } from '../upstream/ports.ts';
import type { Fleet } from './membership.ts';
import { leaseKeys } from './wire/keys.ts';
import { script } from './wire/scripts.ts';

/** Interval at which claimants call; one that does not call for `SILENT_MS` is removed from the queue. */
const CALL_MS = 50;
const SILENT_MS = 3_000;
const RENEW_MS = SILENT_MS / 3;

const claimScript = script('lease-claim');
const releaseScript = script('lease-release');

/** A lease with one holder in the whole fleet, in order of arrival. Not granted while Redis is unavailable, so that no work runs twice. */
export function createRedisLease({ fleet, clock }: { fleet: Fleet; clock: Clock }): Lease {
  let count = 0;
  return {
    async alone(key, work, signal) {
      const keys = leaseKeys(key);
      const claimant = `${fleet.id}/${count++}`;
      const claim = async (): Promise<boolean> =>
        fleet.up && (await claimScript(fleet.redis, keys, { claimant, silentMs: SILENT_MS }).catch(() => 0)) === 1;
      let renewing: ReturnType<typeof repeat> | null = null;
      try {
        while (!(await claim())) {
          if (signal.aborted) return null;
          await clock.sleep(CALL_MS, signal);
        }
        if (signal.aborted) return null;
        renewing = repeat(clock, () => claim().then(() => RENEW_MS), RENEW_MS);
        return await work();
      } finally {
        void renewing?.close();
        if (fleet.up) await releaseScript(fleet.redis, keys, { claimant }).catch(() => undefined); // a claimant that does not call is removed
      }
    },
  };
}
