import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { accountEndpoints } from '../../src/contract/account/endpoints.ts';
import { ADMIN_ACTIONS } from '../../src/contract/admin/actions.ts';
import type { OfferedActions } from '../../src/gateway/admin/routes.ts';
import { createAdminServer } from '../../src/gateway/admin/server.ts';
import { tokenEntrance } from '../support/inject.ts';
import { BODILESS_ROUTES, BODY_ROUTES, CREDENTIALS, MANAGER, readsJson, requestTo, WHOLE } from './body-routes.ts';
import { type Listening, listening, Raw } from './raw.ts';

let it: Listening;
before(async () => {
  it = await listening({ parts: WHOLE, callers: MANAGER });
});
after(async () => {
  await it.gateway.drain();
});

/** Sends one request, and returns the status and text of its answer. */
async function answerTo(text: string): Promise<readonly [status: number | undefined, text: string]> {
  // the limits of writing requests are full again
  it.clock.ms += 60_000;
  const client = new Raw(it.port, { halfOpen: true }).send(text);
  await client.answers(1);
  client.socket.destroy();
  return [client.statuses[0], client.text];
}
const whole = (head: string, body: string): string => `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

test('the table of routes has the routes that read a body', () => {
  const paths = BODY_ROUTES.map(({ methods, path }) => `${methods[0]} ${path}`);
  for (const path of ['POST /mcp', 'POST /v1/account/watches', 'PATCH /v1/account/watches/{watchId}', 'POST /v1/oauth/token'])
    assert.ok(paths.includes(path), paths.join());
  for (const path of [
    'POST /v1/oauth/register',
    'POST /v1/oauth/revoke',
    'POST /console/consent',
    'POST /console/api/session',
    'POST /setup',
  ])
    assert.ok(paths.includes(path), paths.join());
  assert.ok(BODILESS_ROUTES.some(({ path }) => path.endsWith('/run')) && BODILESS_ROUTES.some(({ methods }) => methods[0] === 'DELETE'));
});

for (const route of BODY_ROUTES) {
  const name = `${route.methods[0]} ${route.path}`;
  test(`${name}: a length above the limit is 413 before credentials are asked for, and by a stream at its first byte too many`, async () => {
    const bytes = (route.maxBodyBytes ?? 0) + 1;
    for (const credentials of ['', 'X-API-Key: sl_wrong\r\n', CREDENTIALS]) {
      const [status, text] = await answerTo(`${requestTo(route, credentials)}Content-Length: ${bytes}\r\n\r\n`);
      assert.equal(status, 413, text);
      assert.match(text, /connection: close/i);
    }
    const chunk = `${bytes.toString(16)}\r\n${'a'.repeat(bytes)}`;
    const [status, text] = await answerTo(`${requestTo(route, CREDENTIALS)}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    assert.equal(status, 413, text);
  });

  if (readsJson(route))
    test(`${name}: JSON of more than 32 levels is 400, however deep`, async () => {
      for (const levels of [33, 20_000].filter((count) => nested(count).length <= (route.maxBodyBytes ?? 0))) {
        const [status, text] = await answerTo(whole(requestTo(route, CREDENTIALS), nested(levels)));
        assert.equal(status, 400, text);
        assert.match(text, /32 levels/, text);
      }
      const [, text] = await answerTo(whole(requestTo(route, CREDENTIALS), nested(32)));
      assert.doesNotMatch(text, /levels/);
    });
}

for (const route of BODILESS_ROUTES)
  test(`${route.methods[0]} ${route.path}: a body is 400, and what is refused without it comes before`, async () => {
    for (const body of ['{"x":1}', '{}', 'x']) {
      const [status, text] = await answerTo(whole(requestTo(route, CREDENTIALS), body));
      assert.equal(status, 400, text);
      assert.match(text, /A body was sent, but (?:POST|PATCH|DELETE) reads none here/);
    }
    const [status, text] = await answerTo(whole(requestTo(route), '{"x":1}'));
    // an installation that nobody owns has no credentials: another page is refused
    assert.equal(status, route.operation === 'setup' ? 403 : 401, text);
    const [without] = await answerTo(`${requestTo(route, CREDENTIALS)}\r\n`);
    const done = accountEndpoints.find(({ path, method }) => path === route.path && method === route.methods[0])?.status ?? 200;
    assert.equal(without, done);
  });

test('the admin listener: 413 before 401, 400 for JSON of more than 32 levels', async (t) => {
  const actions = Object.fromEntries(Object.keys(ADMIN_ACTIONS).map((name) => [name, async () => ({})])) as unknown as OfferedActions;
  const admin = createAdminServer({ http: it.gateway.http, version: '0', manage: { actions, entrance: tokenEntrance('token') } });
  await admin.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => admin.close());
  const { port } = admin.server.address() as AddressInfo;
  const writing = admin.routes.filter(({ methods }) => methods[0] !== 'GET');
  assert.ok(writing.length > 10);
  for (const route of writing) {
    const { maxBodyBytes = 0 } = route;
    assert.ok(maxBodyBytes > 0, route.path);
    const status = async (text: string): Promise<number | undefined> => {
      const client = new Raw(port, { halfOpen: true }).send(text.replace('Host: a', 'Host: localhost'));
      await client.answers(1);
      client.socket.destroy();
      return client.statuses[0];
    };
    assert.equal(await status(`${requestTo(route)}Content-Length: ${maxBodyBytes + 1}\r\n\r\n`), 413, route.path);
    assert.equal(await status(`${requestTo(route)}Content-Length: 3\r\n\r\n`), 401, route.path);
    assert.equal(await status(whole(requestTo(route, 'Authorization: Bearer token\r\n'), nested(20_000))), 400, route.path);
  }
});
