import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { OperationId } from '../contract/operations/index.ts';
import { type AnswerCache, isFromFuture } from '../orchestrator/cache.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import { decodeCached, encodeCached } from './cache-codec.ts';
import { type Purges, publishAnswerPurge, publishPurge } from './purge.ts';
import { type RedisLog, reasonOf, script } from './redis.ts';

/** Number of shards of the cache. Each has an equal share of the budget, and its keys are in one slot of a cluster. */
const PARTS = 16;
/** Message of the error with which ioredis rejects after its `commandTimeout`; the error has no code. */
const TIMED_OUT = 'Command timed out';
const partKeys = (part: number): readonly [order: string, sizes: string, prefix: string] => {
  const tag = `sightline:cache:{${part}}`;
  return [`${tag}:order`, `${tag}:sizes`, `${tag}:`];
};

const putScript = script('cache-put');
const deleteScript = script('cache-delete');
const purgeScript = script('cache-purge');

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

/** Result of a purge: deleted entries of the shared cache, and gateways that received the message. */
export interface Purged {
  readonly dropped: number;
  readonly gateways: number;
}
/** Deletes the shared answers of an operation, then makes every gateway delete its local ones. */
export async function purgeShared(redis: Redis, operation: OperationId, messages: Redis = redis): Promise<Purged> {
  const dropped = await Promise.all(
    Array.from({ length: PARTS }, (_, part) => purgeScript(redis, partKeys(part), [`${operation} `]) as Promise<number>),
  );
  return { dropped: dropped.reduce((sum, n) => sum + n, 0), gateways: await publishPurge(messages, operation) };
}

/** The same for one cache key. */
export async function purgeSharedAnswer(redis: Redis, cacheKey: string, messages: Redis = redis): Promise<Purged> {
  const { keys, member } = placeOf(cacheKey);
  const dropped = (await deleteScript(redis, keys, [member])) as number;
  return { dropped, gateways: await publishAnswerPurge(messages, cacheKey) };
}

export interface SharedCache extends AnswerCache {
  /** The newest answer of the local and the shared cache; always reads the shared one. */
  latest(cacheKey: string): Promise<CachedAnswer | undefined>;
}
export interface SharedCacheParts {
  readonly local: AnswerCache;
  readonly redis: Redis;
  /** Whether Redis is available. */
  readonly up: () => boolean;
  /** Connection for messages between the gateways. */
  readonly messages: Redis;
  readonly purges: Purges;
  readonly now: () => number;
  /** Difference of Redis' clock to this process's clock, ms. */
  readonly aheadMs: () => number;
  readonly maxBytes: number;
  readonly log: RedisLog;
}

/**
 * Cache in Redis behind the local one, shared by all gateways. Entries are the bytes that are served. The size is limited by `maxBytes`:
 * the queue's Redis must not evict. While Redis is unavailable, the local cache is used alone.
 */
export function createSharedCache(parts: SharedCacheParts): SharedCache {
  const { local, redis, up, now, aheadMs, purges } = parts;
  const budget = Math.floor(parts.maxBytes / PARTS);
  const failed = (error: unknown): void => {
    const reason = reasonOf(error);
    parts.log('warn', 'fleet: shared cache not reached', { reason });
    // Redis does not reply: no further command waits for it until a new connection is ready
    if (reason === TIMED_OUT && redis.status === 'ready') redis.disconnect(true);
  };

  async function fromShared(cacheKey: string, known: CachedAnswer | undefined): Promise<CachedAnswer | undefined> {
    const { keys, member } = placeOf(cacheKey);
    const { count } = purges;
    const encoded = await redis.getBuffer(keys[2] + member).catch(failed);
    // an entry that was read before a purge must not be stored locally after it
    if (!encoded || purges.count !== count) return local.get(cacheKey);
    let cached: CachedAnswer;
    try {
      cached = decodeCached(encoded, aheadMs());
    } catch (error) {
      parts.log('warn', 'fleet: unreadable cache entry', { reason: reasonOf(error) });
      return known;
    }
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
      putScript(redis, keys, [member, encodeCached(cached, aheadMs()), keepMs, budget]).catch(failed);
    },
    delete(cacheKey) {
      local.delete(cacheKey);
      if (!up()) return;
      const { keys, member } = placeOf(cacheKey);
      deleteScript(redis, keys, [member]).catch(failed);
      purges.forget(cacheKey).catch(failed);
    },
    purge(operation, cacheKey) {
      const dropped = local.purge(operation, cacheKey);
      if (up()) {
        const purged = cacheKey ? purgeSharedAnswer(redis, cacheKey, parts.messages) : purgeShared(redis, operation, parts.messages);
        purged.catch(failed);
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
