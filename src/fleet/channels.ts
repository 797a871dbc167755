import type { Redis } from 'ioredis';
import type { Clock } from '../runtime/clock.ts';
import type { Fleet } from './membership.ts';
import { connectRedis, type RedisLog } from './redis.ts';

export interface FleetTools {
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly log: RedisLog;
}

/** A server tells a message to the connections of all its databases, each of which may be a fleet's own. */
export const channelOf = ({ options: { db } }: Pick<Redis, 'options'>, name: string): string => (db ? `${name}/${db}` : name);

export type Channels = Awaited<ReturnType<typeof openChannels>>;

/** Redis Pub/Sub of a fleet. Messages published while the connection is lost are missed, so no protocol may rely on a single message. */
export async function openChannels(url: string, log: RedisLog) {
  // ioredis' autoResubscribe leaves a promise without a handler, which ends the process if the connection is lost again before it resolves
  const redis = connectRedis(url, log, { autoResubscribe: false });
  const listeners = new Map<string, Set<(message: Buffer) => void>>();
  redis.on('messageBuffer', (channel: Buffer, message: Buffer) => {
    for (const listener of [...(listeners.get(channel.toString()) ?? [])]) listener(message);
  });
  redis.on('ready', () => {
    if (listeners.size) redis.subscribe(...listeners.keys()).catch(() => undefined); // lost again: subscribed on the next connection
  });
  await redis.connect();

  return {
    /** Resolves with a function that unsubscribes. Rejects while Redis is unavailable. */
    async listen(name: string, listener: (message: Buffer) => void): Promise<() => void> {
      const channel = channelOf(redis, name);
      const subscribers = listeners.get(channel) ?? new Set();
      listeners.set(channel, subscribers.add(listener));
      const unsubscribe = (): void => {
        subscribers.delete(listener);
        if (subscribers.size || listeners.get(channel) !== subscribers) return;
        listeners.delete(channel);
        redis.unsubscribe(channel).catch(() => undefined); // a lost connection has no subscriptions
      };
      try {
        await redis.subscribe(channel);
      } catch (error) {
        unsubscribe();
        throw error;
      }
      return unsubscribe;
    },
    close: () => redis.disconnect(),
  };
}
