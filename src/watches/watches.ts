import { demandWatch, isMaker, lookupsOf } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import type { EndpointId } from '../contract/account/endpoints.ts';
import type { Watch, WatchCheck, WatchDeliveries, Watches } from '../contract/account/watch-schemas.ts';
import { invalid, missing } from '../contract/errors.ts';
import type { SourceStatus } from '../contract/status.ts';
import { instant } from '../runtime/clock.ts';
import type { RandomBytes } from '../runtime/uuid.ts';
import { createCalendars } from './calendar.ts';
import { sourceStatus } from './canaries.ts';
import { check } from './check.ts';
import { readDeliveries, startDeliveries } from './deliveries.ts';
import { createEditing } from './editing.ts';
import { checkView, createExports, exportHistory, type FeedQuery, noWatch, type PageQuery, readChanges, readHistory } from './feed.ts';
import { createImporting } from './importing.ts';
import { countOf, dueSoonOf } from './limit.ts';
import { isOneOf, madeBy, withMaker } from './maker.ts';
import type { DestinationParts } from './notify/destinations.ts';
import { createNotify } from './notify/service.ts';
import { createRankings } from './rankings.ts';
import { claimNow, type StoredWatch } from './records.ts';
import { deleteWatch } from './retention.ts';
import { type ScheduleParts, startSchedule } from './schedule.ts';
import { webhookHint } from './seal.ts';
import { viewsOf } from './view.ts';
import { actorOfCaller, auditWatch } from './watch-audit.ts';

export interface WatchesParts extends Omit<ScheduleParts, 'newClaim'>, DestinationParts {
  readonly randomBytes: RandomBytes;
}

/** The watches of accounts. Every method throws a ServiceError for what the caller did wrong. */
export type AccountWatches = ReturnType<typeof createWatches>;

const ID_BYTES = 9;

