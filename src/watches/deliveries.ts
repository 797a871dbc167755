import type { Transaction } from 'kysely';
import { MOST_TARGETS } from '../contract/account/constants.ts';
import type { NotifyTarget } from '../contract/account/notify-schemas.ts';
import type { WatchDeliveries } from '../contract/account/watch-schemas.ts';
import { instant, instantOrNull } from '../runtime/clock.ts';
import { createOutage } from '../runtime/outage.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { changeIdOf, type PageQuery } from './feed.ts';
import { fileSwitchedOff } from './filing.ts';
import { type Destination, type DestinationParts, destinationOf } from './notify/destinations.ts';
import { DISABLE_AFTER_MS } from './notify/targets.ts';
import type { Due } from './notify/told.ts';
import type { StoredWatch } from './records.ts';
import { webhookHint } from './seal.ts';
import { type Running, startTurns, type Waiting } from './turns.ts';
import { isFirstWaiting } from './waiting.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
/** Waits after each failed attempt, as Standard Webhooks recommends. */
const RETRY_MS = [5 * SECOND_MS, 300 * SECOND_MS, 1_800 * SECOND_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];
/** While a message is being sent no other process sends it. */
const SENDING_MS = 60_000;
const POLL_MS = 500;
/** Messages that begin at a time, and how long each counts as one of them. */
const PLACES = 20;
const BEGIN_MS = 500;
/** Messages of an account that are being sent, and those to a host. */
const ACCOUNT_PLACES = 8;
const HOST_PLACES = 4;
/** Due messages that are read at a time: of an account, and in all. */
const MOST_OF_ACCOUNT = 500;
const MOST_DUE = 2_000;
const GONE = 410;

/** A message that is due: the oldest one of its watch and target. */
interface DueMessage extends Waiting {
  readonly watch: number;
  readonly cursor: number;
  /** 0: the webhook. */
  readonly to: number;
  readonly isDigest: boolean;
}
const hostOf = (url: string | null): string => (url !== null && URL.canParse(url) ? new URL(url).host : '');

/** The messages that are due, the oldest of each account first. Later messages of a watch to a target wait for the first one. */
async function dueMessages({ db }: Pick<Store, 'db'>, nowMs: number): Promise<readonly DueMessage[]> {
  // one statement in most turns
  if (!(await db.selectFrom('watch_deliveries').select('cursor').where('next_at', '<=', nowMs).limit(1).executeTakeFirst())) return [];
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('watch_deliveries as d')
        .innerJoin('watches as w', 'w.n', 'd.watch')
        .leftJoin('notify_targets as t', 't.n', 'd.target')
        .select(['d.watch', 'd.cursor', 'd.target', 'd.next_at', 'w.account_id', 'w.webhook_url', 'w.webhook_hint', 't.hint', 't.digest'])
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('w.account_id').orderBy('d.next_at'))
            .as('place'),
        )
        .where('d.next_at', '<=', nowMs)
        .where(isFirstWaiting)
        .as('due'),
    )
    .select(['watch', 'cursor', 'target', 'account_id', 'webhook_url', 'webhook_hint', 'hint', 'digest'])
    .where('place', '<=', MOST_OF_ACCOUNT)
    .orderBy('place')
    .orderBy('next_at')
    .limit(MOST_DUE)
    .execute();
  return rows.map(({ watch, cursor, target, account_id, hint, digest, ...webhook }) => ({
    ...{ id: target === 0 ? watch : -target, account: account_id, target: hint?.split('/', 1)[0] ?? hostOf(webhookHint(webhook)) },
    ...{ watch, cursor, to: target, isDigest: digest !== null },
  }));
}

/** Takes a message for this process, a digest whole; undefined: another one has it. */
async function take({ db }: Pick<Store, 'db'>, { watch, cursor, to, isDigest }: DueMessage, nowMs: number): Promise<Due | undefined> {
  let query = db
    .updateTable('watch_deliveries')
    .set({ next_at: nowMs + SENDING_MS })
    .where('target', '=', to)
    .where('next_at', '<=', nowMs);
  if (!isDigest) query = query.where('watch', '=', watch).where('cursor', '=', cursor);
  const taken = await query.returningAll().execute();
  return taken.toSorted((one, other) => other.attempts - one.attempts)[0];
}

const TAKEN_OVER = new Error('another process sends it');

