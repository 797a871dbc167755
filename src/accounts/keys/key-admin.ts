import type { Kysely, Transaction } from 'kysely';
import { MAX_GRACE_MS } from '../../billing/bounds.ts';
import type { Admin } from '../../contract/admin/actions.ts';
import type { ListedKey, NewKey } from '../../contract/admin/schemas.ts';
import { invalid } from '../../contract/errors.ts';
import { noSuch } from '../../contract/ids.ts';
import { dayOf } from '../../runtime/clock.ts';
import type { KeyRow, Tables } from '../../store/tables.ts';
import type { WriteEvent } from '../admin/audit.ts';
import type { AdminContext } from '../admin/context.ts';
import { type KeyInput, keySummary, readEdits, readLimits } from './key-limits.ts';
import { hintOf, makeKey } from './key-text.ts';
import { hashOf } from './keys.ts';
import { demandNoWatches, watchesStoppedBy } from './watches-of-key.ts';

type KeyFields = Omit<KeyRow, 'id' | 'hash' | 'hint' | 'created_at' | 'revoked_at' | 'last_used_at' | 'replaced_by'>;

/** Admin actions on keys. They run one after the other on all gateways, because `change` takes a lock first. */
export function createKeyAdmin(context: AdminContext) {
  const { db, randomBytes, madeBy, newId, change, accountOf } = context;
  const { now } = context.clock;

  async function keyOf(from: Kysely<Tables>, keyId: string): Promise<KeyRow> {
    const row = await from.selectFrom('keys').selectAll().where('id', '=', keyId).executeTakeFirst();
    if (!row) throw noSuch('key', keyId);
    return row;
  }
  const update = (trx: Transaction<Tables>, keyId: string, columns: Partial<KeyRow>) =>
    trx.updateTable('keys').set(columns).where('id', '=', keyId).execute();

  async function insert(trx: Transaction<Tables>, fields: KeyFields, atMs: number): Promise<{ row: KeyRow; made: NewKey }> {
    const key = makeKey(randomBytes);
    const own = { id: newId('key'), hash: hashOf(key), hint: hintOf(key), created_at: atMs };
    const row: KeyRow = { ...fields, ...own, revoked_at: null, last_used_at: null, replaced_by: null };
    await trx.insertInto('keys').values(row).execute();
    return { row, made: { ...keySummary(row), key } };
  }
  /** Makes a key of an account that the same transaction may have made. */
  async function insertKey(trx: Transaction<Tables>, write: WriteEvent, fields: KeyFields): Promise<NewKey> {
    const { row, made } = await insert(trx, fields, now());
    const { id, hint, created_at, revoked_at, last_used_at, replaced_by, account_id: accountId, ...facts } = row;
    await write('key.create', id, { accountId, ...facts });
    return made;
  }

  /** The right to change keys ends with the key from which it comes, also while the change is on its way. */
  async function demandMaker(trx: Transaction<Tables>): Promise<void> {
    if (!madeBy?.startsWith('key_')) return;
    const { revoked_at: revokedAt } = await keyOf(trx, madeBy);
    if (revokedAt !== null) throw invalid(`Key ${madeBy} was revoked: it changes no keys.`);
  }

  /** What ends with a key: keys that are valid still, itself included, and watches that nobody pays for then. */
  async function endingWith(from: Kysely<Tables>, keyId: string, keepDescendants: boolean) {
    const row = await keyOf(from, keyId);
    const { account_id: accountId } = row;
    const ofAccount = await from.selectFrom('keys').selectAll().where('account_id', '=', accountId).execute();
    const ending = [row, ...(keepDescendants ? [] : descendantsOf(row, ofAccount))].filter(({ revoked_at }) => revoked_at === null);
    const keyIds = ending.map(({ id }) => id);
    return { accountId, keyIds, watchIds: await watchesStoppedBy(from, accountId, new Set(keyIds), now()) };
  }

  const actions = {
    async createKey({ accountId, manage = false, noLookups, ...input }: KeyInput = {}) {
      const limits = { ...readLimits(input, now()), ...(noLookups && { operations: '[]' }) };
      const { accountId: id } = await accountOf(accountId);
      return change(async (trx, write) => {
        await demandMaker(trx);
        return insertKey(trx, write, { account_id: id, ...limits, manage: manage ? 1 : 0, made_by: madeBy, counted_as: null });
      });
    },
    async listKeys({ accountId } = {}) {
      const today = dayOf(now());
      const all = db
        .selectFrom('keys')
        .selectAll()
        .select((e) =>
          (
            [
              ['spent_today', today],
              ['spent_this_month', today.slice(0, 7)],
            ] as const
          ).map(([name, period]) =>
            e
              .selectFrom('key_spend')
              .select('credits')
              .whereRef('key_id', '=', e.fn.coalesce('keys.counted_as', 'keys.id'))
              .where('period', '=', period)
              .as(name),
          ),
        )
        .orderBy('created_at')
        .orderBy('id');
      return asTree(await (accountId !== undefined ? all.where('account_id', '=', accountId) : all).execute());
    },
    async editKey({ keyId, ...input }) {
      const edited = readEdits(input, now());
      await change(async (trx, write) => {
        await demandMaker(trx);
        const row = await keyOf(trx, keyId);
        if (row.revoked_at !== null) throw invalid(`Key ${keyId} is revoked: it cannot be edited.`);
        await update(trx, keyId, edited);
        await write('key.edit', keyId, { accountId: row.account_id, ...edited });
      });
      return keySummary(await keyOf(db, keyId));
    },
    async previewRevokeKey({ keyId, keepDescendants = false }) {
      const { keyIds, watchIds } = await endingWith(db, keyId, keepDescendants);
      return { keyIds, watchIds };
    },
    async revokeKey({ keyId, keepDescendants = false, stopWatches = false }) {
      await change(async (trx, write) => {
        await demandMaker(trx);
        const { accountId, keyIds, watchIds } = await endingWith(trx, keyId, keepDescendants);
        if (!stopWatches) demandNoWatches(keyId, watchIds);
        for (const id of keyIds) {
          await update(trx, id, { revoked_at: now() });
          await write('key.revoke', id, { accountId, ...(id !== keyId && { with: keyId }) });
        }
      });
      return keySummary(await keyOf(db, keyId));
    },
    async rerollKey({ keyId, graceMs = 0 }) {
      if (!Number.isSafeInteger(graceMs) || graceMs < 0 || graceMs > MAX_GRACE_MS)
        throw invalid(`graceMs must be a whole number of milliseconds from 0 to ${MAX_GRACE_MS} (366 days), not ${graceMs}.`);
      return change(async (trx, write) => {
        await demandMaker(trx);
        const { id, hash, hint, created_at, revoked_at, last_used_at, replaced_by, ...fields } = await keyOf(trx, keyId);
        if (revoked_at !== null || replaced_by !== null) throw invalid(`Key ${keyId} was revoked or rerolled already.`);
        if (await trx.selectFrom('grants').select('key_id').where('key_id', '=', keyId).executeTakeFirst())
          throw invalid(`Key ${keyId} is the grant of an app, which renews its tokens itself: revoke it, and connect the app again.`);
        const atMs = now();
        const lineage = { made_by: madeBy ?? fields.made_by, counted_as: fields.counted_as ?? keyId };
        const { row, made } = await insert(trx, { ...fields, ...lineage }, atMs);
        const until = graceMs ? Math.min(fields.expires_at ?? Number.POSITIVE_INFINITY, atMs + graceMs) : null;
        await update(trx, keyId, { replaced_by: row.id, ...(until === null ? { revoked_at: atMs } : { expires_at: until }) });
        await write('key.reroll', keyId, { accountId: row.account_id, graceMs, until, newKeyId: row.id, hash: row.hash, ...lineage });
        return made;
      });
    },
  } satisfies Partial<Admin>;
  return { insertKey, actions };
}

