import type { UsageRow } from '../accounts/types.ts';
import { targetOf } from '../accounts/usage/request-log.ts';
import type { Billing } from '../billing/billing.ts';
import type { Charge, Payer } from '../billing/charge.ts';
import type { SKIP_REASONS } from '../contract/account/watch-schemas.ts';
import { type Operation, operationOf } from '../contract/operations/index.ts';
import { cacheWord } from '../orchestrator/cache.ts';
import { type LookupResult, ORDINARY } from '../orchestrator/types.ts';
import type { Store } from '../store/store.ts';
import type { ClientRow } from '../store/tables.ts';
import { checkFacts, type FactsParts } from './canaries.ts';
import { absent, type Baseline, failed, found, skipped, type Verdict, type WatchState } from './compare.ts';
import { type ClaimedSlot, type EndedCheck, fieldsOf, finish, type StoredWatch, spentInMonth } from './records.ts';
import { deleteWatch } from './retention.ts';

export interface CheckParts extends FactsParts {
  readonly store: Store;
  readonly billing: Billing;
  readonly record: (row: UsageRow) => void;
}

const stateOf = ({ fails, pending, pending_at, absent: is }: StoredWatch): WatchState => ({
  fails,
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

const isOver = ({ expires_at, revoked_at }: Pick<ClientRow, 'expires_at' | 'revoked_at'>, nowMs: number): boolean =>
  revoked_at !== null || (expires_at !== null && expires_at <= nowMs);

/**
 * Who pays for a check: the key or OAuth client that made the watch, or the key that replaced it. Null: it is revoked, expired, or may not use
 * the operation; `deleted`: the account is. A watch that a session without a key made belongs to the account alone.
 */
async function payerOf({ db }: Store, { account_id, key_id, operation }: StoredWatch, nowMs: number): Promise<Payer | 'deleted' | null> {
  if (account_id === null) return null;
  const made = await db
    .selectFrom('accounts as a')
    .leftJoin('keys as k', (on) => on.onRef('k.account_id', '=', 'a.id').on('k.id', '=', key_id))
    .select(['a.suspended_at', 'a.deleted_at', 'k.id', 'k.expires_at', 'k.revoked_at', 'k.replaced_by', 'k.operations'])
    .where('a.id', '=', account_id)
    .executeTakeFirst();
  if (!made || made.deleted_at !== null) return 'deleted';
  if (made.suspended_at !== null) return null;
  let key: Pick<typeof made, 'id' | 'expires_at' | 'revoked_at' | 'replaced_by' | 'operations'> | undefined = made;
  // a rerolled key hands on its watches
  while (key && key.replaced_by !== null && isOver(key, nowMs))
    key = await db
      .selectFrom('keys')
      .select(['id', 'expires_at', 'revoked_at', 'replaced_by', 'operations'])
      .where('id', '=', key.replaced_by)
      .where('account_id', '=', account_id)
      .executeTakeFirst();
  if (!key) return null;
  if (key.id !== null) {
    const mayUse = key.operations === null || (JSON.parse(key.operations) as string[]).includes(operation);
    return isOver(key, nowMs) || !mayUse ? null : { accountId: account_id, keyId: key.id };
  }
  const client = await db.selectFrom('clients').select(['expires_at', 'revoked_at']).where('id', '=', key_id).executeTakeFirst();
  return client && isOver(client, nowMs) ? null : { accountId: account_id, keyId: key_id };
}

/**
 * Makes the check of a claimed slot and writes its outcome. The credits are captured after the outcome is durable: a crash between the two
 * leaves the check free. Null: another process made it meanwhile, and nothing is charged.
 */
export async function check(parts: CheckParts, claimed: ClaimedSlot): Promise<EndedCheck | null> {
  const { store, now } = parts;
  const { watch } = claimed;
  const state = stateOf(watch);
  const beganAt = await now();
  const lookup = lookupOf(watch);
  const end = async (verdict: Verdict): Promise<EndedCheck | null> => {
    const ended = { verdict, source: null, credits: 0, beganAt: null };
    return (await finish(store, claimed, null, ended, await now())) ? ended : null;
  };
  const skip = (reason: (typeof SKIP_REASONS)[number]) => end(skipped(state, reason));
  const payer = await payerOf(store, watch, beganAt);
  if (payer === 'deleted') {
    await store.db.transaction().execute((trx) => deleteWatch(trx, watch.n, 'service', beganAt));
    return null;
  }
  if (watch.paused === 1) return skip('paused');
  if (!lookup) return end(failed(state, 'INVALID_REQUEST'));
  if (watch.facts !== null) {
    const ended = await checkFacts(parts, watch, lookup, beganAt);
    return (await finish(store, claimed, lookup.operation, ended, await now())) ? ended : null;
  }
  if (!payer) return skip('key');
  const { price } = parts.billing.quote(lookup.operation.id, lookup.input, null);
  if ((await spentInMonth(store.db, watch.n, beganAt)) + price > watch.credits_per_month) return skip('budget');
  return lookUp(parts, claimed, lookup, payer, beganAt);
}

async function lookUp(parts: CheckParts, claimed: ClaimedSlot, { operation, input }: WatchLookup, payer: Payer, beganAt: number) {
  const { store, orchestrator, billing, settings, now } = parts;
  const { watch } = claimed;
  const requestId = parts.newRequestId();
  const deadlineMs = beganAt + settings[operation.deadline.setting];
  const charge = billing.openCharge({ payer, operation: operation.id, input, requestId, label: watch.id, deadlineMs, maxCredits: null });
  // a kept answer is news only if it was read after the last check
  const maxAgeMs = watch.checked_at === null ? null : Math.max(0, beganAt - watch.checked_at - 1);
  let isSettled = false;
  try {
    const result = await orchestrator.lookup({
      operation: operation.id,
      input,
      freshness: { ...ORDINARY, maxAgeMs },
      charge,
      deadlineMs,
      requestId,
      account: payer.accountId,
    });
    const ended = await endedBy(store.db, watch, operation, beganAt, charge, result);
    const endedAt = await now();
    while (charge.nearlyExpired) await charge.renew();
    if (!(await finish(store, claimed, operation, ended, endedAt))) return null;
    isSettled = true;
    const { receipt } = charge;
    if (charge.amount > 0) charge.capture();
    else charge.waive();
    const { attempts, upstreamMs, cacheStatus } = result.ok ? result.answer : result.refusal;
    const error = result.ok ? null : result.refusal.error;
    const unread = result.ok ? result.answer.cached.unread : [];
    parts.record({
      ...{ at: beganAt, accountId: payer.accountId, keyId: payer.keyId, requestId, label: watch.id, operation: operation.id },
      ...{ status: error?.status ?? 200, code: error?.body.error.code ?? null, credits: ended.credits, source: ended.source },
      ...{ cache: cacheStatus && cacheWord(cacheStatus), durationMs: Math.max(0, endedAt - beganAt), upstreamMs },
      target: targetOf(operation, JSON.parse(watch.parameters)),
      details: { attempts, unread, ...(error && { message: error.message }), ...(ended.credits > 0 && receipt !== null && { receipt }) },
    });
    return ended;
  } finally {
    if (!isSettled) charge.cancel();
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

async function endedBy(
  db: Store['db'],
  watch: StoredWatch,
  operation: Operation,
  beganAt: number,
  charge: Charge,
  result: LookupResult,
): Promise<EndedCheck> {
  const state = stateOf(watch);
  if (!result.ok) {
    const { attempts, error } = result.refusal;
    const { code } = error.body.error;
    const wasRead = (await lastAnswerOf(db, watch.n, '')).wasRead || state.absent !== null;
    const isUnasked = attempts.length > 0 && attempts.every(({ isUnsent }) => isUnsent);
    if (isUnasked) charge.sourceNotAsked();
    const verdict =
      code === 'NOT_FOUND'
        ? absent(state, 'gone', wasRead, beganAt)
        : code === 'INSUFFICIENT_CREDITS'
          ? skipped(state, 'credits')
          : isUnasked && code === 'UPSTREAM_RATE_LIMITED'
            ? skipped(state, 'resting')
            : failed(state, code);
    return { verdict, source: null, credits: 0, beganAt };
  }
  const { answer } = result;
  await charge.decide(answer);
  const { bytes, source, unread } = answer.cached;
  const resource = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const { stored, baseline, wasRead } = await lastAnswerOf(db, watch.n, source);
  const isFree = resource.available === true && operation.watch.fields.includes('available');
  const verdict = isFree
    ? absent(state, 'free', wasRead || state.absent !== null, beganAt)
    : found(operation, state, baseline, { resource, unread }, fieldsOf(watch), wasRead);
  return { verdict, source, credits: charge.amount, beganAt, stored };
}
