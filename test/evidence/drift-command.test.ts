// Own process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDriftSums } from '../../src/store/drift-sums.ts';
import { storeCanaries } from '../../src/watches/canaries.ts';
import { parseCanaries } from '../../src/watches/canary-file.ts';
import { BACKENDS } from '../ledger/backends.ts';
import { runCommand } from './processes.ts';

const HOUR_MS = 3_600_000;
const [, postgres] = BACKENDS;

test('with a shared store sources names what canaries say and the fields that drift, also of a source that this process has no settings for', {
  skip: postgres?.skip ?? true,
}, async (t) => {
  const bench = (await postgres?.open()) ?? assert.fail();
  t.after(() => bench.drop());
  const hour = Math.floor(Date.now() / HOUR_MS);
  const sum = { answers: 10, missing: 9, unread: 0, drifting: 1 };
  const drifts = (source: string, field: string, ago: number) => ({
    ...sum,
    source,
    stream: `${source} ${field}`,
    field,
    hour: hour - ago,
  });
  await createDriftSums(bench.store.db).add([
    drifts('registration/rdap', 'registrar', 0),
    drifts('registration/rdap', 'createdAt', 20),
    drifts('forum/api', 'score', 0),
    drifts('relay/elsewhere', 'title', 0),
  ]);
  const now = Date.now();
  await storeCanaries(bench.store, parseCanaries('{"registries": ["com"]}'), now);
  const { db } = bench.store;
  const { n: watch } = await db.selectFrom('watches').select('n').executeTakeFirstOrThrow();
  const why = 'available is true, expected false';
  const body = JSON.stringify({ at: now, why, sources: { 'registration/rdap': false } });
  await db.insertInto('watch_bodies').values({ watch, hash: 'h', operation: 'registration', body, read_at: now, stripped: 0 }).execute();
  await db
    .insertInto('watch_checks')
    .values({ watch, slot: now, outcome: 'failed', code: 'facts', credits: 0, source: 'registration/rdap', body: 'h' })
    .execute();
  const run = (...args: string[]) => runCommand(['sources', ...args], { environment: { DATABASE_URL: bench.place } });
  const rows = JSON.parse((await run('--json')).out) as { source: string; lacks: string[]; drifting: string[] }[];
  const driftOf = (source: string) => rows.find((row) => row.source === source)?.drifting;
  assert.ok(rows.find((row) => row.source === 'forum/api')?.lacks.length, 'it is not configured here');
  assert.deepEqual(['registration/rdap', 'forum/api', 'relay/elsewhere', 'appmarket/page'].map(driftOf), [
    ['registrar'],
    ['score'],
    ['title'],
    [],
  ]);
  const { out } = await run();
  assert.match(out, /^registration\/rdap .*drifting: registrar$/m);
  assert.match(out, /^nic\.com +registration +registration\/rdap .*fails: available is true, expected false$/m);
  assert.match(out, /^relay\/elsewhere .*drifting: title$/m);
});

test('sources lists what it can where the store does not answer, and says what is not known', async () => {
  const { code, out, error } = await runCommand(['sources'], { environment: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } });
  assert.deepEqual([code, /^registration\/rdap /m.test(out)], [0, true]);
  assert.match(error, /drift.*not known: PostgreSQL at 127\.0\.0\.1:1 \(DATABASE_URL\) refuses the connection/);
});
