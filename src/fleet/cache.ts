import type { Redis } from 'ioredis';
import type { OperationId } from '../contract/operations/index.ts';
import { type Acceptance, type AnswerCache, acceptedAs, freshUntil, isFromFuture, keepUntil, SKEW_MS } from '../orchestrator/cache.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import { after } from '../runtime/clock.ts';
import type { FleetTools } from './channels.ts';
import { LEAD_MS, type LeadEnd, type Leads } from './leads.ts';
import { type Purges, publishPurge } from './purge.ts';
import { redisReason } from './redis.ts';
import { CACHE_KEYS, memberPrefixOf, placeOf } from './wire/keys.ts';
import { decodeCached, ENDED, encodeCached } from './wire/messages.ts';
import { script } from './wire/scripts.ts';

class NoReplyError extends Error {}
const putScript = script('cache-put');
const deleteScript = script('cache-delete');
const purgeScript = script('cache-purge');
const claimScript = script('cache-claim', 'buffers');
const endScript = script('lead-end');
const CLAIMED = 1;
const OTHER_LEADS = 2;
const NO_LEAD: LeadEnd = { token: '', channel: '', message: Buffer.alloc(0), endedMs: 0 };

/** Result of a purge: deleted entries of the shared cache, and gateways that received the message. */
export interface Purged {
  readonly dropped: number;
  readonly gateways: number;
}
/** Deletes the shared answers of an operation, or the one of the cache key, then makes every gateway delete its local ones. */
export async function purgeShared(redis: Redis, operation: OperationId, cacheKey?: string, messages = redis): Promise<Purged> {
  const dropped = cacheKey
    ? await deleteScript(redis, CACHE_KEYS, { member: placeOf(cacheKey).member })
    : await purgeScript(redis, CACHE_KEYS, { membersOf: memberPrefixOf(operation) });
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

/** What a claim of a lookup finds: an answer that is accepted, the leadership, or that another gateway leads. `known`: the answer that is not accepted. */
export type SharedClaim =
  | { readonly kind: 'cached'; readonly cached: CachedAnswer }
  | { readonly kind: 'lead'; readonly known: CachedAnswer | undefined }
  | { readonly kind: 'other leads' };
export interface SharedCache extends AnswerCache {
  claim(cacheKey: string, acceptance: Acceptance): Promise<SharedClaim>;
  /** Stores the answer of the lookup that this process leads, and ends the leadership. */
  storeAndEnd(cacheKey: string, cached: CachedAnswer): void;
}

/** Longest wait for a reply of a Redis of its own. */
const TIMEOUT_MS = 500;

/** Cache of the served bytes in Redis behind the local one, limited by `maxBytes`. While Redis is unavailable, the local cache is used alone. */
export function createSharedCache(parts: SharedCacheParts): SharedCache {
  const { fleet, clock, local, own, purges, leads } = parts;
  const redis = own ?? fleet.redis;
  const { now } = clock;
  const up = (): boolean => fleet.up && (!own || own.status === 'ready');
  const aheadMs = (): number => fleet.now() - now();
  const failed = (error: unknown): void => {
    parts.log('warn', 'fleet: shared cache not reached', { reason: redisReason(error) });
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

  const read = (cacheKey: string): Promise<Buffer | null> => redis.getBuffer(placeOf(cacheKey).entry);
  /** The answer that an entry holds, unless the local one is newer; `isPurged`: it was read before a purge. */
  function take(cacheKey: string, encoded: Buffer | null, isPurged: boolean): CachedAnswer | undefined {
    const known = local.local(cacheKey);
    // it must not be stored locally after the purge
    if (!encoded || isPurged) return known;
    let cached: CachedAnswer;
    try {
      cached = decodeCached(encoded, aheadMs());
    } catch (error) {
      parts.log('warn', 'fleet: unreadable cache entry', { reason: redisReason(error) });
      return known;
    }
    if (keepUntil(cached) <= now() || isFromFuture(cached, now()) || (known && known.at >= cached.at)) return known;
    local.set(cacheKey, cached);
    return cached;
  }
  async function latest(cacheKey: string): Promise<CachedAnswer | undefined> {
    const { count } = purges;
    const encoded = (await inTime(read(cacheKey)).catch(failed)) ?? null;
    return take(cacheKey, encoded, purges.count !== count);
  }

  const isAccepted = (cached: CachedAnswer | undefined, acceptance: Acceptance): cached is CachedAnswer =>
    cached !== undefined && acceptedAs(cached, { ...acceptance, noCache: false }, now()) !== null;

  /** One command: reads the entry and, where it is not accepted, claims the lookup. */
  async function claimHere(cacheKey: string, acceptance: Acceptance): Promise<SharedClaim> {
    const { readSinceMs, freshMs, staleMs } = acceptance;
    const { entry, lead } = placeOf(cacheKey);
    const token = leads.newToken();
    const { count } = purges;
    const demands = { readSince: readSinceMs + aheadMs(), freshMs, staleMs: staleMs ?? 0, skewMs: SKEW_MS };
    const [encoded, verdict] = (await claimScript(redis, { entry, lead }, { token, leadMs: LEAD_MS, ...demands })) as [
      Buffer | null,
      number,
    ];
    if (verdict === CLAIMED) leads.hold(cacheKey, token);
    const known = take(cacheKey, encoded, purges.count !== count);
    if (verdict === CLAIMED) return { kind: 'lead', known };
    if (verdict === OTHER_LEADS) return { kind: 'other leads' };
    // an entry that only Redis accepts is unreadable, or was purged meanwhile
    return isAccepted(known, acceptance) ? { kind: 'cached', cached: known } : claimLead(cacheKey, known);
  }
  async function claimLead(cacheKey: string, known: CachedAnswer | undefined): Promise<SharedClaim> {
    return (await leads.claim(cacheKey)) === 'other leads' ? { kind: 'other leads' } : { kind: 'lead', known };
  }
  /** With a Redis of its own for the cache: reads, claims, and reads again where another lookup ended between the two. */
  async function claimApart(cacheKey: string, acceptance: Acceptance): Promise<SharedClaim> {
    const first = await latest(cacheKey);
    if (isAccepted(first, acceptance)) return { kind: 'cached', cached: first };
    const claimed = await leads.claim(cacheKey);
    if (claimed === 'other leads') return { kind: 'other leads' };
    const second = claimed === 'again' ? await latest(cacheKey) : first;
    if (!isAccepted(second, acceptance)) return { kind: 'lead', known: second };
    leads.end(cacheKey, ENDED);
    return { kind: 'cached', cached: second };
  }

  function put(cacheKey: string, cached: CachedAnswer, end: LeadEnd | null): void {
    local.set(cacheKey, cached);
    const keepMs = Math.ceil(keepUntil(cached) - now());
    const { member, lead } = placeOf(cacheKey);
    const stores = keepMs > 0 && up();
    if (stores) {
      const entry = { member, encoded: encodeCached(cached, aheadMs()), keepMs, budget: parts.maxBytes };
      // in the same Redis one command stores the answer and ends the lookup: stored before the followers hear of the end
      const ending = !own && end ? { keys: { lead }, args: end } : { keys: { lead: '' }, args: NO_LEAD };
      inTime(putScript(redis, { ...CACHE_KEYS, ...ending.keys }, { ...entry, ...ending.args })).catch(failed);
    }
    if (end && (own || !stores)) endScript(fleet.redis, { lead }, { ...end }).catch(() => undefined);
  }

  return {
    local: local.local,
    async get(cacheKey) {
      const known = local.local(cacheKey);
      return (known && freshUntil(known) > now()) || !up() ? known : latest(cacheKey);
    },
    claim: own ? claimApart : claimHere,
    storeAndEnd: (cacheKey, cached) => put(cacheKey, cached, leads.release(cacheKey, ENDED)),
    set: (cacheKey, cached) => put(cacheKey, cached, null),
    delete(cacheKey) {
      local.delete(cacheKey);
      if (!up()) return;
      inTime(deleteScript(redis, CACHE_KEYS, { member: placeOf(cacheKey).member })).catch(failed);
      purges.forget(cacheKey).catch(failed);
    },
    purge(operation, cacheKey) {
      const dropped = local.purge(operation, cacheKey);
      if (up()) inTime<unknown>(purgeShared(redis, operation, cacheKey, fleet.redis)).catch(failed);
      return dropped;
    },
  };
}
