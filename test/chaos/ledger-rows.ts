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

/** A hold that no later line ends. */
interface OpenHold {
  readonly account: string;
  readonly amount: number;
  readonly label: string;
  expiresAt: number;
}

/** Reads the lines of the journal: kind, credits, held, hold, life; of a hold also counter, key, operation and the ids of its request. */
async function readJournal(client: pg.Client): Promise<{ entries: Entry[]; open: OpenHold[] }> {
  // in the order of each account: the clock of a row may be behind that of the row before, which another gateway wrote
  const { rows } = await client.query<Record<'account_id' | 'at' | 'lines', string>>(
    'select account_id, at, lines from journal order by account_id, seq',
  );
  const entries: Entry[] = [];
  const open = new Map<string, OpenHold>();
  for (const { account_id: account, at, lines } of rows)
    for (const line of lines.split('\n')) {
      const [kind = '', credits, held, named = '', lifeMs, , , , names = ''] = line.split('\t');
      // what follows on a hold names its row too
      const hold = named.slice(named.indexOf('.') + 1);
      const key = `${account} ${hold}`;
      const known = open.get(key);
      if (kind === 'renew') {
        if (known) known.expiresAt = Number(at) + Number(lifeMs);
        continue;
      }
      const [requestId = '', label] = names.split(' ');
      entries.push({ account, kind: kind as Entry['kind'], credits: Number(credits), hold, label: label ?? requestId, at: Number(at) });
      if (kind === 'hold')
        open.set(key, { account, amount: Number(held), label: label ?? requestId, expiresAt: Number(at) + Number(lifeMs) });
      else open.delete(key);
    }
  return { entries, open: [...open.values()] };
}

/** All rows of the ledger at one moment. */
export const readLedgerRows = (url: string): Promise<LedgerRows> =>
  withStore(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const { entries, open } = await readJournal(client);
    const balances = await client.query<Record<'account' | 'balance' | 'held', string>>(
      'select account_id as account, balance, held from balances',
    );
    return {
      entries,
      balances: balances.rows.map((b) => ({ account: b.account, balance: Number(b.balance), held: Number(b.held) })),
      holds: open.map(({ account, amount }) => ({ account, amount })),
    };
  });

/** True once no hold is open whose time is over: the other gateways end those of a frozen one. False also if the store is unavailable. */
export const oldHoldsEnded = (url: string): Promise<boolean> =>
  withStore(url, async (client) => {
    const { open } = await readJournal(client);
    return open.every(({ expiresAt }) => expiresAt > Date.now());
  }).catch(() => false);

/** Number of these requests that have an open hold. */
export const openHolds = (url: string, requestIds: readonly string[]): Promise<number> =>
  withStore(url, async (client) => (await readJournal(client)).open.filter(({ label }) => requestIds.includes(label)).length).catch(
    () => 0, // store unavailable: count no holds
  );