export function createWatches(parts: WatchesParts) {
  const { store, now, randomBytes } = parts;
  const { db } = store;
  const inTurn = createExports();
  const notify = createNotify(parts);
  const newId = (): string => Buffer.from(randomBytes(ID_BYTES)).toString('hex');
  let running: readonly { close(): Promise<void> }[] = [];

  /** The watch, for an endpoint whose demands the caller fulfils: else 404 or 403. */
  async function watchOf(caller: Caller, id: string, endpoint: EndpointId): Promise<StoredWatch> {
    return (await madeWatchOf(caller, id, endpoint)).watch;
  }
  async function madeWatchOf(caller: Caller, id: string, endpoint: EndpointId) {
    const row = await withMaker(db).where('watches.id', '=', id).where('watches.account_id', '=', caller.accountId).executeTakeFirst();
    if (!row) throw noWatch(id);
    const { counted_as, ...watch } = row;
    const made = madeBy(row);
    demandWatch(caller, endpoint, made);
    return { watch, made };
  }

  async function view(caller: Caller, watch: StoredWatch, secret: string | null = null): Promise<Watch> {
    const [one] = await viewsOf({ ...parts, notify }, caller, [watch], secret);
    return one as Watch;
  }
  const editing = createEditing(parts, { watchOf, view, newId, notify });
  return {
    async list(caller: Caller, { after, limit }: PageQuery): Promise<Watches> {
      const rows = await db
        .selectFrom('watches')
        .selectAll()
        .where('account_id', '=', caller.accountId)
        .where('n', '>', after ?? 0)
        .where(isOneOf(lookupsOf(caller)))
        .orderBy('n')
        .limit(limit + 1)
        .execute();
      const total = await countOf(db, caller.accountId);
      const most = parts.settings.SIGHTLINE_WATCHES_PER_ACCOUNT;
      const dueSoon = await dueSoonOf(db, caller, await now());
      const page = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return {
        watches: await viewsOf({ ...parts, notify }, caller, page),
        total,
        most,
        dueSoon,
        after: hasMore ? String(page.at(-1)?.n) : null,
        hasMore,
      };
    },

    ...editing,
    ...createImporting(parts, editing.create),
    notify,
    /** Sends a test message to a target of a watch. */
    async testNotify(caller: Caller, id: string, body: unknown, count: () => Promise<void>) {
      const { n } = await watchOf(caller, id, 'account-watch-notify-test');
      return notify.test(caller, body, n, count);
    },

    show: async (caller: Caller, id: string): Promise<Watch> => view(caller, await watchOf(caller, id, 'account-watch')),

    async remove(caller: Caller, id: string): Promise<void> {
      const { n } = await watchOf(caller, id, 'account-watch-delete');
      const deletedAt = await now();
      await db.transaction().execute((trx) => deleteWatch(trx, n, actorOfCaller(caller), deletedAt));
    },

    /** Checks a watch now, under the caller's caps. `maxCredits`: null for no limit. `charged`: is told what it cost. */
    async run(
      caller: Caller,
      id: string,
      {
        maxCredits = null,
        charged,
      }: { readonly maxCredits?: number | null; readonly charged?: (credits: number, receipt: string) => void } = {},
    ): Promise<WatchCheck> {
      const { watch, made } = await madeWatchOf(caller, id, 'account-watch-run');
      const slot = await now();
      if (!isMaker(caller, made))
        await db
          .transaction()
          .execute((trx) => auditWatch(trx, slot, caller, 'run', id, { accountId: caller.accountId, keyId: watch.key_id }));
      const claimed = await claimNow(store, watch, slot, newId());
      const { accountId, keyId } = caller;
      const ended = claimed && (await check(parts, claimed, { payer: { accountId, keyId }, maxCredits }));
      if (!ended) {
        // it may be deleted meanwhile
        await watchOf(caller, id, 'account-watch-run');
        return checkView({ slot, at: slot, outcome: 'skipped', code: 'overlap', credits: 0, source: null });
      }
      const { atMs, verdict, credits, source, receipt = null } = ended;
      if (receipt !== null) charged?.(credits, receipt);
      return checkView({ slot, at: atMs, outcome: verdict.outcome, code: verdict.code, credits, source });
    },

    history: async (caller: Caller, id: string, query: PageQuery) =>
      readHistory(db, await watchOf(caller, id, 'account-watch-history'), query),
    /** The whole history as text, in pieces; one export of an account at a time. */
    export: async (caller: Caller, id: string, format: 'csv' | 'ndjson') =>
      inTurn(caller.accountId, exportHistory(db, await watchOf(caller, id, 'account-watch-history'), format)),
    deliveries: async (caller: Caller, id: string, query: Parameters<typeof readDeliveries>[2]) =>
      readDeliveries(db, await watchOf(caller, id, 'account-watch-deliveries'), query),

    /** Sends a message to the webhook again. */
    async repeat(caller: Caller, id: string, cursor: number): Promise<WatchDeliveries> {
      const watch = await watchOf(caller, id, 'account-watch-repeat');
      // how the message went would be lost for nothing
      if (webhookHint(watch) === null) throw invalid(`The watch ${id} has no webhook: set one.`);
      const { webhook_disabled_at: offMs, webhook_error: error } = watch;
      if (offMs !== null) throw invalid(`The webhook of ${id} is off since ${instant(offMs)} (${error}): set its URL again.`);
      const repeatedAt = await now();
      const sent = await db.transaction().execute(async (trx) => {
        const message = await trx
          .updateTable('watch_deliveries')
          .set({ next_at: repeatedAt, delivered_at: null })
          .where('watch', '=', watch.n)
          .where('cursor', '=', cursor)
          .where('target', '=', 0)
          .returning('cursor')
          .executeTakeFirst();
        if (message) await auditWatch(trx, repeatedAt, caller, 'repeat', id, { accountId: caller.accountId, cursor });
        return message;
      });
      if (!sent) throw missing(`The watch ${id} has sent no message ${cursor}.`);
      return readDeliveries(db, watch, { after: cursor + 1, limit: 1 });
    },

    calendar: createCalendars(parts),
    ...createRankings(parts),

    changes: (caller: Caller, query: FeedQuery) => readChanges(db, caller.accountId, query, lookupsOf(caller)),

    /** The sources by the checks of the canaries, for the public. */
    sourceStatus: async (): Promise<SourceStatus> => sourceStatus(store, await now()),

    /** Begins to check and to tell. */
    start(): void {
      running = [startSchedule({ ...parts, newClaim: () => newId() }), startDeliveries(parts)];
    },
    async close(): Promise<void> {
      await Promise.all(running.map((one) => one.close()));
    },
  };
}
