import type { Redis } from 'ioredis';
import { type Purged, purgeShared, purgeSharedAnswer } from '../fleet/cache.ts';
import { connectRedis, reasonOf } from '../fleet/redis.ts';
import { RedisError } from '../fleet/redis-start.ts';
import { cacheKeyOf } from '../orchestrator/cache-key.ts';
import type { Settings } from '../settings.ts';
import type { PurgeWish } from './purge.ts';

/** A Redis that stands still is given up after this; a full cache takes a while to be emptied. */
const ANSWER_MS = 30_000;
const CONNECT_MS = 5_000;

/** Purges an operation, or one question of it, in a fleet, from outside of it. Throws a RedisError, having dropped nothing, where Redis is not there. */
export async function purgeFleet(settings: Settings, { operation, input }: PurgeWish): Promise<Purged> {
  const opened: Redis[] = [];
  try {
    const messages = await connected('REDIS_URL', settings.REDIS_URL ?? '', opened);
    const own = settings.SIGHTLINE_CACHE_URL;
    const cache = own ? await connected('SIGHTLINE_CACHE_URL', own, opened) : messages;
    const purged = input ? purgeSharedAnswer(cache, cacheKeyOf(operation, input), messages) : purgeShared(cache, operation, messages);
    return await purged.catch((error) => {
      throw new RedisError(`Redis went away before all was dropped (${reasonOf(error)}): purge again.`);
    });
  } finally {
    for (const redis of opened) redis.disconnect();
  }
}

async function connected(setting: string, url: string, opened: Redis[]): Promise<Redis> {
  let reason = 'it did not come up in time';
  const note = (_level: string, _message: string, facts?: Record<string, unknown>): void => {
    reason = String(facts?.reason ?? reason);
  };
  const redis = connectRedis(url, note, { retryStrategy: () => null, commandTimeout: ANSWER_MS });
  opened.push(redis);
  const late = setTimeout(() => redis.disconnect(), CONNECT_MS);
  try {
    await redis.connect();
  } catch {
    // what connecting rejects with says only that it is closed
    throw new RedisError(`Redis (${setting}) does not answer (${reason}): nothing was dropped.`);
  } finally {
    clearTimeout(late);
  }
  return redis;
}
