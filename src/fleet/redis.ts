import { createHash } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';

/** Longest pause between two tries to connect. */
const RECONNECT_MS = 250;
const CONNECT_MS = 1_000;
/** A Redis that stands still never says goodbye: what waits on a connection that is given up is refused after this. */
const DISCONNECT_MS = 100;

export type RedisLog = (level: 'info' | 'warn', message: string, facts?: Record<string, unknown>) => void;

/**
 * A connection that fails fast: what is asked while Redis is away is refused at once, and nothing is sent again by itself, because a command
 * whose answer was lost may have been carried out. It connects again for as long as it is wanted.
 */
export function connectRedis(url: string, log: RedisLog, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
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
  let told = false;
  redis.on('error', (error) => {
    // one line for each time that it goes away, not one for each try
    if (!told) log('warn', 'redis: connection failed', { reason: reasonOf(error) });
    told = true;
  });
  redis.on('ready', () => {
    told = false;
  });
  return redis;
}

export const reasonOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
};

/** A Lua script, sent by its digest and whole only where the server does not know it (any more). All of its keys come first. */
export function script(
  lua: string,
): (redis: Redis, keys: readonly string[], args: readonly (string | number | Buffer)[]) => Promise<unknown> {
  const sha = createHash('sha1').update(lua).digest('hex');
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error as Error).message?.startsWith('NOSCRIPT')) throw error;
      return redis.eval(lua, keys.length, ...keys, ...args);
    }
  };
}

/** Redis' time in ms with its microseconds, for the scripts below it: their own clock, whatever the machines' clocks say. */
export const LUA_NOW = `local t = redis.call('TIME') local now = t[1] * 1000 + t[2] / 1000`;

/** What the server does when its memory is full: the queue needs `noeviction`. Null where it does not say. */
export async function evictionPolicy(redis: Redis): Promise<string | null> {
  return /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1] ?? null;
}
