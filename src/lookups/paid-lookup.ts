import type { Billing } from '../billing/billing.ts';
import type { Charge, Payer } from '../billing/charge.ts';
import { defect, ServiceError } from '../contract/errors.ts';
import type { OperationId } from '../contract/operations/index.ts';
import { cacheWord } from '../orchestrator/cache.ts';
import type { LookupAnswer, LookupRefusal, LookupResult, Orchestrator, Payment } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Log } from '../telemetry/log.ts';
import { within } from '../telemetry/trace.ts';
import {
  type Admitted,
  type Answered,
  type Arrived,
  type Asked,
  admit,
  type Deliverable,
  type Ended,
  type LookupCall,
  type LookupFacts,
  type Priced,
  type Refused,
} from './states.ts';

export interface LookupParts {
  readonly orchestrator: Pick<Orchestrator, 'lookup' | 'cached'>;
  readonly billing: Billing;
  readonly settings: Settings;
  readonly log: Pick<Log, 'warn'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds of a monotonic clock, with fractions. */
  readonly monotonicMs: () => number;
}

/** Lookups that somebody pays for, from the admitted request to the charge. */
export type Lookups = ReturnType<typeof createLookups>;

const NO_FIELDS: readonly string[] = [];

export function createLookups({ orchestrator, billing, settings, log, clock, monotonicMs }: LookupParts) {
  const noteMissingSettings = createMissingSettingsLog(log, monotonicMs);

  async function run(asked: Admitted & LookupCall, admittedMs: number, charge: Charge, deadlineMs: number): Promise<Ended> {
    const { arrived, caller, operation, input, freshness, signal, asking } = asked;
    let hold: LookupFacts['hold'] = null;
    const payment: Payment = {
      async hold() {
        const startMs = monotonicMs() - arrived.begunMs;
        await charge.hold();
        hold = { startMs, ms: monotonicMs() - arrived.begunMs - startMs };
      },
      release: () => charge.release(),
    };
    const request = { operation: operation.id, input, freshness, signal, asking, charge: payment, deadlineMs };
    const own = { requestId: arrived.requestId, account: caller.accountId };
    const result = await within(arrived.span, () => orchestrator.lookup({ ...request, ...own })).catch(failed);
    const facts = lookupFacts(result, admittedMs, hold);
    if (isUnasked(facts)) charge.sourceNotAsked();
    if (result.ok) {
      const unpaid = await charge.decide(result.answer).then(() => null, toError);
      if (unpaid) return refused(failure(unpaid), facts, charge.cancel());
      return new Answer(result.answer, facts, charge, charge.remaining);
    }
    if (result.refusal.lacking) noteMissingSettings(operation.id, result.refusal.lacking);
    return refused(result.refusal, facts, charge.cancel());
  }

  function fromCache({ operation, input, freshness, caller }: Admitted & LookupCall, admittedMs: number): Ended | null {
    if (settings.SIGHTLINE_CHARGE_CACHE_HITS) return null;
    const result = orchestrator.cached({ operation: operation.id, input, freshness, account: caller.accountId });
    if (!result) return null;
    const facts = lookupFacts(result, admittedMs, null);
    const remaining = billing.remaining(caller.accountId);
    return result.ok ? new Answer(result.answer, facts, null, remaining) : refused(result.refusal, facts, remaining);
  }

  return {
    /** A lookup that this process begins by itself: no request came. */
    begin: (requestId: string, label: string, payer: Payer): Admitted =>
      admit({ requestId, label, atMs: clock.now(), begunMs: monotonicMs(), span: null }, payer),

    /** Milliseconds since the request arrived. */
    durationMs: ({ begunMs }: Arrived): number => monotonicMs() - begunMs,

    /** Answers that one response carries: all of them are delivered and charged, or none. */
    together(answers: readonly Answered[]): Pick<Answered, 'deliver'> {
      const own = answers.map((answer) => {
        if (!(answer instanceof Answer)) throw new Error('these lookups did not give this answer');
        return answer;
      });
      return { deliver: (write) => Answer.deliverAll(own, (held) => write(joined(held))) };
    },

    ask(admitted: Admitted, call: LookupCall): Asked {
      const asked = { ...admitted, ...call };
      const admittedMs = monotonicMs() - admitted.arrived.begunMs;
      return {
        cached: () => fromCache(asked, admittedMs),
        price(): Priced {
          const { arrived, caller, operation, input, maxCredits } = asked;
          const { requestId, label } = arrived;
          const deadlineMs = arrived.atMs + settings[operation.deadline.setting];
          const charge = billing.openCharge({ payer: caller, operation: operation.id, input, requestId, label, deadlineMs, maxCredits });
          return { run: () => run(asked, admittedMs, charge, deadlineMs) };
        },
      };
    },
  };
}

