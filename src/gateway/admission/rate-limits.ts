/** So many requests at once, and so many a second for good. */
export interface LimitRule {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** What is only told of after it happened is counted beyond the burst as well, up to so many, and waited for. Default: none. */
  readonly owed?: number;
}
export interface Taken {
  readonly ok: boolean;
  /** Requests that may still come at once. */
  readonly remaining: number;
  /** Until all are back. */
  readonly resetMs: number;
  /** Until one more is let in; 0: at once. */
  readonly waitMs: number;
}
/** Counts requests by key. A shared one answers later, with a promise. */
export interface Limiter {
  take(key: string, rule: LimitRule, nowMs: number): Taken | Promise<Taken>;
}

/** What adding up fractions may lose. */
const LOST_MS = 0.01;

/** What one request does to a GCRA: `tat` is the theoretical arrival time that is kept, in ms. */
export function gcra(tat: number | undefined, rule: LimitRule, nowMs: number): { tat: number; taken: Taken } {
  const every = 1000 / rule.ratePerSecond;
  const tolerance = every * rule.burst;
  // further ahead than the rule allows it is from before the clock was set back
  const latest = nowMs + tolerance + every * (rule.owed ?? 0);
  const before = tat === undefined ? nowMs : Math.min(Math.max(tat, nowMs), latest);
  const after = before + every;
  const over = after - tolerance - nowMs;
  const ok = over <= LOST_MS;
  const cached = ok || over <= every * (rule.owed ?? 0) + LOST_MS ? after : before;
  const waitMs = cached + every - tolerance - nowMs;
  const remaining = Math.max(0, Math.floor((tolerance - (cached - nowMs)) / every + 0.001));
  return { tat: cached, taken: { ok, remaining, resetMs: cached - nowMs, waitMs: waitMs <= LOST_MS ? 0 : waitMs } };
}

const MAX_KEYS = 100_000;
/** Requests are counted a little out of order; a time that lies further back than that is of a clock that was set back. */
const OUT_OF_ORDER_MS = 1_000;

/** GCRA in this process: no window, so no double burst at its edge. Keys that are at rest are forgotten. */
export function createLimiter(maxKeys = MAX_KEYS): Limiter & { readonly size: () => number } {
  const arrivals = new Map<string, number>();
  let sweptAt = Number.NEGATIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  /** A clock that was set back takes all arrival times with it. */
  function follow(nowMs: number): void {
    const backMs = latest - nowMs;
    if (backMs > OUT_OF_ORDER_MS) for (const [key, tat] of arrivals) arrivals.set(key, tat - backMs);
    if (backMs < 0 || backMs > OUT_OF_ORDER_MS) latest = nowMs;
    if (backMs > OUT_OF_ORDER_MS) sweptAt = nowMs;
  }
  function makeRoom(nowMs: number): void {
    // once a second at most: a flood of addresses must not make every request walk over all keys
    if (nowMs - sweptAt >= 1000) for (const [key, tat] of arrivals) if (tat <= nowMs) arrivals.delete(key);
    sweptAt = nowMs - sweptAt >= 1000 ? nowMs : sweptAt;
    // all are busy: the one that came first goes, so that memory stays bounded
    const first = arrivals.size >= maxKeys ? arrivals.keys().next().value : undefined;
    if (first !== undefined) arrivals.delete(first);
  }
  return {
    take(key, rule, nowMs) {
      follow(nowMs);
      const known = arrivals.get(key);
      if (known === undefined && arrivals.size >= maxKeys) makeRoom(nowMs);
      const { tat, taken } = gcra(known, rule, nowMs);
      arrivals.set(key, tat);
      return taken;
    },
    size: () => arrivals.size,
  };
}

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers: quota, and the seconds in which it comes back whole. */
export const policyField = (name: string, rule: LimitRule): string =>
  `"${name}";q=${rule.burst};w=${Math.max(1, Math.ceil(rule.burst / rule.ratePerSecond))}`;
/** `RateLimit` of the same draft: what is left, and the seconds until all is back. */
export const limitField = (name: string, taken: Taken): string => `"${name}";r=${taken.remaining};t=${Math.ceil(taken.resetMs / 1000)}`;

/** Who is counted before anybody is known: an IPv4 address, or the /64 of an IPv6 one, which is what one customer gets. */
export function addressKey(address: string | undefined): string {
  if (!address) return 'unknown';
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? left : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((g) => g.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
