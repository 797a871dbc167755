import type { PostgresPool } from 'kysely';
import pg from 'pg';
import type { StoreLog } from '../store.ts';
import { fromPostgres } from '../unavailable.ts';

export interface GuardedPool extends PostgresPool {
  /** Runs a named statement and returns column `r` of its first row. */
  call<R>(name: string, text: string, values: readonly unknown[]): Promise<R>;
}

/** Pools with failures as `fromPostgres` has them. After an error that PostgreSQL did not send, older connections are closed: their answers may never come. */
export function createPools(log: StoreLog): (config: pg.PoolConfig) => GuardedPool {
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
