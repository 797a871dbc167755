import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openAccounts } from '../src/accounts/accounts.ts';
import { realClock } from '../src/runtime/clock.ts';
import { readSettings } from '../src/settings.ts';
import { type OwnServer, startPostgres } from '../test/fleet/services.ts';
import { cpuRounds, cpuRow, familyOf, noiseRow, onlyServer, type Subject } from './cpu.ts';
import { type LoadOptions, load, type Server, startServer, withServers } from './load.ts';
import { atMost, median, type Row } from './measure.ts';
import { addAccounts, addUsageDays, type PreparedStore, postgresEntries, preparedStore, sqliteEntries } from './prepared.ts';

const ROUNDS = 7;
/** Growth from small to large that is no growth. */
const FLAT = 1.15;
/** BENCH_LARGE=1 measures ten million entries instead of one: some minutes and five gigabytes more. */
const ENTRIES = process.env.BENCH_LARGE === '1' ? 10_000_000 : 1_000_000;

const subject = (server: Server, path: string, options?: LoadOptions): Subject => ({
  load: () => load(server, path, options),
  processes: onlyServer(server),
});
const numbered = (n: number): string => n.toLocaleString('en');

/** How the cost of a request grows with what is stored: cached answers, accounts and keys, entries of the ledger, days of usage. */
export async function suite(): Promise<Row[]> {
  return [...(await cached()), ...(await keys()), await charges(), await chargesOnPostgres(), await verification(), await usage()];
}

const cached = (): Promise<Row[]> =>
  withServers(
    {
      ten: startServer('house', { BENCH_CACHED: '10' }),
      thousands: startServer('house', { BENCH_CACHED: '10000' }),
      million: startServer('house', { BENCH_CACHED: '1000000' }),
    },
    async ({ ten, thousands, million }) => {
      const path = '/v1/website/whois/domains/n-#.com';
      const costs = await cpuRounds(
        {
          ten: subject(ten, path, { range: 10 }),
          again: subject(ten, path, { range: 10 }),
          thousands: subject(thousands, path, { range: 10_000 }),
          million: subject(million, path, { range: 1_000_000 }),
        },
        ROUNDS,
      );
      const missed =
        'answers, their keys and the parameters of their targets are no longer in the cache of the processor; and of more than 20,000 targets in use the ' +
        'parameters are not remembered, but read and checked anew. Next: a cheaper check of domain names that are plain ASCII.';
      return [
        noiseRow(costs.ten, costs.again),
        { ...cpuRow('CPU of a hit, 10,000 cached answers against 10, all asked at random', costs.thousands, costs.ten, FLAT), missed },
        { ...cpuRow('CPU of a hit, 1,000,000 cached answers against 10,000', costs.million, costs.thousands, FLAT), missed },
      ];
    },
  );

async function keys(): Promise<Row[]> {
  const few: string[] = [];
  const many: string[] = [];
  const stores = [
    await preparedStore((db) => few.push(...addAccounts(db, 10))),
    await preparedStore((db) => many.push(...addAccounts(db, 100_000))),
  ];
  const files = [few, many.slice(0, 10), many].map((list, i) => {
    const file = join(stores[i === 0 ? 0 : 1]?.folder ?? '', `keys-${i}`);
    writeFileSync(file, list.join('\n'));
    return file;
  });
  const [fewFile = '', someFile = '', allFile = ''] = files;
  const house = ({ folder, key }: PreparedStore) => startServer('house', { BENCH_STORE: folder, BENCH_KEY: key });
  try {
    return await withServers({ few: house(stores[0] as PreparedStore), many: house(stores[1] as PreparedStore) }, async (servers) => {
      const path = '/v1/website/whois/domains/bench-hit.com';
      await load(servers.few, path);
      await load(servers.many, path);
      // the first request of a key reads its rows: each is asked once before
      await load(servers.many, path, { keys: allFile, seconds: 25 });
      const costs = await cpuRounds(
        {
          few: subject(servers.few, path, { keys: fewFile }),
          many: subject(servers.many, path, { keys: someFile }),
          all: subject(servers.many, path, { keys: allFile }),
        },
        ROUNDS,
      );
      const missed =
        'every request is of another account: each has a row of the request log and a daily sum of its own instead of sharing them with the others of ' +
        'its batch (statements of 500 rows are built, sent to the thread of the store and compiled there), and its limits, its balance and its key are ' +
        'no longer in the cache of the processor. Next: the rows as one JSON parameter of a statement that stays compiled.';
      return [
        cpuRow('CPU of a hit, 100,000 accounts and keys against 10, ten of them in use', costs.many, costs.few, FLAT),
        { ...cpuRow('CPU of a hit, 100,000 accounts and keys against 10, all of them in use in turn', costs.all, costs.few, FLAT), missed },
      ];
    });
  } finally {
    for (const { folder } of stores) rmSync(folder, { recursive: true, force: true });
  }
}

const CHARGED = '/v1/website/whois/domains/bench-hit.com';

