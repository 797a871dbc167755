import { performance } from 'node:perf_hooks';

/** How late the event loop runs. */
export interface EventLoop {
  /** How long somebody who came at any moment since this was last asked waited to be read, on average: half the turn, ms. */
  waitMs(): number;
  /** For how long whoever is served now may have waited: the length of the turn before, and of this one so far, ms. */
  turnMs(): number;
  stop(): void;
}

const EVERY_MS = 5;

/** Node's own histogram of the delay is no cheaper way: each look walks through half a megabyte of counters. */
export function watchEventLoop(): EventLoop {
  const { nodeTiming } = performance;
  let askedAt = performance.now();
  let tickedAt = askedAt;
  let squares = 0;
  const ticks = setInterval(() => {
    const now = performance.now();
    squares += Math.max(0, now - tickedAt - EVERY_MS) ** 2;
    tickedAt = now;
  }, EVERY_MS).unref();
  let turns = nodeTiming.uvMetricsInfo.loopCount;
  let busyMs = askedAt - nodeTiming.idleTime;
  let beforeMs = 0;
  return {
    waitMs() {
      const now = performance.now();
      // who comes at random comes in a long turn the likelier
      const waitMs = squares / (2 * Math.max(1, now - askedAt));
      askedAt = now;
      squares = 0;
      return waitMs;
    },
    turnMs() {
      const { loopCount } = nodeTiming.uvMetricsInfo;
      const nowMs = performance.now() - nodeTiming.idleTime;
      if (loopCount !== turns) {
        beforeMs = (nowMs - busyMs) / (loopCount - turns);
        turns = loopCount;
        busyMs = nowMs;
      }
      return beforeMs + nowMs - busyMs;
    },
    stop: () => clearInterval(ticks),
  };
}
