import { recordWatch } from '../accounts/admin/bound-rows.ts';
import { demandLookup, demandManager } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import { EVERY_MS } from '../contract/account/constants.ts';
import type { EndpointId } from '../contract/account/endpoints.ts';
import { shownValue } from '../contract/account/shown.ts';
import { readNewWatch, readWatchEdit } from '../contract/account/watch-input.ts';
import type { Watch, WatchEdit } from '../contract/account/watch-schemas.ts';
import { invalid } from '../contract/errors.ts';
import { operationOf } from '../contract/operations/index.ts';
import type { RandomBytes } from '../runtime/uuid.ts';
import { noWatch } from './feed.ts';
import { demandPlace } from './limit.ts';
import type { DestinationParts } from './notify/destinations.ts';
import type { NotifyService } from './notify/service.ts';
import { fieldsOf, nextSlot, type StoredWatch } from './records.ts';
import type { ScheduleParts } from './schedule.ts';
import { demandSealer, sealedSecret, sealedWebhook } from './seal.ts';
import { firstNumber } from './series.ts';
import { costOf } from './view.ts';
import { actorOfCaller } from './watch-audit.ts';

export interface EditingParts extends Pick<ScheduleParts, 'store' | 'settings' | 'now'>, Pick<DestinationParts, 'reachOf' | 'sealer'> {
  readonly randomBytes: RandomBytes;
}
interface Reading {
  /** The watch, for an endpoint whose demands the caller fulfils: else 404 or 403. */
  readonly watchOf: (caller: Caller, id: string, endpoint: EndpointId) => Promise<StoredWatch>;
  readonly notify: Pick<NotifyService, 'demandTargets' | 'setOfWatch'>;
  readonly view: (caller: Caller, watch: StoredWatch, secret: string | null) => Promise<Watch>;
  readonly newId: () => string;
}

const NO_WEBHOOK = { webhook_url: null, webhook_hint: null, webhook_secret: null };
const SECRET_BYTES = 24;
/** How long the secret before a new one signs too. */
const OLD_SECRET_MS = 24 * 3_600_000;

