/** One PostgreSQL server for a run, and a database of its own for each process that needs one. */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { missing, startPostgres } from '../../test/fleet/services.ts';

export interface Databases {
  /** Creates a database for these files, if they need one, runs with its URL, and drops it. */
  with<T>(files: readonly string[], run: (url: string | undefined) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The helper by which a file uses the server of the run. */
const NEEDS_IT = /\/backends\.ts'/;
const needsIt = (file: string): boolean => NEEDS_IT.test(readFileSync(file, 'utf8'));

/** The server of SIGHTLINE_TEST_POSTGRES, or one that is started where PostgreSQL is installed and a file needs it. */
export async function openDatabases(files: readonly string[]): Promise<Databases> {
  const given = process.env.SIGHTLINE_TEST_POSTGRES;
  const own = !given && files.some(needsIt) && !missing('postgres') ? await startPostgres() : null;
  const server = given ?? own?.url;
  // a run that is interrupted cannot wait for it
  const end = (): void => void (own && process.kill(own.pid, 'SIGQUIT'));
  process.once('exit', end);
  let made = 0;
  const execute = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 20_000 });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    async with(these, run) {
      if (!server || !these.some(needsIt)) return run(undefined);
      const name = `sightline_test_${process.pid}_${++made}`;
      await execute(`create database ${name}`);
      try {
        return await run(Object.assign(new URL(server), { pathname: `/${name}` }).href);
      } finally {
        await execute(`drop database ${name} with (force)`);
      }
    },
    async close() {
      process.off('exit', end);
      await own?.close();
    },
  };
}
