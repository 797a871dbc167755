import type { Redis } from 'ioredis';
import type { OperationId } from '../contract/operations.ts';
import type { Fleet } from '../outside/fleet.ts';
import { LUA_NOW, type RedisLog, reasonOf, script } from '../outside/redis.ts';
import type { Channels } from '../outside/redis-channels.ts';
import type { Clock } from '../outside/world.ts';
import type { AnswerCache } from './cache.ts';

/** When each operation was last purged, by Redis' clock and always later than before: what was not heard is seen here. */
const PURGED = 'sightline:purged';
const PURGES = 'sightline:purges';
/** How often a gateway looks, because a message may be lost. */
const LOOK_MS = 1_000;

/** ARGV: operation, channel. Gives how many gateways heard it. */
const orderScript = script(`${LUA_NOW}
local at = math.max(math.floor(now), (tonumber(redis.call('HGET', KEYS[1], ARGV[1])) or 0) + 1)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', at))
return redis.call('PUBLISH', ARGV[2], cjson.encode({operation = ARGV[1], at = at}))`);
/** ARGV: pairs of operation and time that we know of: a Redis that lost its data learns them again. Gives all. */
const lookScript = script(`for i = 1, #ARGV, 2 do
  if (tonumber(redis.call('HGET', KEYS[1], ARGV[i])) or 0) < tonumber(ARGV[i + 1]) then redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
return redis.call('HGETALL', KEYS[1])`);

/** Tells every gateway to drop what it keeps of an operation: now, or when it is back. Gives how many heard it now. */
export const orderPurge = async (redis: Redis, operation: OperationId): Promise<number> =>
  (await orderScript(redis, [PURGED], [operation, PURGES])) as number;

/** Purges that the gateways of a fleet hear of. */
export interface Purges {
  /** Changes with every purge that was heard: what was asked for before it may have been dropped since. */
  readonly heard: number;
  /** Tells the others to drop one answer. */
  forget(question: string): Promise<unknown>;
  close(): Promise<void>;
}
export interface PurgesParts {
  readonly fleet: Fleet;
  readonly channels: Channels;
  /** The cache of this process. */
  readonly local: AnswerCache;
  readonly clock: Clock;
  readonly log: RedisLog;
}

/** Drops from the local cache what is ordered anywhere. One that was cut off from Redis sees what it missed as soon as it is back. */
export async function listenForPurges({ fleet, channels, local, clock, log }: PurgesParts): Promise<Purges> {
  const known = new Map<string, number>();
  const ended = new AbortController();
  let heard = 0;

  const learn = (operation: OperationId, at: number): void => {
    if (at <= (known.get(operation) ?? 0)) return;
    known.set(operation, at);
    heard++;
    local.purge(operation);
  };
  async function look(): Promise<void> {
    const all = (await lookScript(fleet.redis, [PURGED], [...known].flat())) as string[];
    for (let i = 0; i < all.length; i += 2) learn(all[i] as OperationId, Number(all[i + 1]));
  }
  const looked = (): Promise<void> =>
    look().catch((error) => log('warn', 'cache: purges were not looked for', { reason: reasonOf(error) }));
  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(LOOK_MS, ended.signal);
      if (fleet.up && !ended.signal.aborted) await looked();
    }
  }

  await channels.listen(PURGES, (message) => {
    const { operation, at, question } = JSON.parse(message.toString()) as { operation?: OperationId; at?: number; question?: string };
    if (operation) learn(operation, at ?? 0);
    if (question) local.delete(question);
  });
  await look();
  const unwatch = fleet.watch((event) => event === 'up' && void looked());
  const watching = watch();
  return {
    get heard() {
      return heard;
    },
    forget: (question) => fleet.redis.publish(PURGES, JSON.stringify({ question })),
    async close() {
      unwatch();
      ended.abort('closed');
      await watching;
    },
  };
}
