import type { Redis } from 'ioredis';
import type { Clock } from '../runtime/clock.ts';
import { connectRedis, LUA_NOW, type RedisLog, reasonOf, script } from './redis.ts';
import { begin } from './redis-start.ts';

const MEMBERS_KEY = 'sightline:fleet';
/** How often everybody says that it is there, and learns who else is. */
const BEAT_MS = 150;
/** A worker that was silent for longer takes no work: others must not wait for it. */
const WORKER_SILENT_MS = 700;
/** A gateway that was silent for longer waits for nothing any more. */
const GATEWAY_SILENT_MS = 3_000;
const FORGOTTEN_MS = 10_000;
/** A beat without an answer for so long: Redis is away, though the connection stands. */
const BEAT_PATIENCE_MS = 600;
/** It is waited for in steps: a step that took long, because this process had no turn, counts as one, for Redis may have answered long ago. */
const PATIENCE_STEP_MS = 60;
const GOODBYE_MS = 250;
/** A round trip to Redis adds so many times itself to what is waited for: the beat of the one who is watched, and of the one who watches. */
const ROUND_TRIPS = 3;
/** Beyond this Redis counts as away, however slow it always was. */
const MAX_ROUND_TRIP_MS = 2_000;
/** What a member is, in its line. */
const GATEWAY = 1;
const RETIRED = 2;

/** ARGV: our own line ('' for one who only looks), ms after which the silent are forgotten, our line before. Gives the time and all lines. */
const beatScript = script(`${LUA_NOW}
if ARGV[3] ~= '' then redis.call('ZREM', KEYS[1], ARGV[3]) end
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
local all = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
table.insert(all, 1, string.format('%.3f', now))
return all`);

/** Who takes part: as a gateway, as a worker for some sources, as both, or as one who only looks. */
export interface Part {
  readonly gateway: boolean;
  readonly sources: readonly string[];
}
export type FleetEvent = 'up' | 'down' | 'members';

/** The fleet as one of its processes sees it. */
export interface Fleet {
  readonly redis: Redis;
  /** Who this process is. It is somebody new after every time that it was cut off: what was meant for the one before is for nobody. */
  readonly id: string;
  readonly up: boolean;
  /** Since when it is up without a break, in ms. */
  readonly upForMs: number;
  /** How long Redis takes to answer, ms: what waits for it waits by so much longer. */
  readonly roundTripMs: number;
  /** Redis' clock, epoch ms, as last told and counted on since: the one clock that all share. */
  now(): number;
  /** How many there were when they were last seen; 0 where there are none. */
  readonly seen: { readonly gateways: number; readonly workers: number };
  /** The same, at least 1: what a share is divided by. */
  readonly gateways: number;
  readonly workers: number;
  /** Whether a worker that takes attempts at this source is there. */
  serves(source: string): boolean;
  /** Whether one is there that has such attempts, if only to finish them. */
  finishes(source: string): boolean;
  hasGateway(id: string): boolean;
  /** Asks who is there now. */
  look(): Promise<void>;
  /** Told as Redis comes and goes, and after each look. Gives the way to end it. */
  watch(listener: (event: FleetEvent) => void): () => void;
  /** Tells the others that this process takes no more work, and only finishes what it has. */
  retire(): Promise<void>;
  /** Says goodbye, so that nobody waits for this process. */
  close(): Promise<void>;
}

export interface FleetParts {
  readonly url: string;
  readonly clock: Clock;
  readonly log: RedisLog;
  readonly part: Part;
  readonly newId: () => string;
  /** Ms of a clock that never jumps. Default: the process's. */
  readonly monotonicMs?: () => number;
}

