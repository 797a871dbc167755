// Few in a process: it opens services.
/** What all endpoints of a kind refuse in the same form. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { accountEndpoints } from '../../src/contract/account/endpoints.ts';
import { sourceFiles } from '../architecture/imports.ts';
import { inject } from '../support/inject.ts';
import { type CodeService, openCodeService } from './oauth-code-client.ts';
import type { Reply } from './test-service.ts';

const WATCHES = '/v1/account/watches';
let h: CodeService;
before(async () => {
  h = await openCodeService({ watches: true });
});
after(() => h.close());

async function send(method: string, url: string, headers: Record<string, string>, body?: string): Promise<Reply> {
  const r = await inject(h.gateway.app, { method: method as 'GET', url, headers, ...(body !== undefined && { payload: body }) });
  const isJson = /json/.test(String(r.headers['content-type'])) && r.body !== '';
  return { status: r.statusCode, headers: r.headers as never, text: r.body, body: isJson ? JSON.parse(r.body) : {} };
}
const sendJson = (method: string, url: string, body: object) =>
  send(method, url, { 'x-api-key': h.first.key, 'content-type': 'application/json' }, JSON.stringify(body));

test('429 is made in one place, so that every one says how long to wait and which limit it was', () => {
  const made = sourceFiles(['src']).filter((file) => /new ServiceError\(\s*'RATE_LIMITED'/.test(readFileSync(file, 'utf8')));
  assert.deepEqual(made, ['src/contract/rate-limited.ts']);
});

test('test messages: ten at once, and then one every six minutes, as the description says', async () => {
  const ask = () => sendJson('POST', '/v1/account/notify/test', { to: 'https://hooks.slack.com/services/T0/B0/x' });
  for (let i = 0; i < 10; i++) assert.equal((await ask()).status, 200);
  for (let minutes = 0; minutes < 60; minutes += 6) {
    const over = await ask();
    assert.equal(over.status, 429, over.text);
    const words =
      'Too many test messages: 10 are allowed at once, and then one every 360 seconds. Ask again after the time that Retry-After says.';
    assert.equal(over.body.error?.message, words);
    assert.equal(over.headers['retry-after'], '360');
    assert.equal(over.headers.ratelimit, '"tests";r=0;t=3600');
    assert.equal(over.headers['ratelimit-policy'], '"tests";q=10;w=3600');
    h.clock.ms += 360_000;
    assert.equal((await ask()).status, 200);
  }
  for (const { id, description } of accountEndpoints.filter(({ path }) => path.endsWith('/notify/test')))
    assert.match(description, /^Free; an account may send ten at once, and then one every six minutes\./, id);
});

test('400: a member that a body does not know is named with its value, at every account endpoint that reads one', async () => {
  const { watchId } = (
    await sendJson('POST', WATCHES, {
      operation: 'registration',
      parameters: { domain: 'acme-widgets.com' },
      every: '7d',
      creditsPerMonth: 9,
    })
  ).body;
  const whole: Readonly<Record<string, object>> = {
    'account-watch-import': { operation: 'registration', lines: 'acme-widgets.com', every: '7d' },
    'account-watch-create': { operation: 'registration', parameters: { domain: 'a.com' }, every: '7d', creditsPerMonth: 9 },
  };
  const reading = accountEndpoints.filter(({ body }) => body);
  assert.ok(reading.length >= 7);
  for (const { id, method, path, body } of reading) {
    const url = path.replace('{watchId}', String(watchId));
    const refused = await sendJson(String(method), url, { ...whole[id], colour: 'red' });
    assert.equal(refused.status, 400, `${id}: ${refused.text}`);
    assert.match(String(refused.body.error?.message), /^Field colour is "red", but there is no such field: use \w+/, body?.name);
  }
  const inside = await sendJson('PUT', '/v1/account/sites', { own: null, apps: { own: null, rival: [] } });
  assert.match(
    String(inside.body.error?.message),
    /^Field apps\/rival is \[\], but there is no such field \(did you mean rivals\?\): use own, rivals\.$/,
  );
});

/** As it is misspelt: a letter less near its end, where there is room for it. */
const misspelt = (name: string): string => name.slice(0, -2) + name.slice(-1);

test('400: a query parameter that an account endpoint does not know is named, a misspelt one with what was meant', async () => {
  const { watchId } = (
    await sendJson('POST', WATCHES, {
      operation: 'registration',
      parameters: { domain: 'acme-tools.com' },
      every: '7d',
      creditsPerMonth: 9,
    })
  ).body;
  let count = 0;
  for (const { id, method = 'GET', path, parameters, rest } of accountEndpoints) {
    const own = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    // its other parameters are those of the operation that it names
    const names = rest === undefined ? own : [...own, 'domain'];
    const url = path.replace('{watchId}', String(watchId)).replace(/\{\w+\}/g, 'x');
    for (const name of ['colour', ...names.filter((one) => one.length > 4 && !names.includes(misspelt(one))).map(misspelt)]) {
      count++;
      const fixed = name === misspelt('domain') ? 'operation=registration&' : '';
      const refused = await send(method, `${url}?${fixed}${name}=1`, { 'x-api-key': h.first.key });
      assert.equal(refused.status, 400, `${id} ${name}: ${refused.text}`);
      assert.match(String(refused.body.error?.message), new RegExp(`"?${name}"?`), id);
      if (name !== 'colour') assert.match(String(refused.body.error?.message), /\(did you mean \w+\?\)/, `${id} ${name}: ${refused.text}`);
    }
  }
  assert.ok(count > 40, `${count} names`);
});

