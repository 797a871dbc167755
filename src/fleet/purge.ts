import type { Redis } from 'ioredis';
import type { OperationId } from '../contract/operations/index.ts';
import type { AnswerCache } from '../orchestrator/cache.ts';
import { repeat } from '../runtime/repeat.ts';
import type { Channels, FleetTools } from './channels.ts';
import { decodeMessage, encodeMessage, VERSION } from './codec.ts';
import { reasonOf, script } from './redis.ts';

/** Epoch of each operation: the time of its last purge, by Redis' clock. A gateway drops its local answers of an older epoch. */
const EPOCHS_KEY = 'sightline:epochs';
const CHANNEL = 'sightline:purges';
/** Interval at which a gateway reads the epochs, because a message may be lost. */
const READ_MS = 1_000;

const purgeScript = script('purge-publish');
const mergeScript = script('purge-merge');

/** Without `epoch`: one answer is deleted, and no epoch begins. */
interface PurgeMessage {
  readonly operation?: OperationId;
  /** Only this answer is purged, at a gateway that knows the epoch `before`. */
  readonly cacheKey?: string;
  readonly before?: number;
  readonly epoch?: number;
}

/** Begins an epoch: every gateway deletes its local answers of the operation, or the one of the cache key. Returns how many were reached now. */
export const publishPurge = async (redis: Redis, operation: OperationId, cacheKey = ''): Promise<number> =>
  (await purgeScript(redis, [EPOCHS_KEY], [operation, CHANNEL, VERSION, cacheKey])) as number;

export type Purges = Awaited<ReturnType<typeof listenForPurges>>;

/** Applies the purges of the fleet to the local cache. A gateway that missed a message drops all its answers of the operation. */
export async function listenForPurges({ fleet, channels, local, clock, log }: FleetTools & { channels: Channels; local: AnswerCache }) {
  const epochs = new Map<string, number>();
  let count = 0;

  function apply(operation: OperationId, epoch: number, cacheKey?: string, before?: number): void {
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
      await mergeScript(fleet.redis, [EPOCHS_KEY], [...epochs].flat());
      all = await fleet.redis.hgetall(EPOCHS_KEY);
    }
    for (const [operation, epoch] of Object.entries(all)) apply(operation as OperationId, Number(epoch));
  }
  const readOrLog = (): Promise<void> => read().catch((error) => log('warn', 'fleet: purges not read', { reason: reasonOf(error) }));
  // one that is lost is made up for by the epochs, within a second
  await channels.listen(CHANNEL, (bytes) => {
    let message: PurgeMessage;
    try {
      message = decodeMessage<PurgeMessage>('a purge', bytes).head;
    } catch (error) {
      return log('warn', 'fleet: unreadable purge', { reason: reasonOf(error) }); // as if it were lost
    }
    const { operation, epoch, cacheKey, before } = message;
    if (operation) apply(operation, epoch ?? 0, cacheKey, before);
    else if (cacheKey) local.delete(cacheKey);
  });
  await read();
  const unwatch = fleet.watch((event) => event === 'up' && void readOrLog());
  const watching = repeat(clock, () => (fleet.up ? readOrLog() : Promise.resolve()).then(() => READ_MS), READ_MS);
  return {
    /** Number of purges so far: an entry that was read before it changed may be purged. */
    get count() {
      return count;
    },
    forget: (cacheKey: string): Promise<unknown> => fleet.redis.publish(CHANNEL, encodeMessage({ cacheKey } satisfies PurgeMessage)),
    async close(): Promise<void> {
      unwatch();
      await watching.close();
    },
  };
}
