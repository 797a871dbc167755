import type { SharedPenalties } from '../gateway/admission/penalties.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Channels } from './channels.ts';
import { messageText, parseMessage } from './codec.ts';
import type { Fleet } from './membership.ts';
import { type RedisLog, reasonOf } from './redis.ts';

const CHANNEL = 'sightline:waits';
interface PenaltyMessage {
  readonly key: string;
  readonly waitMs: number;
}

/**
 * Publishes each wait that a gateway imposes to all gateways, as the time left, so that no clocks are compared. A gateway that misses a
 * message reads the wait from Redis when it counts the next failure itself.
 */
export async function createRedisPenalties(parts: {
  fleet: Fleet;
  channels: Channels;
  clock: Clock;
  log: RedisLog;
}): Promise<SharedPenalties> {
  const { fleet, channels, clock, log } = parts;
  const listeners = new Set<(key: string, waitMs: number, nowMs: number) => void>();
  await channels.listen(CHANNEL, (message) => {
    let received: PenaltyMessage;
    try {
      received = parseMessage<PenaltyMessage>('a penalty', message.toString());
    } catch (error) {
      log('warn', 'fleet: unreadable penalty', { reason: reasonOf(error) });
      return;
    }
    for (const listener of listeners) listener(received.key, received.waitMs, clock.now());
  });
  return {
    tell(key, waitMs) {
      // the same as a lost message
      if (fleet.up) fleet.redis.publish(CHANNEL, messageText({ key, waitMs } satisfies PenaltyMessage)).catch(() => undefined);
    },
    listen: (listener) => void listeners.add(listener),
  };
}
