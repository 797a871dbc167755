import type { Kysely } from 'kysely';
import type { AuditRow, Tables } from '../../store/tables.ts';
import { boundWatch, WATCH_COLUMNS } from './bound-rows.ts';

type Value = string | number | boolean | null | readonly string[] | ColumnFacts;
/** Columns of a row as the events state them; what no event states is left out. */
type Stated = Record<string, Value | undefined>;
interface ColumnFacts {
  readonly [column: string]: Value | undefined;
}
const isFacts = (value: Value | undefined): value is ColumnFacts => typeof value === 'object' && value !== null && !Array.isArray(value);
/** The columns of a watch among the facts of an event. */
const watchOf = (facts: ColumnFacts): Stated =>
  Object.fromEntries(WATCH_COLUMNS.filter((column) => column in facts).map((column) => [column, facts[column]]));

const KINDS = {
  ...({ account: 'accounts', key: 'keys', client: 'clients', session: 'sessions', 'signing key': 'signing_keys' } as const),
  ...({ grant: 'grants', app: 'apps', watch: 'watches' } as const),
};
type RowKind = keyof typeof KINDS;
/** Rows that are deleted without an event when they are over. */
const ENDING: ReadonlySet<RowKind> = new Set(['session', 'app']);
const MOST = 200;

/** Accounts, keys, clients, sessions, signing keys, grants, apps and watches as the events of the audit log leave them. */
export function createAuditReplay() {
  const rows = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, new Map()])) as Record<RowKind, Map<string, Stated>>;
  let operatorKey: string | null = null;
  const change = (kind: RowKind, id: string, columns: Stated): void => {
    const row = rows[kind].get(id);
    if (row) Object.assign(row, columns);
  };

  function reroll(id: string, { newKeyId, graceMs, until, hash, made_by, counted_as }: ColumnFacts): void {
    const old = rows.key.get(id);
    if (!old || typeof newKeyId !== 'string') return;
    rows.key.set(newKeyId, { ...old, hash, made_by, counted_as });
    Object.assign(old, { replaced_by: newKeyId }, graceMs === 0 ? { revoked: true } : { expires_at: until });
  }

  const actions: { readonly [action: string]: (id: string, facts: ColumnFacts) => void } = {
    'account.create': (id, { name }) => void rows.account.set(id, { name, suspended: false, deleted: false }),
    'account.rename': (id, { name }) => change('account', id, { name }),
    'account.suspend': (id) => change('account', id, { suspended: true }),
    'account.resume': (id) => change('account', id, { suspended: false }),
    'account.delete'(id) {
      change('account', id, { name: '', suspended: true, deleted: true });
      for (const kind of ['key', 'client'] as const) for (const row of rows[kind].values()) if (row.account_id === id) row.revoked = true;
    },
    'key.create': (id, { accountId, ...columns }) =>
      void rows.key.set(id, { ...columns, account_id: accountId, replaced_by: null, revoked: false }),
    'key.edit': (id, { accountId: _, ...columns }) => change('key', id, columns),
    'key.revoke': (id) => change('key', id, { revoked: true }),
    'key.reroll': reroll,
    'client.create': (id, { accountId, label, scopes, expiresAt, secretHash }) =>
      void rows.client.set(id, {
        account_id: accountId,
        label,
        scopes: scopes ? JSON.stringify(scopes) : null,
        expires_at: expiresAt,
        secret_hash: secretHash,
        revoked: false,
      }),
    'client.revoke': (id) => change('client', id, { revoked: true }),
    'session.open': (id, { hash, accountId, keyId, expiresAt, adminTokenHash }) =>
      void rows.session.set(id, {
        ...{ hash, account_id: accountId, key_id: keyId, expires_at: expiresAt, ended: false },
        // of the operator's
        admin_token_hash: accountId === null ? adminTokenHash : null,
      }),
    'session.end': (id) => change('session', id, { ended: true }),
    'operator-key.create'(_, { hash }) {
      operatorKey = String(hash);
    },
    'signing-key.create': (id, { alg, public: jwk, signsFrom }) =>
      void rows['signing key'].set(id, { alg, public: jwk, signs_from: signsFrom, dropped: false }),
    'signing-key.drop'() {
      for (const row of rows['signing key'].values()) row.dropped = true;
    },
    // the limits of a consent stand in the row of its key
    'grant.create'(id, { app, scopes, accountId: _, creditsPerDay: __, ...columns }) {
      rows.grant.set(id, { ...columns, scopes: JSON.stringify(scopes) });
      if (!isFacts(app)) return;
      const { id: appId, redirect_uris, ...ofApp } = app;
      rows.app.set(String(appId), { ...ofApp, redirect_uris: JSON.stringify(redirect_uris) });
    },
    'watch.create': (id, facts) => void rows.watch.set(id, watchOf(facts)),
    'watch.edit': (id, facts) => change('watch', id, watchOf(facts)),
    'watch.delete': (id) => void rows.watch.delete(id),
  };
  const known = new Map(Object.entries(actions));

  return {
    apply: ({ action, subject, facts }: Pick<AuditRow, 'action' | 'subject' | 'facts'>): void =>
      known.get(action)?.(subject, JSON.parse(facts) as ColumnFacts),
    async differences(db: Kysely<Tables>): Promise<readonly string[]> {
      const found: string[] = [];
      for (const kind of Object.keys(KINDS) as RowKind[]) {
        const missing = new Set(rows[kind].keys());
        for (const row of await db.selectFrom(KINDS[kind]).selectAll().execute()) {
          const is = stateOf('every_ms' in row ? { ...row, ...boundWatch(row) } : row);
          const id = String(is.kid ?? is.id ?? is.key_id);
          missing.delete(id);
          const stated = rows[kind].get(id);
          // anybody may register an app: its row gives nothing before the first consent
          if (!stated && (kind !== 'app' || is.used_at !== null)) found.push(`${kind} ${id}: no event of the audit log made it`);
          for (const [column, value] of Object.entries(stated ?? {}))
            if (value !== undefined && value !== is[column])
              found.push(`${kind} ${id}: ${column} is ${JSON.stringify(is[column])}, the audit log says ${JSON.stringify(value)}`);
        }
        if (!ENDING.has(kind))
          for (const id of missing) found.push(`${kind} ${id}: the audit log says that it was made, but it is not there`);
      }
      const { operator_key_hash: is } = await db.selectFrom('installation').select('operator_key_hash').executeTakeFirstOrThrow();
      if (is !== operatorKey) found.push("operator's key: it is not the one that the audit log says was made last");
      return found.length > MOST ? [...found.slice(0, MOST), `and ${found.length - MOST} more differences from the audit log`] : found;
    },
  };
}

/** A row with the states that its times express: events state them, not their milliseconds. */
function stateOf(row: object): Stated {
  const columns = row as Stated;
  const isSet = (value: Value | undefined): boolean => value !== null && value !== undefined;
  return {
    ...columns,
    revoked: isSet(columns.revoked_at),
    suspended: isSet(columns.suspended_at),
    deleted: isSet(columns.deleted_at),
    dropped: isSet(columns.dropped_at),
    ended: false,
  };
}