/** What makes and changes watches. */
export function createEditing(parts: EditingParts, { watchOf, view, newId, notify }: Reading) {
  const { store, settings, now, randomBytes } = parts;
  const { db } = store;

  /** The message is the estimate, too, where no budget is given. */
  function demandBudget(planned: Pick<StoredWatch, 'operation' | 'parameters' | 'every_ms' | 'due'>, given: number | undefined): number {
    const { price, month } = costOf(settings, planned);
    if (given !== undefined && given >= price) return given;
    throw invalid(
      `Field creditsPerMonth is ${given ?? 'missing'}, but one check costs ${price}: give ${price} or more; at this interval a month costs ${month} at most.`,
    );
  }
  async function demandWebhook(webhook: WatchEdit['webhook']): Promise<void> {
    if (!webhook) return;
    demandSealer(parts.sealer);
    const { fault } = await parts.reachOf(new URL(webhook.url));
    if (fault !== null) throw invalid(`Field webhook is ${shownValue(webhook.url)}, but it ${fault}.`);
  }
  const webhookOf = (id: string, webhook: WatchEdit['webhook'], secret: string | null) =>
    webhook && secret ? sealedWebhook(demandSealer(parts.sealer), id, webhook.url, secret) : NO_WEBHOOK;
  const newSecret = (): string => `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')}`;

  return {
    async create(caller: Caller, body: unknown): Promise<Watch> {
      const given = readNewWatch(body);
      const {
        operation,
        parameters,
        every,
        fields = null,
        name = null,
        paused = false,
        webhook = null,
        due = null,
        tags = null,
        notify: targets = null,
      } = given;
      demandLookup(caller, operation.id, 'account-watch-create');
      const planned = {
        operation: operation.id,
        parameters: JSON.stringify(parameters),
        every_ms: EVERY_MS[every],
        due: due && JSON.stringify(due),
      };
      const creditsPerMonth = demandBudget(planned, given.creditsPerMonth);
      await demandWebhook(webhook);
      if (targets) await notify.demandTargets(targets);
      const createdAt = await now();
      const id = `wat_${newId()}`;
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
        tags: tags && JSON.stringify(tags),
        own_notify: Number(targets !== null),
        created_at: createdAt,
        next_at: nextSlot({ id, every_ms: planned.every_ms }, createdAt),
        fails: 0,
        ...webhookOf(id, webhook, secret),
      };
      const { created: row, told } = await db.transaction().execute(async (trx) => {
        await demandPlace(store, trx, caller.accountId, settings.SIGHTLINE_WATCHES_PER_ACCOUNT);
        const created = await trx.insertInto('watches').values(values).returningAll().executeTakeFirstOrThrow();
        await recordWatch(trx, createdAt, actorOfCaller(caller), 'create', created);
        const told = targets ? await notify.setOfWatch(trx, caller, created.n, targets, createdAt) : null;
        return { created, told };
      });
      await told?.after();
      return view(caller, row, secret);
    },

    async edit(caller: Caller, id: string, body: unknown): Promise<Watch> {
      const watch = await watchOf(caller, id, 'account-watch-edit');
      const operation = operationOf(watch.operation);
      if (!operation) throw invalid(`The operation ${watch.operation} of this watch is not known any more: delete it.`);
      const {
        every,
        fields,
        creditsPerMonth,
        name,
        paused,
        webhook,
        due,
        tags,
        takeOver,
        notify: targets,
      } = readWatchEdit(body, operation);
      if (takeOver) demandManager(caller, 'takes a watch over');
      const every_ms = every === undefined ? watch.every_ms : EVERY_MS[every];
      const planned = { ...watch, every_ms, ...(due !== undefined && { due: due && JSON.stringify(due) }) };
      demandBudget(planned, creditsPerMonth ?? watch.credits_per_month);
      await demandWebhook(webhook);
      if (targets) await notify.demandTargets(targets);
      const editedAt = await now();
      const secret = webhook ? newSecret() : null;
      const numberOf = (asked: WatchEdit['fields']) => firstNumber(operation, asked ?? null)?.field;
      const isOther = fields !== undefined && numberOf(fields) !== numberOf(fieldsOf(watch));
      const set = {
        every_ms,
        ...(every !== undefined && { next_at: nextSlot({ id, every_ms }, editedAt) }),
        fields: fields && JSON.stringify(fields),
        ...(tags !== undefined && { tags: JSON.stringify(tags) }),
        ...(targets !== undefined && { own_notify: Number(targets !== null) }),
        ...(takeOver && { key_id: caller.keyId }),
        credits_per_month: creditsPerMonth,
        name,
        ...(paused !== undefined && { paused: Number(paused) }),
        // looked at anew
        ...(due !== undefined && { due: due && JSON.stringify(due), due_at: watch.due_on === null ? null : editedAt }),
        ...(webhook !== undefined && {
          ...webhookOf(id, webhook, secret),
          webhook_old_secret: secret && sealedSecret(demandSealer(parts.sealer), id, watch.webhook_secret),
          webhook_old_until: editedAt + OLD_SECRET_MS,
          webhook_failing_at: null,
          webhook_disabled_at: null,
          webhook_error: null,
        }),
      };
      const { edited: row, told } = await db.transaction().execute(async (trx) => {
        const edited = await trx.updateTable('watches').set(set).where('n', '=', watch.n).returningAll().executeTakeFirst();
        // deleted meanwhile
        if (!edited) throw noWatch(id);
        // stored values are of one number: clear them when the watch selects another
        if (isOther) await trx.updateTable('watch_checks').set({ value: null }).where('watch', '=', watch.n).execute();
        const changed = Object.entries(set).flatMap(([column, value]) => (value === undefined ? [] : [column]));
        await recordWatch(trx, editedAt, actorOfCaller(caller), 'edit', edited, changed);
        const told = targets === undefined ? null : await notify.setOfWatch(trx, caller, edited.n, targets ?? [], editedAt);
        return { edited, told };
      });
      await told?.after();
      return view(caller, row, secret);
    },
  };
}
