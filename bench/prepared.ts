import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openAccounts } from '../src/accounts/accounts.ts';
import { makeKey } from '../src/accounts/keys/key-text.ts';
import { hashOf } from '../src/accounts/keys/keys.ts';
import { type AnswerCache, cacheKeyOf, createLocalCache } from '../src/orchestrator/cache.ts';
import { realClock } from '../src/runtime/clock.ts';
import { readSettings } from '../src/settings.ts';
import { resource } from './resource.ts';

const DAY_MS = 86_400_000;

const NO_FIELDS: readonly string[] = [];

/** A cache with the answers of n-0.com to n-(count - 1).com, of some 400 bytes each. */
export function filledCache(count: number): AnswerCache {
  const cache = createLocalCache(8_000_000_000, realClock.now);
  const at = realClock.now();
  for (let i = 0; i < count; i++) {
    const domain = `n-${i}.com`;
    cache.set(cacheKeyOf('registration', { domain }), {
      bytes: Buffer.from(JSON.stringify(resource(domain, 1))),
      etag: `W/"${i}"`,
      at,
      freshForMs: DAY_MS,
      keepForMs: DAY_MS,
      source: 'registration/rdap',
      unread: NO_FIELDS,
    });
  }
  return cache;
}

export interface PreparedStore {
  readonly folder: string;
  readonly accountId: string;
  readonly key: string;
}

/** A data folder with one account and its key; `fill` then writes straight into the database. */
export async function preparedStore(fill: (db: DatabaseSync, store: PreparedStore) => void): Promise<PreparedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  const accounts = await openAccounts({
    settings: readSettings({ SIGHTLINE_DATA_DIR: folder }),
    clock: realClock,
    log: () => {},
    randomBytes,
  });
  const { accountId } = await accounts.admin.createAccount({ name: 'bench', credits: 900_000_000 });
  const { key } = await accounts.admin.createKey({ accountId });
  await accounts.close();
  const store = { folder, accountId, key };
  const db = new DatabaseSync(join(folder, 'sightline.db'));
  db.exec('pragma synchronous = off; begin');
  fill(db, store);
  db.exec('commit');
  db.exec('analyze; pragma wal_checkpoint(truncate)');
  db.close();
  return store;
}

/** Adds accounts with a key each; returns the keys. */
export function addAccounts(db: DatabaseSync, count: number): readonly string[] {
  const account = db.prepare('insert into accounts (id, name, created_at) values (?, ?, ?)');
  const balance = db.prepare("insert into balances (account_id, balance, held, seq, head) values (?, 1000000, 0, 0, '')");
  const key = db.prepare('insert into keys (id, account_id, hash, hint, label, created_at) values (?, ?, ?, ?, ?, ?)');
  return Array.from({ length: count }, (_, i) => {
    const text = makeKey(randomBytes);
    account.run(`acc_many${i}`, 'one of many', 0);
    balance.run(`acc_many${i}`);
    key.run(`key_many${i}`, `acc_many${i}`, hashOf(text), 'sl_', 'bench', 0);
    return text;
  });
}

/** Rows of the journal with an entry each, from `numbers(n)`, beside which later charges are written; the chain itself is not valid. */
const entriesOf = (accountId: string): string => `insert into journal (account_id, seq, at, lines, hash)
  select '${accountId}', -n, 0, 'capture\t-1\t-1\t1.0192aaaa-bbbb-7ccc-8ddd-' || n, 'hash' from numbers`;
export const sqliteEntries = (accountId: string, count: number): string =>
  `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) ${entriesOf(accountId)}`;
export const postgresEntries = (accountId: string, count: number): string =>
  `with numbers as (select n from generate_series(1, ${count}) n) ${entriesOf(accountId)}`;

/** Sums of every day before today: so many days, operations and keys. */
export function addUsageDays(db: DatabaseSync, accountId: string, days: number, keys: number): void {
  const add = db.prepare(
    'insert into usage_days (account_id, day, operation, key_id, status, requests, credits) values (?, ?, ?, ?, 200, 10, 10)',
  );
  for (let day = 1; day <= days; day++)
    for (const operation of ['app', 'registration', 'serp', 'traffic'])
      for (let key = 0; key < keys; key++)
        add.run(accountId, new Date(realClock.now() - day * DAY_MS).toISOString().slice(0, 10), operation, `key_${key}`);
}
