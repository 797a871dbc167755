import { atLongest, type Clock } from '../runtime/clock.ts';
import type { LoadedCredentials, Part } from './member-list.ts';
import { createPresence } from './presence.ts';
import { connectAtStart, connectRedis, type RedisLog, redisReason } from './redis.ts';
import { createRedisClock } from './redis-clock.ts';
import { MEMBERS_KEY } from './wire/keys.ts';
import { script } from './wire/scripts.ts';

const HEARTBEAT_MS = 250;
/** A member without a heartbeat for longer is removed from Redis. */
const REMOVED_MS = 10_000;
/** A heartbeat without a reply for this long means that Redis is unavailable, even if the connection is open. */
const REPLY_TIMEOUT_MS = 600;
/** The timeout is measured in steps. A step that was long because this process was suspended counts as one: the reply may be there. */
const TIMEOUT_STEP_MS = 60;
const LEAVE_TIMEOUT_MS = 250;
/** Lookups wait this long for a lost connection to return: reconnecting and the next heartbeat take some 300 ms. */
const REJOIN_MS = 1_000;

const heartbeatScript = script('membership-heartbeat');

export type FleetEvent = 'up' | 'down' | 'members';

export type Fleet = Awaited<ReturnType<typeof joinFleet>>;

export interface FleetParts {
  readonly url: string;
  readonly clock: Clock;
  readonly log: RedisLog;
  readonly part: Part;
  readonly newId: () => string;
  /** What this process has loaded; each heartbeat tells it. Default: null. */
  readonly credentials?: (() => LoadedCredentials) | undefined;
  readonly monotonicMs?: () => number;
}

