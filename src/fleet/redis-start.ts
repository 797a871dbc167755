import type { Redis } from 'ioredis';
import type { Clock } from '../runtime/clock.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import { evictionPolicy, reasonOf } from './redis.ts';

const START_MS = 5_000;

/** Connects for the first time. Rejects with a RedisError if Redis does not reply within 5 s or has an eviction policy. */
export async function connectAtStart(redis: Redis, clock: Clock): Promise<void> {
  const ready = new Promise<'ready'>((resolve) => redis.once('ready', () => resolve('ready')));
  let last: unknown = null;
  const over = new AbortController();
  const note = (error: unknown) => {
    last = error;
    // a wrong password stays wrong: fail at once
    if (PASSWORD.test(reasonOf(error))) over.abort('refused');
  };
  redis.on('error', note);
  // a failure is reported by the error event; ioredis connects again
  redis.connect().catch(() => undefined);
  const first = await Promise.race([ready, clock.sleep(START_MS, over.signal)]);
  over.abort('over');
  redis.off('error', note);
  if (first !== 'ready') throw new RedisError(`Redis at ${placeOf(redis)} (REDIS_URL) ${whyNot(last)}`);
  const policy = await evictionPolicy(redis).catch((error: unknown) => {
    throw new RedisError(`Redis at ${placeOf(redis)} (REDIS_URL) ${whyNot(error)}`);
  });
  if (policy !== null && policy !== 'noeviction')
    throw new RedisError(
      `Redis (REDIS_URL) evicts by ${policy} when its memory is full, which would lose jobs: set its maxmemory-policy to noeviction (SIGHTLINE_CACHE_URL may name another Redis for the cache).`,
    );
}

const PASSWORD = /^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)/;
const placeOf = ({ options: { host = 'localhost', port = 6379, path } }: Redis): string => path ?? `${host}:${port}`;

function whyNot(error: unknown): string {
  const reason = error === null ? '' : reasonOf(error);
  if (PASSWORD.test(reason)) return 'refuses the password: correct user and password in REDIS_URL.';
  if (/ECONNREFUSED/.test(reason)) return 'refuses the connection: start it, or correct host and port in REDIS_URL.';
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return 'has a host name that cannot be resolved: correct the host in REDIS_URL.';
  return `does not answer${reason && ` (${reason})`}: check that it runs, and host and port in REDIS_URL.`;
}

/** Redis is unreachable or unsuitable at the start. */
export class RedisError extends OperatorError {
  override readonly name = 'RedisError';
}