/** Sends one message and records how it went, in one transaction: whatever dies, a target that is disabled is told by the others. */
async function deliver(parts: DestinationParts, due: Due): Promise<void> {
  const { db } = parts.store;
  const watch = await db.selectFrom('watches').selectAll().where('n', '=', due.watch).executeTakeFirst();
  const to = watch && (await destinationOf(parts, watch, due));
  if (!watch || !to) {
    const message = db.updateTable('watch_deliveries').where('watch', '=', due.watch).where('cursor', '=', due.cursor);
    await message.where('target', '=', due.target).set({ next_at: null, result: 'the target was removed or disabled' }).execute();
    return;
  }
  const sent = await to.send(await parts.now());
  const nowMs = await parts.now();
  const attempts = due.attempts + 1;
  const result = sent?.result ?? 'there is nothing to tell any more';
  const isTaken = /^2\d\d$/.test(result);
  const failing_at = to.failing_at ?? nowMs;
  const isOver = sent !== null && !isTaken && (result === String(GONE) || nowMs - failing_at >= DISABLE_AFTER_MS);
  const wait = RETRY_MS[attempts - 1] ?? RETRY_MS.at(-1) ?? 0;
  const ended = { next_at: null, result, ...(sent && { attempts }), ...(isTaken && { delivered_at: nowMs }) };
  const message = isTaken || isOver || !sent ? ended : { next_at: nowMs + wait, result, attempts };
  const failure = { failing_at, failed_at: nowMs, error: result.slice(0, 200), ...(isOver && { disabled_at: nowMs }) };
  const recorded = db.transaction().execute(async (trx) => {
    // the target before its messages: who removes it locks in this order
    if (sent) await to.set(trx, isTaken ? { failing_at: null, succeeded_at: nowMs } : failure);
    const { numUpdatedRows } = await to.messages(trx).set(message).executeTakeFirstOrThrow();
    if (sent && numUpdatedRows === 0n) throw TAKEN_OVER;
    if (isOver) await disable(trx, watch, to, result, nowMs);
  });
  const isOurs = await recorded.then(
    () => true,
    (error: unknown) => {
      if (error !== TAKEN_OVER) throw error;
      return false;
    },
  );
  if (isOver && isOurs) parts.log('warn', 'a target of messages is disabled', { watch: watch.id, target: to.what, result });
}

/** Ends what waits for a target, and tells the others. */
async function disable(trx: Transaction<Tables>, watch: StoredWatch, to: Destination, result: string, nowMs: number): Promise<void> {
  await to.waiting(trx).set({ next_at: null, result: 'the target was disabled' }).execute();
  await fileSwitchedOff(trx, watch, { field: to.what, hint: to.hint, reason: result }, nowMs);
}

/**
 * Sends messages until it is closed. A message holds one of the places of all accounts for half a second; where its target takes longer, it counts
 * against its account and its host alone.
 */
export function startDeliveries(parts: DestinationParts): { close(): Promise<void> } {
  const { store, clock, log } = parts;
  let begun = 0;

  /** An account without a message at the host has a place beside those that others may have filled. */
  const mayBegin = ({ ofAccount, ofTarget, ofBoth }: Running): boolean =>
    begun < PLACES && ofAccount < ACCOUNT_PLACES && (ofTarget < HOST_PLACES || ofBoth === 0);

  async function run(message: DueMessage): Promise<void> {
    begun++;
    const ended = new AbortController();
    void clock.sleep(BEGIN_MS, ended.signal).then(() => begun--);
    try {
      const due = await take(store, message, await parts.now());
      if (due) await deliver(parts, due);
    } catch (error) {
      const { stack, message: reason } = error as Error;
      log('warn', 'a message failed: it is sent again', { reason: stack ?? reason });
    } finally {
      ended.abort('ended');
    }
  }
  return startTurns({
    clock,
    pollMs: POLL_MS,
    due: async () => dueMessages(store, await parts.now()),
    mayBegin,
    turnOf: ({ account }) => String(account),
    run,
    outage: createOutage(clock, log, 'messages are not sent now', 'messages are sent again'),
  });
}

/** A page of the messages of a watch, to its webhook or to every target, newest first. */
export async function readDeliveries(
  db: Store['db'],
  watch: StoredWatch,
  { after, limit, to = 'webhook' }: PageQuery & { readonly to?: 'webhook' | 'all' },
): Promise<WatchDeliveries> {
  let query = db
    .selectFrom('watch_deliveries as d')
    .leftJoin('notify_targets as t', 't.n', 'd.target')
    .selectAll('d')
    .select(['t.form', 't.hint'])
    .where('d.watch', '=', watch.n);
  if (to === 'webhook') query = query.where('d.target', '=', 0);
  if (after !== undefined) query = query.where('d.cursor', '<', after);
  // every message of a check is on its page
  const most = (limit + 1) * (to === 'webhook' ? 1 : MOST_TARGETS + 1);
  const rows = await query.orderBy('d.cursor', 'desc').orderBy('d.target').limit(most).execute();
  const cursors = [...new Set(rows.map(({ cursor }) => cursor))];
  const hasMore = cursors.length > limit;
  const page = rows.filter(({ cursor }) => cursor >= (cursors[limit - 1] ?? 0));
  const first = await db
    .selectFrom('watch_deliveries as d')
    .select(['d.target', 'd.next_at'])
    .where('d.watch', '=', watch.n)
    .where('d.next_at', 'is not', null)
    .where(isFirstWaiting)
    .execute();
  const firstAt = new Map(first.map(({ target, next_at }) => [target, next_at ?? 0]));
  const deliveries = page.map(({ cursor, target, form, hint, kinds, created_at, attempts, next_at, delivered_at, result }) => ({
    id: changeIdOf(watch.id, cursor),
    cursor: String(cursor),
    as: target === 0 ? ('webhook' as const) : (form as NotifyTarget['as'] | null),
    to: target === 0 ? webhookHint(watch) : hint,
    kinds: JSON.parse(kinds) as string[],
    createdAt: instant(created_at),
    attempts,
    nextAt: instantOrNull(next_at && Math.max(next_at, firstAt.get(target) ?? 0)),
    deliveredAt: instantOrNull(delivered_at),
    result,
  }));
  return { deliveries, after: hasMore ? (deliveries.at(-1)?.cursor ?? null) : null, hasMore };
}
