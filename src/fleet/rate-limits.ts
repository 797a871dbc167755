import { createTakeLimits, type Limit, type LimitRule, type TakeLimits, type Taken } from '../gateway/admission/rate-limits.ts';
import type { Fleet } from './membership.ts';
import { script } from './redis.ts';

const takeScript = script('rate-limit-take');

/** Limits requests over all gateways, in one command. While Redis is unavailable each applies its share: the rule divided by the last known gateways. */
export function createRedisLimits(fleet: Fleet): TakeLimits {
  const share = ({ ratePerSecond, burst, overrun = 0 }: LimitRule): LimitRule => ({
    ratePerSecond: ratePerSecond / fleet.gateways,
    burst: Math.max(1, Math.floor(burst / fleet.gateways)),
    overrun: overrun / fleet.gateways,
  });
  const takeOwn = createTakeLimits();
  return (limits, nowMs) => {
    const takeShare = () =>
      takeOwn(
        limits.map((limit) => ({ ...limit, rule: share(limit.rule) })),
        nowMs,
      );
    if (!fleet.up) return takeShare();
    const args = limits.flatMap(({ rule, isRead }) => [rule.ratePerSecond, rule.burst, rule.overrun ?? 0, Number(isRead === true)]);
    return takeScript(fleet.redis, limits.map(keyOf), args).then((taken) => (taken as RedisTaken[]).map(takenOf), takeShare);
  };
}

const keyOf = ({ limiter, key }: Limit): string => `sightline:limits:${limiter}:${key}`;

type RedisTaken = readonly [ok: number, remaining: number, resetMs: string, waitMs: string];
const takenOf = ([ok, remaining, resetMs, waitMs]: RedisTaken): Taken => ({
  ok: ok === 1,
  remaining,
  resetMs: Number(resetMs),
  waitMs: Number(waitMs),
});