/** Joins the fleet. Rejects where Redis does not answer within 5 s, or would evict what the queue needs. */
export async function joinFleet(parts: FleetParts): Promise<Fleet> {
  const { clock, log, part } = parts;
  const monotonicMs = parts.monotonicMs ?? (() => performance.now());
  const redis = connectRedis(parts.url, log, { enableAutoPipelining: true });
  const listeners = new Set<(event: FleetEvent) => void>();
  const ended = new AbortController();
  let id = parts.newId();
  let line = '';
  let up = false;
  let aheadMs = 0;
  let beatAt = 0;
  /** Redis' time of the look before. */
  let lookedAt = 0;
  let upSince = 0;
  /** As measured: up at once, down slowly. */
  let roundTripMs = 0;
  const slackMs = (): number => ROUND_TRIPS * roundTripMs;
  let gateways = new Set<string>();
  let served = new Set<string>();
  let finished = new Set<string>();
  let retired = false;
  let counts = { gateways: 0, workers: 0 };

  const tell = (event: FleetEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };
  const lineOf = (): string =>
    part.gateway || part.sources.length
      ? JSON.stringify([id, (part.gateway ? GATEWAY : 0) + (retired ? RETIRED : 0), ...part.sources])
      : '';

  function lose(reason: string): void {
    if (!up || ended.signal.aborted) return;
    up = false;
    id = parts.newId();
    log('warn', 'redis: away', { reason });
    tell('down');
  }

  async function look(): Promise<void> {
    const next = lineOf();
    const before = line && line !== next ? line : '';
    const from = monotonicMs();
    const answer = (await beatScript(redis, [MEMBERS_KEY], [next, FORGOTTEN_MS, before])) as string[];
    const to = monotonicMs();
    line = next;
    roundTripMs = Math.min(MAX_ROUND_TRIP_MS, Math.max(to - from, roundTripMs * 0.9));
    // the time was read somewhere on the way: half of it is the best guess
    aheadMs = Number(answer[0]) + (to - from) / 2 - to;
    if (up && to - beatAt > GATEWAY_SILENT_MS + slackMs()) lose('this process stood still');
    beatAt = to;
    learn(answer, Number(answer[0]));
    const isNew = !up && next === lineOf();
    if (isNew) {
      up = true;
      upSince = to;
      log('info', 'redis: joined the fleet', { id, gateways: counts.gateways, workers: counts.workers });
      tell('up');
    }
    tell('members');
  }

  function learn(answer: readonly string[], now: number): void {
    const [seen, taking, finishing] = [new Set<string>(), new Set<string>(), new Set<string>()];
    let workers = 0;
    // whoever stood still himself could not hear the others: that time is not their silence
    const deafMs = lookedAt ? Math.max(0, now - lookedAt - BEAT_MS - roundTripMs) : 0;
    lookedAt = now;
    for (let i = 1; i + 1 < answer.length; i += 2) {
      const silentMs = now - Number(answer[i + 1]) - deafMs;
      const [who, what, ...theirs] = JSON.parse(answer[i] ?? '[""]') as [string, number, ...string[]];
      if (what & GATEWAY && silentMs < GATEWAY_SILENT_MS + slackMs()) seen.add(who);
      if (!theirs.length || silentMs >= WORKER_SILENT_MS + slackMs()) continue;
      workers++;
      for (const source of theirs) finishing.add(source);
      if (!(what & RETIRED)) for (const source of theirs) taking.add(source);
    }
    gateways = seen;
    served = taking;
    finished = finishing;
    counts = { gateways: seen.size, workers };
  }

  async function patienceOver(answered: AbortSignal): Promise<void> {
    for (let ms = 0; ms < BEAT_PATIENCE_MS + slackMs() && !answered.aborted; ms += PATIENCE_STEP_MS)
      await clock.sleep(PATIENCE_STEP_MS, answered);
    // what came in during the last step is read before the verdict
    await new Promise((resolve) => setImmediate(resolve));
  }

  async function beat(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(BEAT_MS, ended.signal);
      if (ended.signal.aborted || redis.status !== 'ready') continue;
      const late = new AbortController();
      const patience = patienceOver(late.signal).then(() => {
        if (late.signal.aborted || ended.signal.aborted) return;
        lose('no answer');
        redis.disconnect(true); // what waits for an answer is refused, and the next try has a connection of its own
      });
      await look().catch((error) => lose(reasonOf(error)));
      late.abort('answered');
      await patience;
    }
  }

  redis.on('close', () => lose('connection closed'));
  try {
    await begin(redis, clock);
    await look();
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  const beating = beat();

  return {
    redis,
    get id() {
      return id;
    },
    get up() {
      return up;
    },
    get upForMs() {
      return up ? monotonicMs() - upSince : 0;
    },
    get roundTripMs() {
      return roundTripMs;
    },
    now: () => monotonicMs() + aheadMs,
    get seen() {
      return counts;
    },
    get gateways() {
      return Math.max(1, counts.gateways);
    },
    get workers() {
      return Math.max(1, counts.workers);
    },
    serves: (source) => served.has(source),
    finishes: (source) => finished.has(source),
    hasGateway: (who) => gateways.has(who),
    look,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async retire() {
      retired = true;
      await look().catch((error) => log('warn', 'redis: nobody could be told', { reason: reasonOf(error) }));
    },
    async close() {
      ended.abort('closed');
      const goodbye = async (): Promise<void> => {
        await beating;
        if (up && line) await redis.zrem(MEMBERS_KEY, line).catch(() => undefined); // it is forgotten soon anyway
      };
      const late = new AbortController();
      const said = goodbye();
      // a Redis that stands still would never answer
      await Promise.race([said, clock.sleep(GOODBYE_MS, late.signal)]);
      late.abort('closed');
      redis.disconnect();
      await said;
    },
  };
}
