import { hash } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import type { Store } from '../../store/store.ts';
import type { AppRow, GrantRow, Tables } from '../../store/tables.ts';
import type { WatchRow } from '../../store/watch-tables.ts';
import { tokenSeal } from '../oauth/token-seal.ts';
import { writeAudit } from './audit.ts';

/** What of a watch its owner decides. Checks and messages change the other columns. */
export const WATCH_COLUMNS = [
  ...(['n', 'account_id', 'key_id', 'name', 'operation', 'parameters', 'fields', 'facts', 'every_ms', 'credits_per_month'] as const),
  ...(['paused', 'due', 'tags', 'created_at', 'webhook_url', 'webhook_secret', 'webhook_old_secret', 'webhook_old_until'] as const),
] satisfies readonly (keyof WatchRow)[];
type Watch = Selectable<WatchRow>;
type Bound = { readonly [Column in (typeof WATCH_COLUMNS)[number]]: string | number | null };
/** The audit log states their hashes. */
const SECRET: ReadonlySet<string> = new Set(['webhook_url', 'webhook_secret', 'webhook_old_secret']);
const HASHED = 'sha256:';
/** An export for an audit has hashes in the place of secrets already. */
const hashed = (text: string): string => (text.startsWith(HASHED) ? text : `${HASHED}${hash('sha256', text, 'hex')}`);

/** The columns of a watch as the audit log states them. */
export const boundWatch = (row: Bound): Readonly<Record<string, Bound[keyof Bound]>> =>
  Object.fromEntries(
    WATCH_COLUMNS.map((column) => {
      const value = row[column];
      return [column, SECRET.has(column) && typeof value === 'string' ? hashed(value) : value];
    }),
  );
const isWatch = (row: object): row is Bound => WATCH_COLUMNS.every((column) => column in row);
/** A watch without its secrets and what is shown of them: an export for an audit holds it. */
export const watchForAudit = <R extends object>(row: R): R => (isWatch(row) ? { ...row, ...boundWatch(row), webhook_hint: null } : row);

/**
 * Writes into the audit log that a watch was made, changed or deleted, in the transaction that did it, after its row was written. `audit verify`
 * compares the rows with these entries. `columns`: those that an edit set.
 */
export async function recordWatch(
  trx: Transaction<Tables>,
  atMs: number,
  actor: string,
  event: 'create' | 'edit' | 'delete',
  row: Watch,
  columns: readonly string[] = WATCH_COLUMNS,
): Promise<void> {
  const { account_id: accountId, operation } = row;
  const stated = Object.entries(boundWatch(row)).filter(([column]) => columns.includes(column));
  const facts = event === 'delete' ? { accountId, operation } : { accountId, ...Object.fromEntries(stated) };
  await writeAudit(trx, atMs, { actor, action: `watch.${event}`, subject: row.id, facts });
}

/** Writes a consent into the audit log: what was granted, and the app as it was registered (a metadata document is not stored). */
export async function recordGrant(
  trx: Transaction<Tables>,
  atMs: number,
  actor: string,
  grant: GrantRow,
  app: AppRow | undefined,
  consent: { readonly accountId: string; readonly creditsPerDay: number } | null,
): Promise<void> {
  const { key_id, scopes, ...columns } = grant;
  const facts = {
    ...consent,
    ...columns,
    scopes: JSON.parse(scopes) as unknown,
    app: app ? { ...app, redirect_uris: JSON.parse(app.redirect_uris) } : null,
  };
  await writeAudit(trx, atMs, { actor, action: 'grant.create', subject: key_id, facts });
}

/** Once in the life of a store: writes the watches and grants of versions without these entries into the audit log, as they are. */
export async function bindEarlierRows({ db }: Pick<Store, 'db'>, atMs: number, sealKey: () => Buffer | null): Promise<void> {
  const bound = db.selectFrom('changes').select('n').where('name', '=', 'bound');
  if ((await bound.executeTakeFirst())?.n !== 0) return;
  await db.transaction().execute(async (trx) => {
    const marked = trx.updateTable('changes').set({ n: 1 }).where('name', '=', 'bound').where('n', '=', 0);
    // another gateway may have done it meanwhile
    if ((await marked.executeTakeFirst()).numUpdatedRows !== 1n) return;
    for (const watch of await trx.selectFrom('watches').selectAll().orderBy('n').execute())
      await recordWatch(trx, atMs, 'upgrade', 'create', watch);
    const apps = new Map((await trx.selectFrom('apps').selectAll().execute()).map((app) => [app.id, app]));
    for (const grant of await trx.selectFrom('grants').selectAll().orderBy('key_id').execute())
      await recordGrant(trx, atMs, 'upgrade', grant, apps.get(grant.client_id), null);
    const tokens = await trx.selectFrom('grant_tokens').selectAll().execute();
    const key = tokens.length > 0 ? sealKey() : null;
    if (!key) return;
    for (const row of tokens)
      await trx
        .updateTable('grant_tokens')
        .set({ seal: tokenSeal(key, row) })
        .where('hash', '=', row.hash)
        .execute();
  });
}
