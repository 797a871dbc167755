import type { Clock } from '../runtime/clock.ts';
import { arrivalAfter, waitMsOf } from '../runtime/gcra.ts';
import type { Settings } from '../settings.ts';
import type { Attempt, Pace, PaceRule } from './ports.ts';

/** Time reserved for the answer: give up at once if waiting would leave less. */
const ANSWER_MS = 500;

/** Waits for the turn of an attempt's request; refuses at once if the deadline of the attempt leaves no time to wait. */
export function takeTurn(pace: Pace, clock: Clock, rule: PaceRule, attempt: Attempt, patienceMs: number): Promise<number> {
  const { account, deadlineMs, signal } = attempt;
  const leftMs = Math.max(0, deadlineMs - clock.now());
  const waitMs = leftMs - Math.min(ANSWER_MS, leftMs / 4);
  return pace.take(account === undefined ? rule : { ...rule, account }, Math.min(patienceMs, waitMs), signal);
}

export const usualRule = (key: string, { SIGHTLINE_PACE_PER_SECOND: perSecond }: Settings): PaceRule => ({
  key,
  everyMs: 1000 / perSecond,
  burst: Math.max(1, Math.floor(perSecond)),
});

interface Waiter {
  readonly rule: PaceRule;
  /** Order in the queue: fair among accounts, first come first served within one. */
  readonly tag: number;
  /** End of its patience, ms of the clock. */
  readonly untilMs: number;
  /** Ends the wait: 0 to send, otherwise the time that it would still have to wait. */
  readonly answer: (waitMs: number) => void;
}
interface Lane {
  /** GCRA's theoretical arrival time of the next request, ms of the clock. */
  arrivalMs: number;
  /** Upper bound of `arrivalMs` minus now, unless the clock was set back. */
  spanMs: number;
  /** No request before this time, ms of the clock. */
  restMs: number;
  waiting: Waiter[];
  round: number;
  /** Last tag of each account; empty while the queue is empty. */
  readonly tags: Map<string, number>;
  /** Interrupts the sleep of `serve`; null while it does not run. */
  wake: AbortController | null;
}

const FIRST_SWEEP = 1024;

/** Ms from now until a request may be sent, after others that take `aheadMs`; 0: now. */
function waitOf(lane: Lane, rule: PaceRule, aheadMs: number, nowMs: number): number {
  // if the clock was set back, requests would otherwise wait for the difference
  if (lane.arrivalMs > nowMs + lane.spanMs) lane.arrivalMs = nowMs + lane.spanMs;
  return waitMsOf(lane.arrivalMs, rule, nowMs, aheadMs);
}
function countRequest(lane: Lane, rule: PaceRule, nowMs: number): void {
  lane.arrivalMs = arrivalAfter(lane.arrivalMs, rule.everyMs, nowMs);
  lane.spanMs = Math.max(lane.spanMs, rule.burst * rule.everyMs);
}

/**
 * The pace of one process: GCRA per key. In any window of W ms at most `burst + W / everyMs` requests of a key are sent. Waiting requests
 * are served by start-time fair queueing: one account's many requests delay another's first by at most one turn. A key at its full burst is
 * deleted, so that memory is bounded by the keys in use. The clock should be monotonic.
 */
export function createPace(clock: Clock): Pace & { readonly keys: number } {
  const lanes = new Map<string, Lane>();
  let sweepAt = FIRST_SWEEP;

  function laneOf(key: string): Lane {
    const known = lanes.get(key);
    if (known) return known;
    if (lanes.size >= sweepAt) {
      const now = clock.now();
      for (const [k, lane] of lanes) if (!lane.waiting.length && lane.arrivalMs <= now && lane.restMs <= now) lanes.delete(k);
      sweepAt = Math.max(FIRST_SWEEP, lanes.size * 2);
    }
    const lane: Lane = { arrivalMs: 0, spanMs: 0, restMs: 0, waiting: [], round: 0, tags: new Map(), wake: null };
    lanes.set(key, lane);
    return lane;
  }

  async function serve(lane: Lane): Promise<void> {
    for (let first = lane.waiting[0]; first; first = lane.waiting[0]) {
      const now = clock.now();
      const waitMs = waitOf(lane, first.rule, 0, now);
      if (waitMs > 0) {
        lane.wake = new AbortController();
        await clock.sleep(waitMs, lane.wake.signal);
        continue;
      }
      countRequest(lane, first.rule, now);
      lane.round = first.tag;
      first.answer(0);
    }
    lane.wake = null;
  }

  /** Refuses waiters whose turn was moved beyond their patience. */
  function answerLate(lane: Lane, now: number): void {
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
        if (wasFirst) lane.wake?.abort();
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
      if (!lane.wake) void serve(lane);
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
        countRequest(lane, rule, now);
        return Promise.resolve(0);
      }
      if (waitMs > patienceMs || signal?.aborted) return Promise.resolve(waitMs);
      const waits = wait(lane, place, { rule, tag, untilMs: now + patienceMs }, signal);
      lane.tags.set(account, tag);
      if (behind >= 0) answerLate(lane, now);
      return waits;
    },
    async rest(key, ms) {
      if (!(ms > 0)) return;
      const lane = laneOf(key);
      const now = clock.now();
      lane.restMs = Math.max(lane.restMs, now + ms);
      for (const waiter of [...lane.waiting]) waiter.answer(lane.restMs - now);
      lane.wake?.abort();
    },
    async resting(key) {
      return Math.max(0, (lanes.get(key)?.restMs ?? 0) - clock.now());
    },
  };
}
