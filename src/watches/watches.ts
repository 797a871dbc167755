import { recordWatch } from '../accounts/admin/bound-rows.ts';
import { demandLookup, demandWatch, isMaker, lookupsOf } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import type { EndpointId } from '../contract/account/endpoints.ts';
import { readNewWatch, readWatchEdit } from '../contract/account/watch-input.ts';
import {
  EVERY_MS,
  type Watch,
  type WatchCheck,
  type WatchDeliveries,
  type WatchEdit,
  type Watches,
} from '../contract/account/watch-schemas.ts';
import { invalid, missing } from '../contract/errors.ts';
import { operationOf } from '../contract/operations/index.ts';
import type { SourceStatus } from '../contract/status.ts';
import type { RandomBytes } from '../runtime/uuid.ts';
import { sourceStatus } from './canaries.ts';
import { check } from './check.ts';
import { firstNumber } from './compare.ts';
import { checkView, createExports, exportHistory, type FeedQuery, noWatch, type PageQuery, readChanges, readHistory } from './feed.ts';
import { demandPlace } from './limit.ts';
import { isOneOf, madeBy, withMaker } from './maker.ts';
import { claimNow, fieldsOf, nextSlot, type StoredWatch } from './records.ts';
import { deleteWatch } from './retention.ts';
import { type ScheduleParts, startSchedule } from './schedule.ts';
import { costOf, viewsOf } from './view.ts';
import { actorOfCaller, auditWatch } from './watch-audit.ts';
import { OLD_SECRET_MS, readDeliveries, startDeliveries, type WebhookParts, webhookFault } from './webhooks.ts';

export interface WatchesParts extends Omit<ScheduleParts, 'newClaim'>, WebhookParts {
  readonly randomBytes: RandomBytes;
}

/** The watches of accounts. Every method throws a ServiceError for what the caller did wrong. */
export type AccountWatches = ReturnType<typeof createWatches>;

const ID_BYTES = 9;
const SECRET_BYTES = 24;

