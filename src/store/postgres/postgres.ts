import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import { migrate } from '../migrate.ts';
import type { Store, StoreLog } from '../store.ts';
import type { Tables } from '../tables.ts';
import { APPEND, appendValues } from './append.ts';
import { watchKeyChanges } from './changes.ts';
import { createPools, type GuardedPool } from './pool.ts';
import { postgresFailure } from './start-up-errors.ts';

export interface PostgresParts {
  readonly url: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Connections besides the ledger's own. Default 8. */
  readonly connections?: number;
  /** Longest wait for PostgreSQL's answer, half of it for the ledger's. Default 12 s. */
  readonly readTimeoutMs?: number;
}

const INT8 = 20;
const NUMERIC = 1700;
/** Credits and instants are safe integers: read as numbers. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** PostgreSQL 15 or later. Throws if it is unreachable or refuses the connection at the start; later failures are UNAVAILABLE. */
export async function openPostgres({ url, clock, log, connections = 8, readTimeoutMs = 12_000 }: PostgresParts): Promise<Store> {
  const config: pg.PoolConfig = {
    connectionString: url,
    types,
    application_name: 'sightline',
    // a gateway that is frozen within a transaction must not keep its locks
    idle_in_transaction_session_timeout: readTimeoutMs / 2,
    connectionTimeoutMillis: 2_000,
    ...timeouts(readTimeoutMs),
    keepAlive: true,
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
  const changes = watchKeyChanges(config, clock, log, poll);

  let closed = false;
  return {
    kind: 'postgres',
    db,
    migrate: () => migrate(db, 'postgres'),
    async append(batch, trx) {
      const values = appendValues(batch);
      if (!trx) return call<readonly string[]>('append', APPEND, values);
      const { rows } = await trx.executeQuery<{ r: readonly string[] }>(CompiledQuery.raw(APPEND, values));
      return (rows[0] as { r: readonly string[] }).r;
    },
    async lockBalances(trx, accountIds) {
      const rows = trx.selectFrom('balances').selectAll().where('account_id', 'in', accountIds);
      const balances = await rows.orderBy('account_id').forUpdate().execute();
      return { balances, at: (await sql<{ at: number }>`select sightline_now() as at`.execute(trx)).rows[0]?.at ?? 0 };
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