async function charges(): Promise<Row> {
  const filled = (count: number) =>
    preparedStore((db, { accountId }) => {
      db.exec(sqliteEntries(accountId, count));
    });
  const [small, large] = [await filled(100), await filled(ENTRIES)];
  const house = ({ folder, key }: PreparedStore) => startServer('house', { BENCH_STORE: folder, BENCH_KEY: key, BENCH_CHARGE: '1' });
  try {
    return await withServers({ small: house(small), large: house(large) }, async (servers) => {
      const costs = await cpuRounds({ small: subject(servers.small, CHARGED), large: subject(servers.large, CHARGED) }, ROUNDS);
      return cpuRow(`CPU of a charged answer (SQLite), ${numbered(ENTRIES)} entries against 100`, costs.large, costs.small, FLAT);
    });
  } finally {
    for (const { folder } of [small, large]) rmSync(folder, { recursive: true, force: true });
  }
}

async function chargesOnPostgres(): Promise<Row> {
  const databases = { small: await startPostgres(), large: await startPostgres() };
  const house = ({ url }: OwnServer) => startServer('house', { BENCH_DATABASE_URL: url, BENCH_CHARGE: '1' });
  const on = (server: Server, postgres: OwnServer): Subject => ({
    load: () => load(server, CHARGED),
    processes: () => ({ gateway: [server.pid], PostgreSQL: familyOf(postgres.pid) }),
  });
  try {
    return await withServers({ small: house(databases.small), large: house(databases.large) }, async ({ small, large }) => {
      for (const [{ url }, count] of [
        [databases.small, 100],
        [databases.large, ENTRIES],
      ] as const) {
        const client = new pg.Client(url);
        await client.connect();
        const { rows } = await client.query<{ account_id: string }>('select account_id from balances');
        await client.query(postgresEntries(rows[0]?.account_id ?? '', count));
        // else its own vacuum would be measured
        await client.query('vacuum analyze journal');
        await client.query('checkpoint');
        await client.end();
      }
      const costs = await cpuRounds({ small: on(small, databases.small), large: on(large, databases.large) }, ROUNDS);
      return cpuRow(`CPU of a charged answer (PostgreSQL), ${numbered(ENTRIES)} entries against 100`, costs.large, costs.small, FLAT);
    });
  } finally {
    await databases.small.close();
    await databases.large.close();
  }
}

/** CPU time per entry of a verification of this many entries, µs. */
async function verificationMicros(entries: number): Promise<number> {
  const { folder, accountId } = await preparedStore(() => {});
  const accounts = await openAccounts({
    settings: readSettings({ SIGHTLINE_DATA_DIR: folder }),
    clock: realClock,
    log: () => {},
    randomBytes,
  });
  try {
    for (let made = 0; made < entries / 2; ) {
      const holds = await Promise.all(
        Array.from({ length: 1_000 }, () =>
          accounts.ledger.hold({ accountId, keyId: '', amount: 1, operation: 'registration', requestId: 'bench', ttlMs: 60_000 }),
        ),
      );
      await Promise.all(holds.map((hold) => (hold.ok ? accounts.ledger.capture(hold.holdId, 1) : Promise.reject(new Error(hold.message)))));
      made += holds.length;
    }
    const micros: number[] = [];
    for (let round = 0; round < 3; round++) {
      const before = process.cpuUsage();
      const report = await accounts.admin.verifyLedger();
      const { user, system } = process.cpuUsage(before);
      if (report.faults.length) throw new Error(report.faults.join('; '));
      micros.push((user + system) / report.entries);
    }
    return median(micros);
  } finally {
    await accounts.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verification(): Promise<Row> {
  const [small, large] = [await verificationMicros(20_000), await verificationMicros(1_000_000)];
  const note = `${large.toFixed(2)} µs an entry (${large.toFixed(0)} s for a million) against ${small.toFixed(2)} µs`;
  return atMost('CPU of ledger verify for each entry, 1,000,000 entries against 20,000', large / small, FLAT, note);
}

async function usage(): Promise<Row> {
  const year = await preparedStore((db, { accountId }) => addUsageDays(db, accountId, 365, 20));
  const days = await preparedStore((db, { accountId }) => addUsageDays(db, accountId, 3, 20));
  const house = ({ folder, key }: PreparedStore) => startServer('house', { BENCH_STORE: folder, BENCH_KEY: key });
  const dayOf = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  try {
    return await withServers({ year: house(year), days: house(days) }, async (servers) => {
      const path = `/v1/account/usage?from=${dayOf(365)}&to=${dayOf(1)}&limit=100`;
      const costs = await cpuRounds({ days: subject(servers.days, path), year: subject(servers.year, path) }, ROUNDS);
      return cpuRow('CPU of /v1/account/usage over a year, 29,200 daily sums against 240, a page of 100', costs.year, costs.days, FLAT);
    });
  } finally {
    for (const { folder } of [year, days]) rmSync(folder, { recursive: true, force: true });
  }
}
