import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** How late the event loop runs. */
export interface EventLoop {
  /** How long somebody who came at any moment since this was last asked waited to be read, on average: half the turn, ms. */
  waitMs(): number;
  /** For how long whoever is served now may have waited: the length of the turn before, and of this one so far, ms. */
  turnMs(): number;
}

const RESOLUTION_MS = 5;

export function watchEventLoop(): EventLoop {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const { nodeTiming } = performance;
  let askedAt = performance.now();
  let turns = nodeTiming.uvMetricsInfo.loopCount;
  let busyMs = askedAt - nodeTiming.idleTime;
  let beforeMs = 0;
  return {
    waitMs() {
      const now = performance.now();
      const elapsedMs = now - askedAt;
      askedAt = now;
      if (!delays.count || elapsedMs <= 0) return 0;
      // the monitor counts from timer to timer: its own resolution is no delay
      const [meanMs, spreadMs] = [delays.mean / 1e6 - RESOLUTION_MS, delays.stddev / 1e6];
      const squares = delays.count * (Math.max(0, meanMs) ** 2 + spreadMs ** 2);
      delays.reset();
      // who comes at random comes in a long turn the likelier
      return squares / (2 * elapsedMs);
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
  };
}
