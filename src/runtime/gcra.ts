/**
 * GCRA (generic cell rate algorithm), once for limits and paces of this process; for those of a fleet it stands in
 * src/fleet/wire/lua/include/gcra.lua. A test holds the two against each other. Times are ms of one clock.
 */

/** Rounding of sums: a wait below it is over. */
export const EPSILON_MS = 0.01;

export interface Rate {
  readonly everyMs: number;
  readonly burst: number;
}

/** Ms until one more event conforms, after others that take `aheadMs`; 0: now. `arrivalMs`: the theoretical arrival time. */
export function waitMsOf(arrivalMs: number, { everyMs, burst }: Rate, nowMs: number, aheadMs = 0): number {
  const waitMs = Math.max(arrivalMs, nowMs) + aheadMs - (burst - 1) * everyMs - nowMs;
  return waitMs <= EPSILON_MS ? 0 : waitMs;
}
/** The theoretical arrival time after one more event. */
export const arrivalAfter = (arrivalMs: number, everyMs: number, nowMs: number): number => Math.max(arrivalMs, nowMs) + everyMs;

export interface Step {
  readonly ok: boolean;
  readonly arrivalMs: number;
  /** Ms until the whole burst is available again, and until one more event conforms. */
  readonly resetMs: number;
  readonly waitMs: number;
  readonly remaining: number;
}

/**
 * Counts one event, unless `isRead`. One that does not conform is counted while fewer than `overrun` such events are. A stored time further ahead
 * than that dates from before the clock was set back. `storedMs` undefined: no event was counted yet.
 */
export function gcra(storedMs: number | undefined, rate: Rate, overrun: number, nowMs: number, isRead: boolean): Step {
  const { everyMs, burst } = rate;
  const latestMs = nowMs + everyMs * (burst + overrun);
  const beforeMs = Math.min(Math.max(storedMs ?? nowMs, nowMs), latestMs);
  const overMs = waitMsOf(beforeMs, rate, nowMs);
  const ok = overMs === 0;
  const isCounted = !isRead && (ok || overMs <= everyMs * overrun + EPSILON_MS);
  const arrivalMs = isCounted ? arrivalAfter(beforeMs, everyMs, nowMs) : beforeMs;
  const remaining = Math.max(0, Math.floor((everyMs * burst - (arrivalMs - nowMs)) / everyMs + 0.001));
  return { ok, arrivalMs, resetMs: arrivalMs - nowMs, waitMs: waitMsOf(arrivalMs, rate, nowMs), remaining };
}
