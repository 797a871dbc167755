import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller, UsageRow } from '../../src/accounts/types.ts';
import { createBilling } from '../../src/billing/billing.ts';
import { HOLD_LIFE } from '../../src/billing/charge.ts';
import { createJournal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import type { Ledger } from '../../src/billing/types.ts';
import { type ErrorName, ServiceError } from '../../src/contract/errors.ts';
import { createLookups } from '../../src/lookups/paid-lookup.ts';
import type { AttemptReport, LookupRequest, LookupResult } from '../../src/orchestrator/types.ts';
import { type Clock, realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import type { Store } from '../../src/store/store.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { type CheckParts, check } from '../../src/watches/check.ts';
import { startDeliveries } from '../../src/watches/deliveries.ts';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { type ClaimedSlot, claimSlot } from '../../src/watches/records.ts';
import { dueSlots } from '../../src/watches/schedule.ts';
import { createWatches, type WatchesParts } from '../../src/watches/watches.ts';
import { until } from '../faults/service-process.ts';
import { type Bench, grant, KEY_ROW, makeAccount, silent } from '../ledger/backends.ts';
import { telling } from './telling.ts';

/** What the source says to a lookup. */
export type Says =
  | { readonly resource: Record<string, unknown>; readonly source?: string; readonly unread?: readonly string[] }
  | { readonly error: ErrorName; readonly isUnsent?: true };
export type Answering = (request: LookupRequest, nowMs: number) => Says | Promise<Says>;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

const refusal = (error: ServiceError, attempts: readonly AttemptReport[] = []): LookupResult => ({
  ok: false,
  refusal: { error, cacheStatus: null, attempts, upstreamMs: 0, atMs: null },
});

/** An orchestrator whose only source is the answering: it holds, asks, and answers. */
export const orchestratorOf = (answering: Answering, now: () => Promise<number>): CheckParts['orchestrator'] => ({
  async lookup(request) {
    try {
      await request.charge.hold();
    } catch (error) {
      assert.ok(error instanceof ServiceError, String(error));
      return refusal(error);
    }
    const at = await now();
    const says = await answering(request as LookupRequest, at);
    if ('error' in says) {
      request.charge.release();
      const attempt: AttemptReport = {
        source: 'test',
        tag: 'limited',
        what: null,
        detail: null,
        ms: 0,
        ...(says.isUnsent && { isUnsent: true }),
      };
      return refusal(new ServiceError(says.error), [attempt]);
    }
    const cached = {
      bytes: Buffer.from(JSON.stringify(says.resource)),
      etag: '',
      at,
      freshForMs: 0,
      keepForMs: 0,
      source: says.source ?? 'test',
      unread: says.unread ?? [],
    };
    const cacheStatus = { how: 'miss', fwd: 'uri-miss', stored: true, collapsed: false } as const;
    return { ok: true, answer: { cached, cacheStatus, leads: true, attempts: [], upstreamMs: 0 } };
  },
});

/** Claims at most `limit` due slots, the oldest of each account first. */
export async function claimDue(store: Store, limit: number, nowMs: number, newClaim: () => string): Promise<readonly ClaimedSlot[]> {
  const claimed: ClaimedSlot[] = [];
  for (const { n } of (await dueSlots(store, nowMs)).slice(0, limit)) {
    const slot = await claimSlot(store, n, nowMs, newClaim());
    if (slot) claimed.push(slot);
  }
  return claimed;
}

/** Pauses of a millisecond: a test waits for no poll. */
export const HASTY: Clock = { now: () => performance.now(), sleep: (_ms, signal) => realClock.sleep(1, signal) };

/** Sends every message that is due, and waits for all. */
export async function deliverDue(parts: DestinationParts): Promise<void> {
  const deliveries = startDeliveries({ ...parts, clock: HASTY });
  await until('every message that is due is sent', async () => {
    const now = await parts.now();
    const pending = await parts.store.db
      .selectFrom('watch_deliveries')
      .select(['watch', 'next_at'])
      .where('next_at', 'is not', null)
      .orderBy('cursor')
      .execute();
    const first = [...Map.groupBy(pending, ({ watch }) => watch).values()].map(([message]) => message);
    return first.every((message) => (message?.next_at ?? 0) > now);
  });
  await deliveries.close();
}

/** A process that makes checks on a store. `ledger`: default one of its own. */
export function gatewayOn(
  store: Store,
  ledger: Ledger,
  answering: Answering,
  environment: Record<string, string> = {},
  billingClock: Clock = { now: Date.now, sleep: async () => {} },
) {
  const log = createLog({ level: 'silent', pretty: false });
  const now = () => store.now();
  const settings = readSettings(environment);
  const clock = { now: () => 0, sleep: async () => {} };
  const rows: UsageRow[] = [];
  const metrics = createMetrics({ version: 'test' });
  const billing = createBilling({
    ledger,
    clock: billingClock,
    log,
    metrics,
    uncharged: { waitMs: () => 0, refusal: (message) => new ServiceError('RATE_LIMITED', message), penalize: async () => false },
    prices: {},
    chargeCacheHits: false,
    holdLife: HOLD_LIFE,
  });
  const orchestrator = orchestratorOf(answering, now);
  const lookups = createLookups({
    orchestrator: { ...orchestrator, cached: () => null },
    billing,
    settings,
    log,
    clock: billingClock,
    monotonicMs: () => performance.now(),
  });
  const parts: WatchesParts = {
    store,
    billing,
    lookups,
    settings,
    now,
    clock,
    randomBytes,
    orchestrator,
    newRequestId: () => `watch-${randomUUID()}`,
    record: (row) => rows.push(row),
    http: { ask: async () => ({ tag: 'unreachable', what: 'There is no network.' }) },
    ...telling(),
    inFlight: () => 0,
    log: silent,
  };
  const claim = async (limit: number): Promise<readonly ClaimedSlot[]> => claimDue(store, limit, await now(), randomUUID);
  return {
    parts,
    billing,
    metrics,
    rows,
    claim,
    watches: createWatches(parts),
    /** Makes the checks that are due. */
    async makeDue(limit = 100): Promise<number> {
      let made = 0;
      for (let slots = await claim(limit); slots.length > 0; slots = await claim(limit)) {
        await Promise.all(slots.map((slot) => check(parts, slot)));
        made += slots.length;
      }
      return made;
    },
  };
}

/** A store with one account that has credits and a key. */
export async function houseOn(bench: Bench, answering: Answering, credits = 1_000_000) {
  const { store } = bench;
  const ledger = createLedger({
    journal: createJournal(store, bench.clock),
    clock: bench.clock,
    log: silent,
    randomBytes,
    holdLifeMs: HOUR,
    reapEveryMs: HOUR,
  });
  const accountId = await makeAccount(store);
  const keyId = `key_${randomUUID().slice(0, 8)}`;
  await store.db
    .insertInto('keys')
    .values({ ...KEY_ROW, id: keyId, account_id: accountId, hash: keyId })
    .execute();
  await grant(store, accountId, credits);
  const caller: Caller = { accountId, keyId, operations: null, ratePerSecond: null, rateBurst: null };
  return { ...gatewayOn(store, ledger, answering), ledger, caller, accountId, keyId };
}
