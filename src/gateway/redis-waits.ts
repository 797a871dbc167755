import type { Fleet } from '../outside/fleet.ts';
import type { Channels } from '../outside/redis-channels.ts';
import type { Clock } from '../outside/world.ts';
import type { Waits } from './strikes.ts';

const CHANNEL = 'sightline:waits';

/**
 * Waits that one gateway finds are told to all, by the clock that all share. A message that is lost costs little: a gateway that missed it
 * learns of the wait from Redis with the next strike that it counts itself.
 */
export async function createRedisWaits(parts: { fleet: Fleet; channels: Channels; clock: Clock }): Promise<Waits> {
  const { fleet, channels, clock } = parts;
  const listeners = new Set<(key: string, untilMs: number) => void>();
  const aheadMs = (): number => fleet.now() - clock.now();
  await channels.listen(CHANNEL, (message) => {
    const [key, until] = JSON.parse(message.toString()) as [string, number];
    for (const heard of listeners) heard(key, until - aheadMs());
  });
  return {
    tell(key, untilMs) {
      if (fleet.up) fleet.redis.publish(CHANNEL, JSON.stringify([key, untilMs + aheadMs()])).catch(() => undefined); // as one that is lost
    },
    listen: (heard) => void listeners.add(heard),
  };
}
