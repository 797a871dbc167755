import type { SharedPenalties } from '../gateway/admission/penalties.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Channels } from './channels.ts';
import type { Fleet } from './membership.ts';

const CHANNEL = 'sightline:waits';

/**
 * Waits that one gateway finds are told to all, as the time that is left, so that no clocks are compared. A message that is lost costs little: a gateway that missed it
 * learns of the wait from Redis with the next strike that it counts itself.
 */
export async function createRedisPenalties(parts: { fleet: Fleet; channels: Channels; clock: Clock }): Promise<SharedPenalties> {
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
