import type { UsageRow } from '../accounts/types.ts';
import { targetOf } from '../accounts/usage/request-log.ts';
import type { Billing } from '../billing/billing.ts';
import type { Payer } from '../billing/charge.ts';
import type { SKIP_REASONS } from '../contract/account/constants.ts';
import { type Operation, operationOf } from '../contract/operations/index.ts';
import type { Lookups } from '../lookups/paid-lookup.ts';
import type { Deliverable, Ended } from '../lookups/states.ts';
import { usageRowOf } from '../lookups/usage-row.ts';
import { ORDINARY } from '../orchestrator/types.ts';
import type { Store } from '../store/store.ts';
import { spentInMonth } from './budget.ts';
import { checkFacts, type FactsParts } from './canaries.ts';
import { absent, type Baseline, failed, found, NOTICES, skipped, type Verdict, type WatchState } from './compare.ts';
import { payerOf } from './maker.ts';
import { type ClaimedSlot, type EndedCheck, fieldsOf, finish, type StoredWatch, type WrittenCheck } from './records.ts';
import { deleteWatch } from './retention.ts';

export interface CheckParts extends FactsParts {
  readonly store: Store;
  readonly billing: Billing;
  readonly lookups: Lookups;
  readonly record: (row: UsageRow) => void;
}

const stateOf = ({ fails, pending, pending_at, absent: is, stopped }: StoredWatch): WatchState => ({
  fails,
  stopped: stopped as WatchState['stopped'],
  pending: pending === null ? null : { kind: pending as 'gone' | 'free', sinceMs: pending_at ?? 0 },
  absent: is as WatchState['absent'],
});

/** The lookup of a watch; null where this version refuses its operation or its parameters. */
export function lookupOf({ operation: id, parameters }: Pick<StoredWatch, 'operation' | 'parameters'>) {
  const operation = operationOf(id);
  const input = operation?.readInput(Object.entries(JSON.parse(parameters) as Record<string, string>));
  return operation && input?.ok ? { operation, input: input.value } : null;
}
type WatchLookup = NonNullable<ReturnType<typeof lookupOf>>;

/** A check that a caller asks for, and pays for. */
export interface ManualRun {
  readonly payer: Payer;
  /** `X-Max-Credits`; null: no limit. */
  readonly maxCredits: number | null;
}

/**
 * Makes the check of a claimed slot and writes its outcome. The credits are captured after the outcome is durable: a crash between the two
 * leaves the check free. Null: another process made it meanwhile, and nothing is charged. Throws where the caller of `manual` can't pay.
 */
export async function check(parts: CheckParts, claimed: ClaimedSlot, manual: ManualRun | null = null): Promise<WrittenCheck | null> {
  const { store, now } = parts;
  const { watch } = claimed;
  const state = stateOf(watch);
  const beganAt = await now();
  const lookup = lookupOf(watch);
  async function write(operation: Operation | null, ended: EndedCheck): Promise<WrittenCheck | null> {
    const atMs = await now();
    return (await finish(store, claimed, operation, ended, atMs)) ? { ...ended, atMs } : null;
  }
  const end = (verdict: Verdict) => write(null, { verdict, source: null, credits: 0, beganAt: null });
  const skip = (reason: (typeof SKIP_REASONS)[number]) => end(skipped(state, reason));
  const payer = await payerOf(store, watch, beganAt);
  if (payer === 'deleted') {
    await store.db.transaction().execute((trx) => deleteWatch(trx, watch.n, 'service', beganAt));
    return null;
  }
  if (watch.paused === 1) return skip('paused');
  if (!lookup) return end(failed(state, 'INVALID_REQUEST'));
  if (watch.facts !== null) return write(lookup.operation, await checkFacts(parts, watch, lookup, beganAt));
  // neither at its times nor on request: who made it may not look it up any more
  if (!payer) return skip('key');
  const { price } = parts.billing.quote(lookup.operation.id, lookup.input, null);
  if ((await spentInMonth(store.db, watch.n, beganAt)) + price > watch.credits_per_month) return skip('budget');
  return lookUp(parts, claimed, lookup, { payer, maxCredits: null, ...manual, isAsked: manual !== null, beganAt });
}

interface Paid extends ManualRun {
  /** A caller asks for it. */
  readonly isAsked: boolean;
  readonly beganAt: number;
}