export function createWatches(parts: WatchesParts) {
  const { store, settings, now, randomBytes } = parts;
  const { db } = store;
  const inTurn = createExports();
  const newId = (bytes: number): string => Buffer.from(randomBytes(bytes)).toString('hex');
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

  /** The message is the estimate, too, where no budget is given. */
  function demandBudget(planned: Pick<StoredWatch, 'operation' | 'parameters' | 'every_ms'>, given: number | undefined): number {
    const { price, month } = costOf(settings, planned);
    if (given !== undefined && given >= price) return given;
    throw invalid(
      `Field creditsPerMonth is ${given ?? 'missing'}, but one check costs ${price}: give ${price} or more; at this interval a month costs ${month} at most.`,
    );
  }
  function demandWebhook(webhook: WatchEdit['webhook']): void {
    if (!webhook) return;
    const fault = webhookFault(webhook.url, parts.allowsLoopback);
    if (fault !== null) throw invalid(`Field webhook is ${JSON.stringify(webhook.url)}, but it ${fault}.`);
  }
  async function view(caller: Caller, watch: StoredWatch, secret: string | null = null): Promise<Watch> {
    const [one] = await viewsOf(parts, caller, [watch], secret);
    return one as Watch;
  }
  const newSecret = (): string => `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')}`;

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
      const page = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return { watches: await viewsOf(parts, caller, page), after: hasMore ? String(page.at(-1)?.n) : null, hasMore };
    },

    async create(caller: Caller, body: unknown): Promise<Watch> {
      const given = readNewWatch(body);
      const { operation, parameters, every, fields = null, name = null, paused = false, webhook = null } = given;
      demandLookup(caller, operation.id, 'account-watch-create');
      const planned = { operation: operation.id, parameters: JSON.stringify(parameters), every_ms: EVERY_MS[every] };
      const creditsPerMonth = demandBudget(planned, given.creditsPerMonth);
      demandWebhook(webhook);
      const createdAt = await now();
      const id = `wat_${newId(ID_BYTES)}`;
      const secret = webhook ? newSecret() : null;
      const values = {
        ...planned,
        id,
        account_id: caller.accountId,
        key_id: caller.keyId,
        name,
        fields: fields && JSON.stringify(fields),
        credits_per_month: creditsPerMonth,
        paused: Number(paused),
        created_at: createdAt,
        next_at: nextSlot({ id, every_ms: planned.every_ms }, createdAt),
        fails: 0,
        webhook_url: webhook?.url ?? null,
        webhook_secret: secret,
      };
      const row = await db.transaction().execute(async (trx) => {
        await demandPlace(store, trx, caller.accountId, settings.SIGHTLINE_WATCHES_PER_ACCOUNT);
        const created = await trx.insertInto('watches').values(values).returningAll().executeTakeFirstOrThrow();
        await recordWatch(trx, createdAt, actorOfCaller(caller), 'create', created);
        return created;
      });
      return view(caller, row, secret);
    },

    show: async (caller: Caller, id: string): Promise<Watch> => view(caller, await watchOf(caller, id, 'account-watch')),

    async edit(caller: Caller, id: string, body: unknown): Promise<Watch> {
      const watch = await watchOf(caller, id, 'account-watch-edit');
      const operation = operationOf(watch.operation);
      if (!operation) throw invalid(`The operation ${watch.operation} of this watch is not known any more: delete it.`);
      const { every, fields, creditsPerMonth, name, paused, webhook } = readWatchEdit(body, operation);
      const every_ms = every === undefined ? watch.every_ms : EVERY_MS[every];
      demandBudget({ ...watch, every_ms }, creditsPerMonth ?? watch.credits_per_month);
      demandWebhook(webhook);
      const editedAt = await now();
      const secret = webhook ? newSecret() : null;
      const numberOf = (asked: WatchEdit['fields']) => firstNumber(operation, asked ?? null)?.field;
      const isOther = fields !== undefined && numberOf(fields) !== numberOf(fieldsOf(watch));
      const set = {
        every_ms,
        ...(every !== undefined && { next_at: nextSlot({ id, every_ms }, editedAt) }),
        fields: fields && JSON.stringify(fields),
        credits_per_month: creditsPerMonth,
        name,
        ...(paused !== undefined && { paused: Number(paused) }),
        ...(webhook !== undefined && {
          webhook_url: webhook?.url ?? null,
          webhook_secret: secret,
          webhook_old_secret: watch.webhook_secret,
          webhook_old_until: editedAt + OLD_SECRET_MS,
          webhook_failing_at: null,
          webhook_disabled_at: null,
          webhook_error: null,
        }),
      };
      const row = await db.transaction().execute(async (trx) => {
        const edited = await trx.updateTable('watches').set(set).where('n', '=', watch.n).returningAll().executeTakeFirst();
        // deleted meanwhile
        if (!edited) throw noWatch(id);
        // stored values are of one number: clear them when the watch selects another
        if (isOther) await trx.updateTable('watch_checks').set({ value: null }).where('watch', '=', watch.n).execute();
        const changed = Object.entries(set).flatMap(([column, value]) => (value === undefined ? [] : [column]));
        await recordWatch(trx, editedAt, actorOfCaller(caller), 'edit', edited, changed);
        return edited;
      });
      return view(caller, row, secret);
    },

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
      const claimed = await claimNow(store, watch, slot, newId(ID_BYTES));
      const { accountId, keyId } = caller;
      const ended = claimed && (await check(parts, claimed, { payer: { accountId, keyId }, maxCredits }));
      if (!ended) {
        // it may be deleted meanwhile
        await watchOf(caller, id, 'account-watch-run');
        return checkView({ slot, at: slot, outcome: 'skipped', code: 'overlap', credits: 0, source: null });
      }
      const { at, verdict, credits, source, receipt = null } = ended;
      if (receipt !== null) charged?.(credits, receipt);
      return checkView({ slot, at, outcome: verdict.outcome, code: verdict.code, credits, source });
    },

    history: async (caller: Caller, id: string, query: PageQuery) =>
      readHistory(db, await watchOf(caller, id, 'account-watch-history'), query),
    /** The whole history as text, in pieces; one export of an account at a time. */
    export: async (caller: Caller, id: string, format: 'csv' | 'ndjson') =>
      inTurn(caller.accountId, exportHistory(db, await watchOf(caller, id, 'account-watch-history'), format)),
    deliveries: async (caller: Caller, id: string, query: PageQuery) =>
      readDeliveries(db, await watchOf(caller, id, 'account-watch-deliveries'), query),

    /** Sends a message to the webhook again. */
    async repeat(caller: Caller, id: string, cursor: number): Promise<WatchDeliveries> {
      const watch = await watchOf(caller, id, 'account-watch-repeat');
      const repeatedAt = await now();
      const sent = await db.transaction().execute(async (trx) => {
        const message = await trx
          .updateTable('watch_deliveries')
          .set({ next_at: repeatedAt, delivered_at: null })
          .where('watch', '=', watch.n)
          .where('cursor', '=', cursor)
          .returning('cursor')
          .executeTakeFirst();
        if (message) await auditWatch(trx, repeatedAt, caller, 'repeat', id, { accountId: caller.accountId, cursor });
        return message;
      });
      if (!sent) throw missing(`The watch ${id} has sent no message ${cursor}.`);
      return readDeliveries(db, watch, { after: cursor + 1, limit: 1 });
    },

    changes: (caller: Caller, query: FeedQuery) => readChanges(db, caller.accountId, query, lookupsOf(caller)),

    /** The sources by the checks of the canaries, for the public. */
    sourceStatus: async (): Promise<SourceStatus> => sourceStatus(store, await now()),

    /** Begins to check and to tell. */
    start(): void {
      running = [startSchedule({ ...parts, newClaim: () => newId(ID_BYTES) }), startDeliveries(parts)];
    },
    async close(): Promise<void> {
      await Promise.all(running.map((one) => one.close()));
    },
  };
}
