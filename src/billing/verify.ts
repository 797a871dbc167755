import { hash } from 'node:crypto';
import { entryLine, linkText } from '../store/batch.ts';
import type { Store } from '../store/store.ts';
import type { BalanceRow, EntryRow, LinkRow } from '../store/tables.ts';
import { type Anchor, ledgerAgainst } from './anchor.ts';
import { auditedGrants, verifyRows } from './verify-rows.ts';

export interface LedgerReport {
  readonly accounts: number;
  readonly links: number;
  readonly entries: number;
  /** Empty: sums and chains are valid. */
  readonly faults: readonly string[];
}

const PAGE = 200;

/**
 * Verifies the ledger from its entries: every link of every account's chain matches its hash, credits and holds add up after each link, no
 * hold is settled twice or for more than its amount, no sum is ever negative, and the balance row equals the sums. Then verifies that no
 * row is outside a chain, that grants equal those of the audit log, and that the chains contain every head of the anchors.
 */
export async function verifyLedger(store: Store, anchors: readonly Anchor[] = []): Promise<LedgerReport> {
  const report = { accounts: 0, links: 0, entries: 0, faults: [] as string[] };
  const audited = await auditedGrants(store.db);
  let after = '';
  for (;;) {
    const balances = await store.db
      .selectFrom('balances')
      .selectAll()
      .where('account_id', '>', after)
      .orderBy('account_id')
      .limit(PAGE)
      .execute();
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

interface Running {
  seq: number;
  head: string;
  credits: number;
  held: number;
  granted: number;
  readonly open: Map<string, number>;
}

async function verifyAccount(
  store: Store,
  balance: BalanceRow,
  audited: ReadonlyMap<string, number>,
  report: { links: number; entries: number; faults: string[] },
): Promise<void> {
  const { account_id: accountId } = balance;
  const run: Running = { seq: 0, head: '', credits: 0, held: 0, granted: 0, open: new Map() };
  const fault = (what: string) => report.faults.push(`${accountId}: ${what}`);
  while (run.seq < balance.seq) {
    const upTo = Math.min(run.seq + PAGE, balance.seq);
    const within = store.db.selectFrom('links').selectAll().where('account_id', '=', accountId);
    const links = await within.where('seq', '>', run.seq).where('seq', '<=', upTo).orderBy('seq').execute();
    const entries = await store.db
      .selectFrom('entries')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('link', '>', run.seq)
      .where('link', '<=', upTo)
      .orderBy('link')
      .orderBy('n')
      .execute();
    const ofLink = Map.groupBy(entries, (e) => e.link);
    for (const link of links) verifyLink(link, ofLink.get(link.seq) ?? [], run, fault);
    if (links.length < upTo - run.seq && run.seq < upTo) fault(`links are missing between ${run.seq} and ${upTo}`);
    report.links += links.length;
    report.entries += entries.length;
    run.seq = upTo;
  }
  if (run.head !== balance.head) fault(`the balance row stands on another chain than its links (link ${balance.seq})`);
  if (run.credits - run.held !== balance.balance)
    fault(`the entries leave ${run.credits - run.held} free, the balance row says ${balance.balance}`);
  if (run.held !== balance.held) fault(`the entries hold ${run.held}, the balance row says ${balance.held}`);
  await verifyHolds(store, balance, run, fault);
  const known = audited.get(accountId);
  if (known !== undefined && known !== run.granted) await verifyGrants(store, balance, run, fault);
}

function verifyLink(link: LinkRow, entries: readonly EntryRow[], run: Running, fault: (what: string) => void): void {
  const lines = entries.map((e) => entryLine(e.kind, e.credits, e.held, e.hold, e.key_id, e.operation, e.label));
  const text = linkText(link.account_id, link.seq, link.at, run.head, lines);
  if (link.seq !== run.seq + 1) fault(`link ${run.seq + 1} is missing`);
  if (link.entries !== entries.length) fault(`link ${link.seq} has ${entries.length} entries, ${link.entries} were written`);
  if (link.hash !== hash('sha256', text, 'hex')) fault(`link ${link.seq} does not fit its hash`);
  for (const e of entries) {
    const where = `${e.kind} ${e.hold} in link ${link.seq}`;
    if (e.kind === 'hold') {
      if (run.open.has(e.hold)) fault(`${where}: the hold was opened before`);
      if (e.held <= 0 || e.credits !== 0) fault(`${where}: ${e.credits} credits, ${e.held} held`);
      run.open.set(e.hold, e.held);
    } else if (e.kind === 'grant') run.granted += e.credits;
    else {
      const held = run.open.get(e.hold);
      if (held === undefined) fault(`${where}: there is no such open hold`);
      else if (e.held !== -held || e.credits > 0 || -e.credits > held || (e.kind !== 'capture' && e.credits !== 0))
        fault(`${where}: ${e.credits} credits, ${e.held} held, but the hold is of ${held}`);
      run.open.delete(e.hold);
    }
    run.credits += e.credits;
    run.held += e.held;
    if (run.held < 0 || run.credits < run.held) fault(`${where}: the balance is negative`);
  }
  run.seq = link.seq;
  run.head = link.hash;
}

/** Compares the open holds with the entries. Checked only if the account did not change meanwhile. */
async function verifyHolds(store: Store, balance: BalanceRow, run: Running, fault: (what: string) => void): Promise<void> {
  const accountId = balance.account_id;
  const holds = await store.db.selectFrom('holds').select(['id', 'amount']).where('account_id', '=', accountId).execute();
  const now = await store.db.selectFrom('balances').select('seq').where('account_id', '=', accountId).executeTakeFirst();
  if (now?.seq !== balance.seq) return;
  for (const { id, amount } of holds) {
    if (run.open.get(id) !== amount) fault(`hold ${id} of ${amount} credits has no open entry`);
    run.open.delete(id);
  }
  for (const id of run.open.keys()) fault(`hold ${id} is open by its entries, but not there`);
}

/** Compares the sum of grants with the audit log. Checked only if the account did not change meanwhile. */
async function verifyGrants(store: Store, balance: BalanceRow, run: Running, fault: (what: string) => void): Promise<void> {
  const accountId = balance.account_id;
  const audited = (await auditedGrants(store.db, accountId)).get(accountId) ?? 0;
  if (audited === run.granted) return;
  const now = await store.db.selectFrom('balances').select('seq').where('account_id', '=', accountId).executeTakeFirst();
  if (now?.seq === balance.seq) fault(`the entries grant ${run.granted} credits, the audit log says ${audited}`);
}
