import type { DomainRegistration } from './registration.ts';
import type { ShortVideo } from './shortvideo.ts';
import type { TrafficEstimate } from './traffic.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When a signed address ends, in epoch ms: `x-expires` or `expire`, in seconds. */
function expiryOf(url: string | null): number {
  const seconds = url && URL.canParse(url) ? Number(new URL(url).searchParams.get('x-expires') ?? Number.NaN) : Number.NaN;
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY;
}

/** How long an answer is fresh, by kind (DECISIONS: Freshness). */
export const freshFor = {
  minutes: (n: number) => () => n * MINUTE,
  hours: (n: number) => () => n * HOUR,
  /** 10 minutes, and never past the smallest expiry of the signed URLs less 10 minutes. */
  signedUrls: (video: ShortVideo, nowMs: number): number =>
    Math.max(0, Math.min(10 * MINUTE, Math.min(expiryOf(video.coverUrl), expiryOf(video.author.avatarUrl)) - 10 * MINUTE - nowMs)),
  registration: (r: DomainRegistration): number => (r.available ? 2 * MINUTE : 6 * HOUR),
  /** Rank lists come out daily, panel figures monthly: until the next UTC midnight, or the next month. */
  nextList: (r: TrafficEstimate, nowMs: number): number => {
    const now = new Date(nowMs);
    const next =
      r.method === 'panel'
        ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
        : Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
    return next - nowMs;
  },
};
/** How long "not there" is kept. */
export const ABSENT_FRESH_MS = MINUTE;
