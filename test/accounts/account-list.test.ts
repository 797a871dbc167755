import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { createRequestIds } from '../../src/gateway/http/request-context.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { makeSchema, noPostgres } from '../ledger/backends.ts';
import { BASE } from './test-service.ts';

const COUNTED = { label: null, code: null, source: null, cache: null, durationMs: 1, upstreamMs: 0, target: null, details: null };

async function listed(environment: Record<string, string>): Promise<void> {
  const settings = readSettings({ SIGHTLINE_SECRET: 'the secret of the fleet', SIGHTLINE_PUBLIC_URL: BASE, ...environment });
  const accounts = await openAccounts({ settings, clock: realClock, log: () => {} });
  try {
    const { admin } = accounts;
    const made = [];
    for (const name of ['Northlight', 'Harbour 50% Roast', 'Müller Uhren']) made.push(await admin.createAccount({ name, credits: 100 }));
    const harbour = made[1]?.accountId ?? '';
    const { keyId } = await admin.createKey({ accountId: harbour });
    const row = { ...COUNTED, at: Date.now(), accountId: harbour, keyId, operation: 'serp' };
    const [answered = '', refused = ''] = Array.from({ length: 2 }, createRequestIds(Math.random, Date.now));
    accounts.record({ ...row, requestId: answered, status: 200, credits: 3 });
    accounts.record({ ...row, requestId: refused, status: 502, credits: 0 });
    await admin.accountRequests({ accountId: harbour });
    const names = async (query: Parameters<typeof admin.listAccounts>[0]) => (await admin.listAccounts(query)).map(({ name }) => name);
    assert.deepEqual(await names({ search: 'NORTH' }), ['Northlight']);
    assert.deepEqual(await names({ search: '50%' }), ['Harbour 50% Roast'], '% is no wildcard');
    assert.deepEqual(await names({ search: '_' }), []);
    for (const search of [harbour, harbour.slice(0, 12), keyId, refused])
      assert.deepEqual(await names({ search }), ['Harbour 50% Roast'], search);
    assert.deepEqual(await names({ order: 'use', limit: 1 }), ['Harbour 50% Roast']);
    await assert.rejects(names({ order: 'use', after: 'acc_x' }), { failure: 'INVALID_REQUEST', message: /after is for the order age/ });
    const [first] = await admin.listAccounts({ search: harbour });
    assert.deepEqual([first?.keys, first?.lastWeek], [1, { requests: 2, errors: 1, credits: 3 }]);
    const [before, after] = [await names({ limit: 2 }), await names({ limit: 2, after: made[1]?.accountId ?? '' })];
    assert.deepEqual([...before, ...after], await names({}));
    await accounts.sessions.open({ kind: 'account', accountId: harbour, keyId: null });
    assert.deepEqual(await admin.endSessions({ accountId: harbour }), { ended: 1 });
    const [end] = await admin.auditLog({ action: 'session.end' });
    assert.deepEqual(
      (await admin.auditLog({ before: Number(end?.seq), limit: 1 })).map(({ seq }) => seq),
      [Number(end?.seq) - 1],
    );
  } finally {
    await accounts.close();
  }
}

const name = 'accounts are searched by name, id, key and request, paged, and sorted by use';
test(`${name} (embedded)`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-accounts-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await listed({ SIGHTLINE_DATA_DIR: folder });
});
test(`${name} (postgres)`, { skip: noPostgres }, async (t) => {
  const { url, drop } = await makeSchema();
  t.after(drop);
  await listed({ DATABASE_URL: url });
});
