import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../src/contract/openapi/document.ts';
import { createMcpRoute } from '../../src/mcp/route.ts';
import { fakeOAuth, KEY, REGISTRATION, rig } from './fakes.ts';

const ORIGIN = 'https://app.example';
const namesIn = (field: string | undefined): readonly string[] => (field ?? '').split(', ').filter(Boolean);
/** Of answers: those that every page may read (Fetch standard), and those that concern the connection alone. */
const READ_ANYWAY = ['Cache-Control', 'Content-Length', 'Content-Type', 'Connection', 'Date', 'Vary', 'X-Content-Type-Options'];

const document = describe() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: object }>>>>;
  readonly components: { readonly headers: Readonly<Record<string, object>> };
};
const rigFor = (origins = ORIGIN) =>
  rig({
    settings: { SIGHTLINE_CORS_ORIGINS: origins, SIGHTLINE_CONTACT: 'ops@example.com' },
    parts: { oauth: fakeOAuth('https://api.example'), createMcp: createMcpRoute },
  });
/** Every described path, and the one of the Model Context Protocol. */
const PATHS = [
  ...Object.entries(document.paths).map(([path, { servers: _, ...methods }]) => ({
    path: path.replace(/\{\w+\}/g, 'x'),
    methods: Object.keys(methods).map((method) => method.toUpperCase()),
  })),
  { path: '/mcp', methods: ['POST'] },
];

test('a preflight names every method of the path, and Content-Type where a body is read, at every path of the description', async () => {
  const { get } = rigFor();
  for (const { path, methods } of PATHS)
    for (const method of methods) {
      const { status, headers } = await get(path, { origin: ORIGIN, 'access-control-request-method': method }, 'OPTIONS');
      assert.equal(status, 204, path);
      const allowed = namesIn(headers['access-control-allow-methods']);
      const served = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])];
      assert.deepEqual(new Set(allowed), new Set(served), path);
      const { allow } = (await get(path, {}, 'OPTIONS')).headers;
      assert.deepEqual(allowed, namesIn(allow), `${path}: the preflight and Allow name the same methods`);
      const sends = namesIn(headers['access-control-allow-headers']);
      assert.ok(sends.includes('X-API-Key') && sends.includes('Authorization'), path);
      assert.equal(
        sends.includes('Content-Type'),
        ['POST', 'PUT', 'PATCH'].some((method) => methods.includes(method)),
        path,
      );
      assert.equal(headers.vary, 'Origin', path);
    }
});

test('400 for a path that cannot be decoded, whatever the method: a preflight allows nothing there', async () => {
  const { get } = rigFor();
  const asked = { origin: ORIGIN, 'access-control-request-method': 'GET' };
  for (const path of ['/%zz', '/v1/%zz', '/v1/website/whois/domains/%zz', '/v1/account/watches/%ff', '/v1/oauth/token%c3', '/mcp%'])
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND'])
      for (const headers of [{}, asked]) {
        const reply = await get(path, headers, method);
        assert.equal(reply.status, 400, `${method} ${path}: ${reply.text}`);
        assert.equal(reply.body.error?.code, 'INVALID_REQUEST');
        assert.equal(reply.headers['access-control-allow-methods'], undefined);
        assert.equal(reply.headers.allow, undefined);
      }
  assert.equal((await get('/v1/nowhere', asked, 'OPTIONS')).status, 404);
});

test('an answer with the header of CORS has Vary: Origin, whatever its status, and keeps what else it varies by', async () => {
  for (const origins of [ORIGIN, '*']) {
    const r = rigFor(origins);
    const seen = new Set<number>();
    for (const [path, more, method] of [
      [REGISTRATION, { 'x-api-key': KEY }, 'GET'],
      [REGISTRATION, { 'x-api-key': KEY, 'if-none-match': 'W/"abc"' }, 'GET'],
      [REGISTRATION, {}, 'GET'],
      [`${REGISTRATION}?x=1`, { 'x-api-key': KEY }, 'GET'],
      [REGISTRATION, {}, 'POST'],
      ['/v1/nowhere', {}, 'GET'],
      ['/v1/%zz', {}, 'GET'],
      ['/v1/account', { 'x-api-key': KEY }, 'GET'],
      ['/v1/account/usage', { 'x-api-key': KEY }, 'GET'],
      ['/v1/account/usage?format=csv', { 'x-api-key': KEY }, 'GET'],
      ['/v1/account/requests/none', { 'x-api-key': KEY }, 'GET'],
      ['/openapi.json', {}, 'GET'],
      ['/healthz', {}, 'GET'],
      ['/mcp', {}, 'POST'],
      ['/v1/oauth/token', {}, 'POST'],
    ] as const) {
      const { status, headers } = await r.get(path, { origin: ORIGIN, ...more }, method);
      seen.add(status);
      assert.equal(headers['access-control-allow-origin'], origins, path);
      assert.equal(namesIn(headers.vary).filter((name) => name === 'Origin').length, 1, `${path} ${status}: ${headers.vary}`);
      const without = await r.get(path, more, method);
      assert.equal(without.headers['access-control-allow-origin'], undefined, path);
      assert.equal(without.headers.vary, headers.vary, `${path}: a shared cache must not give one for the other`);
    }
    assert.deepEqual(
      [200, 304, 400, 401, 404, 405].filter((status) => !seen.has(status)),
      [],
    );
  }
  const plain = await rig().get(REGISTRATION, { 'x-api-key': KEY, origin: ORIGIN });
  assert.equal(plain.headers.vary, 'Accept-Encoding');
});

test('a page may read every header that the description names', async () => {
  const { headers } = await rigFor().get(REGISTRATION, { 'x-api-key': KEY, origin: ORIGIN });
  const exposed = namesIn(headers['access-control-expose-headers']);
  for (const name of ['Link', 'WWW-Authenticate', 'X-Receipt', 'Retry-After']) assert.ok(exposed.includes(name), name);
  const hidden = Object.keys(document.components.headers).filter((name) => !exposed.includes(name) && !READ_ANYWAY.includes(name));
  assert.deepEqual(hidden, []);
});

test('usage and history vary by Accept in every form of the answer', async () => {
  const { get } = rigFor();
  for (const query of ['', '?format=json', '?format=csv'])
    assert.equal((await get(`/v1/account/usage${query}`)).headers.vary, 'Accept, Origin');
});
