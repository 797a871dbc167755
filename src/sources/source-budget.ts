import { type Clock, DAY_MS } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import { createSpending } from '../spending/spending.ts';
import type { Spending, SpendRule } from '../upstream/ports.ts';
import { limited, type NotFound, refused } from './outcome.ts';

export interface BudgetPorts {
  readonly clock: Clock;
  /** For the operator, never for clients; secrets do not belong here. */
  readonly log: (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;
  /** Counts what paid sources cost across restarts or across a fleet; without it a source counts in memory. */
  readonly spending?: Spending;
  readonly paid?: {
    cost(source: string, usd: number): void;
    /** A request was not made because the daily cap of the source is reached. */
    capRefused(source: string): void;
  };
}
export interface SourceBudgetRule extends SpendRule {
  readonly usdEach: number;
  /** Requests that a lookup of ten results takes at most. Default: 1. */
  readonly mostRequests?: number;
  readonly settings: string;
}
/** What a lookup of ten results costs at most, US dollars. */
export const usdOfLookup = ({ usdEach, mostRequests = 1 }: Pick<SourceBudgetRule, 'usdEach' | 'mostRequests'>): number =>
  Math.round(usdEach * mostRequests * 1e6) / 1e6;

/** The cap of a paid source in `SIGHTLINE_DAILY_CAPS`. Sources with one key share it. `usdEach`: where the plan does not say. */
export function dailyCapOf(
  settings: Settings,
  name: keyof Settings['SIGHTLINE_DAILY_CAPS'],
  key: string,
  { usdEach = 0, mostRequests = 1 }: Partial<Pick<SourceBudgetRule, 'usdEach' | 'mostRequests'>> = {},
): SourceBudgetRule {
  const cap: { readonly requests: number; readonly usd: number; readonly requestUsd?: number } = settings.SIGHTLINE_DAILY_CAPS[name];
  return {
    ...{ key, maxRequests: cap.requests, maxUsd: cap.usd, usdEach: cap.requestUsd ?? usdEach, mostRequests },
    settings: `SIGHTLINE_DAILY_CAPS, ${name}`,
  };
}

export interface Taken {
  readonly tag: 'taken';
  /** Replaces the assumed cost by the one that the source stated, and logs it with the day's sum. */
  settle(statedUsd: number): Promise<void>;
}

/** Caps what one paid source may cost in a UTC day. `ports.spending` counts: in memory, across restarts, or across a fleet. */
export type SourceBudget = ReturnType<typeof createSourceBudget>;
export function createSourceBudget(rule: SourceBudgetRule, ports: BudgetPorts) {
  const spending = ports.spending ?? createSpending(ports.clock);
  const { key, settings } = rule;
  let loggedOn = -1;
  return {
    ...rule,
    /** Counts a request before it is made. Once a cap is reached: `limited` until the next UTC day, and a log line that day. */
    async take(usd = rule.usdEach): Promise<Taken | NotFound> {
      const { taken, day, requests } = await spending.take(rule, usd);
      if (taken) return { tag: 'taken', settle: (statedUsd) => settle(day, usd, statedUsd) };
      ports.paid?.capRefused(key);
      if (loggedOn !== day) ports.log('warn', 'the daily cap of a paid source is reached', { source: key, requests, settings });
      loggedOn = day;
      if (usd > rule.maxUsd || rule.maxRequests < 1)
        return refused("This lookup costs more than the operator's daily cap for this source.", `cap of ${settings}`);
      const what = "The operator's daily cap for this source is reached; it opens at 00:00 UTC.";
      return { ...limited(what, DAY_MS - (ports.clock.now() % DAY_MS), `cap of ${settings}`), counts: false };
    },
  };

  async function settle(day: number, takenUsd: number, statedUsd: number): Promise<void> {
    const { requests, spentUsd } = await spending.correct(key, day, statedUsd - takenUsd, statedUsd);
    ports.paid?.cost(key, statedUsd);
    const usdToday = Math.round(spentUsd * 1e6) / 1e6;
    ports.log('info', 'upstream cost', { source: key, usd: statedUsd, usdToday, requestsToday: requests });
  }
}
