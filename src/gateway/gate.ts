import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ServiceError } from '../contract/errors.ts';
import type { Clock } from '../outside/world.ts';

/** How late the event loop runs. */
export interface EventLoop {
  /** 99th percentile over the last seconds, in ms. */
  p99Ms(): number;
  stop(): void;
}

const RESOLUTION_MS = 20;
/** Two monitors, each begun anew every other slot: the elder always covers one to two slots, and old delays are forgotten. */
const SLOT_MS = 2500;

export function watchEventLoop(): EventLoop {
  let elder = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let younger = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  elder.enable();
  younger.enable();
  const timer = setInterval(() => {
    elder.reset();
    [elder, younger] = [younger, elder];
  }, SLOT_MS);
  timer.unref();
  return {
    // the monitor counts from timer to timer: its own resolution is no delay
    p99Ms: () => (elder.count === 0 ? 0 : Math.max(0, elder.percentile(99) / 1e6 - RESOLUTION_MS)),
    stop() {
      clearInterval(timer);
      elder.disable();
      younger.disable();
    },
  };
}

/** How long one look at the event loop counts. */
const CHECK_MS = 250;

/** Lets requests in, or says why not: before anything else is done for them. */
export interface Gate {
  /** Null: come in. */
  refusal(nowMs: number): ServiceError | null;
  enter(): void;
  leave(): void;
  readonly inFlight: () => number;
  readonly draining: () => boolean;
  /** Refuses newcomers, and resolves once nobody is in any more, or after `waitMs`: then false. */
  drain(waitMs: number): Promise<boolean>;
  stop(): void;
}

export function createGate(parts: { clock: Clock; eventLoop: EventLoop; maxDelayMs: number }): Gate {
  let inside = 0;
  let draining = false;
  let overloaded = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let emptied: (() => void) | null = null;
  // made once: a shed request must cost next to nothing
  const overload = new ServiceError('OVERLOADED', 'The service is overloaded; nothing was done. Ask again in a moment.', {
    'retry-after': '2',
  });
  const closing = new ServiceError('OVERLOADED', 'The service is shutting down; nothing was done. Ask again.', { 'retry-after': '2' });
  return {
    refusal(nowMs) {
      if (draining) return closing;
      if (Math.abs(nowMs - checkedAt) >= CHECK_MS) {
        checkedAt = nowMs;
        overloaded = parts.eventLoop.p99Ms() > parts.maxDelayMs;
      }
      return overloaded ? overload : null;
    },
    enter() {
      inside++;
    },
    leave() {
      inside--;
      if (inside === 0) emptied?.();
    },
    inFlight: () => inside,
    draining: () => draining,
    async drain(waitMs) {
      draining = true;
      if (inside === 0) return true;
      const patience = new AbortController();
      const empty = new Promise<void>((done) => {
        emptied = done;
      });
      await Promise.race([empty, parts.clock.sleep(waitMs, patience.signal)]);
      patience.abort();
      return inside === 0;
    },
    stop: () => parts.eventLoop.stop(),
  };
}
