import type { Redis } from 'ioredis';
import { type OperationId, operationList } from '../contract/operations/index.ts';
import type { AnswerCache } from '../orchestrator/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Channels } from './channels.ts';
import { messageText, parseMessage, VERSION } from './codec.ts';
import type { Fleet } from './membership.ts';
import { type RedisLog, reasonOf, script } from './redis.ts';

/** Time of each operation's last purge, by Redis' clock: gateways that missed the message read it here. */
const PURGES_KEY = 'sightline:purged';
/** Time of the purges of single answers. */
const ANSWER_PURGES_KEY = 'sightline:purged:cache-keys';
/** Records of purges of single answers expire after this. A gateway that was disconnected for longer empties its cache. */
const ANSWER_PURGES_MS = 86_400_000;
const CHANNEL = 'sightline:purges';
/** Interval at which a gateway reads the records, because a message may be lost. */
const READ_MS = 1_000;

const purgeOperationScript = script('purge-operation');
const purgeAnswerScript = script('purge-answer');
const mergeScript = script('purge-merge');
const restoreScript = script('purge-restore');

/** `operation`: all of its answers; `cacheKey`: one answer; without `at` the purge is not recorded. */
interface PurgeMessage {
  readonly operation?: OperationId;
  readonly cacheKey?: string;
  readonly at?: number;
}

/** Makes every gateway delete its local answers of an operation, now or when it reconnects. Returns the number of gateways reached now. */
export const publishPurge = async (redis: Redis, operation: OperationId): Promise<number> =>
  (await purgeOperationScript(redis, [PURGES_KEY], [operation, CHANNEL, VERSION])) as number;

/** The same for one cache key. */
export const publishAnswerPurge = async (redis: Redis, cacheKey: string): Promise<number> =>
  (await purgeAnswerScript(redis, [ANSWER_PURGES_KEY], [cacheKey, CHANNEL, ANSWER_PURGES_MS, VERSION])) as number;

/** Purges that this gateway received. */
export interface Purges {
  /** Number of purges so far: an entry that was read before it changed may be purged. */
  readonly count: number;
  /** Makes the other gateways delete one answer. */
  forget(cacheKey: string): Promise<unknown>;
  close(): Promise<void>;
}
export interface PurgesParts {
  readonly fleet: Fleet;
  readonly channels: Channels;
  /** The cache of this process. */
  readonly local: AnswerCache;
  readonly clock: Clock;
  readonly log: RedisLog;
}

/** Applies the purges of the whole fleet to the local cache; after a disconnect those that were missed. */
export async function listenForPurges({ fleet, channels, local, clock, log }: PurgesParts): Promise<Purges> {
  /** Operation to the time of its last purge. */
  const known = new Map<string, number>();
  /** Cache key to the time of its last purge, in that order. */
  const cacheKeys = new Map<string, number>();
  const ended = new AbortController();
  let count = 0;
  /** Purges of answers up to this time have been applied. */
  let seenUntil = 0;
  let readAt = clock.now();

  const apply = (operation: OperationId, at: number): void => {
    if (at <= (known.get(operation) ?? 0)) return;
    known.set(operation, at);
    count++;
    local.purge(operation);
  };
  const applyAnswerPurge = (cacheKey: string, at: number): void => {
    if (at <= (cacheKeys.get(cacheKey) ?? 0)) return;
    cacheKeys.delete(cacheKey); // moves it to the end
    cacheKeys.set(cacheKey, at);
    count++;
    local.delete(cacheKey);
    for (const [old, then] of cacheKeys) {
      if (then > at - ANSWER_PURGES_MS) break;
      cacheKeys.delete(old);
    }
  };
  async function readAnswerPurges(): Promise<void> {
    const now = clock.now();
    const missed = (await fleet.redis.zrangebyscore(ANSWER_PURGES_KEY, `(${seenUntil}`, '+inf', 'WITHSCORES')) as string[];
    if (now - readAt > ANSWER_PURGES_MS) for (const { id } of operationList) local.purge(id);
    readAt = now;
    for (let i = 0; i < missed.length; i += 2) {
      applyAnswerPurge(missed[i] ?? '', Number(missed[i + 1]));
      seenUntil = Math.max(seenUntil, Number(missed[i + 1]));
    }
  }
  async function restore(): Promise<void> {
    if (cacheKeys.size) await restoreScript(fleet.redis, [ANSWER_PURGES_KEY], [ANSWER_PURGES_MS, seenUntil, ...cacheKeys.keys()]);
  }
  async function read(): Promise<void> {
    await readAnswerPurges();
    const all = (await mergeScript(fleet.redis, [PURGES_KEY], [...known].flat())) as string[];
    for (let i = 0; i < all.length; i += 2) apply(all[i] as OperationId, Number(all[i + 1]));
  }
  const readOrLog = (hasReconnected = false): Promise<void> =>
    (hasReconnected ? restore().then(read) : read()).catch((error) => log('warn', 'fleet: purges not read', { reason: reasonOf(error) }));
  async function watch(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(READ_MS, ended.signal);
      if (fleet.up && !ended.signal.aborted) await readOrLog();
    }
  }

  await channels.listen(CHANNEL, (message) => {
    let received: PurgeMessage;
    try {
      received = parseMessage<PurgeMessage>('a purge', message.toString());
    } catch (error) {
      log('warn', 'fleet: unreadable purge', { reason: reasonOf(error) });
      return; // the record of the purge is read within a second
    }
    const { operation, at, cacheKey } = received;
    if (operation) apply(operation, at ?? 0);
    if (cacheKey && at !== undefined) applyAnswerPurge(cacheKey, at);
    else if (cacheKey) local.delete(cacheKey);
  });
  await read();
  const unwatch = fleet.watch((event) => event === 'up' && void readOrLog(true));
  const watching = watch();
  return {
    get count() {
      return count;
    },
    forget: (cacheKey) => fleet.redis.publish(CHANNEL, messageText({ cacheKey } satisfies PurgeMessage)),
    async close() {
      unwatch();
      ended.abort('closed');
      await watching;
    },
  };
}
