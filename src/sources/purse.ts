import type { Clock } from '../outside/world.ts';
import { type NotFound, refused } from './outcome.ts';
import type { World } from './source.ts';

export interface PurseRule {
  /** Who is paid, for the log. */
  readonly name: string;
  readonly maxRequests: number;
  readonly maxUsd: number;
  /** What one request costs. */
  readonly usdEach: number;
  /** The settings that raise the caps, for the log. */
  readonly settings: string;
}

const DAY_MS = 86_400_000;

/**
 * What one paid source may cost this process in a UTC day, in requests and in money. `take` counts a request that is about to be made; once
 * a cap is reached it gives the refusal instead, and the log names the settings once a day.
 */
export function createPurse(rule: PurseRule, clock: Clock, log: World['log']): { take(): NotFound | null } {
  let day = -1;
  let requests = 0;
  let told = false;
  return {
    take() {
      const today = Math.floor(clock.now() / DAY_MS);
      if (today !== day) {
        day = today;
        requests = 0;
        told = false;
      }
      const isSpent = requests >= rule.maxRequests || (requests + 1) * rule.usdEach > rule.maxUsd + 1e-9;
      if (!isSpent) {
        requests++;
        return null;
      }
      if (!told) log('warn', 'the daily cap of a paid source is reached', { source: rule.name, requests, settings: rule.settings });
      told = true;
      return refused("The operator's daily cap for this source is reached; it opens again at 00:00 UTC.", `cap of ${rule.settings}`);
    },
  };
}
