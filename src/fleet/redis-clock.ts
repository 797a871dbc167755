/** Round trips to Redis that are added to each limit: those of the observed process and of the observing one. */
const ROUND_TRIPS = 3;
const MEASUREMENTS = 8;
const MAX_ROUND_TRIP_MS = 2_000;

interface RoundTrip {
  readonly ms: number;
  readonly aheadMs: number;
}

export type RedisClock = ReturnType<typeof createRedisClock>;

/** Redis' clock beside the monotonic one of this process, from round trips in which Redis read its own. */
export function createRedisClock(monotonicMs: () => number) {
  /** The shortest of the last round trips: a busy event loop lengthens some of them. */
  let shortest: RoundTrip = { ms: 0, aheadMs: 0 };
  let measured: readonly RoundTrip[] = [];
  const roundTripMs = (): number => Math.min(MAX_ROUND_TRIP_MS, shortest.ms);
  return {
    /** A command was sent and answered at these times of the monotonic clock; Redis' own clock said `redisMs` (epoch) in between. */
    measure(sentMs: number, answeredMs: number, redisMs: number): void {
      const now = { ms: answeredMs - sentMs, aheadMs: redisMs - (sentMs + answeredMs) / 2 };
      // measurements that cannot both be true: a clock was set
      measured = [...measured.filter((m) => Math.abs(m.aheadMs - now.aheadMs) <= (m.ms + now.ms) / 2 + 1), now].slice(-MEASUREMENTS);
      shortest = measured.reduce((best, each) => (each.ms <= best.ms ? each : best));
    },
    roundTripMs,
    /** What a limit of time is longer by, ms. */
    slackMs: (): number => ROUND_TRIPS * roundTripMs(),
    /** Epoch ms, extrapolated from the last round trips: the clock that all members share. */
    now: (): number => monotonicMs() + shortest.aheadMs,
  };
}