/** All descendants of a key: the keys that it made, the keys that those made, and so on. A replacement counts as the key that it replaced. */
function descendantsOf(key: KeyRow, ofAccount: readonly KeyRow[]): readonly KeyRow[] {
  const counterOf = (row: KeyRow): string => row.counted_as ?? row.id;
  const counters = new Map(ofAccount.map((row) => [row.id, counterOf(row)]));
  const found = new Set<KeyRow>();
  const makers = [counterOf(key)];
  for (const maker of makers)
    for (const row of ofAccount)
      if (row.id !== key.id && row.made_by !== null && counters.get(row.made_by) === maker && !found.has(row)) {
        found.add(row);
        makers.push(counterOf(row));
      }
  return [...found];
}

interface CountedKey extends KeyRow {
  readonly spent_today: number | null;
  readonly spent_this_month: number | null;
}
const listed = (row: CountedKey, depth: number): ListedKey => ({
  ...keySummary(row),
  depth,
  spentToday: row.cap_day === null ? null : (row.spent_today ?? 0),
  spentThisMonth: row.cap_month === null ? null : (row.spent_this_month ?? 0),
});
function asTree(rows: readonly CountedKey[]): readonly ListedKey[] {
  const ids = new Set(rows.map(({ id }) => id));
  const madeBy = Map.groupBy(rows, ({ made_by }) => (made_by !== null && ids.has(made_by) ? made_by : null));
  const below = (maker: string | null, depth: number): readonly ListedKey[] =>
    (madeBy.get(maker) ?? []).flatMap((row) => [listed(row, depth), ...below(row.id, depth + 1)]);
  return below(null, 0);
}
