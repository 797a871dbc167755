import { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventLoop } from './event-loop.ts';

/** Interval at which the limit is adapted. */
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
/** So many requests are always admitted: requests that wait for a source cost little. */
const MIN_LIMIT = 4;
/** A limit this many times above the requests in flight is removed. */
const REMOVE_FACTOR = 8;

/** Admits requests or refuses them with 503, before any other work. */
export interface LoadShedder {
  /** Null: admitted. Call `enter` for the request before. */
  refusal(nowMs: number): ServiceError | null;
  enter(): void;
  leave(): void;
  readonly inFlight: () => number;
  readonly draining: () => boolean;
  /** Refuses new requests; resolves with true once none is in flight, or with false after `waitMs`. */
  drain(waitMs: number): Promise<boolean>;
}

/**
 * Limits the requests in flight while arriving requests wait longer than `maxDelayMs` on average to be read because of this process's own
 * work; raises the limit with time afterwards. It limits the number in flight instead of the rate, because most work for a request is done
 * when its source has answered.
 */
export function createLoadShedder(parts: { clock: Clock; eventLoop: EventLoop; maxDelayMs: number }): LoadShedder {
  const { maxDelayMs } = parts;
  let inFlight = 0;
  let limit = Number.POSITIVE_INFINITY;
  let draining = false;
  let since = Number.NEGATIVE_INFINITY;
  /** Moving average of the share of a core that this thread uses; what it used before the first request counts for nothing. */
  let ownShare = 0;
  let emptied: (() => void) | null = null;
  // created once: a shed request must cost as little as possible
  const overload = new ServiceError('OVERLOADED', 'The service is overloaded; nothing was done. Ask again in a moment.', {
    'retry-after': '2',
  });
  const closing = new ServiceError('OVERLOADED', 'The service is shutting down; nothing was done. Ask again.', { 'retry-after': '2' });

  /** Adapts the limit, once per interval. */
  function adapt(nowMs: number): void {
    const elapsed = Math.abs(nowMs - since);
    if (elapsed < INTERVAL_MS) return;
    since = nowMs;
    const { waitMs, usage } = parts.eventLoop.measure();
    const remaining = Math.exp(-elapsed / OWN_SHARE_MS);
    ownShare = Number.isFinite(elapsed) ? ownShare * remaining + usage * (1 - remaining) : 0;
    if (elapsed > STALE_MS) limit = Number.POSITIVE_INFINITY;
    else if (waitMs > maxDelayMs && ownShare > OWN_SHARE)
      limit = Math.max(MIN_LIMIT, Math.min(limit, inFlight) * Math.min(MOST_SHARE, Math.max(LEAST_SHARE, maxDelayMs / waitMs)));
    else if (limit > REMOVE_FACTOR * (inFlight + MIN_LIMIT)) limit = Number.POSITIVE_INFINITY;
    else limit *= (waitMs < maxDelayMs / 4 ? GROWTH_WITHOUT_DELAY : GROWTH) ** (elapsed / INTERVAL_MS);
  }

  return {
    refusal(nowMs) {
      if (draining) return closing;
      const lateMs = parts.eventLoop.turnMs();
      adapt(nowMs);
      const maxTurnMs = limit < Number.POSITIVE_INFINITY ? maxDelayMs * LIMITED_TURN_FACTOR : maxDelayMs * TURN_FACTOR;
      if (inFlight <= MIN_LIMIT) return null;
      return inFlight > limit || (lateMs > maxTurnMs && ownShare > OWN_SHARE) ? overload : null;
    },
    enter() {
      inFlight++;
    },
    leave() {
      inFlight--;
      if (inFlight === 0) emptied?.();
    },
    inFlight: () => inFlight,
    draining: () => draining,
    async drain(waitMs) {
      draining = true;
      if (inFlight === 0) return true;
      const timer = new AbortController();
      const empty = new Promise<void>((done) => {
        emptied = done;
      });
      await Promise.race([empty, parts.clock.sleep(waitMs, timer.signal)]);
      timer.abort();
      return inFlight === 0;
    },
  };
}
