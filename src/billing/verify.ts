import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LedgerReport } from '../contract/admin/schemas.ts';
import type { Store } from '../store/store.ts';
import type { BalanceRow, JournalTableRow, Tables } from '../store/tables.ts';
import { journalRows, lastSeq } from './account-state.ts';
import { type Anchor, ledgerAgainst } from './anchor.ts';
import { type Entry, readLine, rowHash } from './rules.ts';

const PAGE = 200;

/**
 * Verifies the ledger from its journal: every row (link) of every account's chain matches its hash, credits and holds add up after each link,
 * no hold is settled twice or for more than its amount, no sum is ever negative, and the balance row equals the sums. Then verifies that no
 * row is outside a chain, that grants and their references equal those of the audit log and of their table, and that the chains contain every
 * head of the anchors.
 */
export async function verifyLedger(store: Store, anchors: readonly Anchor[] = []): Promise<LedgerReport> {
  const report = { accounts: 0, links: 0, entries: 0, faults: [] as string[] };
  const audited = await auditedCreditGrants(store.db);
  let after = '';
  for (;;) {
    const next = store.db.selectFrom('balances').selectAll().where('account_id', '>', after).orderBy('account_id');
    const balances = await next.limit(PAGE).execute();
    for (const balance of balances) {
      after = balance.account_id;
      report.accounts++;
      await verifyAccount(store, balance, audited, report);
    }
    if (balances.length < PAGE) break;
  }
  report.faults.push(...(await verifyRows(store.db)), ...(await ledgerAgainst(store.db, anchors)));
  return report;
}

/** Sums over the links of a chain that were verified; `open`: amounts of the open holds. */
const newRunning = () => ({
  ...{ seq: 0, head: '', credits: 0, held: 0, granted: 0, entries: 0 },
  ...{ open: new Map<string, number>(), references: new Set<string>() },
});
type Running = ReturnType<typeof newRunning>;
type Fault = (what: string) => void;

async function verifyAccount(
  store: Store,
  balance: BalanceRow,
  audited: ReadonlyMap<string, number>,
  report: { links: number; entries: number; faults: string[] },
): Promise<void> {
  const { account_id: accountId } = balance;
  const run = newRunning();
  const fault: Fault = (what) => report.faults.push(`${accountId}: ${what}`);
  while (run.seq < balance.seq) {
    const upTo = Math.min(run.seq + PAGE, balance.seq);
    const links = await journalRows(store.db, accountId, run.seq, upTo);
    for (const link of links) verifyLink(link, run, fault);
    if (run.seq < upTo) fault(`links are missing between ${run.seq} and ${upTo}`);
    report.links += links.length;
    run.seq = upTo;
  }
  report.entries += run.entries;
  if (run.head !== balance.head) fault(`the balance row stands on another chain than its links (link ${balance.seq})`);
  if (run.credits - run.held !== balance.balance)
    fault(`the entries leave ${run.credits - run.held} free, the balance row says ${balance.balance}`);
  if (run.held !== balance.held) fault(`the entries hold ${run.held}, the balance row says ${balance.held}`);
  const known = audited.get(accountId);
  const faults = [
    ...(await referenceFaults(store, accountId, run)),
    ...(known === run.granted ? [] : await creditGrantFaults(store, accountId, run, known)),
  ];
  // compared only if the account did not change during the check
  if (faults.length && (await lastSeq(store.db, accountId)) === balance.seq) faults.forEach(fault);
}

function verifyLink(link: JournalTableRow, run: Running, fault: Fault): void {
  const { account_id: accountId, seq, at, lines, total } = link;
  if (seq !== run.seq + 1) fault(`link ${run.seq + 1} is missing`);
  if (link.hash !== rowHash(accountId, seq, at, run.head, lines)) fault(`link ${seq} does not fit its hash`);
  for (const line of lines.split('\n')) {
    const entry = readLine(line);
    if (entry) verifyEntry(entry, seq, run, fault);
    else fault(`link ${seq} has a line that is no entry`);
  }
  if (total !== null && total !== run.credits) fault(`the entries up to link ${seq} leave ${run.credits}, the link says ${total}`);
  run.seq = seq;
  run.head = link.hash;
}

