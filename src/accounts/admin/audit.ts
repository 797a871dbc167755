import { hash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { type Anchor, auditAgainst } from '../../billing/anchor.ts';
import type { ActionInput } from '../../contract/admin/actions.ts';
import type { AuditEntry, AuditReport } from '../../contract/admin/schemas.ts';
import { instant } from '../../runtime/clock.ts';
import { countChange } from '../../store/changes.ts';
import type { AuditRow, Tables } from '../../store/tables.ts';

export type WriteEvent = (action: string, subject: string, facts: Record<string, unknown>) => Promise<void>;

/** The text whose SHA-256 (hex) is an entry's hash. `head` is the hash of the previous entry, '' for the first. */
export const auditText = (seq: number, at: number, e: Pick<AuditRow, 'actor' | 'action' | 'subject' | 'facts'>, head: string): string =>
  `sightline-audit-1\n${seq}\n${at}\n${head}\n${JSON.stringify([e.actor, e.action, e.subject, e.facts])}`;

/** Appends an audit entry, chained by SHA-256, in the caller's transaction. `subject`: id of what was changed, such as an account. */
export async function writeAudit(
  trx: Transaction<Tables>,
  at: number,
  event: Pick<AuditEntry, 'actor' | 'action' | 'subject' | 'facts'>,
): Promise<void> {
  // serialises the writers of all gateways
  await countChange(trx, 'audit');
  const last = await trx.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  const seq = (last?.seq ?? 0) + 1;
  const row = { actor: event.actor, action: event.action, subject: event.subject, facts: JSON.stringify(event.facts) };
  await trx
    .insertInto('audit')
    .values({ seq, at, ...row, hash: hash('sha256', auditText(seq, at, row, last?.hash ?? ''), 'hex') })
    .execute();
}

export async function readAudit(db: Kysely<Tables>, query: ActionInput<'auditLog'>): Promise<readonly AuditEntry[]> {
  const { limit = 100, before, subject, action } = query;
  let found = db.selectFrom('audit').selectAll();
  if (before !== undefined) found = found.where('seq', '<', before);
  if (subject !== undefined) found = found.where('subject', '=', subject);
  if (action !== undefined) found = found.where('action', '=', action);
  const rows = await found
    .orderBy('seq', 'desc')
    .limit(Math.min(Math.max(1, limit), 10_000))
    .execute();
  return rows.map(({ at, facts, hash: _, ...row }) => ({ ...row, at: instant(at), facts: JSON.parse(facts) as AuditEntry['facts'] }));
}

const MAX_COMPARISONS = 20;

/** Verifies the hash chain, its count, the anchors' heads, and that accounts, keys, clients, sessions and signing keys are as the events leave them. */
export async function verifyAudit(db: Kysely<Tables>, anchors: readonly Anchor[] = []): Promise<AuditReport> {
  const faults: string[] = [];
  const replay = createAuditReplay();
  const countOf = async () => (await db.selectFrom('changes').select('n').where('name', '=', 'audit').executeTakeFirst())?.n;
  // read the count first: concurrent writes only add entries
  const counted = await countOf();
  let head = '';
  let seq = 0;
  async function readOn(): Promise<void> {
    for (;;) {
      const rows = await db.selectFrom('audit').selectAll().where('seq', '>', seq).orderBy('seq').limit(1000).execute();
      for (const row of rows) {
        if (row.seq !== seq + 1) faults.push(`audit: entry ${seq + 1} is missing`);
        if (row.hash === hash('sha256', auditText(row.seq, row.at, row, head), 'hex')) replay.apply(row);
        else faults.push(`audit: entry ${row.seq} does not fit its hash`);
        head = row.hash;
        seq = row.seq;
      }
      if (rows.length < 1000) return;
    }
  }
  await readOn();
  for (let comparison = 1; ; comparison++) {
    const upTo = seq;
    const differences = await replay.differences(db);
    await readOn();
    // a change that was written meanwhile is in the table before its event is read
    if (differences.length && seq !== upTo && comparison < MAX_COMPARISONS) continue;
    faults.push(...differences);
    break;
  }
  const outside = await db.selectFrom('audit').select('seq').where('seq', '<', 1).execute();
  for (const row of outside) faults.push(`audit: entry ${row.seq} belongs to no chain: the first one has number 1`);
  if (counted === undefined) faults.push('audit: the row that counts the entries is missing');
  else if (seq < counted) faults.push(`audit: ${counted} entries were written, the last one there is ${seq}`);
  else if (seq > counted) {
    const now = (await countOf()) ?? 0;
    if (seq > now) faults.push(`audit: ${now} entries were written, but there is an entry ${seq}`);
  }
  faults.push(...(await auditAgainst(db, anchors)));
  return { entries: seq, faults };
}

type Value = string | number | boolean | null | readonly string[];
/** Columns of a row as the events state them; what no event states is left out. */
type Stated = Record<string, Value | undefined>;
type Facts = Readonly<Stated>;

const KINDS = { account: 'accounts', key: 'keys', client: 'clients', session: 'sessions', 'signing key': 'signing_keys' } as const;
type Kind = keyof typeof KINDS;
const MOST = 200;

/** Accounts, keys, clients, sessions and signing keys as the events of the audit log leave them. */
function createAuditReplay() {
  const rows = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, new Map()])) as Record<Kind, Map<string, Stated>>;
  const change = (kind: Kind, id: string, columns: Stated): void => {
    const row = rows[kind].get(id);
    if (row) Object.assign(row, columns);
  };

  function reroll(id: string, { newKeyId, graceMs, until, hash, made_by, counted_as }: Facts): void {
    const old = rows.key.get(id);
    if (!old || typeof newKeyId !== 'string') return;
    rows.key.set(newKeyId, { ...old, hash, made_by, counted_as });
    // events of earlier versions do not state when the old key ends
    Object.assign(old, { replaced_by: newKeyId }, graceMs === 0 ? { revoked: true } : { expires_at: until });
  }

  const actions: ReadonlyMap<string, (id: string, facts: Facts) => void> = new Map(
    Object.entries({
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
      'session.open': (id, { hash, accountId, keyId, expiresAt }) =>
        void rows.session.set(id, { hash, account_id: accountId, key_id: keyId, expires_at: expiresAt, ended: false }),
      'session.end': (id) => change('session', id, { ended: true }),
      'signing-key.create': (id, { alg, public: jwk }) => void rows['signing key'].set(id, { alg, public: jwk, dropped: false }),
      'signing-key.drop'() {
        for (const row of rows['signing key'].values()) row.dropped = true;
      },
    }),
  );

  return {
    apply: ({ action, subject, facts }: Pick<AuditRow, 'action' | 'subject' | 'facts'>): void =>
      actions.get(action)?.(subject, JSON.parse(facts) as Facts),
    async differences(db: Kysely<Tables>): Promise<readonly string[]> {
      const found: string[] = [];
      for (const kind of Object.keys(KINDS) as Kind[]) {
        const missing = new Set(rows[kind].keys());
        for (const row of await db.selectFrom(KINDS[kind]).selectAll().execute()) {
          const is = stateOf(row);
          const id = String(is.kid ?? is.id);
          missing.delete(id);
          const stated = rows[kind].get(id);
          if (!stated) found.push(`${kind} ${id}: no event of the audit log made it`);
          for (const [column, value] of Object.entries(stated ?? {}))
            if (value !== undefined && value !== is[column])
              found.push(`${kind} ${id}: ${column} is ${JSON.stringify(is[column])}, the audit log says ${JSON.stringify(value)}`);
        }
        // a session is deleted when it is over
        if (kind !== 'session')
          for (const id of missing) found.push(`${kind} ${id}: the audit log says that it was made, but it is not there`);
      }
      return found.length > MOST ? [...found.slice(0, MOST), `and ${found.length - MOST} more differences from the audit log`] : found;
    },
  };
}

/** A row with the states that its times express: events state them, not their milliseconds. */
function stateOf(row: object): Stated {
  const columns = row as Stated;
  const isSet = (at: Value | undefined): boolean => at !== null && at !== undefined;
  return {
    ...columns,
    revoked: isSet(columns.revoked_at),
    suspended: isSet(columns.suspended_at),
    deleted: isSet(columns.deleted_at),
    dropped: isSet(columns.dropped_at),
    ended: false,
  };
}
