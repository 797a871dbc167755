import type { Redis } from 'ioredis';
import type { OperationId } from '../contract/operations/index.ts';
import { type AnswerCache, freshUntil, isFromFuture, keepUntil } from '../orchestrator/cache.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import { after } from '../runtime/clock.ts';
import { CACHE_KEYS, decodeCached, encodeCached, placeOf } from './cache-codec.ts';
import type { FleetTools } from './channels.ts';
import { LEAD_MS, type Leads } from './leads.ts';
import { type Purges, publishPurge } from './purge.ts';
import { reasonOf, script } from './redis.ts';

class NoReplyError extends Error {}
const putScript = script('cache-put');
const deleteScript = script('cache-delete');
const purgeScript = script('cache-purge');
const claimScript = script('cache-claim', 'buffers');

/** Result of a purge: deleted entries of the shared cache, and gateways that received the message. */
export interface Purged {
  readonly dropped: number;
  readonly gateways: number;
}
/** Deletes the shared answers of an operation, or the one of the cache key, then makes every gateway delete its local ones. */
export async function purgeShared(redis: Redis, operation: OperationId, cacheKey?: string, messages = redis): Promise<Purged> {
  const dropped = cacheKey
    ? await deleteScript(redis, CACHE_KEYS, [placeOf(cacheKey).member])
    : await purgeScript(redis, CACHE_KEYS, [`${operation} `]);
  return { dropped: dropped as number, gateways: await publishPurge(messages, operation, cacheKey) };
}

interface SharedCacheParts extends FleetTools {
  readonly local: AnswerCache;
  /** A Redis for the cache alone, which no heartbeat watches; null: that of the fleet. */
  readonly own: Redis | null;
  readonly purges: Purges;
  readonly maxBytes: number;
  /** Claims of lookups. In the same Redis as the cache, one command reads and claims, and one stores and ends. */
  readonly leads: Leads;
}

/** Longest wait for a reply of a Redis of its own. */
const TIMEOUT_MS = 500;

/** Cache of the served bytes in Redis behind the local one, limited by `maxBytes`. While Redis is unavailable, the local cache is used alone. */
export function createSharedCache(parts: SharedCacheParts): AnswerCache & { latest(cacheKey: string): Promise<CachedAnswer | undefined> } {
  const { fleet, clock, local, own, purges } = parts;
  const redis = own ?? fleet.redis;
  const leads = own ? null : parts.leads;
  const { now } = clock;
  const up = (): boolean => fleet.up && (!own || own.status === 'ready');
  const aheadMs = (): number => fleet.now() - now();
  const reading = new Map<string, Promise<CachedAnswer | undefined>>();
  const failed = (error: unknown): void => {
    parts.log('warn', 'fleet: shared cache not reached', { reason: reasonOf(error) });
    // no further command waits for it until a new connection is ready
    if (error instanceof NoReplyError && redis.status === 'ready') redis.disconnect(true);
  };
  /** Rejects with a NoReplyError where a Redis of its own does not reply. */
  function inTime<T>(command: Promise<T>): Promise<T> {
    if (!own) return command;
    return new Promise((resolve, reject) => {
      const cancel = after(clock, TIMEOUT_MS, () => reject(new NoReplyError(`no reply within ${TIMEOUT_MS} ms`)));
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
    if (!encoded || purges.count !== count) return local.local(cacheKey);
    let cached: CachedAnswer;
    try {
      cached = decodeCached(encoded, aheadMs());
    } catch (error) {
      parts.log('warn', 'fleet: unreadable cache entry', { reason: reasonOf(error) });
      return known;
    }
    if (keepUntil(cached) <= now() || isFromFuture(cached, now()) || (known && known.at >= cached.at)) return known;
    local.set(cacheKey, cached);
    return cached;
  }

  return {
    local: local.local,
    async get(cacheKey, mayLead = false) {
      const known = local.local(cacheKey);
      if ((known && freshUntil(known) > now()) || !up()) return known;
      const shared = reading.get(cacheKey);
      if (shared) return shared;
      const reads = mayLead && leads && !leads.holds(cacheKey) ? readAndClaim(cacheKey, leads) : read(cacheKey);
      const result = fromShared(cacheKey, known, reads);
      reading.set(cacheKey, result);
      const done = (): boolean => reading.delete(cacheKey);
      result.then(done, done);
      return result;
    },
    /** The newest answer of the local and the shared cache; always reads the shared one. */
    latest: (cacheKey) => fromShared(cacheKey, local.local(cacheKey), read(cacheKey)),
    set(cacheKey, cached) {
      local.set(cacheKey, cached);
      const keepMs = Math.ceil(keepUntil(cached) - now());
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
      if (up()) inTime<unknown>(purgeShared(redis, operation, cacheKey, fleet.redis)).catch(failed);
      return dropped;
    },
  };
}