class Answer implements Answered, Deliverable {
  readonly ok = true;
  readonly facts: LookupFacts;
  readonly cached: Answered['cached'];
  readonly cacheStatus: Answered['cacheStatus'];
  readonly credits: number;
  readonly receipt: string | null;
  readonly remaining: number | null;
  /** Null: a cached answer, which is free. */
  readonly #charge: Charge | null;
  #isDelivered = false;

  constructor({ cached, cacheStatus }: LookupAnswer, facts: LookupFacts, charge: Charge | null, remaining: number | null) {
    this.facts = facts;
    this.cached = cached;
    this.cacheStatus = cacheStatus;
    this.credits = charge?.amount ?? 0;
    this.receipt = charge?.receipt ?? null;
    this.remaining = remaining;
    this.#charge = charge;
  }

  deliver<T>(write: (answer: Deliverable) => T): Promise<Awaited<T>> {
    return Answer.deliverAll([this], () => write(this));
  }

  static async deliverAll<T>(answers: readonly Answer[], write: (answers: readonly Deliverable[]) => T): Promise<Awaited<T>> {
    // no await between the last check and the write
    for (;;) {
      const old = answers.filter((answer) => answer.#charge?.nearlyExpired);
      if (old.length === 0) return await write(answers);
      for (const answer of old) {
        const charge = answer.#charge;
        await charge?.renew();
      }
    }
  }

  delivered(): void {
    if (this.#isDelivered) return;
    this.#isDelivered = true;
    if (this.credits > 0) this.#charge?.capture();
    else this.#charge?.waive();
  }

  deliveredLate(closed: AbortSignal): void {
    if (this.credits > 0) this.#charge?.captureSlowRead(closed);
  }

  cancel(): number | null {
    return this.#isDelivered || !this.#charge ? this.remaining : this.#charge.cancel();
  }
}

const joined = (answers: readonly Deliverable[]): Deliverable => ({
  credits: answers.reduce((sum, { credits }) => sum + credits, 0),
  receipt: null,
  elsewhere: true,
  delivered() {
    for (const answer of answers) answer.delivered();
  },
  deliveredLate(closed) {
    for (const answer of answers) answer.deliveredLate(closed);
  },
});

const refused = (refusal: LookupRefusal, facts: LookupFacts, remaining: number | null): Refused => ({
  ok: false,
  facts,
  error: refusal.error,
  cacheStatus: refusal.cacheStatus,
  readAtMs: refusal.atMs,
  remaining,
  isUnasked: isUnasked(facts),
  cancel: () => remaining,
});

const isUnasked = ({ attempts }: LookupFacts): boolean => attempts.length > 0 && attempts.every(({ isUnsent }) => isUnsent);

function lookupFacts(result: LookupResult, admittedMs: number, hold: LookupFacts['hold']): LookupFacts {
  const { cacheStatus, attempts, upstreamMs } = result.ok ? result.answer : result.refusal;
  const cached = result.ok ? result.answer.cached : null;
  return {
    source: cached?.source ?? null,
    cache: cacheStatus && cacheWord(cacheStatus),
    attempts,
    upstreamMs,
    unread: cached?.unread ?? NO_FIELDS,
    admittedMs,
    hold,
  };
}

const toError = (thrown: unknown): ServiceError => (thrown instanceof ServiceError ? thrown : defect(thrown));
const failed = (thrown: unknown): LookupResult => ({ ok: false, refusal: failure(toError(thrown)) });
const failure = (error: ServiceError): LookupRefusal => ({ error, cacheStatus: null, attempts: [], upstreamMs: 0, atMs: null });

const LOGGED_EVERY_MS = 60_000;

/** Says at most once a minute and operation that no source is configured. */
function createMissingSettingsLog(log: LookupParts['log'], monotonicMs: () => number) {
  const loggedAtMs = new Map<OperationId, number>();
  return (operation: OperationId, lacking: readonly string[]): void => {
    const nowMs = monotonicMs();
    if (nowMs - (loggedAtMs.get(operation) ?? Number.NEGATIVE_INFINITY) < LOGGED_EVERY_MS) return;
    loggedAtMs.set(operation, nowMs);
    log.warn({ operation, settings: lacking }, 'no source is configured for this operation: one of these settings would configure one');
  };
}
