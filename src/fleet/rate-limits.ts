import { createLimiter, type Limiter, type LimitRule, type Taken } from '../gateway/admission/rate-limits.ts';
import type { Fleet } from './membership.ts';
import { script } from './redis.ts';

const takeScript = script('rate-limit-take');

/**
 * Limits requests over all gateways. While Redis is unavailable each gateway applies its share: the rule divided by the last known count of
 * gateways, with a burst of at least 1. `name` is the key prefix of this limiter.
 */
export function createRedisLimiter(fleet: Fleet, name: string): Limiter {
  const local = createLimiter();
  const share = ({ ratePerSecond, burst, owed = 0 }: LimitRule): LimitRule => ({
    ratePerSecond: ratePerSecond / fleet.gateways,
    burst: Math.max(1, Math.floor(burst / fleet.gateways)),
    owed: owed / fleet.gateways,
  });
  return {
    take(key, rule, nowMs): Taken | Promise<Taken> {
      if (!fleet.up) return local.take(key, share(rule), nowMs);
      return takeScript(fleet.redis, [`sightline:limit:${name}:{${key}}`], [rule.ratePerSecond, rule.burst, rule.owed ?? 0]).then(
        (answer) => {
          const [ok, remaining, resetMs, waitMs] = answer as [number, number, string, string];
          return { ok: ok === 1, remaining, resetMs: Number(resetMs), waitMs: Number(waitMs) };
        },
        () => local.take(key, share(rule), nowMs),
      );
    },
  };
}
