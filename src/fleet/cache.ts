import type { Redis } from 'ioredis';
import type { OperationId } from '../contract/operations/index.ts';
import { type AnswerCache, isFromFuture } from '../orchestrator/cache.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import { after, type Clock } from '../runtime/clock.ts';
import { decodeCached, encodeCached } from './cache-codec.ts';
import { CACHE_KEYS, placeOf } from './cache-place.ts';
import { LEAD_MS, type Leads } from './leads.ts';
import { type Purges, publishPurge } from './purge.ts';
import { bufferScript, type RedisLog, reasonOf, script } from './redis.ts';

/** The Redis of the shared cache did not reply in time. */
class NoReplyError extends Error {}
const putScript = script('cache-put');
const deleteScript = script('cache-delete');
const purgeScript = script('cache-purge');
const claimScript = bufferScript('cache-claim');

/** Result of a purge: deleted entries of the shared cache, and gateways that received the message. */
export interface Purged {
  readonly dropped: number;
  readonly gateways: number;
}
/** Deletes the shared answers of an operation, then makes every gateway delete its local ones. */
export async function purgeShared(redis: Redis, operation: OperationId, messages: Redis = redis): Promise<Purged> {
  const dropped = (await purgeScript(redis, CACHE_KEYS, [`${operation} `])) as number;
  return { dropped, gateways: await publishPurge(messages, operation) };
}

/** The same for one cache key. */
export async function purgeSharedAnswer(redis: Redis, cacheKey: string, messages: Redis = redis): Promise<Purged> {
  const dropped = (await deleteScript(redis, CACHE_KEYS, [placeOf(cacheKey).member])) as number;
  const operation = cacheKey.slice(0, cacheKey.indexOf(' ')) as OperationId;
  return { dropped, gateways: await publishPurge(messages, operation, cacheKey) };
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
  /** Longest wait for a reply. Default: none, because the Redis of the fleet is watched by its heartbeat. */
  readonly timeout?: { readonly clock: Clock; readonly ms: number };
  /** Leaderships, where they are in the same Redis: then a miss is claimed with its read, and ended with its answer. */
  readonly leads: Leads | null;
  readonly log: RedisLog;
}

/**
 * Cache in Redis behind the local one, shared by all gateways. Entries are the bytes that are served. The size is limited by `maxBytes`:
 * the queue's Redis must not evict. While Redis is unavailable, the local cache is used alone.
 */
export function createSharedCache(parts: SharedCacheParts): SharedCache {
  const { local, redis, up, now, aheadMs, purges, leads, timeout = null } = parts;
  /** Reads in progress, which further requests for the same key share. */
  const reading = new Map<string, Promise<CachedAnswer | undefined>>();
  const failed = (error: unknown): void => {
    parts.log('warn', 'fleet: shared cache not reached', { reason: reasonOf(error) });
    // no further command waits for it until a new connection is ready
    if (error instanceof NoReplyError && redis.status === 'ready') redis.disconnect(true);
  };
  /** Rejects with a NoReplyError if the command takes longer than `timeout`. */
  function inTime<T>(command: Promise<T>): Promise<T> {
    if (!timeout) return command;
    return new Promise((resolve, reject) => {
      const cancel = after(timeout.clock, timeout.ms, () => reject(new NoReplyError(`no reply within ${timeout.ms} ms`)));
      command.then(resolve, reject).finally(cancel);
    });
  }

  /** Reads the entry; where it is not fresh, `leads` keeps the leadership of the lookup, unless another gateway has it. */
  async function readAndClaim(cacheKey: string, leads: Leads): Promise<Buffer | null> {
    const { entry, lead } = placeOf(cacheKey);
    const token = leads.newToken();
    const [cached, claimed] = (await claimScript(redis, [entry, lead], [token, LEAD_MS])) as [Buffer | null, number];
    if (claimed === 1) leads.keep(cacheKey, token);
    return cached;
  }
  const read = (cacheKey: string): Promise<Buffer | null> => redis.getBuffer(placeOf(cacheKey).entry);

  async function fromShared(
    cacheKey: string,
    known: CachedAnswer | undefined,
    reads: Promise<Buffer | null>,
  ): Promise<CachedAnswer | undefined> {
    const { count } = purges;
    const encoded = await inTime(reads).catch(failed);
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
    get(cacheKey, mayLead = false) {
      const known = local.get(cacheKey);
      if (known instanceof Promise) return known;
      if ((known && known.freshUntil > now()) || !up()) return known;
      const shared = reading.get(cacheKey);
      if (shared) return shared;
      const reads = mayLead && leads && !leads.holds(cacheKey) ? readAndClaim(cacheKey, leads) : read(cacheKey);
      const result = fromShared(cacheKey, known, reads);
      reading.set(cacheKey, result);
      const done = (): boolean => reading.delete(cacheKey);
      result.then(done, done);
      return result;
    },
    latest: async (cacheKey) => fromShared(cacheKey, await local.get(cacheKey), read(cacheKey)),
    set(cacheKey, cached) {
      local.set(cacheKey, cached);
      const keepMs = Math.ceil(cached.keepUntil - now());
      if (keepMs <= 0 || !up()) return;
      const args = [placeOf(cacheKey).member, encodeCached(cached, aheadMs()), keepMs, parts.maxBytes];
      const storedAtEnd = leads?.storeAtEnd(cacheKey, (end) =>
        inTime(putScript(redis, [...CACHE_KEYS, end.key], [...args, ...end.args])).catch(failed),
      );
      if (!storedAtEnd) inTime(putScript(redis, CACHE_KEYS, args)).catch(failed);
    },
    delete(cacheKey) {
      local.delete(cacheKey);
      if (!up()) return;
      inTime(deleteScript(redis, CACHE_KEYS, [placeOf(cacheKey).member])).catch(failed);
      purges.forget(cacheKey).catch(failed);
    },
    purge(operation, cacheKey) {
      const dropped = local.purge(operation, cacheKey);
      if (up()) {
        const purged = cacheKey ? purgeSharedAnswer(redis, cacheKey, parts.messages) : purgeShared(redis, operation, parts.messages);
        inTime<unknown>(purged).catch(failed);
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
