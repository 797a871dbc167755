import type { Redis } from 'ioredis';
import type { Input, OperationId } from '../contract/operations/index.ts';
import { type Purged, purgeShared } from '../fleet/cache.ts';
import { connectRedis, redisReason } from '../fleet/redis.ts';
import { cacheKeyOf } from '../orchestrator/cache.ts';
import { OperatorError, type Settings } from '../settings.ts';

const ANSWER_MS = 30_000;
const CONNECT_MS = 5_000;

/** Purges the shared cache and the cache of every gateway. Throws an OperatorError if Redis does not answer; nothing is purged then. */
export async function purgeFleet(settings: Settings, operation: OperationId, input: Input | undefined): Promise<Purged> {
  const opened: Redis[] = [];
  try {
    const messages = await connected('REDIS_URL', settings.REDIS_URL ?? '', opened);
    const own = settings.SIGHTLINE_CACHE_URL;
    const cache = own ? await connected('SIGHTLINE_CACHE_URL', own, opened) : messages;
    const purged = purgeShared(cache, operation, input && cacheKeyOf(operation, input), messages);
    return await purged.catch((error) => {
      throw new OperatorError(`The connection to Redis was lost before all was dropped (${redisReason(error)}): purge again.`);
    });
  } finally {
    for (const redis of opened) redis.disconnect();
  }
}

async function connected(setting: string, url: string, opened: Redis[]): Promise<Redis> {
  let reason = 'it did not connect in time';
  const note = (_level: string, _message: string, facts?: Record<string, unknown>): void => {
    reason = String(facts?.reason ?? reason);
  };
  const redis = connectRedis(url, note, { retryStrategy: () => null, commandTimeout: ANSWER_MS });
  opened.push(redis);
  const timer = setTimeout(() => redis.disconnect(), CONNECT_MS);
  try {
    await redis.connect();
  } catch {
    // connect() rejects only with "connection is closed": the reason was logged
    throw new OperatorError(`Redis (${setting}) does not answer (${reason}): nothing was dropped.`);
  } finally {
    clearTimeout(timer);
  }
  return redis;
}
