import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** Maximum faults reported per check. */
const MOST = 50;

interface Row {
  readonly account_id: string;
  readonly link: number;
}
interface Check {
  /** Selects rows that must not exist, in one statement and so in one snapshot. */
  readonly rows: RawBuilder<Row>;
  readonly says: (row: Row) => string;
}

const CHECKS: readonly Check[] = [
  {
    rows: sql`select a.id as account_id, 0 as link from accounts a where not exists (select 1 from balances b where b.account_id = a.id)`,
    says: ({ account_id }) => `${account_id}: the account has no balance row`,
  },
  {
    rows: sql`select b.account_id, b.seq as link from balances b where not exists (select 1 from accounts a where a.id = b.account_id)`,
    says: ({ account_id }) => `${account_id}: there is a balance row, but no such account`,
  },
  {
    rows: sql`select l.account_id, l.seq as link from journal l
      where not exists (select 1 from balances b where b.account_id = l.account_id and l.seq between 1 and b.seq)`,
    says: ({ account_id, link }) => `${account_id}: link ${link} belongs to no chain: it lies outside what the balance row counts`,
  },
  {
    rows: sql`select distinct r.account_id, 0 as link from grant_references r
      where not exists (select 1 from balances b where b.account_id = r.account_id)`,
    says: ({ account_id }) => `${account_id}: there are references of grants, but no balance row`,
  },
  {
    rows: sql`select distinct k.account_id, 0 as link from (select account_id from keys union select account_id from clients) k
      where not exists (select 1 from accounts a where a.id = k.account_id)`,
    says: ({ account_id }) => `${account_id}: keys or clients are there, but no such account`,
  },
  {
    rows: sql`select u.subject as account_id, u.seq as link from audit u
      where u.action = 'account.create' and not exists (select 1 from accounts a where a.id = u.subject)`,
    says: ({ account_id, link }) => `${account_id}: the account that entry ${link} of the audit log created is not there`,
  },
];

/** Checks that every row belongs to a chain, every chain to an account, and that every created account exists. */
export async function verifyRows(db: Kysely<Tables>): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { rows, says } of CHECKS) {
    const found = await sql<Row>`${rows} order by 1, 2 limit ${MOST + 1}`.execute(db);
    faults.push(...found.rows.slice(0, MOST).map(says));
    if (found.rows.length > MOST) faults.push(`and more of the kind: ${says(found.rows[MOST] as Row)}`);
  }
  return faults;
}

/** Credits granted according to the audit log, each reference once, per account whose creation it records; of one account or of all. */
export async function auditedGrants(db: Kysely<Tables>, accountId?: string): Promise<ReadonlyMap<string, number>> {
  const all = db
    .selectFrom('audit')
    .select(['action', 'subject', 'facts'])
    .where('action', 'in', ['account.create', 'credits.grant'])
    .orderBy('seq');
  const rows = await (accountId ? all.where('subject', '=', accountId) : all).execute();
  const sums = new Map<string, number>();
  const references = new Set<string>();
  for (const { action, subject, facts } of rows) {
    if (action === 'account.create') sums.set(subject, 0);
    const sum = sums.get(subject);
    if (action !== 'credits.grant' || sum === undefined) continue;
    const { credits, reference } = JSON.parse(facts) as { credits: number; reference?: string };
    if (reference && references.has(`${subject} ${reference}`)) continue;
    references.add(`${subject} ${reference}`);
    sums.set(subject, sum + credits);
  }
  return sums;
}