function verifyEntry({ kind, credits, held, id }: Entry, seq: number, run: Running, fault: Fault): void {
  const where = (): string => `${kind} ${id} in link ${seq}`;
  run.entries++;
  if (kind === 'hold') {
    const holdId = `${seq}.${id}`;
    if (run.open.has(holdId)) fault(`${where()}: the hold was opened before`);
    if (held <= 0 || credits !== 0) fault(`${where()}: ${credits} credits, ${held} held`);
    run.open.set(holdId, held);
  } else if (kind === 'grant') {
    run.granted += credits;
    if (run.references.has(id)) fault(`${where()}: the reference was granted before`);
    if (id) run.references.add(id);
  } else {
    const open = run.open.get(id);
    if (open === undefined) fault(`${where()}: there is no such open hold`);
    else if (
      kind === 'renew'
        ? credits !== 0 || held !== 0
        : held !== -open || credits > 0 || -credits > open || (kind !== 'capture' && credits !== 0)
    )
      fault(`${where()}: ${credits} credits, ${held} held, but the hold is of ${open}`);
    if (kind !== 'renew') run.open.delete(id);
  }
  run.credits += credits;
  run.held += held;
  if (run.held < 0 || run.credits < run.held) fault(`${where()}: the balance is negative`);
}

async function referenceFaults({ db }: Store, accountId: string, { references }: Running): Promise<string[]> {
  const rows = await db.selectFrom('grant_references').select('reference').where('account_id', '=', accountId).execute();
  const listed = new Set(rows.map(({ reference }) => reference));
  return [
    ...[...references].filter((each) => !listed.has(each)).map((each) => `reference ${each} was granted, but may be granted again`),
    ...[...listed].filter((each) => !references.has(each)).map((each) => `reference ${each} is barred, but was never granted`),
  ];
}

/** Compares the sum of grants with the audit log, which is read again. */
async function creditGrantFaults({ db }: Store, accountId: string, { granted }: Running, known: number | undefined): Promise<string[]> {
  if (known === undefined) return [];
  const audited = (await auditedCreditGrants(db, accountId)).get(accountId) ?? 0;
  return audited === granted ? [] : [`the entries grant ${granted} credits, the audit log says ${audited}`];
}

const MOST = 50;

interface LinkRow {
  readonly account_id: string;
  readonly link: number;
}

/** Rows that must not exist, each selected in one statement and so in one snapshot, and what they say. */
const CHECKS: readonly { readonly rows: RawBuilder<LinkRow>; readonly says: (row: LinkRow) => string }[] = [
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
async function verifyRows(db: Kysely<Tables>): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { rows, says } of CHECKS) {
    const found = await sql<LinkRow>`${rows} order by 1, 2 limit ${MOST + 1}`.execute(db);
    faults.push(...found.rows.slice(0, MOST).map(says));
    if (found.rows.length > MOST) faults.push(`and more of the kind: ${says(found.rows[MOST] as LinkRow)}`);
  }
  return faults;
}

/** Sums granted credits per account from the audit log, counting each reference once. `accountId`: of this account alone. */
async function auditedCreditGrants(db: Kysely<Tables>, accountId?: string): Promise<ReadonlyMap<string, number>> {
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
    const grant = creditGrantIn(facts);
    if (grant === null) continue;
    const { credits, reference } = grant;
    if (reference && references.has(`${subject} ${reference}`)) continue;
    references.add(`${subject} ${reference}`);
    sums.set(subject, sum + credits);
  }
  return sums;
}

/** The facts of a grant; null: the entry was changed, which `audit verify` names by its hash, and here its credits are missing. */
function creditGrantIn(facts: string): { readonly credits: number; readonly reference?: string } | null {
  try {
    return JSON.parse(facts);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
