import type { Redis } from 'ioredis';
import type { OperationId } from '../contract/operations/index.ts';
import type { AnswerCache } from '../orchestrator/cache.ts';
import { repeat } from '../runtime/repeat.ts';
import { type Channels, channelOf, type FleetTools } from './channels.ts';
import { redisReason } from './redis.ts';
import { EPOCHS_KEY, PURGES_CHANNEL } from './wire/keys.ts';
import { decodePurge, encodeForget, type Purge, VERSION } from './wire/messages.ts';
import { script } from './wire/scripts.ts';

/** Interval at which a gateway reads the epochs, because a message may be lost. */
const READ_MS = 1_000;

const purgeScript = script('purge-publish');
const mergeScript = script('purge-merge');

/** Begins an epoch: every gateway deletes its local answers of the operation, or the one of the cache key. Returns how many were reached now. */
export async function publishPurge(redis: Redis, operation: OperationId, cacheKey = ''): Promise<number> {
  const channel = channelOf(redis, PURGES_CHANNEL);
  return (await purgeScript(redis, { epochs: EPOCHS_KEY }, { operation, channel, version: VERSION, cacheKey })) as number;
}

export type Purges = Awaited<ReturnType<typeof listenForPurges>>;

/** Applies the purges of the fleet to the local cache. A gateway that missed a message drops all its answers of the operation. */
export async function listenForPurges({ fleet, channels, local, clock, log }: FleetTools & { channels: Channels; local: AnswerCache }) {
  const epochs = new Map<string, number>();
  let count = 0;

  function apply(operation: OperationId, epoch: number, cacheKey: string | null = null, before = 0): void {
    const known = epochs.get(operation) ?? 0;
    if (epoch <= known) return;
    epochs.set(operation, epoch);
    count++;
    if (cacheKey && before === known) local.delete(cacheKey);
    else local.purge(operation);
  }
  /** A Redis that lost its data learns the epochs from the gateways. */
  async function read(): Promise<void> {
    let all = await fleet.redis.hgetall(EPOCHS_KEY);
    if ([...epochs].some(([operation, epoch]) => Number(all[operation] ?? 0) < epoch)) {
      await mergeScript(
        fleet.redis,
        { epochs: EPOCHS_KEY },
        {},
        [...epochs].map(([operation, epoch]) => ({ operation, epoch })),
      );
      all = await fleet.redis.hgetall(EPOCHS_KEY);
    }
    for (const [operation, epoch] of Object.entries(all)) apply(operation as OperationId, Number(epoch));
  }
  const readOrLog = (): Promise<void> => read().catch((error) => log('warn', 'fleet: purges not read', { reason: redisReason(error) }));
  // one that is lost is made up for by the epochs, within a second
  await channels.listen(PURGES_CHANNEL, (bytes) => {
    let message: Purge;
    try {
      message = decodePurge(bytes);
    } catch (error) {
      return log('warn', 'fleet: unreadable purge', { reason: redisReason(error) }); // as if it were lost
    }
    const { operation, epoch, cacheKey, before } = message;
    if (operation) apply(operation, epoch, cacheKey, before);
    else if (cacheKey) local.delete(cacheKey);
  });
  await read();
  const unsubscribe = fleet.subscribe((event) => event === 'up' && void readOrLog());
  const reading = repeat(clock, () => (fleet.up ? readOrLog() : Promise.resolve()).then(() => READ_MS), READ_MS);
  return {
    /** Number of purges so far: an entry that was read before it changed may be purged. */
    get count() {
      return count;
    },
    forget: (cacheKey: string): Promise<unknown> => fleet.redis.publish(channelOf(fleet.redis, PURGES_CHANNEL), encodeForget(cacheKey)),
    async close(): Promise<void> {
      unsubscribe();
      await reading.close();
    },
  };
}
