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

/** A cap on what one paid source may cost in a UTC day. It is kept in this process: several processes have several, and a restart opens a new one. */
export interface Purse {
  /** Counts a request that is about to be made, at `usd` (default: what one costs); the refusal instead once a cap is reached. */
  take(usd?: number): NotFound | null;
  /** Corrects what the last request was taken to cost by what the source says that it cost; the log has the day's sum. */
  settle(takenUsd: number, statedUsd: number): void;
}

/** The log line whose `source` and `usd` are also figures. */
export const UPSTREAM_COST = 'upstream cost';

/**
 * What one paid source may cost this process in a UTC day, in requests and in money. Once a cap is reached `take` refuses, and the log names
 * the settings once a day.
 */
export function createPurse(rule: PurseRule, clock: Clock, log: World['log']): Purse {
  let day = -1;
  let requests = 0;
  let usdSpent = 0;
  let told = false;
  return {
    take(usd = rule.usdEach) {
      const today = Math.floor(clock.now() / DAY_MS);
      if (today !== day) {
        day = today;
        requests = 0;
        usdSpent = 0;
        told = false;
      }
      const isSpent = requests >= rule.maxRequests || usdSpent + usd > rule.maxUsd + 1e-9;
      if (!isSpent) {
        requests++;
        usdSpent += usd;
        return null;
      }
      if (!told) log('warn', 'the daily cap of a paid source is reached', { source: rule.name, requests, settings: rule.settings });
      told = true;
      return refused("The operator's daily cap for this source is reached; it opens again at 00:00 UTC.", `cap of ${rule.settings}`);
    },
    settle(takenUsd, statedUsd) {
      usdSpent = Math.max(0, usdSpent - takenUsd + statedUsd);
      log('info', UPSTREAM_COST, {
        source: rule.name,
        usd: statedUsd,
        usdToday: Math.round(usdSpent * 1e6) / 1e6,
        requestsToday: requests,
      });
    },
  };
}
