import type { Redis } from 'ioredis';
import { evictionPolicy } from './redis.ts';
import type { Clock } from './world.ts';

const START_MS = 5_000;

/** Waits until Redis answers. Rejects where it does not within 5 s, or would evict what the queue needs. */
export async function begin(redis: Redis, clock: Clock): Promise<void> {
  const over = new AbortController();
  const ready = new Promise<'ready'>((resolve) => redis.once('ready', () => resolve('ready')));
  // its failure is told as an error event, and it tries again
  redis.connect().catch(() => undefined);
  const came = await Promise.race([ready, clock.sleep(START_MS, over.signal)]);
  over.abort('over');
  if (came !== 'ready') throw new RedisError('Redis (REDIS_URL) does not answer.');
  const policy = await evictionPolicy(redis);
  if (policy !== null && policy !== 'noeviction')
    throw new RedisError(
      `Redis (REDIS_URL) evicts by ${policy} when its memory is full, which would lose jobs: set its maxmemory-policy to noeviction (a cache of its own goes by SIGHTLINE_CACHE_URL).`,
    );
}

/** Redis is not there, or not fit, at the start. */
export class RedisError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RedisError';
  }
}
