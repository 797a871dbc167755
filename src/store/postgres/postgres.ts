import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import { migrate } from '../migrate.ts';
import type { JournalBatch, Store, StoreLog } from '../store.ts';
import type { Tables } from '../tables.ts';
import { fromPostgres } from '../unavailable.ts';
import { pollKeyChanges } from './changes.ts';
import { connectionString, postgresFailure } from './connection.ts';

export interface PostgresParts {
  readonly url: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Connections besides the ledger's own. Default 8. */
  readonly connections?: number;
  /** Longest wait for PostgreSQL's answer, half of it for the ledger's. Default 12 s. */
  readonly readTimeoutMs?: number;
  /** Connections of the driver. Default: its own. */
  readonly Client?: pg.PoolConfig['Client'];
}

/** The statements of a transaction follow each other at once: a gateway that pauses is suspended, and others wait for its locks. */
const MAX_IDLE_MS = 2_000;

const INT8 = 20;
const NUMERIC = 1700;
/** Credits and instants are safe integers: read as numbers. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** PostgreSQL 15 or later. Throws if it is unreachable or refuses the connection at the start; later failures are UNAVAILABLE. */
export async function openPostgres({ url, clock, log, connections = 8, readTimeoutMs = 12_000, Client }: PostgresParts): Promise<Store> {
  const config: pg.PoolConfig = {
    connectionString: connectionString(url),
    types,
    application_name: 'sightline',
    idle_in_transaction_session_timeout: MAX_IDLE_MS,
    connectionTimeoutMillis: 2_000,
    ...timeouts(readTimeoutMs),
    keepAlive: true,
    ...(Client && { Client }),
  };
  const openPool = createPools(log);
  // a separate pool: ledger batches never wait for reports
  const ledger = openPool({ ...config, max: 2, ...timeouts(readTimeoutMs / 2) });
  const pool = openPool({ ...config, max: connections });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const { call } = ledger;
  try {
    await ready(ledger);
  } catch (error) {
    await Promise.all([ledger.end(), pool.end()]);
    throw postgresFailure(url, (error as Error).cause ?? error);
  }
  const poll = () => call<number>('changes', "select n as r from changes where name = 'keys'", []);
  const changes = pollKeyChanges(clock, log, poll);

  let closed = false;
  return {
    kind: 'postgres',
    db,
    migrate: () => migrate(db, 'postgres', clock.now()),
    async append(batch, trx) {
      const values = appendValues(batch);
      if (!trx) return call<readonly string[]>('append', APPEND, values);
      const { rows } = await trx.executeQuery<{ r: readonly string[] }>(CompiledQuery.raw(APPEND, values));
      return (rows[0] as { r: readonly string[] }).r;
    },
    async lockBalances(trx, accountIds) {
      const rows = trx.selectFrom('balances').selectAll().where('account_id', 'in', accountIds);
      const balances = await rows.orderBy('account_id').forUpdate().execute();
      return { balances, atMs: (await sql<{ at: number }>`select sightline_now() as at`.execute(trx)).rows[0]?.at ?? 0 };
    },
    async atomically(statements, how) {
      const client = await pool.connect();
      try {
        await client.query(how?.lax ? 'begin; set local synchronous_commit = off' : 'begin', []);
        for (const { sql, parameters } of statements) await client.query(sql, [...parameters]);
        await client.query('commit', []);
        client.release();
      } catch (error) {
        client.release(true); // closing the connection rolls the transaction back
        throw error;
      }
    },
    now: () => call<number>('now', 'select sightline_now() as r', []),
    keyChanges: changes,
    ready: async () => void (await Promise.all([ready(ledger), ready(pool)])),
    async close() {
      if (closed) return;
      closed = true;
      await changes.close();
      await Promise.all([ledger.end(), pool.end()]);
    },
  };
}

const ready = (pool: GuardedPool): Promise<number> => pool.call('ready', 'select 1 as r', []);

/** PostgreSQL ends a statement before the connection is given up. */
const timeouts = (readTimeoutMs: number) => ({ statement_timeout: Math.floor((readTimeoutMs * 5) / 6), query_timeout: readTimeoutMs });

/** How far the time of a batch may be ahead of the store's clock: holds would expire early. */
const MAX_AHEAD_MS = 1_000;
/** How far it may be behind: a batch that waited is written, one of a gateway whose clock is wrong is not. */
const MAX_BEHIND_MS = 10_000;

