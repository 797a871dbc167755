import type { Clock } from '../runtime/clock.ts';
import { createPace } from '../upstream/pace.ts';
import type { Pace, PaceRule } from '../upstream/ports.ts';
import type { Fleet } from './membership.ts';
import { LUA_NOW, script } from './redis.ts';

const keysOf = (key: string): readonly string[] => ['', ':queue', ':calls', ':tags'].map((part) => `sightline:pace:{${key}}${part}`);
/** Who comes so much later than its turn still has it; later, turns that pile up while a process stands still must not all go at once. */
const LATE_MS = 20;
/** Who does not come for so long after its turn is passed over. */
const SILENT_MS = 1_000;
const FOR_EVER_MS = 1e12;

const DROP = `local function drop(ticket)
  redis.call('ZREM', KEYS[2], ticket) redis.call('ZREM', KEYS[3], ticket)
  if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[4]) end
end`;
/**
 * GCRA by Redis' own clock, with fair turns by account (start-time fair queueing), over all machines. KEYS: the lane (`tat`: theoretical
 * arrival time of the next request, `rest`: until when nobody goes, `cold`: until when there is no burst, `at`: time of the last request,
 * `round`: tag of the last one that went from the queue), the queue (ticket by tag), when each ticket comes again, each account's last tag.
 * ARGV: everyMs, burst, patienceMs, ms since this process joined, ticket, account. Gives how long to wait, and 1: go, 0: refused, 2: come
 * again then. A key that Redis does not know within a second of our joining may have been lost with all else, just after its burst: it is
 * cold. A clock of Redis that was set back takes all times of the lane with it.
 */
const takeScript = script(`${LUA_NOW} ${DROP}
local every, burst, patience, ticket, account = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5], ARGV[6]
local kept = redis.call('HMGET', KEYS[1], 'tat', 'rest', 'cold', 'at', 'round')
local tat, rest, cold = tonumber(kept[1]) or 0, tonumber(kept[2]) or 0, tonumber(kept[3]) or 0
local round, back = tonumber(kept[5]) or 0, math.max(0, (tonumber(kept[4]) or 0) - now)
if back > 0 then
  tat, rest, cold = tat - back, rest - back, cold - back
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
end
if not kept[1] and tonumber(ARGV[4]) < 1000 then cold = now + 1000 - ARGV[4] end
if now < cold then burst = 1 end
local function keep()
  local function text(ms) return string.format('%.3f', ms) end
  redis.call('HSET', KEYS[1], 'tat', text(tat), 'rest', text(rest), 'cold', text(cold), 'at', text(now), 'round', text(round))
  local ttl = math.ceil(math.max(tat, rest, cold) - now) + 1000
  if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - ${SILENT_MS})) do drop(gone) end
if rest > now then
  drop(ticket)
  return {string.format('%.3f', rest - now), 0}
end
local tag = tonumber(redis.call('ZSCORE', KEYS[2], ticket))
local late = tag and ${LATE_MS} or 0
if not tag then
  tag = math.max(round, tonumber(redis.call('HGET', KEYS[4], account)) or 0) + 1
  redis.call('ZADD', KEYS[2], tag, ticket)
end
local ahead = redis.call('ZRANK', KEYS[2], ticket)
local first = math.max(tat, now - late)
local wait = math.max(first + (ahead - burst + 1) * every - now, 0)
if wait <= 0 then
  tat = first + every
  round = math.max(round, tag)
  drop(ticket)
  keep()
  return {'0', 1}
end
if wait > patience then
  drop(ticket)
  return {string.format('%.3f', wait), 0}
end
redis.call('ZADD', KEYS[3], now + wait, ticket)
redis.call('HSET', KEYS[4], account, math.max(tag, tonumber(redis.call('HGET', KEYS[4], account)) or 0))
keep()
for i = 2, 4 do redis.call('PEXPIRE', KEYS[i], math.ceil(wait) + 600000) end
return {string.format('%.3f', wait), 2}`);
const leaveScript = script(`${DROP} drop(ARGV[1])`);
/** How long everybody rests still, ms. */
const restingScript = script(`${LUA_NOW}
local kept = redis.call('HMGET', KEYS[1], 'rest', 'at')
return tostring((tonumber(kept[1]) or 0) - math.max(now, tonumber(kept[2]) or 0))`);
const restScript = script(`${LUA_NOW}
local kept = redis.call('HMGET', KEYS[1], 'rest', 'at')
local rest = math.max(now + tonumber(ARGV[1]), (tonumber(kept[1]) or 0) - math.max(0, (tonumber(kept[2]) or 0) - now))
redis.call('HSET', KEYS[1], 'rest', string.format('%.3f', rest), 'at', string.format('%.3f', now))
local ttl = math.ceil(rest - now) + 1000
if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end`);

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
  const alone = createPace({ now: monotonicMs, sleep: clock.sleep });
  let tickets = 0;
  const share = (rule: PaceRule): PaceRule => ({
    ...rule,
    everyMs: rule.everyMs * fleet.workers,
    burst: 1, // the burst may have gone just before
  });

  async function take(rule: PaceRule, patienceMs: number, signal?: AbortSignal): Promise<number> {
    const until = monotonicMs() + patienceMs;
    const ticket = `${fleet.id}/${tickets++}`;
    const keys = keysOf(rule.key);
    for (;;) {
      const leftMs = Math.max(0, until - monotonicMs());
      if (!fleet.up) return alone.take(share(rule), leftMs, signal);
      const numbers = [Math.max(0, rule.everyMs), rule.burst, Math.min(leftMs, FOR_EVER_MS), fleet.upForMs];
      const asked = takeScript(fleet.redis, keys, [...numbers, ticket, rule.account ?? '']);
      const answer = (await asked.catch(() => null)) as [string, number] | null;
      if (!answer) return alone.take(share(rule), leftMs, signal);
      const [waitMs, verdict] = [Number(answer[0]), answer[1]];
      if (verdict === 1 && !signal?.aborted) return 0;
      if (verdict === 0) return Math.max(1, waitMs);
      const turn = monotonicMs() + waitMs;
      await clock.sleep(waitMs, signal);
      if (!signal?.aborted) continue;
      if (fleet.up) await leaveScript(fleet.redis, keys, [ticket]).catch(() => undefined); // it is passed over soon anyway
      return Math.max(1, turn - monotonicMs());
    }
  }

  return {
    take,
    async rest(key, ms) {
      if (!(ms > 0)) return;
      // told to both: whoever paces next has heard of it
      await alone.rest(key, ms);
      if (fleet.up) await restScript(fleet.redis, keysOf(key).slice(0, 1), [ms]).catch(() => undefined);
    },
    async resting(key) {
      const here = await alone.resting(key);
      if (!fleet.up) return here;
      const there = await restingScript(fleet.redis, keysOf(key).slice(0, 1), []).catch(() => 0);
      return Math.max(0, here, Number(there));
    },
  };
}