/** Joins the fleet. Rejects where Redis does not answer within 5 s, or would evict what the queue needs. */
export async function joinFleet(parts: FleetParts) {
  const { clock, log, part, credentials = () => null, monotonicMs = () => performance.now() } = parts;
  const redis = connectRedis(parts.url, log);
  const listeners = new Set<(event: FleetEvent) => void>();
  const ended = new AbortController();
  let rejoining: Promise<void> = Promise.resolve();
  let endRejoining = (): void => {};
  const redisClock = createRedisClock(monotonicMs);
  const presence = createPresence({ part, credentials, newId: parts.newId, redisClock, heartbeatMs: HEARTBEAT_MS });
  let turn = 0;

  const emit = (event: FleetEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };

  function disconnected(reason: string): void {
    if (!ended.signal.aborted && presence.lose()) announceLoss(reason);
  }
  function announceLoss(reason: string): void {
    log('warn', 'redis: unavailable', { reason });
    rejoining = atLongest(clock, REJOIN_MS, new Promise<void>((resolve) => (endRejoining = resolve)));
    emit('down');
  }

  async function refresh(): Promise<void> {
    const { entry, previous } = presence.next();
    const sentMs = monotonicMs();
    const reply = await heartbeatScript(redis, { members: MEMBERS_KEY }, { entry, removedMs: REMOVED_MS, previous });
    const [redisMs = '', ...list] = reply as string[];
    const { suspended, joined } = presence.answered({ entry, sentMs, answeredMs: monotonicMs(), redisMs: Number(redisMs), list });
    if (suspended && !ended.signal.aborted) announceLoss('this process was suspended');
    if (joined) {
      endRejoining();
      const { gateways, workers } = presence.members;
      log('info', 'redis: joined the fleet', { id: presence.id, gateways: gateways.size, workers: workers.length });
      emit('up');
    }
    emit('members');
  }

  async function replyTimeout(answered: AbortSignal): Promise<void> {
    for (let ms = 0; ms < REPLY_TIMEOUT_MS + redisClock.slackMs() && !answered.aborted; ms += TIMEOUT_STEP_MS)
      await clock.sleep(TIMEOUT_STEP_MS, answered);
    // replies that arrived during the last step are read first
    await new Promise((resolve) => setImmediate(resolve));
  }

  async function heartbeats(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(HEARTBEAT_MS, ended.signal);
      if (ended.signal.aborted || redis.status !== 'ready') continue;
      const late = new AbortController();
      const timeout = replyTimeout(late.signal).then(() => {
        if (late.signal.aborted || ended.signal.aborted) return;
        disconnected('no reply');
        redis.disconnect(true); // rejects the pending commands and reconnects
      });
      await refresh().catch((error) => disconnected(redisReason(error)));
      late.abort('answered');
      await timeout;
    }
  }

  redis.on('close', () => disconnected('connection closed'));
  redis.on('error', () => endRejoining()); // a server that is gone refuses to connect
  try {
    await connectAtStart(redis, clock);
    await refresh();
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  const beating = heartbeats();

  return {
    redis,
    /** Id of this process, regenerated on every disconnect, so that stale replies and jobs are dropped. */
    get id() {
      return presence.id;
    },
    get up() {
      return presence.up;
    },
    get upForMs() {
      return presence.upForMs(monotonicMs());
    },
    /** Whether this process is a member. Within a second after the connection was lost, waits until it has joined again. */
    async hasRejoined(): Promise<boolean> {
      await rejoining;
      return presence.up;
    },
    /** Round trip time to Redis, ms: timeouts are longer by it. */
    get roundTripMs() {
      return redisClock.roundTripMs();
    },
    /** Redis' clock, epoch ms: the clock that all members share. */
    now: redisClock.now,
    get seen() {
      const { gateways, workers } = presence.members;
      return { gateways: gateways.size, workers: workers.length };
    },
    /** Members that have loaded the same credentials as this process. */
    get withCredentials() {
      const own = credentials();
      const { gateways, workers } = presence.members;
      const loaded = [...gateways, ...workers.map((worker) => [worker.id, worker.credentials] as const)];
      return {
        gateways: [...gateways.values()].filter((each) => each === own).length,
        workers: workers.filter((worker) => worker.credentials === own).length,
        /** Ids of the others: a process may be gateway and worker. */
        behind: [...new Set(loaded.flatMap(([id, each]) => (each === own ? [] : id)))],
      };
    },
    /** The numbers seen with members that have been silent for less than 10 s, at least 1: the divisor of shares, which a pause of a member must not raise. */
    get gateways() {
      return Math.max(1, presence.members.listed.gateways);
    },
    get workers() {
      return Math.max(1, presence.members.listed.workers);
    },
    /** A queue whose workers accept attempts at this source, round-robin over such queues; null: there is none. */
    queueFor(source: string): string | null {
      const accepting = presence.members.workers.filter(({ accepts }) => accepts.includes(source));
      return accepting[turn++ % accepting.length]?.queue ?? null;
    },
    /** Whether a worker takes or still finishes the jobs of this queue. */
    isServed: (queue: string): boolean => presence.members.workers.some((worker) => worker.queue === queue),
    hasGateway: (member: string): boolean => presence.members.gateways.has(member),
    refresh,
    /** Listens for the connection (`up`, `down`) and for each new list of members. Returns a function that unsubscribes. */
    subscribe(listener: (event: FleetEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Announces that this process accepts no new work and only finishes its own. */
    async retire(): Promise<void> {
      presence.retire();
      await refresh().catch((error) => log('warn', 'redis: retirement not announced', { reason: redisReason(error) }));
    },
    async close(): Promise<void> {
      ended.abort('closed');
      endRejoining();
      const leave = async (): Promise<void> => {
        await beating;
        if (presence.up && presence.entry) await redis.zrem(MEMBERS_KEY, presence.entry).catch(() => undefined); // the entry expires
      };
      const left = leave();
      // a suspended Redis would never reply
      await atLongest(clock, LEAVE_TIMEOUT_MS, left);
      redis.disconnect();
      await left;
    },
  };
}
