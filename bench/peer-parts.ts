/** The parts that both peers share: keys by hash, a cache, usage rows and charges in SQLite, as one would write them for a service of one process. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Compile } from 'typebox/schema';
import { OPERATIONS } from '../src/contract/operations/index.ts';
import { openPeer } from './open-peer.ts';
import { resource, say } from './resource.ts';

interface Cache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}
interface Lru {
  readonly LRUCache: new (options: object) => Cache;
}
interface Undici {
  readonly Agent: new (options: object) => object;
  request(url: string, options: object): Promise<{ readonly body: { text(): Promise<string> } }>;
}
export interface UsageRow {
  readonly account: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}
/** Rate limits as high as the service's in a bench, so that no request is refused. */
export const RATE = { perSecond: 100_000 } as const;
export const MAX_AGE_S = 21_600;
const FLUSH_MS = 100;

export function openParts() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-peer-'));
  const db = new DatabaseSync(join(folder, 'peer.db'));
  db.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table keys (hash text primary key, account text not null);
    create table accounts (id text primary key, balance integer not null);
    create table charges (id text primary key, account text not null, credits integer not null, at integer not null);
    create table usage (account text not null, path text not null, status integer not null, ms real not null, at integer not null);`);
  const key = randomBytes(24).toString('base64url');
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  db.prepare('insert into keys values (?, ?)').run(hashOf(key), 'acc_1');
  db.prepare('insert into accounts values (?, ?)').run('acc_1', 900_000_000);
  const findKey = db.prepare('select account from keys where hash = ?');
  const accounts = new (openPeer('lru-cache') as Lru).LRUCache({ max: 1_000 });
  const cache = new (openPeer('lru-cache') as Lru).LRUCache({ max: 5_000, ttl: MAX_AGE_S * 1000 });
  const insertUsage = db.prepare('insert into usage values (?, ?, ?, ?, ?)');
  const [take, note] = [
    db.prepare('update accounts set balance = balance - 1 where id = ? and balance >= 1'),
    db.prepare('insert into charges values (?, ?, 1, ?)'),
  ];
  let rows: UsageRow[] = [];
  setInterval(() => {
    if (rows.length === 0) return;
    db.exec('begin');
    for (const { account, path, status, ms } of rows) insertUsage.run(account, path, status, ms, Date.now());
    db.exec('commit');
    rows = [];
  }, FLUSH_MS).unref();

  const { Agent, request } = openPeer('undici') as Undici;
  const dispatcher = new Agent({ connections: 50 });
  const schema = Compile(OPERATIONS.registration.resource);
  const upstream = process.env.BENCH_UPSTREAM;
  async function ask(domain: string): Promise<string> {
    if (!upstream) return JSON.stringify(resource(domain));
    const { body } = await request(`${upstream}/${domain}`, { dispatcher });
    const value: unknown = JSON.parse(await body.text());
    if (!schema.Check(value)) throw new Error('The answer does not match the schema.');
    return JSON.stringify(value);
  }
  const charges = process.env.BENCH_CHARGE === '1';

  return {
    key,
    /** The account of a key; null: there is no such key. */
    accountOf(given: string | undefined): string | null {
      if (given === undefined) return null;
      const hash = hashOf(given);
      const known = accounts.get(hash);
      if (known !== undefined) return known;
      const row = findKey.get(hash) as { account: string } | undefined;
      if (row) accounts.set(hash, row.account);
      return row?.account ?? null;
    },
    used: (row: UsageRow): void => void rows.push(row),
    /** One transaction, durable before the answer. False: the balance is too low. */
    charge(account: string): boolean {
      db.exec('begin immediate');
      const isTaken = take.run(account).changes === 1;
      if (isTaken) note.run(randomBytes(12).toString('base64url'), account, Date.now());
      db.exec('commit');
      return isTaken;
    },
    /** The answer as text, from the cache or asked; whether it costs. */
    async answer(domain: string): Promise<{ readonly text: string; readonly costs: boolean }> {
      const cached = cache.get(domain);
      if (cached !== undefined) return { text: cached, costs: charges };
      const text = await ask(domain);
      cache.set(domain, text);
      return { text, costs: true };
    },
    serving(port: number): void {
      say({ baseUrl: `http://127.0.0.1:${port}`, key });
      process.on('SIGTERM', () => {
        db.close();
        rmSync(folder, { recursive: true, force: true });
        process.exit(0);
      });
    },
  };
}