async function lookUp(
  parts: CheckParts,
  claimed: ClaimedSlot,
  { operation, input }: WatchLookup,
  paid: Paid,
): Promise<WrittenCheck | null> {
  const { store, lookups, now } = parts;
  const { watch } = claimed;
  const { payer, maxCredits, isAsked, beganAt } = paid;
  // a cached answer is news only if it was read after the last check
  const maxAgeMs = watch.checked_at === null ? null : Math.max(0, beganAt - watch.checked_at - 1);
  const admitted = lookups.begin(parts.newRequestId(), watch.id, payer);
  const lookup = await lookups
    .ask(admitted, { operation, input, freshness: { ...ORDINARY, maxAgeMs }, maxCredits })
    .price()
    .run();
  try {
    if (isAsked && !lookup.ok && lookup.error.failure === 'INSUFFICIENT_CREDITS') {
      // who asked can't pay, which says nothing of the watch: there is no check
      await store.db
        .updateTable('watches')
        .set({ claim: null, claim_until: null })
        .where('n', '=', watch.n)
        .where('claim', '=', claimed.claim)
        .execute();
      throw lookup.error;
    }
    const ended = await endedBy(store.db, watch, operation, beganAt, lookup);
    const endedAt = await now();
    const end = async (answer: Deliverable | null): Promise<WrittenCheck | null> => {
      if (!(await finish(store, claimed, operation, ended, endedAt))) return null;
      answer?.delivered();
      const receipt = ended.credits > 0 ? (answer?.receipt ?? null) : null;
      const error = lookup.ok ? null : lookup.error;
      const target = targetOf(operation, JSON.parse(watch.parameters));
      const charged = { credits: ended.credits, receipt, target, cacheControl: undefined };
      const durationMs = lookups.durationMs(admitted.arrived);
      const row = { operation: operation.id, status: error?.status ?? 200, error, durationMs, lookup: lookup.facts, ...charged };
      parts.record(usageRowOf(admitted.arrived, payer, row));
      return { ...ended, atMs: endedAt, receipt };
    };
    return lookup.ok ? await lookup.deliver(end) : await end(null);
  } finally {
    // after the delivery it changes nothing
    lookup.cancel();
  }
}

/** The last answer of a source, as it is stored; null: it has not answered yet. `wasRead`: some source has. */
async function lastAnswerOf(db: Store['db'], watch: number, source: string) {
  const rows = await db
    .selectFrom('watch_answers as a')
    .leftJoin('watch_bodies as b', (on) => on.onRef('b.watch', '=', 'a.watch').onRef('b.hash', '=', 'a.body').on('a.source', '=', source))
    .select(['a.source', 'a.body', 'a.unread', 'a.seen', 'b.body as text'])
    .where('a.watch', '=', watch)
    .execute();
  const row = rows.find((one) => one.source === source);
  if (!row || row.text === null) return { stored: null, baseline: null, wasRead: rows.length > 0 };
  const { body, unread, seen, text } = row;
  const baseline: Baseline = { body: JSON.parse(text), unread: JSON.parse(unread), seen: JSON.parse(seen) };
  return { stored: { body, unread, seen }, baseline, wasRead: true };
}

/** Whether another source has told a change since this one was read last: its last answer is then older than what was told. */
async function isToldByAnother(db: Store['db'], watch: number, source: string): Promise<boolean> {
  const told = await db
    .selectFrom('watch_changes')
    .select(['slot', 'source'])
    .where('watch', '=', watch)
    .where('kind', 'not in', NOTICES)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!told || told.source === null || told.source === source) return false;
  const later = db.selectFrom('watch_checks').select('slot').where('watch', '=', watch).where('slot', '>', told.slot);
  return (await later.where('source', '=', source).limit(1).executeTakeFirst()) === undefined;
}

async function endedBy(db: Store['db'], watch: StoredWatch, operation: Operation, beganAt: number, lookup: Ended): Promise<EndedCheck> {
  const state = stateOf(watch);
  if (!lookup.ok) {
    const { isUnasked, error } = lookup;
    const { code } = error.body.error;
    const wasRead = (await lastAnswerOf(db, watch.n, '')).wasRead || state.absent !== null;
    const verdict =
      code === 'NOT_FOUND'
        ? absent(state, 'gone', wasRead, beganAt)
        : code === 'INSUFFICIENT_CREDITS'
          ? skipped(state, 'credits')
          : code === 'RATE_LIMITED'
            ? skipped(state, 'limited')
            : isUnasked && code === 'UPSTREAM_RATE_LIMITED'
              ? skipped(state, 'resting')
              : failed(state, code);
    return { verdict, source: null, credits: 0, beganAt };
  }
  const { bytes, source, unread } = lookup.cached;
  const resource = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const { stored, baseline, wasRead } = await lastAnswerOf(db, watch.n, source);
  const isTold = baseline !== null && (await isToldByAnother(db, watch.n, source));
  const isFree = resource.available === true && operation.watch.fields.includes('available');
  const verdict = isFree
    ? absent(state, 'free', wasRead || state.absent !== null, beganAt)
    : found(operation, state, isTold ? null : baseline, { resource, unread }, fieldsOf(watch), wasRead);
  return { verdict, source, credits: lookup.credits, beganAt, stored };
}
