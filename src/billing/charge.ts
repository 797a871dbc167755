import type { Caller } from '../accounts/types.ts';
import { ServiceError } from '../contract/errors.ts';
import type { OperationId } from '../contract/operations/index.ts';
import type { Penalties } from '../gateway/admission/penalties.ts';
import { retryAfter } from '../gateway/admission/rate-limits.ts';
import type { Charge } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { HOLD_MARGIN_MS, NEARLY_OVER_MS } from './hold-life.ts';
import type { Ledger } from './types.ts';

/** How often a hold is renewed before one answer. */
const RENEWALS = 2;

export interface ChargeDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Lookups that went to a source and were not charged, by account. */
  readonly uncharged: Penalties;
}

/** The caller's money for one request: held before the work, charged after the last byte, given back where nothing was sold. */
export class AccountCharge implements Charge {
  /** Credits held now. */
  held = 0;
  #returning = 0;
  #parts: ChargeDependencies;
  #caller: Caller;
  #operation: OperationId;
  #requestId: string;
  #deadlineMs: number;
  #maxCredits: number | null;
  #holdId: string | null = null;
  #expiresAt = 0;
  #over = false;
  #led = false;

  constructor(
    parts: ChargeDependencies,
    request: { caller: Caller; operation: OperationId; requestId: string; deadlineMs: number; maxCredits: number | null },
  ) {
    this.#parts = parts;
    this.#caller = request.caller;
    this.#operation = request.operation;
    this.#requestId = request.requestId;
    this.#deadlineMs = request.deadlineMs;
    this.#maxCredits = request.maxCredits;
  }

  /** Credits that are the caller's though the store may still count them as held: held now, or on their way back. */
  get outstanding(): number {
    return this.held + this.#returning;
  }

  /** Id of the hold, which leads to its entries in the ledger; null where nothing is held. */
  get receipt(): string | null {
    return this.#holdId;
  }

  /** The answer is not sold: if a source was asked for it, the account has had it for nothing. */
  unsold(): void {
    if (this.#led) this.#parts.uncharged.penalize(this.#caller.accountId, this.#parts.clock.now());
    this.#led = false;
  }

  async hold(price: number): Promise<void> {
    if (this.#maxCredits !== null && price > this.#maxCredits) {
      throw new ServiceError(
        'INSUFFICIENT_CREDITS',
        `This answer costs ${credits(price)}, and X-Max-Credits allows ${this.#maxCredits}: nothing was done. Allow ${price} or more.`,
      );
    }
    if (price <= 0 || this.#holdId !== null) return;
    this.#over = false;
    const { ledger, clock, metrics, uncharged } = this.#parts;
    const now = clock.now();
    const waitMs = uncharged.waitMs(this.#caller.accountId, now);
    if (waitMs > 0)
      throw new ServiceError(
        'RATE_LIMITED',
        'Too many lookups of this account went to a source and ended without a charge: answers from the cache are still there; ask again after the time that Retry-After says.',
        { 'retry-after': retryAfter(waitMs) },
      );
    const ttlMs = Math.max(0, this.#deadlineMs - now) + HOLD_MARGIN_MS;
    const { accountId, keyId } = this.#caller;
    const request = { accountId, keyId, amount: price, operation: this.#operation, requestId: this.#requestId, ttlMs };
    const answer = await ledger.hold(request);
    metrics.held(clock.now() - now, answer.ok ? 'held' : 'refused');
    if (!answer.ok) throw new ServiceError(answer.error, answer.message, answer.error === 'UNAVAILABLE' ? { 'retry-after': '5' } : {});
    this.#holdId = answer.holdId;
    this.#led = true;
    this.#expiresAt = answer.expiresAt;
    this.held = price;
    // given up while the store was asked: nobody waits for it any more
    if (this.#over) this.#giveBack();
  }

  release(): void {
    this.#over = true;
    this.#giveBack();
  }

  /** The hold has time left for an answer, or there is none. To be asked in the same turn that sends the first byte: a process can stand still between two. */
  get lasts(): boolean {
    return this.#holdId === null || this.#expiresAt - this.#parts.clock.now() > NEARLY_OVER_MS;
  }

  /** Before the first byte: a hold that is nearly over is lengthened, or the answer is not sold. */
  async secure(): Promise<void> {
    const { ledger, clock } = this.#parts;
    // again where the renewal came back so late (a slow store, a process that stood still) that it is nearly over itself
    for (let left = RENEWALS; this.#holdId !== null && !this.lasts; left--) {
      if (left === 0) throw ranOut(); // what is left of it is given back
      const asked = clock.now();
      const lives = await ledger.renew(this.#holdId, HOLD_MARGIN_MS);
      if (!lives) {
        this.#holdId = null;
        this.held = 0;
        throw ranOut();
      }
      this.#expiresAt = asked + HOLD_MARGIN_MS;
    }
  }

  /** After the last byte: charges `amount`, at most what is held. */
  async capture(amount: number): Promise<void> {
    const holdId = this.#holdId;
    if (holdId === null) return;
    const charged = Math.min(amount, this.held);
    this.#holdId = null;
    this.held = 0;
    const { ledger, log, metrics } = this.#parts;
    try {
      await ledger.capture(holdId, charged);
      metrics.settled('captured');
    } catch (error) {
      metrics.settled('lost');
      log.error({ err: error, holdId, requestId: this.#requestId }, 'a capture was lost: the hold will expire');
    }
  }

  #giveBack(): void {
    const holdId = this.#holdId;
    if (holdId === null) return;
    const { held } = this;
    this.#holdId = null;
    this.held = 0;
    this.#returning += held;
    const { ledger, log, metrics } = this.#parts;
    const settled = ledger.release(holdId).then(
      () => metrics.settled('released'),
      (error: unknown) => log.warn({ err: error, holdId, requestId: this.#requestId }, 'a release was lost: the hold will expire'),
    );
    void settled.then(() => {
      this.#returning -= held;
    });
  }
}

const ranOut = (): ServiceError =>
  new ServiceError('UNAVAILABLE', 'The credits held for this answer ran out before it could be sent; nothing was charged. Ask again.', {
    'retry-after': '1',
  });
const credits = (n: number): string => (n === 1 ? '1 credit' : `${n} credits`);
