/** Values of JSON bodies that have no text, or whose text has no UTF-8 form, in every field of every body. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CodeService, OWN, openCodeService, REDIRECT } from '../accounts/oauth-code-client.ts';
import { rig } from '../contract/fakes.ts';
import { inject } from '../support/inject.ts';
import { WHOLE } from './body-routes.ts';

/** As JSON it is an object; `String` of it throws. */
const TEXTLESS = { toString: 1, valueOf: 1 };
const HALF = '\ud800';

const WATCH = { operation: 'registration', every: '7d', creditsPerMonth: 5, name: 'a', tags: ['a'], due: [30], fields: ['available'] };
const tool = (name: string, given: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });
/** A valid body of each kind. */
const BODIES: readonly (readonly [method: 'POST' | 'PUT', path: string, body: object])[] = [
  ['POST', '/v1/account/watches', { ...WATCH, parameters: { domain: 'acme-widgets.com' }, notify: [{ to: 'https://a.example/b' }] }],
  ['POST', '/v1/account/watches/import', { operation: 'registration', lines: 'acme-widgets.com', every: '7d', tags: ['a'] }],
  ['PUT', '/v1/account/sites', { own: 'acme-widgets.com', rivals: ['example.com'] }],
  ['PUT', '/v1/account/notify', { notify: [{ to: 'https://a.example/b', as: 'text' }] }],
  ['POST', '/v1/account/notify/test', { targetId: 'x' }],
  ['POST', '/v1/oauth/register', { client_name: 'Desk', redirect_uris: [REDIRECT], grant_types: ['authorization_code'] }],
  ['POST', '/console/api/keys', { label: 'a', operations: ['serp'], addresses: ['10.0.0.0/8'], expiresAt: '2999-01-01' }],
  ['POST', '/console/api/session', { apiKey: 'sl_x' }],
  ['POST', '/mcp', tool('registration', { domain: 'acme-widgets.com', fields: ['domain'], cursor: 'x', maxItems: 1 })],
  ['POST', '/mcp', tool('price', { operation: 'registration', parameters: { domain: 'acme-widgets.com' } })],
  ['POST', '/mcp', tool('lookup_many', { operation: 'registration', inputs: [{ domain: 'acme-widgets.com' }] })],
  ['POST', '/mcp', tool('watch_add', { ...WATCH, parameters: { domain: 'acme-widgets.com' } })],
  ['POST', '/mcp', tool('watch_edit', { watch: 'wat_0', tags: ['a'] })],
];

/** The body once for each of its values, with another one in its place. */
function* replaced(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    for (const other of replaced(member, by)) yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
}

let h: CodeService;
let cookie: string;
before(async () => {
  const every = { perSecond: 1000, burst: 100_000 };
  h = await openCodeService({
    watches: true,
    settings: { SIGHTLINE_PROTECTION: JSON.stringify({ address: every, wrongCredentials: every }) },
  });
  ({ cookie } = await h.signIn());
});
after(() => h.close());

async function send(method: 'POST' | 'PUT', url: string, payload: string | Buffer) {
  // the limits of writing requests are full again
  h.clock.ms += 60_000;
  const credentials = url.startsWith('/console') ? { cookie, ...OWN } : { 'x-api-key': h.first.key };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...credentials };
  const { statusCode, body } = await inject(h.gateway.app, { method, url, payload, headers });
  return { status: statusCode, text: body };
}

for (const [method, path, body] of BODIES) {
  const title = `${method} ${path} ${'params' in body ? (body as { params: { name: string } }).params.name : ''}`;
  test(`${title}: a value that has no text is never a defect`, async () => {
    for (const other of [...replaced(body, TEXTLESS), ...replaced(body, [[TEXTLESS]])]) {
      const { status, text } = await send(method, path, JSON.stringify(other));
      assert.ok(status < 500 && !text.includes('INTERNAL_ERROR'), `${status} ${text}: ${JSON.stringify(other)}`);
    }
  });

  test(`${title}: a text without a UTF-8 form is 400 in every field and name, and so are bytes that are not UTF-8`, async () => {
    for (const other of [...replaced(body, HALF), { ...body, [HALF]: 1 }]) {
      const { status, text } = await send(method, path, JSON.stringify(other));
      assert.equal(status, 400, `${text}: ${JSON.stringify(other)}`);
      assert.match(text, /surrogate/);
    }
    const { status, text } = await send(method, path, Buffer.from(JSON.stringify({ ...body, a: '\u00e9' }), 'latin1'));
    assert.equal(status, 400, text);
    assert.match(text, /not UTF-8/);
  });
}

test('the audit log holds what the store holds after all of them', async () => {
  assert.deepEqual((await h.accounts.admin.verifyAudit()).faults, []);
});

test('every path that answers GET answers HEAD', () => {
  const { routes } = rig({ parts: WHOLE }).gateway.app;
  const methodsOf = (path: string) => routes.filter((route) => route.path === path).flatMap(({ methods }) => methods);
  for (const { path } of routes) if (methodsOf(path).includes('GET')) assert.ok(methodsOf(path).includes('HEAD'), path);
});
