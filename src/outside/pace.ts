import type { Clock, Pace, PaceRule } from './world.ts';

interface Waiter {
  readonly rule: PaceRule;
  /** When it gives up, epoch ms. */
  readonly untilMs: number;
  /** Ends its waiting: 0, go; otherwise how long it would still have to wait. */
  readonly answer: (waitMs: number) => void;
}
interface Lane {
  /** GCRA's theoretical arrival time of the next request, epoch ms. */
  tatMs: number;
  /** The furthest that `tatMs` may honestly lie ahead of now. */
  spanMs: number;
  /** Nobody goes before, epoch ms. */
  restMs: number;
  waiting: Waiter[];
  /** What those who wait will add to `tatMs`. */
  queuedMs: number;
  /** Wakes the sleep until the first one's turn; null while nobody sees to the queue. */
  nudge: AbortController | null;
}

const FIRST_SWEEP = 1024;

/** Ms from now until a request under this rule may go; 0: now. */
function waitOf(lane: Lane, rule: PaceRule, nowMs: number): number {
  // a clock that was set back would otherwise make everybody wait for the difference
  if (lane.tatMs > nowMs + lane.spanMs) lane.tatMs = nowMs + lane.spanMs;
  return Math.max(0, lane.tatMs - (rule.burst - 1) * rule.everyMs - nowMs, lane.restMs - nowMs);
}
/** The same for one who comes last in the queue. */
function waitBehind(lane: Lane, rule: PaceRule, nowMs: number): number {
  const rested = lane.restMs > nowMs ? lane.restMs - nowMs + Math.max(0, lane.waiting.length + 1 - rule.burst) * rule.everyMs : 0;
  return Math.max(1, lane.tatMs + lane.queuedMs - (rule.burst - 1) * rule.everyMs - nowMs, rested);
}
function grant(lane: Lane, rule: PaceRule, nowMs: number): void {
  lane.tatMs = Math.max(lane.tatMs, nowMs) + rule.everyMs;
  lane.spanMs = Math.max(lane.spanMs, rule.burst * rule.everyMs);
}

/**
 * The pace of one process: GCRA per key, first come first served. In any window of W ms at most `burst + W / everyMs` requests of a key go.
 * A key that is back at its full burst is forgotten, so memory is bounded by the keys in use.
 */
export function createPace(clock: Clock): Pace & { readonly keys: number } {
  const lanes = new Map<string, Lane>();
  let sweepAt = FIRST_SWEEP;

  function laneOf(key: string): Lane {
    const known = lanes.get(key);
    if (known) return known;
    if (lanes.size >= sweepAt) {
      const now = clock.now();
      for (const [k, lane] of lanes) if (!lane.waiting.length && lane.tatMs <= now && lane.restMs <= now) lanes.delete(k);
      sweepAt = Math.max(FIRST_SWEEP, lanes.size * 2);
    }
    const lane: Lane = { tatMs: 0, spanMs: 0, restMs: 0, waiting: [], queuedMs: 0, nudge: null };
    lanes.set(key, lane);
    return lane;
  }

  /** Lets those who wait go, one after the other, until nobody waits. */
  async function serve(lane: Lane): Promise<void> {
    for (let first = lane.waiting[0]; first; first = lane.waiting[0]) {
      const now = clock.now();
      const waitMs = waitOf(lane, first.rule, now);
      if (waitMs > 0) {
        lane.nudge = new AbortController();
        await clock.sleep(waitMs, lane.nudge.signal);
        continue;
      }
      grant(lane, first.rule, now);
      first.answer(0);
    }
    lane.nudge = null;
  }

  function wait(lane: Lane, rule: PaceRule, untilMs: number, signal: AbortSignal | undefined): Promise<number> {
    return new Promise((resolve) => {
      const leave = () => {
        const wasFirst = lane.waiting[0] === waiter;
        waiter.answer(Math.max(1, waitOf(lane, rule, clock.now())));
        if (wasFirst) lane.nudge?.abort();
      };
      const waiter: Waiter = {
        rule,
        untilMs,
        answer(waitMs) {
          if (lane.waiting[0] === waiter) lane.waiting.shift();
          else lane.waiting = lane.waiting.filter((w) => w !== waiter);
          lane.queuedMs = lane.waiting.length ? lane.queuedMs - rule.everyMs : 0;
          signal?.removeEventListener('abort', leave);
          resolve(waitMs);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      lane.waiting.push(waiter);
      lane.queuedMs += rule.everyMs;
      if (!lane.nudge) void serve(lane);
    });
  }

  return {
    get keys() {
      return lanes.size;
    },
    take(rule, patienceMs, signal) {
      if (!(rule.everyMs > 0) && !lanes.has(rule.key)) return Promise.resolve(0);
      const lane = laneOf(rule.key);
      const now = clock.now();
      const waitMs = lane.waiting.length ? waitBehind(lane, rule, now) : waitOf(lane, rule, now);
      if (waitMs <= 0) {
        grant(lane, rule, now);
        return Promise.resolve(0);
      }
      if (waitMs > patienceMs || signal?.aborted) return Promise.resolve(waitMs);
      return wait(lane, rule, now + patienceMs, signal);
    },
    async rest(key, untilMs) {
      if (untilMs <= clock.now()) return;
      const lane = laneOf(key);
      lane.restMs = Math.max(lane.restMs, untilMs);
      const hopeless = lane.waiting.filter((w) => w.untilMs < lane.restMs);
      for (const waiter of hopeless) waiter.answer(lane.restMs - clock.now());
      lane.nudge?.abort();
    },
  };
}
