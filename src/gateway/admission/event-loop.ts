import { performance } from 'node:perf_hooks';

/** Delay of the event loop, and how much of it is this thread's own work. */
export interface EventLoop {
  /**
   * Since the last call: the mean wait, in ms, of requests until they were read (half a turn, weighted by its length), and the share of a
   * core that this thread used. While other processes use the machine, the wait grows and the share falls.
   */
  measure(): { readonly waitMs: number; readonly usage: number };
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
