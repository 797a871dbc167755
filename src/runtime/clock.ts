/** Passed as an argument. `sleep` resolves early when the signal fires. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** `after` of this clock. Default: made of `sleep`. */
  after?(ms: number, run: () => void): () => void;
}

/** Calls `run` once after `ms`, unless the returned function is called before. Costs less than a sleep with a signal. */
export function after(clock: Clock, ms: number, run: () => void): () => void {
  if (clock.after) return clock.after(ms, run);
  const cancelled = new AbortController();
  void clock.sleep(ms, cancelled.signal).then(() => {
    if (!cancelled.signal.aborted) run();
  });
  return () => cancelled.abort('cancelled');
}

export async function atLongest(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work, clock.sleep(ms, ended.signal)]);
  ended.abort('ended');
}

const MAX_TIMER_MS = 2_147_483_647;

export const realClock: Clock = {
  now: Date.now,
  sleep(ms, signal) {
    if (signal?.aborted || !(ms > 0)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      // rounded up: a timer truncates fractions and would fire early
      const timer = setTimeout(end, Math.min(Math.ceil(ms), MAX_TIMER_MS));
      signal?.addEventListener('abort', end, { once: true });
    });
  },
  after(ms, run) {
    // rounded up: a timer truncates fractions and would fire early
    const timer = setTimeout(run, Math.min(Math.max(0, Math.ceil(ms)), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Monotonic clock for pauses and limits within this process. It starts at the machine's time and does not follow its corrections. */
export const steadyClock: Clock = { ...realClock, now: () => performance.timeOrigin + performance.now() };

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Whether a time is in these UTC days, both included; without one there is no bound. */
export const isWithinDays = (ms: number, { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): boolean =>
  (from === undefined || ms >= Date.parse(from)) && (to === undefined || ms < Date.parse(to) + DAY_MS);

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const instant = (ms: number): string => new Date(ms).toISOString();
export const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instant(ms));
