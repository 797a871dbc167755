import type { Redis } from 'ioredis';
import type { Input, OperationId } from '../contract/operations/index.ts';
import { type Purged, purgeShared } from '../fleet/cache.ts';
import { connectOnce, connectRedis, redisReason } from '../fleet/redis.ts';
import { cacheKeyOf } from '../orchestrator/cache.ts';
import { OperatorError, type Settings } from '../settings.ts';

const ANSWER_MS = 30_000;

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
  const redis = connectRedis(url, () => undefined, { retryStrategy: () => null, commandTimeout: ANSWER_MS });
  opened.push(redis);
  try {
    await connectOnce(setting, redis);
  } catch (error) {
    throw error instanceof OperatorError ? new OperatorError(`${error.message} Nothing was dropped.`, { cause: error }) : error;
  }
  return redis;
}
