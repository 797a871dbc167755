import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { grantCredits } from '../../src/billing/credit-grants.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';

export const silent = (): void => {};

/** A new empty store, dropped after the test. */
export interface Bench {
  readonly store: Store;
  /** `jump` moves its time; sleeps are real. */
  readonly clock: Clock;
  /** Advances the store's clock. */
  jump(ms: number): Promise<void>;
  /** A second connection to the same store; null for a store of one process. */
  another(): Promise<Store | null>;
  /** Its DATABASE_URL or SIGHTLINE_DATA_DIR. */
  readonly place: string;
  drop(): Promise<void>;
}
export interface Backend {
  readonly name: Store['kind'];
  /** Why its tests are skipped; false: they run. */
  readonly skip: string | false;
  open(): Promise<Bench>;
}

/** A database for this process alone: the runner creates it, on the server of SIGHTLINE_TEST_POSTGRES or on one that it starts. */
export const POSTGRES = process.env.SIGHTLINE_TEST_POSTGRES ?? '';

async function asPostgres<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: POSTGRES, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function withoutPostgres(): string | false {
  if (POSTGRES) return false;
  const why = 'no PostgreSQL here, neither installed nor at SIGHTLINE_TEST_POSTGRES';
  if ((process.env.SIGHTLINE_TEST_REQUIRE ?? '').includes('postgres')) throw new Error(why);
  return why;
}

function movable(): Clock & { offset: number } {
  const clock = { offset: 0, now: () => Date.now() + clock.offset, sleep: realClock.sleep };
  return clock;
}

async function embedded(): Promise<Bench> {
  const place = mkdtempSync(join(tmpdir(), 'sightline-store-'));
  const clock = movable();
  const store = await openEmbedded({ folder: place, now: clock.now, log: silent });
  await store.migrate();
  return {
    store,
    clock,
    place,
    async jump(ms) {
      clock.offset += ms;
    },
    another: async () => null,
    async drop() {
      await store.close();
      rmSync(place, { recursive: true });
    },
  };
}

/** Creates a schema in the database; returns its URL. */
export async function makeSchema(): Promise<{ url: string; drop(): Promise<void> }> {
  const schema = `sightline_test_${randomUUID().replaceAll('-', '')}`;
  await asPostgres((client) => client.query(`create schema ${schema}`));
  const url = new URL(POSTGRES);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return {
    url: url.href.replaceAll('+', '%20'),
    drop: () => asPostgres(async (client) => void (await client.query(`drop schema ${schema} cascade`))),
  };
}

async function postgres(): Promise<Bench> {
  const { url, drop } = await makeSchema();
  const clock = movable();
  const open = () => openPostgres({ url, clock: realClock, log: silent, connections: 4 });
  const store = await open();
  await store.migrate();
  // the store uses PostgreSQL's clock: a function in this schema replaces it
  await sql`create table test_clock (ahead bigint not null)`.execute(store.db);
  await sql`insert into test_clock values (0)`.execute(store.db);
  await sql`create or replace function sightline_now() returns bigint language sql volatile as
    $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint + (select ahead from test_clock) $$`.execute(store.db);
  const others: Store[] = [];
  return {
    store,
    clock,
    place: url,
    async jump(ms) {
      clock.offset += ms;
      await sql`update test_clock set ahead = ahead + ${ms}`.execute(store.db);
    },
    async another() {
      const other = await open();
      others.push(other);
      return other;
    },
    async drop() {
      for (const each of [store, ...others]) await each.close();
      await drop();
    },
  };
}

/** Why tests that need PostgreSQL are skipped; false if there is one. */
export const noPostgres = withoutPostgres();

export const BACKENDS: readonly Backend[] = [
  { name: 'embedded', skip: false, open: embedded },
  { name: 'postgres', skip: noPostgres, open: postgres },
];

/** Inserts an account with this balance without the ledger. */
export async function makeAccount(store: Store, id = `acc_${randomUUID().slice(0, 8)}`): Promise<string> {
  await store.db.insertInto('accounts').values({ id, name: id, created_at: 0 }).execute();
  await store.db.insertInto('balances').values({ account_id: id, balance: 0, held: 0, seq: 0, head: '' }).execute();
  return id;
}

/** Grants credits without an audit entry; true if they were granted now. */
export async function grant(store: Store, accountId: string, credits: number, reference = ''): Promise<boolean> {
  const granted = await store.db.transaction().execute((trx) => grantCredits(store, trx, { accountId, credits, note: 'test', reference }));
  return granted.written;
}

/** Defaults for the columns of a key that tests do not read. */
export const KEY_ROW = {
  hint: 'sl_',
  label: '',
  operations: null,
  cidrs: null,
  cap_day: null,
  cap_month: null,
  rate_per_second: null,
  rate_burst: null,
  created_at: 0,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  replaced_by: null,
};
