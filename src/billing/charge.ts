import { ServiceError } from '../contract/errors.ts';
import { type Input, type OperationId, type Prices, priceOf } from '../contract/operations/index.ts';
import type { LookupAnswer } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { aboveMaxCredits, expired, tooManyUncharged } from './credit-messages.ts';
import type { HoldRequest, Ledger } from './types.ts';

/** How long a hold lives after the deadline of its lookup (the time to write the response), and what follows from it. */
export const holdLifeOf = (marginMs: number) => ({
  marginMs,
  /** A hold with less time left than this is renewed before the response starts. */
  renewBelowMs: (marginMs * 5) / 6,
  /** A response that the client has not read after this time is charged without waiting for its last byte, well before the hold expires. */
  captureAfterMs: (marginMs * 2) / 3,
});
export type HoldLife = ReturnType<typeof holdLifeOf>;

export const HOLD_LIFE = holdLifeOf(30_000);

const MAX_RENEWALS = 2;

export type Payer = Pick<HoldRequest, 'accountId' | 'keyId'>;
/** Limits failures per key. */
export interface Penalties {
  /** Milliseconds until the key is admitted again; 0: now. */
  waitMs(key: string, nowMs: number): number;
  /** Counts one failure. Never rejects. */
  penalize(key: string, nowMs: number): Promise<unknown>;
}
export interface PaidLookup {
  readonly payer: Payer;
  readonly operation: OperationId;
  readonly input: Input;
  readonly requestId: string;
  readonly label: string | null;
  readonly deadlineMs: number;
  readonly maxCredits: number | null;
}

export interface BillingParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Lookups that went to a source and were not charged, by account. */
  readonly uncharged: Penalties;
  readonly prices: Prices;
  /** SIGHTLINE_CHARGE_CACHE_HITS: answers from the cache cost their price. */
  readonly chargeCacheHits: boolean;
  readonly holdLife: HoldLife;
  readonly captures: Set<Promise<void>>;
  readonly remaining: (accountId: string) => number | null;
}

export type Charge = ReturnType<typeof createCharge>;

/**
 * The charge of one request, in this order: `hold` before a source is called; `decide` once there is an answer; `renew` while
 * `nearlyExpired`; then `capture` after the last byte, or `waive` if nothing is charged. `cancel` for every error.
 */
