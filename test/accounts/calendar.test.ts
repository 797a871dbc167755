/** The address of the calendar: the one credential that may stand in a URL. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { leads } from '../contract/fakes.ts';
import { openRights, type Rights } from './rights-callers.ts';
import type { Reply } from './test-service.ts';

const PATH = '/v1/account/watches/calendar';
let rights: Rights;
before(async () => {
  rights = await openRights();
});
after(() => rights.service.close());

const headersOf = (name: string) => rights.kinds.find((one) => one.name === name)?.headers ?? assert.fail(name);
const ask = (by: string | null, method: string, url: string, body?: object): Promise<Reply> =>
  rights.send({ headers: by === null ? {} : headersOf(by) }, method, url, body);
async function address(by = 'first key'): Promise<string> {
  const made = await ask(by, 'POST', PATH);
  assert.equal(made.status, 201, made.text);
  const url = new URL(String(made.body.url));
  assert.match(url.searchParams.get('token') ?? '', /^cal_[\w-]{32}$/);
  return url.pathname + url.search;
}

test('an address reads names and dates of what is due, until it is replaced or ended', async () => {
  const { service } = rights;
  const watch = { operation: 'registration', parameters: { domain: 'acme-widgets.com' }, every: '7d', creditsPerMonth: 50 };
  const { body } = await ask('first key', 'POST', '/v1/account/watches', watch);
  service.script = leads(service.clock as never, { body: { domain: 'acme-widgets.com', available: false, expiresOn: '2039-01-31' } });
  await ask('first key', 'POST', `/v1/account/watches/${body.watchId}/run`);
  const made = async () => (await ask('first key', 'GET', PATH)).body.createdAt;
  assert.equal(await made(), null);
  const url = await address();
  assert.match(String(await made()), /^20\d\d-\d\d-\d\dT/);
  const calendar = await ask(null, 'GET', url);
  assert.equal(calendar.status, 200);
  const headers = new Headers(calendar.headers as Record<string, string>);
  assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.match(headers.get('cache-control') ?? '', /private/);
  assert.match(calendar.text, /DTSTART;VALUE=DATE:20390131\r\n/);
  const next = await address();
  assert.equal((await ask(null, 'GET', url)).status, 404, 'replaced');
  assert.equal((await ask(null, 'GET', next)).status, 200);
  assert.equal(
    (
      await ask(
        null,
        'GET',
        next.replace(/(?<=token=.)./, (second) => (second === 'A' ? 'B' : 'A')),
      )
    ).status,
    404,
  );
  assert.equal((await ask('first key', 'GET', `${PATH}.ics`)).status, 404, 'a key opens it as little as no token');
  assert.equal((await ask('first key', 'DELETE', PATH)).status, 204);
  assert.equal((await ask(null, 'GET', next)).status, 404, 'ended');
  assert.equal(await made(), null);
});

test('it reads nothing else, ends with its key, and its token is in no row of the store', async () => {
  const { accounts, first } = rights.service;
  const { key, keyId } = await accounts.admin.createKey({ accountId: first.accountId, manage: true });
  const made = await rights.send({ headers: { 'x-api-key': key } }, 'POST', PATH);
  const url = new URL(String(made.body.url));
  const token = String(url.searchParams.get('token'));
  const tries: readonly Record<string, string>[] = [{ 'x-api-key': token }, { authorization: `Bearer ${token}` }];
  for (const headers of tries) assert.equal((await rights.send({ headers }, 'GET', '/v1/account')).status, 401);
  const rows = await accounts.store.db.selectFrom('watch_calendars').selectAll().execute();
  const audit = await accounts.admin.auditLog({});
  assert.ok(!JSON.stringify([rows, audit]).includes(token));
  assert.ok(audit.some(({ action }) => action === 'calendar.make'));
  assert.equal((await ask(null, 'GET', url.pathname + url.search)).status, 200);
  const shown = async () => (await ask('first key', 'GET', PATH)).body;
  assert.deepEqual(await shown(), { createdAt: made.body.createdAt }, 'when, and nothing else');
  await accounts.admin.revokeKey({ keyId });
  assert.equal((await ask(null, 'GET', url.pathname + url.search)).status, 404);
  assert.deepEqual(await shown(), { createdAt: null });
});
