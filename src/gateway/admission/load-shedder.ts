import { performance } from 'node:perf_hooks';
import { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../runtime/clock.ts';

const INTERVAL_MS = 35;
/** After a pause without requests, earlier measurements are discarded. */
const STALE_MS = 1_000;
/** A single turn may be this many times as long as the accepted delay (garbage collection, a large page)… */
const TURN_FACTOR = 10;
/** …and this many times while the limit is in force. */
const LIMITED_TURN_FACTOR = 4;
/** Bounds of the fraction of requests in flight that the limit keeps when the event loop is late: the longer the delay, the smaller. */
const LEAST_SHARE = 0.3;
const MOST_SHARE = 0.9;
/** Only a thread that used more than this share of a core, on average over this time, can shorten its delay by refusing requests. */
const OWN_SHARE = 0.5;
const OWN_SHARE_MS = 150;
/** Growth of the limit per interval: with some delay, and with almost none. */
const GROWTH = 1.04;
const GROWTH_WITHOUT_DELAY = 1.15;
const MIN_LIMIT = 4;
/** A limit this many times above the requests in flight is removed. */
const REMOVE_FACTOR = 8;

/** Admits requests or refuses them with 503, before any other work. */
export type LoadShedder = ReturnType<typeof createLoadShedder>;

/**
 * Limits the requests in flight while arriving requests wait longer than `maxDelayMs` on average to be read because of this process's own
 * work; raises the limit with time afterwards. It limits the number in flight instead of the rate, because most work for a request is done
 * when its source has answered.
 */
export function createLoadShedder(parts: { clock: Clock; eventLoop: EventLoop; maxDelayMs: number }) {
  const { maxDelayMs } = parts;
  let inFlight = 0;
  let limit = Number.POSITIVE_INFINITY;
  let draining = false;
  let since = Number.NEGATIVE_INFINITY;
  /** Moving average of the share of a core that this thread uses; what it used before the first request counts for nothing. */
  let ownShare = 0;
  let isLate = false;
  let emptied: (() => void) | null = null;
  // created once: a shed request must cost as little as possible
  const overload = new ServiceError('OVERLOADED', 'The service is overloaded; nothing was done. Ask again in a moment.', {
    'retry-after': '2',
  });
  const closing = new ServiceError('OVERLOADED', 'The service is shutting down; nothing was done. Ask again.', { 'retry-after': '2' });

  function adapt(nowMs: number): void {
    const elapsed = Math.abs(nowMs - since);
    if (elapsed < INTERVAL_MS) return;
    since = nowMs;
    const { waitMs, usage } = parts.eventLoop.measure();
    const remaining = Math.exp(-elapsed / OWN_SHARE_MS);
    ownShare = Number.isFinite(elapsed) ? ownShare * remaining + usage * (1 - remaining) : 0;
    const wasLate = isLate;
    isLate = waitMs > maxDelayMs && ownShare > OWN_SHARE;
    if (elapsed > STALE_MS) limit = Number.POSITIVE_INFINITY;
    // one long turn, such as that of a first compilation, is no overload: the next interval decides
    else if (isLate && !wasLate && limit === Number.POSITIVE_INFINITY) return;
    else if (isLate)
      limit = Math.max(MIN_LIMIT, Math.min(limit, inFlight) * Math.min(MOST_SHARE, Math.max(LEAST_SHARE, maxDelayMs / waitMs)));
    else if (limit > REMOVE_FACTOR * (inFlight + MIN_LIMIT)) limit = Number.POSITIVE_INFINITY;
    else limit *= (waitMs < maxDelayMs / 4 ? GROWTH_WITHOUT_DELAY : GROWTH) ** (elapsed / INTERVAL_MS);
  }

  return {
    /** Null: admitted. Call `enter` for the request before. */
    refusal(nowMs: number): ServiceError | null {
      if (draining) return closing;
      const lateMs = parts.eventLoop.turnMs();
      adapt(nowMs);
      const maxTurnMs = limit < Number.POSITIVE_INFINITY ? maxDelayMs * LIMITED_TURN_FACTOR : maxDelayMs * TURN_FACTOR;
      if (inFlight <= MIN_LIMIT) return null;
      return inFlight > limit || (lateMs > maxTurnMs && ownShare > OWN_SHARE) ? overload : null;
    },
    enter(): void {
      inFlight++;
    },
    leave(): void {
      inFlight--;
      if (inFlight === 0) emptied?.();
    },
    inFlight: () => inFlight,
    draining: () => draining,
    /** Refuses new requests; resolves with true once none is in flight, or with false after `waitMs`. */
    async drain(waitMs: number): Promise<boolean> {
      draining = true;
      if (inFlight === 0) return true;
      const timer = new AbortController();
      const empty = Promise.withResolvers<void>();
      emptied = empty.resolve;
      await Promise.race([empty.promise, parts.clock.sleep(waitMs, timer.signal)]);
      timer.abort();
      return inFlight === 0;
    },
  };
}

/** Delay of the event loop, and how much of it is this thread's own work. */
export interface EventLoop {
  /** Since the last call: mean wait, in ms, of requests until they were read, and the share of a core that this thread used. */
  measure(): { readonly waitMs: number; readonly usage: number };
  /** Longest wait, in ms, of a request that is served now: the length of the previous turn and of the current one so far. */
  turnMs(): number;
  stop(): void;
}

const TICK_MS = 5;
/** Node's times of the loop are read once in this time: the delays that matter are a hundred times longer. */
const SAMPLE_MS = 1;

/** Measures by a timer: each read of Node's delay histogram traverses half a megabyte of counters. */
export function measureEventLoop(): EventLoop {
  const { nodeTiming } = performance;
  let readAt = performance.now();
  let cpu = process.threadCpuUsage();
  let tickedAt = readAt;
  let squares = 0;
  const ticks = setInterval(() => {
    const now = performance.now();
    squares += Math.max(0, now - tickedAt - TICK_MS) ** 2;
    tickedAt = now;
  }, TICK_MS).unref();
  let turns = nodeTiming.uvMetricsInfo.loopCount;
  let busyMs = readAt - nodeTiming.idleTime;
  let previousMs = 0;
  let sampledAt = Number.NEGATIVE_INFINITY;
  let turnMs = 0;
  return {
    measure() {
      const now = performance.now();
      const elapsedMs = Math.max(1, now - readAt);
      const { user, system } = process.threadCpuUsage(cpu);
      // a random arrival is more likely to fall into a long turn: mean wait = sum of squares / (2 × time)
      const measured = { waitMs: squares / (2 * elapsedMs), usage: (user + system) / 1000 / elapsedMs };
      readAt = now;
      cpu = { user: cpu.user + user, system: cpu.system + system };
      squares = 0;
      return measured;
    },
    turnMs() {
      const now = performance.now();
      if (now - sampledAt < SAMPLE_MS) return turnMs;
      sampledAt = now;
      const { loopCount } = nodeTiming.uvMetricsInfo;
      const nowMs = now - nodeTiming.idleTime;
      if (loopCount !== turns) {
        previousMs = (nowMs - busyMs) / (loopCount - turns);
        turns = loopCount;
        busyMs = nowMs;
      }
      turnMs = previousMs + nowMs - busyMs;
      return turnMs;
    },
    stop: () => clearInterval(ticks),
  };
}
