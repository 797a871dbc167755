import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createJournal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { OperatorError } from '../../src/settings.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import { BACKENDS, type Bench, grant, makeAccount, silent } from './backends.ts';

const embedded = BACKENDS[0] ?? assert.fail('the embedded store is always there');
const HOLD = { keyId: '', amount: 1, operation: 'serp', requestId: '', ttlMs: 60_000 } as const;

describe('one process holds a data folder', () => {
  let folder: string;
  before(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'sightline-lock-')), 'data');
  });
  after(() => rmSync(join(folder, '..'), { recursive: true }));
  const open = () => openEmbedded({ folder, now: Date.now, log: silent, lockWaitMs: 50 });
  const modes = () =>
    Object.fromEntries(['.', ...readdirSync(folder)].map((n) => [n, (statSync(join(folder, n)).mode & 0o777).toString(8)]));
  const text = `
    const { openEmbedded } = await import(${JSON.stringify(new URL('../../src/store/sqlite/sqlite.ts', import.meta.url).href)});
    await openEmbedded({ folder: process.argv[1], now: Date.now, log() {} });
    process.stdout.write('held');
    setInterval(() => {}, 1e6);`;

  test('a second process is refused with a message that names the first; a killed process holds no lock', async () => {
    const holder = spawn(process.execPath, ['--input-type=module', '-e', text, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    await assert.rejects(open, (error: Error) => {
      assert.ok(error instanceof OperatorError);
      assert.match(error.message, new RegExp(`${folder} is held by another Sightline process \\(process ${holder.pid}\\)`));
      return true;
    });
    holder.kill('SIGKILL');
    await once(holder, 'close');
    const store = await open();
    await store.ready();
    await store.close();
  });

  test('the folder has mode 0700 and its files 0600', async () => {
    const store = await open();
    await store.migrate();
    const { '.': own, ...files } = modes();
    assert.equal(own, '700');
    for (const name of ['lock.db', 'holder', 'sightline.db', 'sightline.db-wal', 'sightline.db-shm']) assert.ok(name in files, name);
    for (const [name, mode] of Object.entries(files)) assert.equal(mode, '600', name);
    await store.close();
  });

  test('every start resets the modes of a folder that other users could read', async () => {
    for (const round of [1, 2]) {
      // leave a WAL, as after a crash
      const before = new DatabaseSync(join(folder, 'sightline.db'));
      before.exec('pragma journal_mode = wal; create table if not exists t (x); insert into t values (1)');
      chmodSync(folder, 0o755);
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
      const logged: unknown[] = [];
      const store = await openEmbedded({ folder, now: Date.now, log: (level, message, facts) => logged.push([level, message, facts]) });
      const found = modes();
      assert.equal(found['.'], '700', `round ${round}`);
      for (const [name, mode] of Object.entries(found)) if (name !== '.') assert.equal(mode, '600', name);
      assert.ok('sightline.db-wal' in found && 'sightline.db-shm' in found);
      assert.match(JSON.stringify(logged), /open to other users.*sightline\.db 0644/);
      before.close();
      await store.close();
    }
  });

  test('a second store in the same process is refused; a closed store releases the lock', async () => {
    const first = await open();
    await assert.rejects(open, /is held by another Sightline process/);
    await first.close();
    await assert.rejects(first.ready(), { failure: 'UNAVAILABLE' });
    await (await open()).close();
  });

  test('a folder that cannot be created is reported', async () => {
    await assert.rejects(
      openEmbedded({ folder: '/dev/null/data', now: Date.now, log: silent }),
      /The store in \/dev\/null\/data does not open/,
    );
  });
});

describe('the embedded store while writes fail', () => {
  let bench: Bench;
  before(async () => {
    bench = await embedded.open();
  });
  after(() => bench.drop());
  const withLedger = async (work: (ledger: ReturnType<typeof createLedger>, account: string) => Promise<void>) => {
    const ledger = createLedger({
      journal: createJournal(bench.store, realClock),
      clock: realClock,
      log: silent,
      randomBytes,
      holdLifeMs: 60_000,
    });
    const accountId = await makeAccount(bench.store);
    await grant(bench.store, accountId, 100_000);
    await work(ledger, accountId);
    await ledger.close();
  };

  test('on a full disk holds are refused as UNAVAILABLE, and succeed again once there is space', () =>
    withLedger(async (ledger, accountId) => {
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(bench.store.db);
      await sql.raw(`pragma max_page_count = ${Number(rows[0]?.page_count)}`).execute(bench.store.db);
      let refused = 0;
      for (let i = 0; i < 40 && !refused; i++) {
        const answers = await Promise.allSettled(Array.from({ length: 200 }, () => ledger.hold({ ...HOLD, accountId })));
        for (const a of answers) if (a.status === 'rejected') assert.equal(a.reason.failure, 'UNAVAILABLE', String(a.reason));
        refused = answers.filter((a) => a.status === 'rejected').length;
      }
      assert.ok(refused > 0, 'the disk was full');
      await sql.raw('pragma max_page_count = 1000000').execute(bench.store.db);
      assert.equal((await ledger.hold({ ...HOLD, accountId })).ok, true);
    }));

  test('while another process locks the database holds are refused as UNAVAILABLE, and captures are written afterwards', () =>
    withLedger(async (ledger, accountId) => {
      const hold = await ledger.hold({ ...HOLD, accountId });
      assert.ok(hold.ok);
      await sql.raw('pragma busy_timeout = 20').execute(bench.store.db);
      const other = new DatabaseSync(join(bench.place, 'sightline.db'));
      other.exec('begin immediate');
      const captured = ledger.capture(hold.holdId, 1);
      await assert.rejects(ledger.hold({ ...HOLD, accountId }), { failure: 'UNAVAILABLE' });
      other.exec('rollback');
      other.close();
      await captured;
      assert.equal(ledger.counts.captured, 1);
      assert.equal(await ledger.remaining(accountId), 99_999);
    }));
});
