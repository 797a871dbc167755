// Few in a process: runs the whole service.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { faultFinder } from '../../src/contract/operations/define.ts';
import { SourceStatus } from '../../src/contract/status.ts';
import { connectAdmin } from '../../src/gateway/admin/client.ts';
import { startWhole } from '../end-to-end/service.ts';
import { until } from '../faults/service-process.ts';
import { htmlFaults } from '../support/html-faults.ts';

test('the status page is off unless the setting switches it on', async (t) => {
  const service = await startWhole();
  t.after(() => service.stop());
  for (const accept of ['text/html', 'application/json']) {
    const { status, body } = await service.get('/status', { accept });
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND']);
  }
});

test('the file of canaries becomes watches; the operator sees results, everybody the status, and no account pays', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-canaries-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'canaries.json');
  const canary = (name: string, available: boolean) => ({
    ...{ name, operation: 'registration', parameters: { domain: 'acme-widgets.com' }, facts: { available } },
  });
  writeFileSync(file, JSON.stringify({ canaries: [canary('secret name of ours', false), canary('a wrong fact', true)] }));
  const service = await startWhole({ SIGHTLINE_STATUS_PAGE: 'on', SIGHTLINE_CANARIES: file });
  t.after(() => service.stop());
  const ask = (accept: string, path = '/status') => fetch(`${service.baseUrl}${path}`, { headers: { accept } });
  await service.accounts.store.db.updateTable('watches').set({ next_at: Date.now() }).execute();
  const client = await connectAdmin(service.folder);
  const results = async () => (await client?.listSources())?.canaries ?? [];
  await until('both canaries were checked', async () => (await results()).length === 2);
  assert.deepEqual(
    (await results()).map(({ name, ok, why, source }) => [name, ok, why, source]),
    [
      ['a wrong fact', false, 'available is false, expected true', 'registration/rdap'],
      ['secret name of ours', true, null, 'registration/rdap'],
    ],
  );
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
  assert.match(metrics, /^sightline_canaries\{what="a wrong fact"\} 0$/m);
  assert.match(metrics, /^sightline_canaries\{what="secret name of ours"\} 1$/m);
  const { balance, held } = (await client?.showAccount({ accountId: service.accountId })) ?? {};
  assert.deepEqual([balance, held], [(await client?.listAccounts())?.[0]?.balance, 0]);
  assert.deepEqual((await service.get('/v1/account/watches')).body.watches, []);
  assert.deepEqual((await service.get('/v1/account/changes')).body.changes, []);

  const json = await ask('application/json');
  const status = (await json.json()) as SourceStatus;
  assert.equal(await faultFinder(SourceStatus)(status), null);
  assert.deepEqual([json.status, json.headers.get('content-type')], [200, 'application/json; charset=utf-8']);
  assert.deepEqual(
    status.sources.map(({ source, state, upShare, days }) => [source, state, upShare, days.length, days.at(-1)?.checks]),
    [['registration/rdap', 'partly', 0.5, 90, 2]],
  );
  for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*']) {
    const html = await ask(accept);
    const page = await html.text();
    assert.deepEqual([html.status, html.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.match(html.headers.get('vary') ?? '', /Accept,|Accept$/);
    assert.match(html.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    assert.deepEqual(htmlFaults(page), []);
    for (const text of [page, JSON.stringify(status)])
      for (const inner of ['secret name', 'acme-widgets', 'expected true', 'http', '127.0.0.1', 'localhost', folder])
        assert.ok(!text.includes(inner), inner);
  }
  const again = await fetch(`${service.baseUrl}/status`, { headers: { 'if-none-match': (await ask('*/*')).headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
  assert.equal((await fetch(`${service.baseUrl}/status`, { method: 'POST' })).status, 405);
});
