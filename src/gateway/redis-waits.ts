import type { Fleet } from '../outside/fleet.ts';
import type { Channels } from '../outside/redis-channels.ts';
import type { Clock } from '../outside/world.ts';
import type { Waits } from './strikes.ts';

const CHANNEL = 'sightline:waits';

/**
 * Waits that one gateway finds are told to all, as the time that is left, so that no clocks are compared. A message that is lost costs little: a gateway that missed it
 * learns of the wait from Redis with the next strike that it counts itself.
 */
export async function createRedisWaits(parts: { fleet: Fleet; channels: Channels; clock: Clock }): Promise<Waits> {
  const { fleet, channels, clock } = parts;
  const listeners = new Set<(key: string, waitMs: number, nowMs: number) => void>();
  await channels.listen(CHANNEL, (message) => {
    const [key, waitMs] = JSON.parse(message.toString()) as [string, number];
    for (const heard of listeners) heard(key, waitMs, clock.now());
  });
  return {
    tell(key, waitMs) {
      if (fleet.up) fleet.redis.publish(CHANNEL, JSON.stringify([key, waitMs])).catch(() => undefined); // as one that is lost
    },
    listen: (heard) => void listeners.add(heard),
  };
}
