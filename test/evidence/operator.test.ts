// Few in a process: it starts a whole service with its captures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { startWhole } from '../end-to-end/service.ts';
import { until } from '../faults/service-process.ts';

test('the operator lists, shows, replays and erases captures, sees drift and hourly health, and every act is in the audit log', async (t) => {
  const service = await startWhole({ ...SANDBOX_SETTINGS, SIGHTLINE_CAPTURE: 'all' });
  t.after(service.stop);
  const token = readFileSync(join(service.folder, 'admin-token'), 'utf8').trim();
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many actions, asserted field by field
  const admin = async (path: string, method = 'GET', body?: object): Promise<{ status: number; body: any }> => {
    const answer = await fetch(`${service.adminUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  assert.equal((await service.get('/v1/appmarket/apps/acme-reviews')).status, 200);
  assert.equal((await service.get('/v1/website/whois/domains/acme-widgets.com')).status, 200);
  await until('both captures are written', async () => (await admin('/captures')).body.length === 2);
  const [latest, first] = (await admin('/captures')).body;
  assert.deepEqual([latest.operation, first.operation, first.outcome], ['registration', 'app', 'found']);
  assert.deepEqual(
    (await admin(`/captures?before=${latest.capture}`)).body.map((c: { capture: string }) => c.capture),
    [first.capture],
  );
  assert.equal((await admin('/captures?operation=app')).body.length, 1);
  for (const filter of ['since=yesterday', 'operation=aps']) {
    const { status, body } = await admin(`/captures?${filter}`);
    assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'], filter);
    assert.doesNotMatch(body.error.message, /--/);
    assert.equal((await admin('/captures/replay', 'POST', Object.fromEntries(new URLSearchParams(filter)))).status, 400, filter);
  }
  const shown = (await admin(`/captures/${first.capture}`)).body;
  assert.equal(shown.resource.handle, 'acme-reviews');
  const page = shown.exchanges.find((e: { body: string }) => e.body?.includes('<html'));
  assert.ok(page.status === 200 && page.durationMs >= 0 && page.bytes === Buffer.byteLength(page.body));
  const replayed = (await admin('/captures/replay', 'POST', { operation: 'app' })).body;
  assert.deepEqual([replayed.captures, replayed.same, replayed.changes], [1, 1, []]);
  assert.deepEqual((await admin(`/captures/${first.capture}`, 'DELETE', {})).body, { erased: 1 });
  assert.equal((await admin(`/captures/${first.capture}`)).status, 404);
  assert.deepEqual((await admin('/drift')).body, []);
  assert.deepEqual((await admin('/drift/hours?source=appmarket/page&field=rating')).body.hours, []);
  const { sources } = (await admin('/sources')).body;
  const source = sources.find((s: { name: string }) => s.name === first.source);
  assert.equal(source.last24h.hours.length, 24);
  assert.deepEqual(source.last24h.hours.at(-1), { attempts: 1, good: 1 });
  assert.equal((await admin('/cache/purge', 'POST', { operation: 'app' })).body.dropped, 1);
  const acts = (await admin('/audit')).body as { seq: number; action: string; subject: string }[];
  assert.deepEqual(
    acts.slice(0, 2).map(({ action, subject }) => [action, subject]),
    [
      ['cache.purge', 'app'],
      ['capture.erase', first.capture],
    ],
  );
  assert.deepEqual((await admin(`/audit?before=${acts[0]?.seq}&action=capture.erase`)).body.length, 1);
  assert.deepEqual((await admin('/audit/verify', 'POST', {})).body.faults, []);
});
