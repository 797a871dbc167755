import { DAY_MS } from '../runtime/clock.ts';
import { nanoUsd, usdOf } from '../spending/spending.ts';
import type { Spending, SpendRule, Spent } from '../upstream/ports.ts';
import type { Fleet } from './membership.ts';
import { spendingKey } from './wire/keys.ts';
import { script } from './wire/scripts.ts';

/** A worker reserves 1/20 of its fair share of the remaining cap. */
const RESERVE_DIVISOR = 20;

const takeScript = script('spending-take');
const correctScript = script('spending-correct');

const newBudget = () => ({
  /** The count at the last reply of Redis, reserves included. */
  known: { day: -1, turn: 0, requests: 0, nano: 0, spent: 0 },
  /** Counted already, for requests while Redis is unavailable; a negative `nano` is still to be counted in Redis. */
  reserve: { day: -1, requests: 0, nano: 0 },
  reserving: false,
});
type SourceBudget = ReturnType<typeof newBudget>;
export type RedisSpending = ReturnType<typeof createRedisSpending>;

/**
 * Daily caps of paid sources over a fleet, by UTC day. Each worker that spends has a reserve; while Redis is unavailable it spends only
 * the reserve. So the caps hold for any disconnected workers and any duration. If a new day begins during the outage, nothing is spent until Redis
 * is available again.
 */
export function createRedisSpending({ fleet }: { fleet: Fleet }): Spending & { close(): Promise<void> } {
  const budgets = new Map<string, SourceBudget>();
  const budgetOf = (key: string): SourceBudget => {
    const budget = budgets.get(key) ?? newBudget();
    budgets.set(key, budget);
    return budget;
  };
  const today = (): number => Math.floor(fleet.now() / DAY_MS);
  const knownArgs = ({ known: { day, turn, requests, nano } }: SourceBudget) => ({
    ...{ knownDay: day, knownTurn: turn, knownRequests: requests, knownNano: nano },
  });
  const spent = ({ known }: SourceBudget): Spent => ({
    day: known.day,
    requests: known.requests,
    usd: usdOf(known.nano),
    spentUsd: usdOf(known.spent),
  });
  /** The reserve of a day; reserves of other days have expired. */
  const reserveOf = (budget: SourceBudget, day: number): SourceBudget['reserve'] => {
    if (budget.reserve.day !== day) budget.reserve = { day, requests: 0, nano: 0 };
    return budget.reserve;
  };

  function update(budget: SourceBudget, [day = 0, turn = 0, requests = 0, nano = 0, spent = 0]: readonly number[]): void {
    const { known } = budget;
    if (day > known.day || (day === known.day && turn > known.turn)) budget.known = { day, turn, requests, nano, spent };
  }
  async function takeFromRedis(budget: SourceBudget, { key, maxRequests, maxUsd }: SpendRule, cost: number): Promise<number | null> {
    const { requests, nano } = reserveOf(budget, today());
    const uncounted = Math.max(0, -nano);
    const reserves = !budget.reserving && requests === 0;
    budget.reserve.nano = Math.max(0, nano);
    budget.reserving ||= reserves;
    const limits = { maxRequests, maxNano: nanoUsd(maxUsd), cost, owedNano: uncounted };
    const args = { ...knownArgs(budget), ...limits, reserveParts: reserves ? RESERVE_DIVISOR * fleet.workers : 0 };
    const answer = (await takeScript(fleet.redis, { count: spendingKey(key) }, args).catch(() => null)) as number[] | null;
    if (reserves) budget.reserving = false;
    if (!answer) {
      budget.reserve.nano -= uncounted;
      return null;
    }
    update(budget, answer);
    const [day = 0, , , , , taken, reserved = 0, reservedNano = 0] = answer;
    const reserve = reserveOf(budget, day);
    reserve.requests += reserved;
    reserve.nano += reservedNano;
    return taken ? day : null;
  }
  function takeFromReserve(budget: SourceBudget, cost: number): number | null {
    const reserve = reserveOf(budget, today());
    if (reserve.requests < 1 || reserve.nano < cost) return null;
    reserve.requests--;
    reserve.nano -= cost;
    return reserve.day;
  }
  /** False if it is unknown whether the correction was counted. */
  async function correct(key: string, budget: SourceBudget, on: number, requests: number, nano: number, spent = 0): Promise<boolean> {
    const args = { ...knownArgs(budget), onDay: on, moreRequests: requests, moreNano: nano, statedNano: spent };
    const answer = await correctScript(fleet.redis, { count: spendingKey(key) }, args).catch(() => null);
    if (answer) update(budget, answer as number[]);
    return answer !== null;
  }

  // restores the count in a Redis that lost its data
  const unsubscribe = fleet.subscribe((event) => {
    if (event === 'up') for (const [key, budget] of budgets) void correct(key, budget, budget.known.day, 0, 0);
  });

  return {
    async take(rule, usd) {
      const budget = budgetOf(rule.key);
      const cost = nanoUsd(usd);
      const day = (fleet.up ? await takeFromRedis(budget, rule, cost) : null) ?? takeFromReserve(budget, cost);
      return { ...spent(budget), day: day ?? today(), taken: day !== null };
    },
    async today(key) {
      const budget = budgetOf(key);
      if (fleet.up) await correct(key, budget, today(), 0, 0);
      return budget.known.day === today() ? spent(budget) : { day: today(), requests: 0, usd: 0, spentUsd: 0 };
    },
    async correct(key, on, moreUsd, spentUsd = 0) {
      const budget = budgetOf(key);
      const [more, stated] = [nanoUsd(moreUsd), nanoUsd(spentUsd)];
      if (more === 0 && stated === 0) return spent(budget);
      const wasUp = fleet.up;
      const isCounted = wasUp && (await correct(key, budget, on, 0, more, stated));
      // if it is unknown whether a request was counted, it is counted twice rather than refunded twice
      if (!isCounted && budget.reserve.day === on && (more > 0 || !wasUp)) budget.reserve.nano -= more;
      return spent(budget);
    },
    async close() {
      unsubscribe();
      for (const [key, budget] of budgets) {
        const { day, requests, nano } = budget.reserve;
        budget.reserve = { day: -1, requests: 0, nano: 0 };
        if (fleet.up && (requests > 0 || nano !== 0)) await correct(key, budget, day, -requests, -nano);
      }
    },
  };
}
