import { ServiceError } from '../contract/errors.ts';
import { type Input, type OperationId, type Prices, priceOf } from '../contract/operations/index.ts';
import type { LookupAnswer, Payment } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { aboveMaxCredits, expired, TOO_MANY_UNCHARGED } from './credit-messages.ts';
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
  /** 429, which names the limit and the wait. */
  refusal(message: string, waitMs: number): ServiceError;
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

/** The charge of one lookup. `src/lookups/paid-lookup.ts` alone calls it, in the order that its states allow. */
export class Charge implements Payment {
  #parts: BillingParts;
  #request: PaidLookup;
  #held = 0;
  /** Credits whose release is not yet confirmed. */
  #returning = 0;
  #amount = 0;
  #holdId: string | null = null;
  #expiresAt = 0;
  #freeAfterHold: number | null = null;
  /** Released: a hold that is confirmed later is released at once. */
  #released = false;
  #led = false;

  constructor(parts: BillingParts, request: PaidLookup) {
    this.#parts = parts;
    this.#request = request;
  }

  get amount(): number {
    return this.#amount;
  }

  /** Id of the hold, under which the ledger lists its entries; null if nothing is held. */
  get receipt(): string | null {
    return this.#holdId;
  }

  hold(): Promise<void> {
    const { operation, input } = this.#request;
    return this.#hold(priceOf(this.#parts.prices, operation, input));
  }

  release(): void {
    this.#released = true;
    this.#giveBack();
  }

  /** Decides the charge: the price of the results delivered, to the leader; nothing to others, unless answers from the cache are charged. May throw. */
  async decide({ cached, cacheStatus, leads }: LookupAnswer): Promise<void> {
    const { operation, input } = this.#request;
    const price = priceOf(this.#parts.prices, operation, input, cached.delivered);
    const isCachedAndCharged = this.#parts.chargeCacheHits && cacheStatus.how !== 'miss';
    if (isCachedAndCharged) await this.#hold(price);
    this.#amount = leads || isCachedAndCharged ? Math.min(price, this.#held) : 0;
  }

  /** Credits left to the account after the charge: as known now, else as the hold left them; null if neither is known. */
  get remaining(): number | null {
    const free = this.#parts.remaining(this.#request.payer.accountId) ?? this.#freeAfterHold;
    // the released credits may still count as held in the ledger
    return free === null ? null : free + this.#held + this.#returning - this.#amount;
  }

  /** The hold may expire before the response is written. Check it in the turn that sends the first byte: a process may be suspended between two. */
  get nearlyExpired(): boolean {
    return this.#holdId !== null && this.#expiresAt - this.#parts.clock.now() <= this.#parts.holdLife.renewBelowMs;
  }

  /** Extends a hold that is nearly expired. Throws UNAVAILABLE if that fails: the answer is then not delivered. */
  async renew(): Promise<void> {
    const { ledger, clock } = this.#parts;
    // a renewal that arrives late (slow store, suspended process) may be nearly expired itself
    for (let left = MAX_RENEWALS; this.#holdId !== null && this.nearlyExpired; left--) {
      if (left === 0) throw expired(); // the hold is released with the error
      const renewedAt = clock.now();
      if (!(await ledger.renew(this.#holdId, this.#parts.holdLife.marginMs))) {
        this.#holdId = null;
        this.#held = 0;
        throw expired();
      }
      this.#expiresAt = renewedAt + this.#parts.holdLife.marginMs;
    }
  }

  /** Charges the amount, after the last byte or once the client is gone. Called again, does nothing. Never rejects. */
  capture(): void {
    const holdId = this.#holdId;
    if (holdId === null) return;
    this.#holdId = null;
    this.#held = 0;
    const { captures } = this.#parts;
    const capture = this.#capture(holdId);
    captures.add(capture);
    void capture.then(() => captures.delete(capture));
  }

  /** Charges a response that the client reads slowly before the hold expires. `closed`: aborts once the response is closed. */
  captureSlowRead(closed: AbortSignal): void {
    void this.#parts.clock.sleep(this.#parts.holdLife.captureAfterMs, closed).then(() => this.capture());
  }

  waive(): void {
    this.#amount = 0;
    this.#countUncharged();
    this.release();
  }

  /** An error is free: releases the hold and returns the credits left (null if unknown). */
  cancel(): number | null {
    this.#amount = 0;
    const { remaining } = this;
    this.waive();
    return remaining;
  }

  /** The lookup ended without a request to a source: it does not count as uncharged. */
  sourceNotAsked(): void {
    this.#led = false;
  }

  #countUncharged(): void {
    if (this.#led) void this.#parts.uncharged.penalize(this.#request.payer.accountId, this.#parts.clock.now());
    this.#led = false;
  }

  async #hold(price: number): Promise<void> {
    const { payer, operation, requestId, label, deadlineMs, maxCredits } = this.#request;
    if (maxCredits !== null && price > maxCredits) throw aboveMaxCredits(price, maxCredits);
    if (price <= 0 || this.#holdId !== null) return;
    this.#released = false;
    const { ledger, clock, metrics, uncharged } = this.#parts;
    const now = clock.now();
    const waitMs = uncharged.waitMs(payer.accountId, now);
    if (waitMs > 0) throw uncharged.refusal(TOO_MANY_UNCHARGED, waitMs);
    const ttlMs = Math.max(0, deadlineMs - now) + this.#parts.holdLife.marginMs;
    const { accountId, keyId } = payer;
    const answer = await ledger.hold({ accountId, keyId, amount: price, operation, requestId, label, ttlMs });
    metrics.held(clock.now() - now, answer.ok ? 'held' : 'refused');
    if (!answer.ok) {
      const { error, message, capLeft } = answer;
      const ofCap: Record<string, string> = capLeft === undefined ? {} : { 'x-cap-remaining': String(capLeft) };
      throw new ServiceError(error, message, error === 'UNAVAILABLE' ? { 'retry-after': '5' } : ofCap);
    }
    this.#holdId = answer.holdId;
    this.#led = true;
    this.#expiresAt = answer.expiresAt;
    this.#freeAfterHold = answer.remaining;
    this.#held = price;
    if (this.#released) this.#giveBack();
  }

  async #capture(holdId: string): Promise<void> {
    const { ledger, log, metrics } = this.#parts;
    try {
      await ledger.capture(holdId, this.#amount);
      metrics.settled('captured');
      metrics.charged(this.#request.operation, this.#amount);
    } catch (error) {
      metrics.settled('lost');
      log.error({ err: error, holdId, requestId: this.#request.requestId }, 'a capture failed: the hold will expire');
    }
  }

  #giveBack(): void {
    const holdId = this.#holdId;
    if (holdId === null) return;
    const held = this.#held;
    this.#holdId = null;
    this.#held = 0;
    this.#returning += held;
    const { ledger, log, metrics } = this.#parts;
    const settled = ledger.release(holdId).then(
      () => metrics.settled('released'),
      (error: unknown) => log.warn({ err: error, holdId, requestId: this.#request.requestId }, 'a release failed: the hold will expire'),
    );
    void settled.then(() => {
      this.#returning -= held;
    });
  }
}
