import { LRUCache } from 'lru-cache';
import type { Caller } from '../../accounts/types.ts';
import type { ServiceError } from '../../contract/errors.ts';
import { type Quota, quotaPolicy, rateLimited, usedUp } from '../../contract/rate-limited.ts';
import { gcra, type Step } from '../../runtime/gcra.ts';
import { atMost } from '../../runtime/lru.ts';
import type { RequestContext } from '../http/request-context.ts';

export interface LimitRule {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Events that are counted after the fact count beyond the burst too, up to this number, and lengthen the wait. Default: none. */
  readonly overrun?: number;
}
export interface Taken {
  readonly ok: boolean;
  /** Requests that are still allowed at once. */
  readonly remaining: number;
  /** Time until the whole burst is available again. */
  readonly resetMs: number;
  /** Time until one more request is allowed; 0: now. */
  readonly waitMs: number;
}
export interface Limiter {
  /** `isRead`: nothing is counted. */
  take(key: string, rule: LimitRule, nowMs: number, isRead?: boolean): Taken;
}
export interface Limit {
  readonly limiter: 'address' | 'account';
  readonly key: string;
  readonly rule: LimitRule;
  readonly isRead?: boolean;
}
export type OneOrMore<T> = readonly [T, ...T[]];
/** Counts one request against each limit in order, up to the first that refuses it: as many results as were counted. Never rejects. */
export type TakeLimits = (limits: OneOrMore<Limit>, nowMs: number) => OneOrMore<Taken> | Promise<OneOrMore<Taken>>;
export const mapEach = <T, U>([first, ...others]: OneOrMore<T>, change: (one: T) => U): OneOrMore<U> => [
  change(first),
  ...others.map(change),
];

export function createTakeLimits(
  limiters: Readonly<Record<Limit['limiter'], Limiter>> = { address: createLimiter(), account: createLimiter() },
): (limits: OneOrMore<Limit>, nowMs: number) => OneOrMore<Taken> {
  const take = ({ limiter, key, rule, isRead }: Limit, nowMs: number): Taken => limiters[limiter].take(key, rule, nowMs, isRead);
  return ([first, ...others], nowMs) => {
    let last = take(first, nowMs);
    const counted: [Taken, ...Taken[]] = [last];
    for (const limit of others) {
      if (!last.ok) break;
      last = take(limit, nowMs);
      counted.push(last);
    }
    return counted;
  };
}

export async function takeOne(takeLimits: TakeLimits, limit: Limit, nowMs: number): Promise<Taken> {
  const [taken] = await takeLimits([limit], nowMs);
  return taken;
}

/** One step of a limit. `arrivalMs`: the stored theoretical arrival time; undefined: nothing was counted yet. */
export function stepOf(arrivalMs: number | undefined, rule: LimitRule, nowMs: number, isRead = false): Step {
  return gcra(arrivalMs, { everyMs: 1000 / rule.ratePerSecond, burst: rule.burst }, rule.overrun ?? 0, nowMs, isRead);
}

const MAX_KEYS = 200_000;
/** Requests are counted slightly out of order; a time further back than this means that the clock was set back. */
const OUT_OF_ORDER_MS = 1_000;

/** GCRA in this process. Without fixed windows there is no double burst at their border. Idle keys are removed. */
export function createLimiter(maxKeys = MAX_KEYS): Limiter & { readonly size: () => number } {
  const arrivals = new Map<string, number>();
  let sweptAt = Number.NEGATIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  /** Where the clock was set back, moves all stored times back by as much. */
  function follow(nowMs: number): void {
    const backMs = latest - nowMs;
    if (backMs >= 0 && backMs <= OUT_OF_ORDER_MS) return;
    latest = nowMs;
    if (backMs < 0) return;
    for (const [key, arrivalMs] of arrivals) arrivals.set(key, arrivalMs - backMs);
    sweptAt = nowMs;
  }
  function makeRoom(nowMs: number): void {
    // at most once a second: many new addresses must not make every request traverse all keys
    if (nowMs - sweptAt >= 1000) {
      for (const [key, arrivalMs] of arrivals) if (arrivalMs <= nowMs) arrivals.delete(key);
      sweptAt = nowMs;
    }
    // no key is idle: the oldest is removed, so that memory stays bounded
    if (arrivals.size >= maxKeys) arrivals.delete(String(arrivals.keys().next().value));
  }
  return {
    take(key, rule, nowMs, isRead) {
      follow(nowMs);
      const known = arrivals.get(key);
      const step = stepOf(known, rule, nowMs, isRead);
      if (isRead) return step;
      if (known === undefined && arrivals.size >= maxKeys) makeRoom(nowMs);
      arrivals.set(key, step.arrivalMs);
      return step;
    },
    size: () => arrivals.size,
  };
}

const quotaOf = (name: string, { burst, ratePerSecond }: LimitRule): Quota => ({ name, quota: burst, seconds: burst / ratePerSecond });
/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers: quota, and the seconds until it is fully restored. */
export const policyField = (name: string, rule: LimitRule): string => quotaPolicy(quotaOf(name, rule));
/** `RateLimit` of the same draft: remaining requests, and the seconds until the quota is fully restored. */
export const limitField = (name: string, taken: Taken): string => `"${name}";r=${taken.remaining};t=${Math.ceil(taken.resetMs / 1000)}`;