export function createCharge(parts: BillingParts, request: PaidLookup) {
  const { ledger, clock, log, metrics, uncharged, prices, chargeCacheHits, holdLife, captures } = parts;
  const { payer, operation, input, requestId, label, deadlineMs, maxCredits } = request;
  const { accountId, keyId } = payer;
  let held = 0;
  /** Credits whose release is not yet confirmed. */
  let returning = 0;
  let amount = 0;
  let holdId: string | null = null;
  let expiresAt = 0;
  let freeAfterHold: number | null = null;
  /** Released: a hold that is confirmed later is released at once. */
  let released = false;
  let led = false;

  /** The hold, which from now on is over for this request. */
  function taken(): string | null {
    const id = holdId;
    holdId = null;
    held = 0;
    return id;
  }
  const nearlyExpired = (): boolean => holdId !== null && expiresAt - clock.now() <= holdLife.renewBelowMs;
  /** Credits left to the account after the charge: as known now, else as the hold left them; null if neither is known. */
  function remaining(): number | null {
    const free = parts.remaining(accountId) ?? freeAfterHold;
    // the released credits may still count as held in the ledger
    return free === null ? null : free + held + returning - amount;
  }

  async function hold(price: number): Promise<void> {
    if (maxCredits !== null && price > maxCredits) throw aboveMaxCredits(price, maxCredits);
    if (price <= 0 || holdId !== null) return;
    released = false;
    const now = clock.now();
    const waitMs = uncharged.waitMs(accountId, now);
    if (waitMs > 0) throw tooManyUncharged(waitMs);
    const ttlMs = Math.max(0, deadlineMs - now) + holdLife.marginMs;
    const answer = await ledger.hold({ accountId, keyId, amount: price, operation, requestId, label, ttlMs });
    metrics.held(clock.now() - now, answer.ok ? 'held' : 'refused');
    if (!answer.ok) throw new ServiceError(answer.error, answer.message, answer.error === 'UNAVAILABLE' ? { 'retry-after': '5' } : {});
    holdId = answer.holdId;
    led = true;
    expiresAt = answer.expiresAt;
    freeAfterHold = answer.remaining;
    held = price;
    if (released) giveBack();
  }

  async function charge(id: string): Promise<void> {
    try {
      await ledger.capture(id, amount);
      metrics.settled('captured');
      metrics.charged(operation, amount);
    } catch (error) {
      metrics.settled('lost');
      log.error({ err: error, holdId: id, requestId }, 'a capture failed: the hold will expire');
    }
  }
  /** Charges the amount, after the last byte or once the client is gone. Called again, does nothing. Never rejects. */
  function capture(): void {
    const id = taken();
    if (id === null) return;
    const charged = charge(id);
    captures.add(charged);
    void charged.then(() => captures.delete(charged));
  }

  function giveBack(): void {
    const credits = held;
    const id = taken();
    if (id === null) return;
    returning += credits;
    const settled = ledger.release(id).then(
      () => metrics.settled('released'),
      (error: unknown) => log.warn({ err: error, holdId: id, requestId }, 'a release failed: the hold will expire'),
    );
    void settled.then(() => {
      returning -= credits;
    });
  }
  function release(): void {
    released = true;
    giveBack();
  }
  function waive(): void {
    amount = 0;
    if (led) void uncharged.penalize(accountId, clock.now());
    led = false;
    release();
  }

  return {
    get amount(): number {
      return amount;
    },
    /** Id of the hold, under which the ledger lists its entries; null if nothing is held. */
    get receipt(): string | null {
      return holdId;
    },
    get remaining(): number | null {
      return remaining();
    },
    /** The hold may expire before the response is written. Check it in the turn that sends the first byte: a process may be suspended between two. */
    get nearlyExpired(): boolean {
      return nearlyExpired();
    },
    hold: (): Promise<void> => hold(priceOf(prices, operation, input)),
    release,
    /** Decides the charge: the price of the results delivered, to the leader; nothing to others, unless answers from the cache are charged. May throw. */
    async decide({ cached, cacheStatus, leads }: LookupAnswer): Promise<void> {
      const price = priceOf(prices, operation, input, cached.delivered ?? undefined);
      const isCachedAndCharged = chargeCacheHits && cacheStatus.how !== 'miss';
      if (isCachedAndCharged) await hold(price);
      amount = leads || isCachedAndCharged ? Math.min(price, held) : 0;
    },
    /** Extends a hold that is nearly expired. Throws UNAVAILABLE if that fails: the answer is then not delivered. */
    async renew(): Promise<void> {
      // a renewal that arrives late (slow store, suspended process) may be nearly expired itself
      for (let left = MAX_RENEWALS; holdId !== null && nearlyExpired(); left--) {
        if (left === 0) throw expired(); // the hold is released with the error
        const renewedAt = clock.now();
        if (!(await ledger.renew(holdId, holdLife.marginMs))) {
          taken();
          throw expired();
        }
        expiresAt = renewedAt + holdLife.marginMs;
      }
    },
    capture,
    /** Charges a response that the client reads slowly before the hold expires. `closed`: aborts once the response is closed. */
    captureSlowRead: (closed: AbortSignal): void => void clock.sleep(holdLife.captureAfterMs, closed).then(capture),
    waive,
    /** An error is free: releases the hold and returns the credits left (null if unknown). */
    cancel(): number | null {
      amount = 0;
      const left = remaining();
      waive();
      return left;
    },
    /** The lookup ended without a request to a source: it does not count as uncharged. */
    sourceNotAsked(): void {
      led = false;
    },
  };
}