/** Appends a batch in one statement, which locks balance rows in one order. A row is written if its number is the next of its account as it is then. */
const APPEND = `with clock as materialized (select sightline_now() as at, n from changes where name = 'keys'),
  locked as materialized (
    -- the clock is read before the locks are waited for
    select account_id from balances where account_id = any($1::text[]) and (select at from clock) > 0 order by account_id for update
  ),
  moved as (
    update balances b set balance = r.balance, held = r.held, seq = r.seq, head = r.hash
      from locked l join unnest($1::text[], $2::bigint[], $4::text[], $5::bigint[], $6::bigint[]) r(account_id, seq, hash, balance, held)
        on r.account_id = l.account_id, clock c
      where b.account_id = r.account_id and b.seq = r.seq - 1
        and ($8::bigint is null or c.n = $8 and $7::bigint - c.at between -${MAX_BEHIND_MS} and ${MAX_AHEAD_MS})
      returning b.account_id
  ), written as (
    insert into journal (account_id, seq, at, lines, hash, total)
      select r.account_id, r.seq, $7, r.lines, r.hash, r.balance + r.held
        from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) r(account_id, seq, lines, hash, balance, held)
          join moved m on m.account_id = r.account_id
  ), counted as (
    insert into key_spend (key_id, period, credits)
      select s.counter, s.period, s.credits
        from unnest($9::text[], $10::text[], $11::text[], $12::bigint[]) s(account_id, counter, period, credits)
          join moved m on m.account_id = s.account_id
      on conflict (key_id, period) do update set credits = excluded.credits
  )
  select coalesce(json_agg(account_id), '[]') as r from moved`;

const appendValues = ({ rows, atMs, keyChanges, spent }: JournalBatch): unknown[] => [
  ...(['accountId', 'seq', 'lines', 'hash', 'balance', 'held'] as const).map((name) => rows.map((row) => row[name])),
  atMs,
  keyChanges,
  ...(['accountId', 'counter', 'period', 'credits'] as const).map((name) => spent.map((each) => each[name])),
];

interface GuardedPool extends PostgresPool {
  /** Runs a named statement and returns column `r` of its first row. */
  call<R>(name: string, text: string, values: readonly unknown[]): Promise<R>;
}

/** Pools with failures as `fromPostgres` has them. After an error that PostgreSQL did not send, older connections are closed: their answers may never come. */
function createPools(log: StoreLog): (config: pg.PoolConfig) => GuardedPool {
  let losses = 0;
  /** Number of losses before each connection was made. */
  const madeAfter = new WeakMap<pg.PoolClient, number>();
  const translate = (error: unknown): never => {
    throw fromPostgres(error);
  };

  return (config) => {
    const pool = new pg.Pool(config);
    pool.on('error', (error) => log('warn', 'store: idle connection lost', { reason: error.message }));
    pool.on('connect', (client) => {
      madeAfter.set(client, losses);
      // without a listener, an error of a checked-out idle client would end the process
      client.on('error', (error) => log('warn', 'store: connection lost', { reason: error.message }));
    });
    async function connect() {
      let client = await pool.connect().catch(translate);
      while (madeAfter.get(client) !== losses) {
        client.release(true);
        client = await pool.connect().catch(translate);
      }
      let isLost = false;
      const failed = (error: unknown): never => {
        // only an error that PostgreSQL sent has a severity
        if ((error as { severity?: string }).severity === undefined && !isLost) {
          isLost = true;
          losses++;
        }
        throw fromPostgres(error);
      };
      return {
        query: (query: string | pg.QueryConfig, values?: unknown[]) => client.query<{ r: unknown }>(query, values).catch(failed),
        release: (destroy = false) => client.release(destroy || isLost),
      };
    }
    return {
      options: pool.options,
      end: () => pool.end(),
      // Kysely's overload for cursors is omitted: no query streams
      connect: connect as unknown as PostgresPool['connect'],
      async call<R>(name: string, text: string, values: readonly unknown[]) {
        const client = await connect();
        try {
          const { rows } = await client.query({ name, text, values: [...values] });
          return rows[0]?.r as R;
        } finally {
          client.release();
        }
      },
    };
  };
}
