import type { Clock } from '../runtime/clock.ts';
import type { Lease } from '../upstream/ports.ts';
import type { Fleet } from './membership.ts';
import { LUA_NOW, script } from './redis.ts';

const keysOf = (key: string): readonly [string, string] => [`sightline:lease:{${key}}:line`, `sightline:lease:{${key}}:seen`];
/** How often those in line are heard of; one that is not heard of for longer than `SILENT_MS` is passed over. */
const CALL_MS = 50;
const SILENT_MS = 3_000;

/**
 * A line of those who want the lease, in order of arrival; the first of them has it. Each says again and again that it is there. ARGV: who, ms
 * of silence. Gives 1 to the first. Where Redis' clock was set back, who came later still stands later, and silence counts from now.
 */
const callScript = script(`${LUA_NOW}
local function newest(key) return tonumber(redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2]) or 0 end
if newest(KEYS[2]) > now then
  for _, who in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do redis.call('ZADD', KEYS[2], now, who) end
end
local gone = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2])
for _, who in ipairs(gone) do redis.call('ZREM', KEYS[1], who) redis.call('ZREM', KEYS[2], who) end
redis.call('ZADD', KEYS[1], 'NX', math.max(now, newest(KEYS[1]) + 1), ARGV[1])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], 60000) redis.call('PEXPIRE', KEYS[2], 60000)
return redis.call('ZRANGE', KEYS[1], 0, 0)[1] == ARGV[1] and 1 or 0`);
const leaveScript = script(`redis.call('ZREM', KEYS[1], ARGV[1]) redis.call('ZREM', KEYS[2], ARGV[1])`);

/** One at a time over the whole fleet. While Redis is away nobody gets a turn: what it protects is refused rather than done twice. */
export function createRedisLease({ fleet, clock }: { fleet: Fleet; clock: Clock }): Lease {
  let count = 0;
  return {
    async alone(key, work, signal) {
      const keys = keysOf(key);
      const who = `${fleet.id}/${count++}`;
      const call = async (): Promise<boolean> => fleet.up && (await callScript(fleet.redis, keys, [who, SILENT_MS]).catch(() => 0)) === 1;
      const ended = new AbortController();
      try {
        while (!(await call())) {
          if (signal.aborted) return null;
          await clock.sleep(CALL_MS, signal);
        }
        if (signal.aborted) return null;
        void keep(call, ended.signal);
        return await work();
      } finally {
        ended.abort('left');
        if (fleet.up) await leaveScript(fleet.redis, keys, [who]).catch(() => undefined); // it is passed over soon anyway
      }
    },
  };

  async function keep(call: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(SILENT_MS / 3, signal);
      if (!signal.aborted) await call();
    }
  }
}
