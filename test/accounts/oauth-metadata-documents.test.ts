/** Client ID Metadata Documents: apps that are identified by a URL. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import type { Http, HttpRequest } from '../../src/upstream/ports.ts';
import { outside } from '../support/upstream-fixture.ts';
import { type CodeService, openCodeService, REDIRECT } from './oauth-code-client.ts';

const ID = 'https://app.example/oauth/client.json';
const asked: HttpRequest[] = [];
let document: (url: string) => { status?: number; body: string };
const scripted: Http = {
  async ask(request) {
    asked.push(request);
    const { status = 200, body } = document(request.url);
    return { tag: 'answer', answer: { status, headers: {}, body: Buffer.from(body), url: request.url, atMs: 0 } };
  },
};
const json = (more: object = {}) => JSON.stringify({ client_id: ID, client_name: 'Desk', redirect_uris: [REDIRECT], ...more });
let h: CodeService;
before(async () => {
  h = await openCodeService({ http: scripted });
});
after(() => h.close());

test('an app with a document connects without a registration; nobody who is not signed in makes us fetch', async () => {
  document = () => ({ body: json() });
  assert.equal((await h.page(null, h.query(ID))).status, 200);
  await h.get(`/v1/oauth/authorize?${h.query(ID)}`, null);
  assert.equal(asked.length, 0);
  const page = await h.page(await h.signIn(), h.query(ID));
  assert.match(page.text, /The app is identified by app\.example/);
  assert.equal((await h.redeem(ID, await h.code(ID))).status, 200);
  assert.equal(asked.length, 1, 'kept for five minutes');
  assert.deepEqual([asked[0]?.redirects, asked[0]?.maxBytes, asked[0]?.named], [0, 16_384, undefined]);
});

test('400: documents that cannot be used, and ids that are no such URL', async () => {
  const person = await h.signIn();
  const cases: [string, { status?: number; body: string }][] = [
    ['https://a1.example/c', { body: json() }],
    ['https://a2.example/c', { body: 'not json' }],
    ['https://a3.example/c', { status: 404, body: '{}' }],
    ['https://a4.example/c', { status: 302, body: '' }],
    ['https://a5.example/c', { body: json({ client_id: 'https://a5.example/c', redirect_uris: ['https://other.example/'] }) }],
    ['https://a6.example/c', { body: json({ client_id: 'https://a6.example/c', token_endpoint_auth_method: 'client_secret_post' }) }],
    ['http://a7.example/c', { body: json({ client_id: 'http://a7.example/c' }) }],
    ['https://a8.example/', { body: json({ client_id: 'https://a8.example/' }) }],
    ['https://u@a9.example/c', { body: json({ client_id: 'https://u@a9.example/c' }) }],
    ['https://a10.example/x/../c', { body: json({ client_id: 'https://a10.example/x/../c' }) }],
  ];
  for (const [id, answer] of cases) {
    document = () => answer;
    const reply = await h.page(person, h.query(id));
    assert.deepEqual([reply.status, reply.headers.location], [400, undefined], id);
  }
});

test('a document that points inward, redirects or is 5 MB is not read: the address guard and the limit of 16 kB', async () => {
  let served = 0;
  const server = createServer((request, response) => {
    served++;
    if (request.url === '/redirect') response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
    else response.end(`${json()}${' '.repeat(5_000_000)}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const guarded = await outside({ unmapped: true, lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  const simulated = await outside({ map: { 'https://big.example': `http://127.0.0.1:${port}` } });
  const inward = await openCodeService({ http: guarded.http });
  const mapped = await openCodeService({ http: simulated.http });
  try {
    const person = await inward.signIn();
    for (const id of [
      `https://127.0.0.1:${port}/c`,
      'https://169.254.169.254/c',
      'https://[::1]/c',
      'https://10.0.0.1/c',
      `https://localhost:${port}/c`,
      `https://resolves-inward.example:${port}/c`,
    ]) {
      const reply = await inward.page(person, inward.query(id));
      assert.deepEqual([reply.status, reply.headers.location], [400, undefined], id);
    }
    assert.equal(served, 0);
    const other = await mapped.signIn();
    for (const path of ['redirect', 'large']) {
      const reply = await mapped.page(other, mapped.query(`https://big.example/${path}`));
      assert.equal(reply.status, 400, path);
      assert.match(reply.text, path === 'redirect' ? /status 302/ : /could not be read/);
    }
    assert.equal(served, 2);
  } finally {
    await inward.close();
    await mapped.close();
    await guarded.close();
    await simulated.close();
    server.close();
    server.closeAllConnections();
  }
});
