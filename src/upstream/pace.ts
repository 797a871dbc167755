import type { Clock } from '../runtime/clock.ts';
import type { Pace, PaceRule } from './ports.ts';

interface Waiter {
  readonly rule: PaceRule;
  /** Its place among all: fair among accounts, in the order of asking within one. */
  readonly tag: number;
  /** When it gives up, ms of the clock. */
  readonly untilMs: number;
  /** Ends its waiting: 0, go; otherwise how long it would still have to wait. */
  readonly answer: (waitMs: number) => void;
}
interface Lane {
  /** GCRA's theoretical arrival time of the next request, ms of the clock. */
  tatMs: number;
  /** The furthest that `tatMs` may honestly lie ahead of now. */
  spanMs: number;
  /** Nobody goes before, ms of the clock. */
  restMs: number;
  waiting: Waiter[];
  /** Tag of the request that went last from the queue. */
  round: number;
  /** Tag that each account was given last; empty while nobody waits. */
  readonly tags: Map<string, number>;
  /** Wakes the sleep until the first one's turn; null while nobody sees to the queue. */
  nudge: AbortController | null;
}

const FIRST_SWEEP = 1024;

/** Ms from now until a request may go that comes after `aheadMs` of others; 0: now. */
function waitOf(lane: Lane, rule: PaceRule, aheadMs: number, nowMs: number): number {
  // a clock that was set back would otherwise make everybody wait for the difference
  if (lane.tatMs > nowMs + lane.spanMs) lane.tatMs = nowMs + lane.spanMs;
  return Math.max(0, Math.max(lane.tatMs, nowMs) + aheadMs - (rule.burst - 1) * rule.everyMs - nowMs);
}
function grant(lane: Lane, rule: PaceRule, nowMs: number): void {
  lane.tatMs = Math.max(lane.tatMs, nowMs) + rule.everyMs;
  lane.spanMs = Math.max(lane.spanMs, rule.burst * rule.everyMs);
}

/**
 * The pace of one process: GCRA per key. In any window of W ms at most `burst + W / everyMs` requests of a key go. Those who wait take turns
 * by account (start-time fair queueing), so that one account's many requests delay another's first by one turn at most. A key that is back
 * at its full burst is forgotten, so memory is bounded by the keys in use. The clock should be one that never jumps.
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
    const lane: Lane = { tatMs: 0, spanMs: 0, restMs: 0, waiting: [], round: 0, tags: new Map(), nudge: null };
    lanes.set(key, lane);
    return lane;
  }

  /** Lets those who wait go, one after the other, until nobody waits. */
  async function serve(lane: Lane): Promise<void> {
    for (let first = lane.waiting[0]; first; first = lane.waiting[0]) {
      const now = clock.now();
      const waitMs = waitOf(lane, first.rule, 0, now);
      if (waitMs > 0) {
        lane.nudge = new AbortController();
        await clock.sleep(waitMs, lane.nudge.signal);
        continue;
      }
      grant(lane, first.rule, now);
      lane.round = first.tag;
      first.answer(0);
    }
    lane.nudge = null;
  }

  /** Whoever was pushed back beyond its patience is told so at once. */
  function refuseLate(lane: Lane, now: number): void {
    let aheadMs = 0;
    for (const waiter of [...lane.waiting]) {
      const waitMs = waitOf(lane, waiter.rule, aheadMs, now);
      if (now + waitMs > waiter.untilMs + 1) waiter.answer(waitMs);
      else aheadMs += waiter.rule.everyMs;
    }
  }

  function wait(lane: Lane, place: number, asked: Omit<Waiter, 'answer'>, signal: AbortSignal | undefined): Promise<number> {
    return new Promise((resolve) => {
      const leave = () => {
        const wasFirst = lane.waiting[0] === waiter;
        waiter.answer(Math.max(1, waitOf(lane, asked.rule, 0, clock.now())));
        if (wasFirst) lane.nudge?.abort();
      };
      const waiter: Waiter = {
        ...asked,
        answer(waitMs) {
          if (lane.waiting[0] === waiter) lane.waiting.shift();
          else lane.waiting = lane.waiting.filter((w) => w !== waiter);
          if (!lane.waiting.length) lane.tags.clear();
          signal?.removeEventListener('abort', leave);
          resolve(waitMs);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      lane.waiting.splice(place, 0, waiter);
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
      if (lane.restMs > now) return Promise.resolve(lane.restMs - now);
      const account = rule.account ?? '';
      const tag = Math.max(lane.round, lane.tags.get(account) ?? 0) + 1;
      const behind = lane.waiting.findIndex((w) => w.tag > tag);
      const place = behind < 0 ? lane.waiting.length : behind;
      const aheadMs = lane.waiting.slice(0, place).reduce((sum, w) => sum + w.rule.everyMs, 0);
      const waitMs = Math.max(lane.waiting.length ? 1 : 0, waitOf(lane, rule, aheadMs, now));
      if (waitMs <= 0) {
        grant(lane, rule, now);
        return Promise.resolve(0);
      }
      if (waitMs > patienceMs || signal?.aborted) return Promise.resolve(waitMs);
      const waits = wait(lane, place, { rule, tag, untilMs: now + patienceMs }, signal);
      lane.tags.set(account, tag);
      if (behind >= 0) refuseLate(lane, now);
      return waits;
    },
    async rest(key, ms) {
      if (!(ms > 0)) return;
      const lane = laneOf(key);
      const now = clock.now();
      lane.restMs = Math.max(lane.restMs, now + ms);
      for (const waiter of [...lane.waiting]) waiter.answer(lane.restMs - now);
      lane.nudge?.abort();
    },
    async resting(key) {
      return Math.max(0, (lanes.get(key)?.restMs ?? 0) - clock.now());
    },
  };
}
