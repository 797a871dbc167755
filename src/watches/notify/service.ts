import { sql, type Transaction } from 'kysely';
import { isMakerOrManager, type MadeBy } from '../../accounts/rights.ts';
import type { Caller } from '../../accounts/types.ts';
import { readTarget, readTargets } from '../../contract/account/notify-input.ts';
import type { NewTarget, Notify, NotifyTarget, NotifyTestResult } from '../../contract/account/notify-schemas.ts';
import { shownValue } from '../../contract/account/shown.ts';
import { demandField, demandKnownFields } from '../../contract/body-fields.ts';
import { invalid, missing, ServiceError } from '../../contract/errors.ts';
import { isObject } from '../../contract/json-object.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import type { Tables } from '../../store/tables.ts';
import { fileSwitchedOff } from '../filing.ts';
import { lockAccount } from '../limit.ts';
import type { StoredWatch } from '../records.ts';
import { demandSealer } from '../seal.ts';
import { isFirstWaiting } from '../waiting.ts';
import { actorOfCaller } from '../watch-audit.ts';
import { type DestinationParts, tryTarget } from './destinations.ts';
import { readLink } from './mail.ts';
import { testMessage } from './message.ts';
import { mailHash, openTarget, replaceTargets, type StoredTarget, targetsOf, targetView } from './targets.ts';

const STOPPED = 'the address stopped the messages';
/** Mails that ask for a confirmation, in a day. */
const MOST_OF_ADDRESS = 3;
const MOST_OF_ACCOUNT = 20;

