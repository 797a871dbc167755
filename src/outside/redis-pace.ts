import type { Fleet } from './fleet.ts';
import { createPace } from './pace.ts';
import { LUA_NOW, script } from './redis.ts';
import type { Clock, Pace, PaceRule } from './world.ts';

const keyOf = (key: string): string => `sightline:pace:{${key}}`;
/** Who wakes later than this after its turn asks for another: turns that pile up while a process stands still must not all go at once. */
const LATE_MS = 20;
const FOR_EVER_MS = 1e12;

/**
 * GCRA by Redis' own clock. A turn is reserved when it is asked for, so those who wait come in the order of asking, over all machines.
 * ARGV: everyMs, burst, patienceMs, ms since this process joined. Gives how long to wait, and whether the turn is taken. `tat` is the
 * theoretical arrival time of the next request, `rest` until when nobody goes, `cold` until when there is no burst: a key that Redis does not
 * know within a second of our joining may have been lost with all else, just after its burst.
 */
const takeScript = script(`${LUA_NOW}
local every, burst, patience = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local kept = redis.call('HMGET', KEYS[1], 'tat', 'rest', 'cold')
local tat, rest, cold = tonumber(kept[1]) or 0, tonumber(kept[2]) or 0, tonumber(kept[3]) or 0
if not kept[1] and tonumber(ARGV[4]) < 1000 then
  cold = now + 1000 - ARGV[4]
  redis.call('HSET', KEYS[1], 'cold', string.format('%.3f', cold))
  redis.call('PEXPIRE', KEYS[1], 2000)
end
if now < cold then burst = 1 end
local turn = math.max(now, rest, tat - (burst - 1) * every)
local wait = turn - now
if wait > patience then return {string.format('%.3f', wait), 0} end
tat = math.max(tat, turn) + every
redis.call('HSET', KEYS[1], 'tat', string.format('%.3f', tat))
local ttl = math.ceil(math.max(tat, rest) - now) + 1000
if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
return {string.format('%.3f', wait), 1}`);
/** How long everybody rests still, ms. */
const restingScript = script(`${LUA_NOW} return tostring((tonumber(redis.call('HGET', KEYS[1], 'rest')) or 0) - now)`);
const restScript = script(`${LUA_NOW}
local until_ms = now + tonumber(ARGV[1])
if until_ms > (tonumber(redis.call('HGET', KEYS[1], 'rest')) or 0) then
  redis.call('HSET', KEYS[1], 'rest', string.format('%.3f', until_ms))
  local ttl = math.ceil(tonumber(ARGV[1])) + 1000
  if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
end`);

export interface RedisPaceParts {
  readonly fleet: Fleet;
  readonly clock: Clock;
  /** Ms of a clock that never jumps. Default: the process's. */
  readonly monotonicMs?: () => number;
}

/**
 * The pace of a whole fleet, counted per upstream request. While Redis is away each process keeps its share: the rule divided by the workers
 * that there were last, so that the platforms see no more than before.
 */
export function createRedisPace({ fleet, clock, monotonicMs = () => performance.now() }: RedisPaceParts): Pace {
  const alone = createPace(clock);
  const share = (rule: PaceRule): PaceRule => ({
    key: rule.key,
    everyMs: rule.everyMs * fleet.workers,
    burst: 1, // the burst may have gone just before
  });

  async function take(rule: PaceRule, patienceMs: number, signal?: AbortSignal): Promise<number> {
    const until = monotonicMs() + patienceMs;
    for (;;) {
      const leftMs = Math.max(0, until - monotonicMs());
      if (!fleet.up) return alone.take(share(rule), leftMs, signal);
      const everyMs = Math.max(0, rule.everyMs);
      const asked = takeScript(fleet.redis, [keyOf(rule.key)], [everyMs, rule.burst, Math.min(leftMs, FOR_EVER_MS), fleet.upForMs]);
      const answer = (await asked.catch(() => null)) as [string, number] | null;
      if (!answer) return alone.take(share(rule), leftMs, signal);
      const waitMs = Number(answer[0]);
      if (!answer[1] || signal?.aborted) return Math.max(1, waitMs);
      if (waitMs <= 0) return 0;
      const turn = monotonicMs() + waitMs;
      await clock.sleep(waitMs, signal);
      if (signal?.aborted) return Math.max(1, turn - monotonicMs());
      if (monotonicMs() - turn > LATE_MS) continue;
      const restMs = Number(await restingScript(fleet.redis, [keyOf(rule.key)], []).catch(() => 0));
      if (restMs <= 0) return 0;
    }
  }

  return {
    take,
    async rest(key, untilMs) {
      const leftMs = untilMs - clock.now();
      if (!(leftMs > 0)) return;
      // told to both: whoever paces next has heard of it
      await alone.rest(key, untilMs);
      if (fleet.up) await restScript(fleet.redis, [keyOf(key)], [leftMs]).catch(() => undefined);
    },
  };
}
