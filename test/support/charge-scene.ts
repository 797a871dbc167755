import { type BillingParts, Charge, HOLD_LIFE, type PaidLookup } from '../../src/billing/charge.ts';
import type { HoldAnswer, HoldRequest } from '../../src/billing/types.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Prices } from '../../src/contract/operations/index.ts';
import type { LookupAnswer } from '../../src/orchestrator/types.ts';
import { createManualClock } from './manual-clock.ts';

export const PAYER = { accountId: 'acc', keyId: 'key' };
const LOOKUP = { payer: PAYER, operation: 'serp', input: { depth: 30 }, requestId: 'r', label: 'l', deadlineMs: 20_000, maxCredits: null };
export const answerOf = (more: Partial<LookupAnswer> & { delivered?: number } = {}): LookupAnswer =>
  ({ cached: { delivered: more.delivered ?? null }, cacheStatus: { how: 'miss' }, leads: true, ...more }) as LookupAnswer;

/** A charge on a ledger that does as it is told. */
export function scene(
  given: Partial<PaidLookup> = {},
  options: { chargeCacheHits?: boolean; known?: number | null; prices?: Prices } = {},
) {
  const clock = createManualClock(0);
  const calls: unknown[][] = [];
  const state = { waitMs: 0, renews: true as boolean, renewMs: 0, fails: null as Error | null, refused: null as HoldAnswer | null };
  const hold = { requests: [] as HoldRequest[], until: null as Promise<void> | null };
  const settle = async (...call: unknown[]): Promise<void> => {
    calls.push(call);
    if (state.fails) throw state.fails;
  };
  const told: unknown[][] = [];
  const tells =
    (name: string) =>
    (...facts: unknown[]) =>
      void told.push([name, ...facts]);
  const captures = new Set<Promise<void>>();
  const parts = {
    clock,
    captures,
    ledger: {
      async hold(request: HoldRequest): Promise<HoldAnswer> {
        hold.requests.push(request);
        await hold.until;
        await clock.sleep(0);
        return state.refused ?? { ok: true, holdId: 'acc.1.h', remaining: 97, expiresAt: clock.now() + request.ttlMs };
      },
      capture: (id: string, amount: number) => settle('capture', id, amount),
      release: (id: string) => settle('release', id),
      async renew(id: string, ttlMs: number) {
        calls.push(['renew', id, ttlMs]);
        await clock.sleep(state.renewMs);
        return state.renews;
      },
      remaining: () => 0,
    },
    log: { error: tells('error'), warn: tells('warn') },
    metrics: { held: tells('held'), settled: tells('settled'), charged: tells('charged') },
    uncharged: {
      waitMs(account: string, nowMs: number) {
        calls.push(['wait', account, nowMs]);
        return state.waitMs;
      },
      refusal: (message: string, waitMs: number) =>
        new ServiceError('RATE_LIMITED', message, { 'retry-after': String(Math.ceil(waitMs / 1000)) }),
      penalize: async (account: string, nowMs: number) => calls.push(['uncharged', account, nowMs]),
    } satisfies BillingParts['uncharged'],
    prices: options.prices ?? {},
    chargeCacheHits: options.chargeCacheHits ?? false,
    holdLife: HOLD_LIFE,
    remaining: () => options.known ?? null,
  };
  const charge = new Charge(parts as never, { ...LOOKUP, ...given } as PaidLookup);
  /** What the ledger was asked to do with the hold. */
  const settled = () => calls.filter(([name]) => name !== 'wait');
  return { charge, clock, state, hold, told, settled, captures };
}
