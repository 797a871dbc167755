import { performance } from 'node:perf_hooks';

/** Delay of the event loop. */
export interface EventLoop {
  /** Mean wait, in ms, of requests that arrived since the last call until they were read: half a turn, weighted by its length. */
  waitMs(): number;
  /** Longest wait, in ms, of a request that is served now: the length of the previous turn and of the current one so far. */
  turnMs(): number;
  stop(): void;
}

const TICK_MS = 5;
/** Node's times of the loop are read once in this time: the delays that matter are a hundred times longer. */
const SAMPLE_MS = 1;

/** Measures by a timer: each read of Node's delay histogram traverses half a megabyte of counters. */
export function watchEventLoop(): EventLoop {
  const { nodeTiming } = performance;
  let readAt = performance.now();
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
    waitMs() {
      const now = performance.now();
      // a random arrival is more likely to fall into a long turn: mean wait = sum of squares / (2 × time)
      const waitMs = squares / (2 * Math.max(1, now - readAt));
      readAt = now;
      squares = 0;
      return waitMs;
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
