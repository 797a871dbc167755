import {
  createLimiter,
  createTakeInOrder,
  type Limit,
  type Limiter,
  type LimitRule,
  type TakeInOrder,
  type Taken,
} from '../gateway/admission/rate-limits.ts';
import type { Fleet } from './membership.ts';
import { script } from './redis.ts';

const takeScript = script('rate-limit-take');

/**
 * Limits requests over all gateways. While Redis is unavailable each gateway applies its share: the rule divided by the last known count of
 * gateways, with a burst of at least 1.
 */
export function createRedisLimiters(fleet: Fleet) {
  const share = ({ ratePerSecond, burst, overrun = 0 }: LimitRule): LimitRule => ({
    ratePerSecond: ratePerSecond / fleet.gateways,
    burst: Math.max(1, Math.floor(burst / fleet.gateways)),
    overrun: overrun / fleet.gateways,
  });
  const localLimiter = (): Limiter => {
    const limiter = createLimiter();
    return { take: (key, rule, nowMs) => limiter.take(key, share(rule), nowMs) };
  };
  const local = { address: localLimiter(), account: localLimiter() };
  const takeLocally = createTakeInOrder(local);
  /** The limits of a request in one command. */
  const takeInOrder: TakeInOrder = (limits, nowMs) => {
    if (!fleet.up) return takeLocally(limits, nowMs);
    const args = limits.flatMap(({ rule }) => [rule.ratePerSecond, rule.burst, rule.overrun ?? 0]);
    return takeScript(fleet.redis, limits.map(keyOf), args).then(
      (taken) => (taken as RedisTaken[]).map(takenOf),
      () => takeLocally(limits, nowMs),
    );
  };
  const limiter = (name: Limit['limiter']): Limiter => ({
    take: (key, rule, nowMs) =>
      fleet.up ? takeInOrder([{ limiter: name, key, rule }], nowMs).then(first) : local[name].take(key, rule, nowMs),
  });
  return { addressLimiter: limiter('address'), accountLimiter: limiter('account'), takeInOrder };
}

const keyOf = ({ limiter, key }: Limit): string => `sightline:limits:${limiter}:${key}`;

type RedisTaken = readonly [ok: number, remaining: number, resetMs: string, waitMs: string];
const takenOf = ([ok, remaining, resetMs, waitMs]: RedisTaken): Taken => ({
  ok: ok === 1,
  remaining,
  resetMs: Number(resetMs),
  waitMs: Number(waitMs),
});
const first = ([taken]: readonly Taken[]): Taken => {
  if (!taken) throw new Error('a limit was not counted');
  return taken;
};
