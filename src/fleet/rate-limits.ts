import { createLimiter, type Limiter, type LimitRule, type Taken } from '../gateway/admission/rate-limits.ts';
import type { Fleet } from './membership.ts';
import { LUA_NOW, script } from './redis.ts';

/** `gcra` of limits.ts by Redis' own clock; kept with the arrival time is when it was, so that a clock that was set back takes both with it. ARGV: requests a second, burst, owed. Gives: let in, remaining, resetMs, waitMs. */
const takeScript = script(`${LUA_NOW}
local every = 1000 / ARGV[1]
local tolerance = every * ARGV[2]
local latest = now + tolerance + every * ARGV[3]
local kept, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%S+) ?(%S*)')
kept = (tonumber(kept) or now) - math.max(0, (tonumber(at) or now) - now)
local tat = math.min(math.max(kept, now), latest)
local over = tat + every - tolerance - now
local ok = over <= 0.01
local counted = ok or over <= every * ARGV[3] + 0.01
if counted then tat = tat + every end
if counted or kept > latest then
  redis.call('SET', KEYS[1], string.format('%.3f %.3f', tat, now), 'PX', math.ceil(tat - now) + 1)
end
local wait = tat + every - tolerance - now
local remaining = math.max(0, math.floor((tolerance - (tat - now)) / every + 0.001))
return {ok and 1 or 0, remaining, string.format('%.3f', tat - now), string.format('%.3f', wait <= 0.01 and 0 or wait)}`);

/**
 * Requests counted over all gateways. While Redis is away each gateway lets its share in: the rule divided by the gateways that there were
 * last, never more than the rule and never nothing. `name` keeps several limiters apart.
 */
export function createRedisLimiter(fleet: Fleet, name: string): Limiter {
  const alone = createLimiter();
  const share = ({ ratePerSecond, burst, owed = 0 }: LimitRule): LimitRule => ({
    ratePerSecond: ratePerSecond / fleet.gateways,
    burst: Math.max(1, Math.floor(burst / fleet.gateways)),
    owed: owed / fleet.gateways,
  });
  return {
    take(key, rule, nowMs): Taken | Promise<Taken> {
      if (!fleet.up) return alone.take(key, share(rule), nowMs);
      return takeScript(fleet.redis, [`sightline:limit:${name}:{${key}}`], [rule.ratePerSecond, rule.burst, rule.owed ?? 0]).then(
        (answer) => {
          const [ok, remaining, resetMs, waitMs] = answer as [number, number, string, string];
          return { ok: ok === 1, remaining, resetMs: Number(resetMs), waitMs: Number(waitMs) };
        },
        () => alone.take(key, share(rule), nowMs),
      );
    },
  };
}
