import {
  createTakeLimits,
  type LimitRule,
  mapEach,
  type OneOrMore,
  type TakeLimits,
  type Taken,
} from '../gateway/admission/rate-limits.ts';
import type { Fleet } from './membership.ts';
import { limitKey } from './wire/keys.ts';
import { script } from './wire/scripts.ts';

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
        mapEach(limits, (limit) => ({ ...limit, rule: share(limit.rule) })),
        nowMs,
      );
    if (!fleet.up) return takeShare();
    const rows = limits.map((limit) => ({
      key: limitKey(limit),
      rate: limit.rule.ratePerSecond,
      burst: limit.rule.burst,
      overrun: limit.rule.overrun ?? 0,
      read: Number(limit.isRead === true),
    }));
    return takeScript(fleet.redis, {}, {}, rows).then((taken) => mapEach(taken as OneOrMore<RedisTaken>, takenOf), takeShare);
  };
}

type RedisTaken = readonly [ok: number, remaining: number, resetMs: string, waitMs: string];
const takenOf = ([ok, remaining, resetMs, waitMs]: RedisTaken): Taken => ({
  ok: ok === 1,
  remaining,
  resetMs: Number(resetMs),
  waitMs: Number(waitMs),
});
