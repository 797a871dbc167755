import pg from 'pg';
import type { Entry, LedgerRows } from './evidence.ts';

/** The suite's own PostgreSQL client: the checker reads the rows directly, without code of the service. */
async function withStore<T>(url: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 20_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await ask(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** All rows of the ledger at one moment. */
export const readLedgerRows = (url: string): Promise<LedgerRows> =>
  withStore(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const entries = await client.query<Record<keyof Entry, string>>(
      `select e.account_id as account, e.kind, e.credits, e.hold, coalesce(nullif(split_part(e.label, ' ', 2), ''), e.label) as label, l.at
        from entries e join links l on l.account_id = e.account_id and l.seq = e.link order by l.at, e.n`,
    );
    const balances = await client.query<Record<'account' | 'balance' | 'held', string>>(
      'select account_id as account, balance, held from balances',
    );
    const holds = await client.query<Record<'account' | 'amount', string>>('select account_id as account, amount from holds');
    return {
      entries: entries.rows.map((e) => ({ ...e, kind: e.kind as Entry['kind'], credits: Number(e.credits), at: Number(e.at) })),
      balances: balances.rows.map((b) => ({ account: b.account, balance: Number(b.balance), held: Number(b.held) })),
      holds: holds.rows.map((h) => ({ account: h.account, amount: Number(h.amount) })),
    };
  });

/** Expires overdue holds, as the reaper of a gateway does. False if the store is unavailable. */
export const endOldHolds = (url: string): Promise<boolean> =>
  withStore(url, (client) => client.query('select sightline_expire(10000)')).then(
    () => true,
    () => false,
  );

/** Number of these requests that have an open hold. */
export const openHolds = (url: string, requestIds: readonly string[]): Promise<number> =>
  withStore(url, async (client) => {
    const text = "select 1 from holds h join entries e on e.hold = h.id and e.kind = 'hold' where split_part(e.label, ' ', 2) = any($1)";
    return (await client.query(text, [requestIds])).rowCount ?? 0;
  }).catch(() => 0); // store unavailable: count no holds
