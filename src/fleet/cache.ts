import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { OperationId } from '../contract/operations/index.ts';
import { type AnswerCache, isFromFuture } from '../orchestrator/cache.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import { packCached, unpackCached } from './cache-codec.ts';
import { orderAnswerPurge, orderPurge, type Purges } from './purge.ts';
import { LUA_NOW, type RedisLog, reasonOf, script } from './redis.ts';

/** The entries lie in so many parts, each with its share of the budget and in one slot of a cluster. */
const PARTS = 16;
/** What ioredis rejects with after its `commandTimeout`. */
const TIMED_OUT = 'Command timed out';
const partKeys = (part: number): readonly [order: string, sizes: string, prefix: string] => {
  const tag = `sightline:cache:{${part}}`;
  return [`${tag}:order`, `${tag}:sizes`, `${tag}:`];
};

const DROP = `local function drop(member)
  local size = tonumber(redis.call('HGET', KEYS[2], member))
  if not size then return end
  redis.call('DEL', KEYS[3] .. member) redis.call('ZREM', KEYS[1], member) redis.call('HDEL', KEYS[2], member)
  redis.call('HINCRBY', KEYS[2], 'total', -size)
end`;
/** ARGV: member, packed answer, ms to keep it, budget of the part. What expires first goes first where the budget is short. */
const putScript = script(`${LUA_NOW} ${DROP}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do drop(member) end
drop(ARGV[1])
local size, budget = #ARGV[2] + 500, tonumber(ARGV[4])
if size > budget / 4 then return 0 end
while (tonumber(redis.call('HGET', KEYS[2], 'total')) or 0) + size > budget do
  local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
  if not first then break end
  drop(first)
end
redis.call('SET', KEYS[3] .. ARGV[1], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], size)
redis.call('HINCRBY', KEYS[2], 'total', size)
return 1`);
/** Gives how many were there. */
const dropScript = script(`${DROP}
local had = redis.call('EXISTS', KEYS[3] .. ARGV[1])
drop(ARGV[1])
return had`);
const purgeScript = script(`${DROP}
local n = 0
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.sub(member, 1, #ARGV[1]) == ARGV[1] then drop(member) n = n + 1 end
end
return n`);

interface Place {
  readonly keys: readonly [order: string, sizes: string, prefix: string];
  readonly member: string;
}
function placeOf(cacheKey: string): Place {
  const digest = createHash('sha256').update(cacheKey).digest();
  return {
    keys: partKeys((digest[0] ?? 0) % PARTS),
    member: `${cacheKey.slice(0, cacheKey.indexOf(' '))} ${digest.toString('base64url')}`,
  };
}

/** What a purge did: shared answers that were dropped, and gateways that were told. */
export interface Purged {
  readonly dropped: number;
  readonly gateways: number;
}
/** Drops what a fleet keeps of an operation, then tells every gateway to drop its own, which it would otherwise share again. */
export async function purgeShared(redis: Redis, operation: OperationId, tellBy: Redis = redis): Promise<Purged> {
  const dropped = await Promise.all(
    Array.from({ length: PARTS }, (_, part) => purgeScript(redis, partKeys(part), [`${operation} `]) as Promise<number>),
  );
  return { dropped: dropped.reduce((sum, n) => sum + n, 0), gateways: await orderPurge(tellBy, operation) };
}

/** The same of one question. */
export async function purgeSharedAnswer(redis: Redis, cacheKey: string, tellBy: Redis = redis): Promise<Purged> {
  const { keys, member } = placeOf(cacheKey);
  const dropped = (await dropScript(redis, keys, [member])) as number;
  return { dropped, gateways: await orderAnswerPurge(tellBy, cacheKey) };
}

export interface SharedCache extends AnswerCache {
  /** The newest that anybody keeps, whatever is known here. */
  latest(cacheKey: string): Promise<CachedAnswer | undefined>;
}
export interface SharedCacheParts {
  readonly local: AnswerCache;
  readonly redis: Redis;
  /** Whether Redis may be asked now. */
  readonly up: () => boolean;
  /** Redis that carries messages between the gateways. */
  readonly messages: Redis;
  readonly purges: Purges;
  readonly now: () => number;
  /** What the clock that all share is ahead of ours by, ms. */
  readonly aheadMs: () => number;
  readonly maxBytes: number;
  readonly log: RedisLog;
}

/**
 * Answers kept for all gateways, as the bytes that are served, behind the cache of this process. Its size is bounded by a budget of ours,
 * because the queue's Redis must not evict. While Redis is away the local cache goes on alone.
 */
export function createSharedCache(parts: SharedCacheParts): SharedCache {
  const { local, redis, up, now, aheadMs, purges } = parts;
  const budget = Math.floor(parts.maxBytes / PARTS);
  const away = (error: unknown): void => {
    const reason = reasonOf(error);
    parts.log('warn', 'cache: not shared', { reason });
    // it stands still: nobody else is to wait for it until it has answered on a new connection
    if (reason === TIMED_OUT && redis.status === 'ready') redis.disconnect(true);
  };

  async function fromShared(cacheKey: string, known: CachedAnswer | undefined): Promise<CachedAnswer | undefined> {
    const { keys, member } = placeOf(cacheKey);
    const { heard } = purges;
    const packed = await redis.getBuffer(keys[2] + member).catch(away);
    // read before a purge and come after it: it is not to be kept again
    if (!packed || purges.heard !== heard) return local.get(cacheKey);
    const cached = unpackCached(packed, aheadMs());
    if (cached.keepUntil <= now() || isFromFuture(cached, now()) || (known && known.at >= cached.at)) return known;
    local.set(cacheKey, cached);
    return cached;
  }

  return {
    get(cacheKey) {
      const known = local.get(cacheKey);
      if (known instanceof Promise) return known;
      if ((known && known.freshUntil > now()) || !up()) return known;
      return fromShared(cacheKey, known);
    },
    latest: async (cacheKey) => fromShared(cacheKey, await local.get(cacheKey)),
    set(cacheKey, cached) {
      local.set(cacheKey, cached);
      const keepMs = Math.ceil(cached.keepUntil - now());
      if (keepMs <= 0 || !up()) return;
      const { keys, member } = placeOf(cacheKey);
      putScript(redis, keys, [member, packCached(cached, aheadMs()), keepMs, budget]).catch(away);
    },
    delete(cacheKey) {
      local.delete(cacheKey);
      if (!up()) return;
      const { keys, member } = placeOf(cacheKey);
      dropScript(redis, keys, [member]).catch(away);
      purges.forget(cacheKey).catch(away);
    },
    purge(operation, cacheKey) {
      const dropped = local.purge(operation, cacheKey);
      if (up()) {
        const purged = cacheKey ? purgeSharedAnswer(redis, cacheKey, parts.messages) : purgeShared(redis, operation, parts.messages);
        purged.catch(away);
      }
      return dropped;
    },
    get bytes() {
      return local.bytes;
    },
    get entries() {
      return local.entries;
    },
  };
}