/** The targets of accounts and watches: what is told where. Throws a ServiceError for what the caller did wrong. */
export function createNotify(parts: DestinationParts & { readonly monotonicMs?: () => number }) {
  const { store, sealer, mailer, reachOf, now, monotonicMs = () => performance.now() } = parts;
  const { db } = store;

  /** Throws INVALID_REQUEST for a target that could not be told anything. */
  async function demandTargets(given: readonly NewTarget[], name = 'notify'): Promise<void> {
    for (const [i, { to, as }] of given.entries()) {
      const field = `Field ${name}/${i}/to is ${shownValue(to)}, but`;
      if (as === 'email' && !mailer)
        throw invalid(`${field} this service sends no mail: its operator sets SIGHTLINE_SMTP_URL and SIGHTLINE_MAIL_FROM.`);
      const { fault } = as === 'email' ? { fault: null } : await reachOf(new URL(to));
      if (fault !== null) throw invalid(`${field} it ${fault}.`);
    }
  }

  /** Counts a mail that asks an address to confirm; false: there were too many in a day. One at a time, so that the limits hold. */
  async function mayAsk(accountId: string, hash: string): Promise<boolean> {
    const atMs = await now();
    return db.transaction().execute(async (trx) => {
      // the first statement locks the table: SQLite has one transaction at a time
      if (store.kind === 'postgres') await sql`lock table notify_mails in share row exclusive mode`.execute(trx);
      await trx
        .deleteFrom('notify_mails')
        .where('at', '<', atMs - DAY_MS)
        .execute();
      const asked = await trx
        .selectFrom('notify_mails')
        .selectAll()
        .where((e) => e.or([e('hash', '=', hash), e('account_id', '=', accountId)]))
        .execute();
      const isTooMany =
        asked.filter((one) => one.hash === hash).length >= MOST_OF_ADDRESS ||
        asked.filter((one) => one.account_id === accountId).length >= MOST_OF_ACCOUNT;
      if (!isTooMany) await trx.insertInto('notify_mails').values({ hash, account_id: accountId, at: atMs }).execute();
      return !isTooMany;
    });
  }
  /** Asks mail addresses that have not confirmed to do so, within the limits of a day. */
  async function askToConfirm(accountId: string, fresh: readonly StoredTarget[]): Promise<void> {
    if (!mailer || !sealer) return;
    for (const target of fresh) {
      const { address_hash: hash } = target;
      if (hash === null || target.confirmed_at !== null) continue;
      const result = (await mayAsk(accountId, hash))
        ? (await mailer.ask(openTarget(sealer, target) ?? '', accountId)).result
        : 'asked too often today: set it again tomorrow';
      if (result !== '250')
        await db
          .updateTable('notify_targets')
          .set({ failed_at: await now(), error: result })
          .where('n', '=', target.n)
          .execute();
    }
  }

  async function nextOf(targets: readonly StoredTarget[]): Promise<ReadonlyMap<number, number>> {
    if (targets.length === 0) return new Map();
    const rows = await db
      .selectFrom('watch_deliveries as d')
      .select(['d.target', (e) => e.fn.min('d.next_at').as('next')])
      .where(
        'd.target',
        'in',
        targets.map(({ n }) => n),
      )
      .where('d.next_at', 'is not', null)
      .where(isFirstWaiting)
      .groupBy('d.target')
      .execute();
    return new Map(rows.map(({ target, next }) => [target, Number(next)]));
  }
  async function views(targets: readonly StoredTarget[], isWhole: boolean): Promise<NotifyTarget[]> {
    const next = await nextOf(targets);
    return sealer ? targets.map((one) => targetView(sealer, one, isWhole, next.get(one.n) ?? null)) : [];
  }

  return {
    demandTargets,
    /** The default of the account. Addresses are whole to who may change them. */
    show: async (caller: Caller): Promise<Notify> => ({
      notify: await views(await targetsOf(db, caller.accountId, null), caller.manages === true),
    }),
    /** The targets of a watch; null: those of the account. */
    ofWatch: async (caller: Caller, watch: StoredWatch, made: MadeBy): Promise<NotifyTarget[] | null> =>
      watch.own_notify === 1 && watch.account_id !== null
        ? views(await targetsOf(db, watch.account_id, watch.n), isMakerOrManager(caller, made))
        : null,

    async replace(caller: Caller, body: unknown): Promise<Notify> {
      if (!isObject(body)) throw invalid('The body must be {"notify": [{"to": "https://…"}]}.');
      demandKnownFields(body, ['notify']);
      const given = readTargets(body.notify);
      const own = demandSealer(sealer);
      await demandTargets(given);
      const nowMs = await now();
      const placed = { accountId: caller.accountId, watch: null, actor: actorOfCaller(caller), nowMs };
      const fresh = await db.transaction().execute(async (trx) => {
        await lockAccount(store, trx, caller.accountId);
        return replaceTargets(trx, own, given, placed);
      });
      await askToConfirm(caller.accountId, fresh);
      return this.show(caller);
    },

    /** Sets the targets of a watch in its transaction; `after` asks new addresses once it is over. */
    async setOfWatch(trx: Transaction<Tables>, caller: Caller, watch: number, given: readonly NewTarget[], nowMs: number) {
      const placed = { accountId: caller.accountId, watch, actor: actorOfCaller(caller), nowMs };
      const fresh = await replaceTargets(trx, demandSealer(sealer), given, placed);
      return { after: () => askToConfirm(caller.accountId, fresh) };
    },

    /** Sends a test message to a target that is set, or to an address. `watch`: among the targets of this watch; null: of the account. `count`: throws where too many were sent. */
    async test(caller: Caller, body: unknown, watch: number | null, count: () => Promise<void>): Promise<NotifyTestResult> {
      if (!isObject(body)) throw invalid('The body must be {"targetId"} or {"to"}.');
      const { targetId, ...given } = body;
      demandKnownFields(body, ['targetId', 'to', 'as']);
      // beside each other they would name two targets
      if (targetId !== undefined) demandKnownFields(body, ['targetId']);
      const own = demandSealer(sealer);
      if (targetId === undefined) {
        const target = readTarget(given, 'notify');
        if (target.as === 'email')
          throw invalid('Field to is an address of mail, but only one that confirmed gets a test: set it, and name its targetId.');
        await demandTargets([target]);
        await count();
        return tryTarget(parts, target, testMessage(parts.baseUrl()), monotonicMs, caller.accountId);
      }
      demandField({ type: 'string' }, targetId, 'targetId');
      const set = (await targetsOf(db, caller.accountId, watch)).find(({ n }) => `tgt_${n}` === targetId);
      const to = set && openTarget(own, set);
      if (!set || to === undefined) throw missing(`There is no target ${String(targetId).slice(0, 60)} here.`);
      if (to === null)
        throw new ServiceError('UNAVAILABLE', 'The address of this target was sealed with another SIGHTLINE_SECRET: set it again.');
      if (set.form === 'email' && set.confirmed_at === null)
        throw invalid('Field targetId names an address that has not confirmed yet: open the link in its mail first.');
      await count();
      return tryTarget(parts, { to, as: set.form as NewTarget['as'] }, testMessage(parts.baseUrl()), monotonicMs, caller.accountId);
    },

    /** What the link in a mail is for; null: it is not valid any more. */
    link: async (act: 'confirm' | 'stop', token: string) => (sealer ? readLink(sealer, act, token, await now()) : null),
    /** The person at a mail address confirms, or stops its messages. False: the link is not valid. */
    async decide(act: 'confirm' | 'stop', token: string): Promise<boolean> {
      const link = await this.link(act, token);
      if (!link) return false;
      const atMs = await now();
      const set =
        act === 'confirm'
          ? { confirmed_at: atMs, failed_at: null, failing_at: null, error: null, disabled_at: null }
          : { confirmed_at: null, disabled_at: atMs, failed_at: atMs, error: STOPPED };
      return db.transaction().execute(async (trx) => {
        const those = trx
          .updateTable('notify_targets')
          .set(set)
          .where('account_id', '=', link.account)
          .where('address_hash', '=', link.hash);
        // whom it told until now: once, however often the link is used
        const told = those.where('confirmed_at', 'is not', null).where('disabled_at', 'is', null);
        const stopped = act === 'stop' ? await told.returningAll().execute() : [];
        const { numUpdatedRows } = await those.executeTakeFirstOrThrow();
        for (const target of stopped) {
          const watches = trx.selectFrom('watches').selectAll().where('account_id', '=', link.account);
          const own = target.watch === null ? watches.where('own_notify', '=', 0) : watches.where('n', '=', target.watch);
          const watch = await own.orderBy('n', 'desc').limit(1).executeTakeFirst();
          if (watch) await fileSwitchedOff(trx, watch, { field: 'notify', hint: target.hint, reason: STOPPED }, atMs);
        }
        return Number(numUpdatedRows) > 0;
      });
    },
  };
}
export type NotifyService = ReturnType<typeof createNotify>;
export { mailHash };
