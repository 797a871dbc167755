import { Kysely, type PostgresPool, sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import type { BatchAnswer } from '../batch.ts';
import { migrate } from '../migrate.ts';
import type { Store, StoreLog } from '../store.ts';
import type { Tables } from '../tables.ts';
import { fromPostgres } from '../unavailable.ts';
import { watchKeyChanges } from './changes.ts';
import { CHARGE, type ChargesAnswer, chargesOf } from './charges.ts';
import { CurrentSchemaDialect } from './dialect.ts';
import { postgresFailure } from './start-up-errors.ts';

export interface PostgresParts {
  readonly url: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Connections besides the ledger's own. Default 8. */
  readonly connections?: number;
}

const INT8 = 20;
const NUMERIC = 1700;
/** Credits and instants are safe integers: read as numbers. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** PostgreSQL 15 or later. Throws if it is unreachable or refuses the connection at the start; later failures are UNAVAILABLE. */
export async function openPostgres({ url, clock, log, connections = 8 }: PostgresParts): Promise<Store> {
  const config: pg.PoolConfig = {
    connectionString: url,
    types,
    application_name: 'sightline',
    connectionTimeoutMillis: 2_000,
    statement_timeout: 10_000,
    query_timeout: 12_000,
    keepAlive: true,
  };
  // a separate pool: ledger batches never wait for reports
  const ledger = new pg.Pool({ ...config, max: 2, statement_timeout: 5_000, query_timeout: 6_000 });
  const pool = new pg.Pool({ ...config, max: connections });
  for (const each of [ledger, pool]) {
    each.on('error', (error) => log('warn', 'store: idle connection lost', { reason: error.message }));
    // without a listener, an error of a checked-out idle client would end the process
    each.on('connect', (client) => client.on('error', (error) => log('warn', 'store: connection lost', { reason: error.message })));
  }
  const guarded = guard(pool);
  const db = new Kysely<Tables>({ dialect: new CurrentSchemaDialect({ pool: guarded }) });

  async function call<R>(name: string, text: string, values: unknown[]): Promise<R> {
    try {
      const { rows } = await ledger.query<{ r: R }>({ name, text, values });
      return rows[0]?.r as R;
    } catch (error) {
      throw fromPostgres(error);
    }
  }
  try {
    await ledger.query('select 1');
  } catch (error) {
    await Promise.all([ledger.end(), pool.end()]);
    throw postgresFailure(url, error);
  }
  const changes = watchKeyChanges({
    config,
    clock,
    log,
    poll: () => call<number>('changes', "select n as r from changes where name = 'keys'", []),
  });

  let closed = false;
  return {
    kind: 'postgres',
    db,
    migrate: () => migrate(db, 'postgres', clock.now()),
    async settle(ops) {
      const charges = chargesOf(ops);
      if (!charges) return call<BatchAnswer>('settle', 'select sightline_settle($1::jsonb) as r', [JSON.stringify(ops)]);
      return charges.read(await call<ChargesAnswer>('charge', CHARGE, [...charges.values]));
    },
    async settleWithin(trx, ops) {
      const { rows } = await sql<{ r: BatchAnswer }>`select sightline_settle(${JSON.stringify(ops)}::jsonb) as r`.execute(trx);
      return (rows[0] as { r: BatchAnswer }).r;
    },
    expire: (limit) => call<BatchAnswer>('expire', 'select sightline_expire($1) as r', [limit]),
    async atomically(statements, how) {
      const client = await guarded.connect();
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
    ready: async () => {
      await call<number>('ready', 'select 1 as r', []);
    },
    async close() {
      if (closed) return;
      closed = true;
      await changes.close();
      await Promise.all([ledger.end(), pool.end()]);
    },
  };
}

/** The pool with its failures translated. */
function guard(pool: pg.Pool): PostgresPool {
  const translate = (error: unknown): never => {
    throw fromPostgres(error);
  };
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(translate);
      return {
        // the overload for cursors is omitted: no query streams
        query: ((text: string, values: unknown[]) => client.query(text, values).catch(translate)) as never,
        release: (destroy?: boolean) => client.release(destroy),
      };
    },
  };
}