test('400: a member of a body that is misspelt is named with what was meant', async () => {
  const { watches } = (await send('GET', WATCHES, { 'x-api-key': h.first.key })).body;
  const [{ watchId = '' } = {}] = watches as readonly { readonly watchId?: string }[];
  let count = 0;
  for (const { id, method, path, body } of accountEndpoints) {
    const names = Object.keys((body?.schema as { readonly properties?: object } | undefined)?.properties ?? {});
    for (const name of names.filter((one) => one.length > 4 && !names.includes(misspelt(one)))) {
      count++;
      const refused = await sendJson(String(method), path.replace('{watchId}', watchId), { [misspelt(name)]: 1 });
      assert.equal(refused.status, 400, `${id} ${name}: ${refused.text}`);
      assert.match(
        String(refused.body.error?.message),
        new RegExp(`${misspelt(name)}.*\\(did you mean \\w+\\?\\)`),
        `${id} ${name}: ${refused.text}`,
      );
    }
  }
  assert.ok(count > 15, `${count} names`);
});

const OAUTH = ['/v1/oauth/token', '/v1/oauth/register', '/v1/oauth/revoke'] as const;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** RFC 6749, 5.2; RFC 7591, 3.2.2; RFC 7009, 2.2.1. */
function isOAuthError({ body, text, headers }: Reply, error: string): void {
  assert.deepEqual(Object.keys(body).sort(), ['error', 'error_description'], text);
  assert.equal(body.error, error as never, text);
  assert.equal(headers['cache-control'], 'no-store');
}

for (const path of OAUTH)
  test(`${path}: 400, 413, 414 and 415 have the form of OAuth, another method that of all errors`, async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const other = await send(method, path, {});
      assert.deepEqual([other.status, other.headers.allow, other.body.error?.code], [405, 'POST', 'METHOD_NOT_ALLOWED']);
    }
    const large = await send('POST', path, FORM, 'a'.repeat(20_000));
    assert.equal(large.status, 413);
    isOAuthError(large, 'invalid_request');
    const coded = await send('POST', path, { ...FORM, 'content-encoding': 'gzip' }, 'x=1');
    assert.equal(coded.status, 415);
    isOAuthError(coded, 'invalid_request');
    const empty = await send('POST', path, FORM, '');
    assert.equal(empty.status, 400, empty.text);
    assert.deepEqual(Object.keys(empty.body).sort(), ['error', 'error_description'], empty.text);
    const long = await send('POST', `${path}?${'a'.repeat(9_000)}`, FORM, 'x=1');
    assert.equal(long.status, 414);
    isOAuthError(long, 'invalid_request');
  });

test('429 of registration and revocation: the form of OAuth, with the limit that was used up', async () => {
  for (const path of ['/v1/oauth/register', '/v1/oauth/revoke']) {
    let last = await send('POST', path, FORM, 'x');
    for (let i = 0; i < 40 && last.status !== 429; i++) last = await send('POST', path, FORM, 'x');
    assert.equal(last.status, 429, path);
    isOAuthError(last, 'temporarily_unavailable');
    assert.equal(last.headers['retry-after'], '1');
    assert.match(String(last.headers.ratelimit), /^"changes";r=0;t=\d+$/);
    assert.equal(last.headers['ratelimit-policy'], '"changes";q=30;w=30');
  }
});

test('a day of the year 0 is refused everywhere, with the first day that there is', async () => {
  const get = async (url: string) => (await h.get(url)).body.error?.message;
  for (const path of ['usage', 'ledger', 'requests', 'rankings', 'app-rankings'])
    for (const name of ['from', 'to']) {
      const says = `Parameter ${name} is "0000-01-20", but it must be a day from 0001-01-01 on, such as 2026-01-31.`;
      assert.equal(await get(`/v1/account/${path}?${name}=0000-01-20`), says);
      assert.notEqual((await h.get(`/v1/account/${path}?to=0001-01-01`)).status, 500);
    }
  for (const expiresAt of ['0000-01-01', '0000-12-31T23:59:59Z'])
    await assert.rejects(h.accounts.admin.createKey({ accountId: h.first.accountId, expiresAt }), {
      failure: 'INVALID_REQUEST',
      message: `${expiresAt} is no date: write 2027-01-31 or 2027-01-31T12:00:00Z.`,
    });
});
