import { atLongest, type Clock } from '../runtime/clock.ts';
import { connectAtStart, connectRedis, type RedisLog, reasonOf } from './redis.ts';
import { MEMBERS_KEY, queueOf } from './wire/keys.ts';
import { script } from './wire/scripts.ts';

const HEARTBEAT_MS = 250;
/** A worker without a heartbeat for longer counts as stopped, so that no attempt waits for it. */
const WORKER_SILENT_MS = 800;
/** A gateway without a heartbeat for longer counts as stopped: its jobs are dropped. */
const GATEWAY_SILENT_MS = 3_000;
/** A member without a heartbeat for longer is removed from Redis. */
const REMOVED_MS = 10_000;
/** A heartbeat without a reply for this long means that Redis is unavailable, even if the connection is open. */
const REPLY_TIMEOUT_MS = 600;
/** The timeout is measured in steps. A step that was long because this process was suspended counts as one: the reply may be there. */
const TIMEOUT_STEP_MS = 60;
const LEAVE_TIMEOUT_MS = 250;
/** Lookups wait this long for a lost connection to return: reconnecting and the next heartbeat take some 300 ms. */
const REJOIN_MS = 1_000;
/** Round trips to Redis that are added to each limit: those of the observed process and of the observing one. */
const ROUND_TRIPS = 3;
const MEASUREMENTS = 8;
const MAX_ROUND_TRIP_MS = 2_000;
const GATEWAY = 1;
const RETIRED = 2;

const heartbeatScript = script('membership-heartbeat');

/** The roles of a process: gateway, worker for some sources, both, or neither (an observer). */
export interface Part {
  readonly gateway: boolean;
  readonly sources: readonly string[];
}
export type FleetEvent = 'up' | 'down' | 'members';

export type Fleet = Awaited<ReturnType<typeof joinFleet>>;

export interface FleetParts {
  readonly url: string;
  readonly clock: Clock;
  readonly log: RedisLog;
  readonly part: Part;
  readonly newId: () => string;
  readonly monotonicMs?: () => number;
}