/** A rule in words, as messages have it. */
export function allowedIn({ burst, ratePerSecond }: LimitRule): string {
  const then = ratePerSecond >= 1 ? `${ratePerSecond} a second` : `one every ${Math.round(1 / ratePerSecond)} seconds`;
  return `${burst} are allowed at once, and then ${then}`;
}

/** Key for limits by address: an IPv4 address, or the /64 of an IPv6 address, the usual assignment to one customer. */
export function addressKey(address: string | undefined): string {
  if (!address) return 'unknown';
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  if (!plain.includes(':')) return plain;
  const given = plain.split(':').filter(Boolean).length;
  const groups = plain.replace('::', `${':0'.repeat(Math.max(0, 8 - given))}:`).split(':');
  return `${groups
    .filter(Boolean)
    .slice(0, 4)
    .map((g) => g.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

export interface CallerLimit extends Limit {
  readonly name: 'key' | 'account';
  readonly policy: string;
}
export const callerLimit = (name: CallerLimit['name'], key: string, rule: LimitRule): CallerLimit => ({
  ...{ name, limiter: 'account', key, rule },
  policy: policyField(name, rule),
});

/** Which limits count the requests of a caller. `accountRule`: of every account. */
export function createCallerLimits(accountRule: LimitRule) {
  const limitsByCaller = new WeakMap<Caller, OneOrMore<CallerLimit>>();
  const hasOwn = ({ ratePerSecond, rateBurst }: Caller): boolean => ratePerSecond !== null || rateBurst !== null;

  /** Of the caller's own credentials, which take from the account what they do not name. */
  const ruleOf = (caller: Caller): LimitRule =>
    hasOwn(caller)
      ? { ratePerSecond: caller.ratePerSecond ?? accountRule.ratePerSecond, burst: caller.rateBurst ?? accountRule.burst }
      : accountRule;

  /** The limit of a key, if it has its own, before that of its account. Made once for each caller. */
  function limitsOf(caller: Caller): OneOrMore<CallerLimit> {
    const known = limitsByCaller.get(caller);
    if (known) return known;
    const ofAccount = callerLimit('account', caller.accountId, accountRule);
    // a key that replaced another one goes on with its count
    const limits: OneOrMore<CallerLimit> = hasOwn(caller)
      ? [callerLimit('key', `key ${caller.countedAs ?? caller.keyId}`, ruleOf(caller)), ofAccount]
      : [ofAccount];
    limitsByCaller.set(caller, limits);
    return limits;
  }
  return { ruleOf, limitsOf };
}

/** Adds the RateLimit fields of one limit to those of the previous limit. Returns the refusal if the limit is exceeded. */
export function applyLimit(context: RequestContext, { name, rule, policy }: CallerLimit, taken: Taken): ServiceError | null {
  const field = limitField(name, taken);
  const before = context.rateLimit;
  context.rateLimit = before
    ? { fields: `${field}, ${before.fields}`, policies: `${policy}, ${before.policies}` }
    : { fields: field, policies: policy };
  if (taken.ok) return null;
  return rateLimited(
    `Too many requests: this ${name} may send ${rule.ratePerSecond} a second, ${rule.burst} at once. Ask again after the time that Retry-After says.`,
    taken.waitMs,
    context.rateLimit,
  );
}

/** Limits failures, counted under a name: a key with too many of them waits. Those of a fleet are counted over all gateways. `title`: in the RateLimit fields. */
export function createPenalties(name: string, takeLimits: TakeLimits, limiter: Limit['limiter'], rule: LimitRule, title: string = name) {
  const limitOf = (key: string, isRead: boolean): Limit => ({ limiter, key: `${name} ${key}`, rule, isRead });
  const longestMs = (1000 * (rule.burst + (rule.overrun ?? 0))) / rule.ratePerSecond;
  /** When the wait of a key ends, as the last failure counted here said. */
  const ends = new LRUCache<string, number>(atMost(MAX_KEYS));
  return {
    rule,
    /** 429 for a key that waits. */
    refusal: (message: string, waitMs: number): ServiceError => rateLimited(message, waitMs, usedUp(quotaOf(title, rule), waitMs)),
    /** To be read together with other limits: not ok while the key waits. */
    limitOf: (key: string): Limit => limitOf(key, true),
    /** Milliseconds until the key is admitted again, as far as it is known here: another gateway of a fleet learns it with its own next failure. */
    waitMs(key: string, nowMs: number): number {
      const waitMs = (ends.get(key) ?? 0) - nowMs;
      return waitMs > longestMs ? 0 : Math.max(0, waitMs); // longer: the clock was set back
    },
    /** Counts one failure; whether the rule still allowed it. */
    async penalize(key: string, nowMs: number): Promise<Taken> {
      const taken = await takeOne(takeLimits, limitOf(key, false), nowMs);
      if (taken.waitMs > 0) ends.set(key, nowMs + taken.waitMs);
      return taken;
    },
  };
}
