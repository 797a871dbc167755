/** Stores that are older than what is known of them: restored backups, and stores of an earlier version. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { auditText } from '../../src/accounts/admin/audit.ts';
import { readSettings } from '../../src/settings.ts';
import { until } from '../faults/service-process.ts';
import { BACKENDS, silent } from '../ledger/backends.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { fullStore } from './full-store.ts';

test('a start over a store that is older than its anchor file says so, once', async (t) => {
  const [served, backup, elsewhere] = [0, 1, 2].map(() => mkdtempSync(join(tmpdir(), 'sightline-older-'))) as [string, string, string];
  t.after(() => [served, backup, elsewhere].forEach((folder) => void rmSync(folder, { recursive: true })));
  const file = join(elsewhere, 'anchors');
  const http = { ask: async () => ({ tag: 'unreachable' as const, what: 'There is no network.' }) };
  const anchors = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0);
  const logged: [string, string, unknown][] = [];
  /** Opens the folder as a service does, until its anchor is written. */
  async function during(folder: string, work: (accounts: OpenAccounts) => Promise<unknown>): Promise<number> {
    logged.length = 0;
    const clock = createManualClock();
    const settings = readSettings({
      SIGHTLINE_DATA_DIR: folder,
      SIGHTLINE_SECRET: 'a secret of sixteen or more',
      SIGHTLINE_ANCHOR_FILE: file,
    });
    const log = (level: string, message: string, facts?: object) => void logged.push([level, message, facts]);
    const before = anchors();
    const accounts = await openAccounts({ settings, clock, log, http });
    await until('an anchor is written', () => anchors() > before);
    await work(accounts);
    await accounts.close();
    return logged.filter(([level, message]) => level === 'error' && /does not have what its anchor file has/.test(message)).length;
  }
  const grants =
    (credits: number) =>
    async ({ admin }: OpenAccounts) => {
      const [account] = await admin.listAccounts();
      await admin.grant({ accountId: account?.accountId ?? (await admin.createAccount({ name: 'a' })).accountId, credits });
    };
  assert.equal(await during(served, grants(1)), 0);
  cpSync(served, backup, { recursive: true });
  assert.equal(await during(served, grants(2)), 0);
  assert.equal(await during(served, grants(3)), 0);
  assert.equal(await during(backup, grants(4)), 1);
  assert.match(JSON.stringify(logged), /link 2, which the anchor of .* has, is missing/);
  assert.equal(await during(backup, grants(5)), 0);
  // a file that holds something else
  writeFileSync(file, `${readFileSync(file, 'utf8')}no anchor\n`);
  assert.equal(await during(backup, grants(6)), 1);
});

test('watches and grants of an earlier version enter the audit log with the upgrade, once', async (t) => {
  const { accounts, bench, settings } = await fullStore(BACKENDS[0] ?? assert.fail('the embedded store is always there'));
  t.after(bench.drop);
  const { db } = accounts.store;
  const made = await db
    .selectFrom('audit')
    .select('seq')
    .where('action', 'in', ['watch.create', 'watch.edit', 'watch.delete', 'grant.create'])
    .execute();
  assert.ok(made.length > 4);
  // the store as the earlier version left it: without these entries, and without seals
  for (const verb of ['update', 'delete']) await sql.raw(`drop trigger audit_no_${verb}`).execute(db);
  await db
    .deleteFrom('audit')
    .where(
      'seq',
      'in',
      made.map(({ seq }) => seq),
    )
    .execute();
  const left = await db.selectFrom('audit').select('seq').orderBy('seq').execute();
  for (const [i, { seq }] of left.entries())
    await db
      .updateTable('audit')
      .set({ seq: i + 1 })
      .where('seq', '=', seq)
      .execute();
  let head = '';
  for (const row of await db.selectFrom('audit').selectAll().orderBy('seq').execute()) {
    head = hash('sha256', auditText(row.seq, row.at, row, head), 'hex');
    await db.updateTable('audit').set({ hash: head }).where('seq', '=', row.seq).execute();
  }
  await db.updateTable('changes').set({ n: left.length }).where('name', '=', 'audit').execute();
  await db.updateTable('changes').set({ n: 0 }).where('name', '=', 'bound').execute();
  await db.updateTable('grant_tokens').set({ seal: null }).execute();
  assert.ok((await accounts.admin.verifyAudit()).faults.length > 0);
  await accounts.close();
  const open = () => openAccounts({ settings, clock: bench.clock, log: silent });
  const upgraded = await open();
  const { entries, faults } = await upgraded.admin.verifyAudit();
  assert.deepEqual(faults, []);
  await upgraded.close();
  const again = await open();
  assert.deepEqual(await again.admin.verifyAudit(), { entries, faults: [] });
  // what is added later does not enter it
  const watch = await again.store.db.selectFrom('watches').selectAll().executeTakeFirstOrThrow();
  await again.store.db
    .insertInto('watches')
    .values({ ...watch, n: 99, id: 'wat_new' })
    .execute();
  await again.close();
  const last = await open();
  assert.match((await last.admin.verifyAudit()).faults.join(), /watch wat_new: no event of the audit log made it/);
  await last.close();
});