/** Joins the fleet. Rejects where Redis does not answer within 5 s, or would evict what the queue needs. */
export async function joinFleet(parts: FleetParts) {
  const { clock, log, part, monotonicMs = () => performance.now() } = parts;
  const redis = connectRedis(parts.url, log);
  const listeners = new Set<(event: FleetEvent) => void>();
  const ended = new AbortController();
  let id = parts.newId();
  let entry = '';
  let up = false;
  let heartbeatAt = 0;
  let refreshedAt = 0;
  let upSince = 0;
  let rejoining: Promise<void> = Promise.resolve();
  let endRejoining = (): void => {};
  /** The shortest of the last round trips, in which Redis read its clock: a busy event loop lengthens some of them. */
  let shortest = { ms: 0, aheadMs: 0 };
  let measured: readonly (typeof shortest)[] = [];
  const roundTripMs = (): number => Math.min(MAX_ROUND_TRIP_MS, shortest.ms);
  const slackMs = (): number => ROUND_TRIPS * roundTripMs();
  let gateways = new Set<string>();
  let workers: readonly { readonly queue: string; readonly accepts: readonly string[] }[] = [];
  let turn = 0;
  let listed = { gateways: 0, workers: 0 };
  let retired = false;

  const emit = (event: FleetEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };
  const entryOf = (): string =>
    part.gateway || part.sources.length
      ? JSON.stringify([id, (part.gateway ? GATEWAY : 0) + (retired ? RETIRED : 0), queueOf(part.sources), ...part.sources])
      : '';

  function disconnected(reason: string): void {
    if (!up || ended.signal.aborted) return;
    up = false;
    id = parts.newId();
    log('warn', 'redis: unavailable', { reason });
    rejoining = atLongest(clock, REJOIN_MS, new Promise<void>((resolve) => (endRejoining = resolve)));
    emit('down');
  }

  async function refresh(): Promise<void> {
    const next = entryOf();
    const previous = entry && entry !== next ? entry : '';
    const from = monotonicMs();
    const answer = (await heartbeatScript(redis, { members: MEMBERS_KEY }, { entry: next, removedMs: REMOVED_MS, previous })) as string[];
    const to = monotonicMs();
    entry = next;
    const now = { ms: to - from, aheadMs: Number(answer[0]) - (from + to) / 2 };
    // measurements that cannot both be true: a clock was set
    measured = [...measured.filter((m) => Math.abs(m.aheadMs - now.aheadMs) <= (m.ms + now.ms) / 2 + 1), now].slice(-MEASUREMENTS);
    shortest = measured.reduce((best, each) => (each.ms <= best.ms ? each : best));
    if (up && to - heartbeatAt > GATEWAY_SILENT_MS + slackMs()) disconnected('this process was suspended');
    heartbeatAt = to;
    update(answer, Number(answer[0]));
    const hasJoined = !up && next === entryOf();
    if (hasJoined) {
      up = true;
      upSince = to;
      endRejoining();
      log('info', 'redis: joined the fleet', { id, gateways: gateways.size, workers: workers.length });
      emit('up');
    }
    emit('members');
  }

  function update(answer: readonly string[], now: number): void {
    const seen = new Set<string>();
    const serving = [];
    const all = { gateways: 0, workers: 0 };
    // heartbeats of others that this process could not read, because it was suspended, are not missing
    const suspendedMs = refreshedAt ? Math.max(0, now - refreshedAt - HEARTBEAT_MS - roundTripMs()) : 0;
    refreshedAt = now;
    for (let i = 1; i + 1 < answer.length; i += 2) {
      const silentMs = now - Number(answer[i + 1]) - suspendedMs;
      const [member, flags, queue, ...theirs] = JSON.parse(answer[i] ?? '[""]') as [string, number, string, ...string[]];
      if (flags & GATEWAY) all.gateways++;
      if (theirs.length) all.workers++;
      if (flags & GATEWAY && silentMs < GATEWAY_SILENT_MS + slackMs()) seen.add(member);
      if (!theirs.length || silentMs >= WORKER_SILENT_MS + slackMs()) continue;
      serving.push({ queue, accepts: flags & RETIRED ? [] : theirs });
    }
    gateways = seen;
    workers = serving;
    listed = all;
  }

  async function replyTimeout(answered: AbortSignal): Promise<void> {
    for (let ms = 0; ms < REPLY_TIMEOUT_MS + slackMs() && !answered.aborted; ms += TIMEOUT_STEP_MS)
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
      await refresh().catch((error) => disconnected(reasonOf(error)));
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
      return id;
    },
    get up() {
      return up;
    },
    get upForMs() {
      return up ? monotonicMs() - upSince : 0;
    },
    /** Whether this process is a member. Within a second after the connection was lost, waits until it has joined again. */
    async hasRejoined(): Promise<boolean> {
      await rejoining;
      return up;
    },
    /** Round trip time to Redis, ms: timeouts are longer by it. */
    get roundTripMs() {
      return roundTripMs();
    },
    /** Redis' clock, epoch ms, extrapolated from the last heartbeat by the monotonic clock: the clock that all members share. */
    now: (): number => monotonicMs() + shortest.aheadMs,
    get seen() {
      return { gateways: gateways.size, workers: workers.length };
    },
    /** The same with members that have been silent for less than 10 s, at least 1: the divisor of shares, which a pause of a member must not raise. */
    get gateways() {
      return Math.max(1, listed.gateways);
    },
    get workers() {
      return Math.max(1, listed.workers);
    },
    /** A queue whose workers accept attempts at this source, round-robin over such queues; null: there is none. */
    queueFor(source: string): string | null {
      const accepting = workers.filter(({ accepts }) => accepts.includes(source));
      return accepting[turn++ % accepting.length]?.queue ?? null;
    },
    /** Whether a worker takes or still finishes the jobs of this queue. */
    isServed: (queue: string): boolean => workers.some((worker) => worker.queue === queue),
    hasGateway: (member: string): boolean => gateways.has(member),
    refresh,
    /** Listens for the connection (`up`, `down`) and for each new list of members. Returns a function that unsubscribes. */
    watch(listener: (event: FleetEvent) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Announces that this process accepts no new work and only finishes its own. */
    async retire(): Promise<void> {
      retired = true;
      await refresh().catch((error) => log('warn', 'redis: retirement not announced', { reason: reasonOf(error) }));
    },
    async close(): Promise<void> {
      ended.abort('closed');
      endRejoining();
      const leave = async (): Promise<void> => {
        await beating;
        if (up && entry) await redis.zrem(MEMBERS_KEY, entry).catch(() => undefined); // the entry expires
      };
      const left = leave();
      // a suspended Redis would never reply
      await atLongest(clock, LEAVE_TIMEOUT_MS, left);
      redis.disconnect();
      await left;
    },
  };
}
