import { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventLoop } from './event-loop.ts';

/** How often the wait is looked at. */
const STRETCH_MS = 35;
/** Without a request for so long nothing is known of the turns since. */
const FORGOTTEN_MS = 1_000;
/** One turn alone may be so many times as long as the wait that may stand: collecting garbage, a large page. */
const PATIENCE = 10;
/** And while fewer are let in. */
const IN_A_HURRY = 4;
/** Of what is in, so much may stay where the event loop is late: the later, the less. */
const LEAST_SHARE = 0.3;
const MOST_SHARE = 0.9;
/** Growth over one stretch: while some delay stands, and where none does. */
const GROWTH = 1.04;
const GROWTH_AT_EASE = 1.15;
/** There is always work for the source that one waits for. */
const LEAST_INSIDE = 4;
/** A limit so far above what is in limits nothing any more. */
const FORGET_FACTOR = 8;

/** Lets requests in, or says why not: before anything else is done for them. */
export interface LoadShedder {
  /** Null: come in. Who asks has entered already. */
  refusal(nowMs: number): ServiceError | null;
  enter(): void;
  leave(): void;
  readonly inFlight: () => number;
  readonly draining: () => boolean;
  /** Refuses newcomers, and resolves once nobody is in any more, or after `waitMs`: then false. */
  drain(waitMs: number): Promise<boolean>;
}

/**
 * While whoever comes waits for longer than `maxDelayMs` to be read, on average, fewer may be in at one time, until the wait is gone; then more by
 * and by.
 * The number that may be in, and not the rate, is what is governed: most of the work for a request comes when its source has answered.
 */
export function createLoadShedder(parts: { clock: Clock; eventLoop: EventLoop; maxDelayMs: number }): LoadShedder {
  const { maxDelayMs } = parts;
  let inside = 0;
  let limit = Number.POSITIVE_INFINITY;
  let draining = false;
  let since = Number.NEGATIVE_INFINITY;
  let emptied: (() => void) | null = null;
  // made once: a shed request must cost next to nothing
  const overload = new ServiceError('OVERLOADED', 'The service is overloaded; nothing was done. Ask again in a moment.', {
    'retry-after': '2',
  });
  const closing = new ServiceError('OVERLOADED', 'The service is shutting down; nothing was done. Ask again.', { 'retry-after': '2' });

  /** What the turns of one stretch say, at its end. */
  function look(nowMs: number): void {
    const elapsed = Math.abs(nowMs - since);
    if (elapsed < STRETCH_MS) return;
    since = nowMs;
    const waitMs = parts.eventLoop.waitMs();
    if (elapsed > FORGOTTEN_MS) limit = Number.POSITIVE_INFINITY;
    else if (waitMs > maxDelayMs)
      limit = Math.max(LEAST_INSIDE, Math.min(limit, inside) * Math.min(MOST_SHARE, Math.max(LEAST_SHARE, maxDelayMs / waitMs)));
    else if (limit > FORGET_FACTOR * (inside + LEAST_INSIDE)) limit = Number.POSITIVE_INFINITY;
    else limit *= waitMs < maxDelayMs / 4 ? GROWTH_AT_EASE : GROWTH;
  }

  return {
    refusal(nowMs) {
      if (draining) return closing;
      const lateMs = parts.eventLoop.turnMs();
      look(nowMs);
      const bearable = limit < Number.POSITIVE_INFINITY ? maxDelayMs * IN_A_HURRY : maxDelayMs * PATIENCE;
      return inside > limit || lateMs > bearable ? overload : null;
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
  };
}
