import type { SharedPenalties } from '../gateway/admission/rate-limits.ts';
import { type Channels, type FleetTools, listenFor } from './channels.ts';
import { messageText } from './codec.ts';

const CHANNEL = 'sightline:waits';
interface PenaltyMessage {
  readonly key: string;
  readonly waitMs: number;
}

/**
 * Publishes each wait that a gateway imposes to all gateways, as the time left, so that no clocks are compared. A gateway that misses a
 * message reads the wait from Redis when it counts the next failure itself.
 */
export async function createRedisPenalties({
  fleet,
  channels,
  clock,
  log,
}: FleetTools & { readonly channels: Channels }): Promise<SharedPenalties> {
  const listeners = new Set<(key: string, waitMs: number, nowMs: number) => void>();
  await listenFor<PenaltyMessage>(channels, log, [CHANNEL, 'penalty'], ({ key, waitMs }) => {
    for (const listener of listeners) listener(key, waitMs, clock.now());
  });
  return {
    tell(key, waitMs) {
      // the same as a lost message
      if (fleet.up) fleet.redis.publish(CHANNEL, messageText({ key, waitMs } satisfies PenaltyMessage)).catch(() => undefined);
    },
    listen: (listener) => void listeners.add(listener),
  };
}
