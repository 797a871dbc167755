import { Redis, type RedisOptions } from 'ioredis';
import { certificateRefusal } from '../runtime/certificate-refusal.ts';
import type { Clock } from '../runtime/clock.ts';
import { OperatorError } from '../settings.ts';

const RECONNECT_MS = 250;
const CONNECT_MS = 1_000;
/** A suspended Redis never closes its connection: after this, pending commands of a connection that was given up are rejected. */
const DISCONNECT_MS = 100;

export type RedisLog = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;

/** Writes the commands of one turn of the event loop at once. ioredis' own pipelines copy all scripts of BullMQ, and delay replies. */
class BatchingRedis extends Redis {
  override sendCommand(...sent: Parameters<Redis['sendCommand']>): ReturnType<Redis['sendCommand']> {
    const { stream } = this;
    if (stream?.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(...sent);
  }
}

/** Fails every command at once while Redis is unavailable, and sends none again: it may have been executed. Reconnects until it is closed. */
export function connectRedis(url: string, log: RedisLog, options: Omit<RedisOptions, 'replyMapping'> = {}): Redis {
  const redis = new BatchingRedis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    disconnectTimeout: DISCONNECT_MS,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(RECONNECT_MS, 25 * times),
    ...options,
  });
  redis.setMaxListeners(0);
  // every BullMQ worker that shares a connection listens for its end
  redis.on('connect', () => redis.stream.setMaxListeners(0));
  let isLogged = false;
  redis.on('error', (error) => {
    // one line per outage, not one per attempt to connect
    if (!isLogged) log('warn', 'redis: connection failed', { reason: redisReason(error) });
    isLogged = true;
  });
  redis.on('ready', () => {
    isLogged = false;
  });
  return redis;
}

export const redisReason = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
};

/** The server's `maxmemory-policy`; the queue requires `noeviction`. Null where the server does not state it. */
export async function evictionPolicy(redis: Redis): Promise<string | null> {
  return /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1] ?? null;
}

const START_MS = 5_000;

/** Connects for the first time. Rejects with an OperatorError if Redis does not reply within 5 s or has an eviction policy. */
export async function connectAtStart(redis: Redis, clock: Clock): Promise<void> {
  const ready = new Promise<'ready'>((resolve) => redis.once('ready', () => resolve('ready')));
  let last: unknown = null;
  const over = new AbortController();
  const note = (error: unknown) => {
    last = error;
    // a wrong password stays wrong: fail at once
    if (PASSWORD.test(redisReason(error))) over.abort('refused');
  };
  redis.on('error', note);
  // a failure is reported by the error event; ioredis connects again
  redis.connect().catch(() => undefined);
  const first = await Promise.race([ready, clock.sleep(START_MS, over.signal)]);
  over.abort('over');
  redis.off('error', note);
  if (first !== 'ready') throw new OperatorError(redisRefusal('REDIS_URL', redis, last));
  const policy = await evictionPolicy(redis).catch((error: unknown) => {
    throw new OperatorError(redisRefusal('REDIS_URL', redis, error));
  });
  if (policy !== null && policy !== 'noeviction')
    throw new OperatorError(
      `Redis (REDIS_URL) evicts by ${policy} when its memory is full, which would lose jobs: set its maxmemory-policy to noeviction (SIGHTLINE_CACHE_URL may name another Redis for the cache).`,
    );
}

const PASSWORD = /^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)/;
const endpointOf = ({ options: { host = 'localhost', port = 6379, path } }: Redis): string => path ?? `${host}:${port}`;

/** Connects without trying again. Rejects with an OperatorError that says why not, and closes the connection. */
export async function connectOnce(setting: string, redis: Redis): Promise<void> {
  let cause: unknown = new Error('it did not connect in time');
  const note = (error: unknown): void => {
    cause = error;
  };
  redis.on('error', note);
  const timer = setTimeout(() => redis.disconnect(), START_MS);
  try {
    await redis.connect();
  } catch {
    redis.disconnect();
    // connect() rejects only with "connection is closed": the error event has the reason
    throw new OperatorError(redisRefusal(setting, redis, cause), { cause });
  } finally {
    clearTimeout(timer);
    redis.off('error', note);
  }
}

/** Why this Redis cannot be used, and what to do. Never contains the password of the URL. */
function redisRefusal(setting: string, redis: Redis, error: unknown): string {
  const reason = error === null ? '' : redisReason(error);
  const server = `Redis at ${endpointOf(redis)} (${setting})`;
  if (PASSWORD.test(reason)) return `${server} refuses the password: correct user and password in ${setting}.`;
  if (/ECONNREFUSED/.test(reason)) return `${server} refuses the connection: start it, or correct host and port in ${setting}.`;
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return `${server} has a host name that cannot be resolved: correct the host in ${setting}.`;
  const certificate = certificateRefusal(error as Error | null);
  if (certificate) return `${server} ${certificate}`;
  const other = redis.options.tls
    ? 'takes no TLS, write redis:// in place of rediss://'
    : 'takes TLS alone, write rediss:// in place of redis://';
  return `${server} does not answer${reason && ` (${reason})`}: check that it runs, and host and port in ${setting}; if it ${other}.`;
}
