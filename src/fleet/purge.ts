import type { Redis } from 'ioredis';
import { type OperationId, operationList } from '../contract/operations/index.ts';
import type { AnswerCache } from '../orchestrator/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Channels } from './channels.ts';
import type { Fleet } from './membership.ts';
import { LUA_NOW, type RedisLog, reasonOf, script } from './redis.ts';

/** When each operation was last purged, by Redis' clock and always later than before: what was not heard is seen here. */
const PURGED = 'sightline:purged';
/** When single questions were, the latest last. */
const PURGE_ORDERS = 'sightline:purged:questions';
/** So long they are kept. A gateway that was cut off for longer drops everything. */
const PURGE_ORDERS_MS = 86_400_000;
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

const LUA_NEXT = `${LUA_NOW}
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local at = math.max(math.floor(now), (tonumber(last[2]) or 0) + 1)`;
/** ARGV: question, channel, ms to keep it. */
const orderAnswerScript = script(`${LUA_NEXT}
redis.call('ZADD', KEYS[1], at, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('PUBLISH', ARGV[2], cjson.encode({question = ARGV[1], at = at}))`);
/** ARGV: ms to keep them, the latest purge that was seen, questions that a Redis that lost its data learns again: as purged now, or those who looked already would not see them. */
const retellScript = script(`${LUA_NEXT}
at = math.max(at, tonumber(ARGV[2]))
for i = 3, #ARGV do at = at + redis.call('ZADD', KEYS[1], 'NX', at, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])`);

/** Tells every gateway to drop what it keeps of an operation: now, or when it is back. Gives how many heard it now. */
export const orderPurge = async (redis: Redis, operation: OperationId): Promise<number> =>
  (await orderScript(redis, [PURGED], [operation, PURGES])) as number;

/** The same of one question. */
export const orderAnswerPurge = async (redis: Redis, cacheKey: string): Promise<number> =>
  (await orderAnswerScript(redis, [PURGE_ORDERS], [cacheKey, PURGES, PURGE_ORDERS_MS])) as number;

/** Purges that the gateways of a fleet hear of. */
export interface Purges {
  /** Changes with every purge that was heard: what was asked for before it may have been dropped since. */
  readonly heard: number;
  /** Tells the others to drop one answer. */
  forget(cacheKey: string): Promise<unknown>;
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
  /** Single questions, in order of their purges. */
  const cacheKeys = new Map<string, number>();
  const ended = new AbortController();
  let heard = 0;
  /** All purges of questions up to then were looked for. */
  let seenUntil = 0;
  let lookedAt = clock.now();

  const learn = (operation: OperationId, at: number): void => {
    if (at <= (known.get(operation) ?? 0)) return;
    known.set(operation, at);
    heard++;
    local.purge(operation);
  };
  const learnAnswerPurge = (cacheKey: string, at: number): void => {
    if (at <= (cacheKeys.get(cacheKey) ?? 0)) return;
    cacheKeys.delete(cacheKey); // the latest stands last
    cacheKeys.set(cacheKey, at);
    heard++;
    local.delete(cacheKey);
    for (const [old, then] of cacheKeys) {
      if (then > at - PURGE_ORDERS_MS) break;
      cacheKeys.delete(old);
    }
  };
  async function readPurgeOrders(): Promise<void> {
    const now = clock.now();
    const late = (await fleet.redis.zrangebyscore(PURGE_ORDERS, `(${seenUntil}`, '+inf', 'WITHSCORES')) as string[];
    if (now - lookedAt > PURGE_ORDERS_MS) for (const { id } of operationList) local.purge(id);
    lookedAt = now;
    for (let i = 0; i < late.length; i += 2) {
      learnAnswerPurge(late[i] ?? '', Number(late[i + 1]));
      seenUntil = Math.max(seenUntil, Number(late[i + 1]));
    }
  }
  async function retell(): Promise<void> {
    if (cacheKeys.size) await retellScript(fleet.redis, [PURGE_ORDERS], [PURGE_ORDERS_MS, seenUntil, ...cacheKeys.keys()]);
  }
  async function look(): Promise<void> {
    await readPurgeOrders();
    const all = (await lookScript(fleet.redis, [PURGED], [...known].flat())) as string[];
    for (let i = 0; i < all.length; i += 2) learn(all[i] as OperationId, Number(all[i + 1]));
  }
  const looked = (isBack = false): Promise<void> =>
    (isBack ? retell().then(look) : look()).catch((error) => log('warn', 'cache: purges were not looked for', { reason: reasonOf(error) }));
  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(LOOK_MS, ended.signal);
      if (fleet.up && !ended.signal.aborted) await looked();
    }
  }

  await channels.listen(PURGES, (message) => {
    const { operation, at, cacheKey } = JSON.parse(message.toString()) as { operation?: OperationId; at?: number; cacheKey?: string };
    if (operation) learn(operation, at ?? 0);
    if (cacheKey && at !== undefined) learnAnswerPurge(cacheKey, at);
    else if (cacheKey) local.delete(cacheKey);
  });
  await look();
  const unwatch = fleet.watch((event) => event === 'up' && void looked(true));
  const watching = watch();
  return {
    get heard() {
      return heard;
    },
    forget: (cacheKey) => fleet.redis.publish(PURGES, JSON.stringify({ cacheKey })),
    async close() {
      unwatch();
      ended.abort('closed');
      await watching;
    },
  };
}
