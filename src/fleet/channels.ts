import type { Redis } from 'ioredis';
import { connectRedis, type RedisLog } from './redis.ts';

/** Messages of a fleet as they are published. Those sent while the connection is lost are not seen: nobody may rely on one alone. */
export interface Channels {
  /** Resolves once it is heard; gives the way to end it. Rejects where Redis is away. */
  listen(channel: string, heard: (message: Buffer) => void): Promise<() => void>;
  close(): void;
}

export async function openChannels(url: string, log: RedisLog): Promise<Channels> {
  // ioredis' own way of hearing again leaves a promise alone, which ends the process where the connection is lost once more just then
  const redis: Redis = connectRedis(url, log, { autoResubscribe: false });
  const listeners = new Map<string, Set<(message: Buffer) => void>>();
  redis.on('messageBuffer', (channel: Buffer, message: Buffer) => {
    for (const heard of [...(listeners.get(channel.toString()) ?? [])]) heard(message);
  });
  redis.on('ready', () => {
    if (listeners.size) redis.subscribe(...listeners.keys()).catch(() => undefined); // lost once more: heard again the next time
  });
  await redis.connect();

  return {
    async listen(channel, heard) {
      const those = listeners.get(channel) ?? new Set();
      listeners.set(channel, those.add(heard));
      const leave = (): void => {
        those.delete(heard);
        if (those.size || listeners.get(channel) !== those) return;
        listeners.delete(channel);
        redis.unsubscribe(channel).catch(() => undefined); // a lost connection hears nothing anyway
      };
      try {
        await redis.subscribe(channel);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    close: () => redis.disconnect(),
  };
}
