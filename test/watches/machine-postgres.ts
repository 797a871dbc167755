import pg from 'pg';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { makeSchema, silent } from '../ledger/backends.ts';
import type { Random } from '../simulation/random.ts';
import { createFate, type Machine, never, type Process } from './fates.ts';

type Ask = (...given: never[]) => Promise<unknown>;
const sqlOf = (given: unknown): string => (typeof given === 'string' ? given : ((given as { text?: string }).text ?? ''));

/**
 * PostgreSQL, shared by processes with connections of their own that are killed and frozen between any two statements. What a killed one sent is
 * executed, its transactions are rolled back, and its connections end, before it counts as dead.
 */
export async function openPostgresMachine(random: Random, now: () => number): Promise<Machine> {
  const { url, drop } = await makeSchema();
  // sleeps end with the process: what is repeated is done by the test at each step
  const clock = { now, sleep: () => never };
  const first = await openPostgres({ url, clock, log: silent, connections: 1 });
  await first.migrate();
  await first.close();
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  await operator.query('create table test_clock (at bigint not null)');
  await operator.query('insert into test_clock values (0)');
  const readsClock = 'create or replace function sightline_now() returns bigint language sql volatile as $$ select at from test_clock $$';
  await operator.query(readsClock);
  let statements = 0;
  let clockAt = Number.NaN;
  let clockIsSet = Promise.resolve();
  /** The clock of the store is that of the test. */
  function setClock(): Promise<void> {
    const at = now();
    if (at !== clockAt) {
      clockAt = at;
      clockIsSet = clockIsSet.then(async () => void (await operator.query('update test_clock set at = $1', [at])));
    }
    return clockIsSet;
  }
  async function openProcess(): Promise<Process> {
    const fate = createFate();
    const clients = new Set<ProcessClient>();
    const sent = new Set<Promise<unknown>>();
    class ProcessClient extends pg.Client {
      inTransaction = false;
      override connect = ((...given: never[]) => {
        if (fate.shown.state() === 'kill') return never;
        clients.add(this);
        return (super.connect as Ask)(...given);
      }) as never;
      send(given: readonly never[]): Promise<unknown> {
        const sql = sqlOf(given[0]);
        statements++;
        const answer = (super.query as Ask)(...given).finally(() => {
          sent.delete(answer);
          if (sql === 'begin') this.inTransaction = true;
          if (sql === 'commit' || sql === 'rollback') this.inTransaction = false;
        });
        sent.add(answer);
        return answer;
      }
      // only the form that returns a promise is used
      override query = (async (...given: never[]) => {
        for (;;) {
          for (let wait = fate.waits(); wait; wait = fate.waits()) await wait;
          await setClock();
          if (fate.waits()) continue;
          const met = fate.meets([...clients].some((client) => client.inTransaction));
          if (met === 'freeze') continue;
          if (met === 'kill') await this.die(given);
          const answer = await this.send(given).catch((error: unknown) => {
            // it died meanwhile
            if (fate.shown.state() === 'kill') return never;
            throw error;
          });
          return fate.shown.state() === 'kill' ? never : answer;
        }
      }) as never;
      async die(given: readonly never[]): Promise<never> {
        // of the statements at which a process dies one half is executed
        if (random.chance(0.5)) await this.send(given).catch(() => {});
        await Promise.allSettled(sent);
        for (const client of clients) {
          if (client.inTransaction) await client.send(['rollback' as never]);
          await client.end();
        }
        fate.stop();
        return never;
      }
    }
    const store = await openPostgres({ url, clock, log: silent, connections: 3, Client: ProcessClient });
    return { store, ...fate.shown, end: async () => (fate.shown.state() === 'runs' ? store.close() : undefined) };
  }
  return {
    openProcess,
    statements: () => statements,
    async close() {
      await operator.end();
      await drop();
    },
  };
}
