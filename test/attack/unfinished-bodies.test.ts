// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEY } from '../contract/fakes.ts';
import { BODY_ROUTES, CREDENTIALS, MANAGER, requestTo, WHOLE } from './body-routes.ts';
import { type Listening, listening, Raw } from './raw.ts';

const open: Listening[] = [];
async function gateway(settings: Record<string, string> = {}): Promise<Listening> {
  const it = await listening({ settings, parts: WHOLE, callers: MANAGER });
  open.push(it);
  return it;
}
afterEach(async () => {
  for (const it of open.splice(0)) {
    it.clock.ms += 600_000;
    await it.gateway.drain();
  }
});

const MCP = `POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-API-Key: ${KEY}\r\n`;
const HEADS: ReadonlyMap<string, string> = new Map(
  BODY_ROUTES.map((route) => [`${route.methods[0]} ${route.path}`, requestTo(route, CREDENTIALS)]),
);
/** Fewer than one address may send in a moment where each of them writes. */
const CLIENTS = 8;
/** Three of 50 bytes that are announced, and a chunk size that is no number. */
const BODIES = { 'too short': 'Content-Length: 50\r\n\r\nabc', 'no chunk': 'Transfer-Encoding: chunked\r\n\r\nzz\r\n' };

async function gone(it: Listening): Promise<void> {
  for (let i = 0; i < 2_000 && ((await it.connections()) > 0 || it.gateway.inFlight() > 0); i++) await sleep(5);
  assert.deepEqual([await it.connections(), it.gateway.inFlight()], [0, 0]);
}
async function received(it: Listening, count: number): Promise<void> {
  for (let i = 0; i < 2_000 && (await it.connections()) < count; i++) await sleep(5);
}

for (const [endpoint, head] of HEADS)
  for (const [what, body] of Object.entries(BODIES))
    test(`a body that is ${what} at ${endpoint} is answered with 400 within the limit, and leaves nothing`, async () => {
      const it = await gateway({ SIGHTLINE_REQUEST_TIMEOUT_MS: '100' });
      const clients = Array.from({ length: CLIENTS }, () => new Raw(it.port, { halfOpen: true }).send(head + body));
      for (const client of clients) {
        await client.ended();
        assert.deepEqual(client.statuses, [400], client.text);
        assert.match(client.text, /connection: close/i);
      }
      await gone(it);
      for (const { socket } of clients) socket.destroy();
    });

for (const [endpoint, head] of HEADS)
  for (const leaves of ['end', 'reset', 'destroy'] as const)
    test(`a client that leaves ${endpoint} in mid-body by ${leaves} leaves nothing`, async () => {
      const it = await gateway();
      const clients = Array.from({ length: CLIENTS }, () => new Raw(it.port).send(`${head}${BODIES['too short']}`));
      await received(it, clients.length);
      for (const client of clients)
        if (leaves === 'reset') await client.reset();
        else client.socket[leaves]();
      await gone(it);
      assert.equal(it.accounts.state.usage.filter(({ status }) => status === 200).length, 0);
    });

for (const [endpoint, head] of HEADS)
  test(`requests that still send to ${endpoint} are not in work, and do not delay a shutdown`, async () => {
    const it = await gateway();
    const clients = Array.from({ length: CLIENTS }, () => new Raw(it.port, { halfOpen: true }).send(head + BODIES['too short']));
    for (let i = 0; i < 2_000 && it.heads() < clients.length; i++) await sleep(5);
    for (let i = 0; i < 2_000 && it.gateway.inFlight() > 0; i++) await sleep(1);
    assert.equal(it.gateway.inFlight(), 0);
    assert.deepEqual([await it.gateway.drain(), await it.connections()], [true, 0]);
    for (const { socket, statuses } of clients) {
      assert.deepEqual(statuses, [], 'the connection ended, and nothing was answered');
      socket.destroy();
    }
  });

test('requests that still send count against their address: a further one is 429 until one of them ends', async () => {
  const it = await gateway({ SIGHTLINE_PROTECTION: JSON.stringify({ address: { burst: 3 } }) });
  const clients = Array.from({ length: 3 }, () => new Raw(it.port).send(MCP + BODIES['too short']));
  await received(it, 3);
  // the rate of the address is full again, its requests are still being sent
  it.clock.ms += 60_000;
  const over = new Raw(it.port).send(MCP + BODIES['too short']);
  await over.ended();
  assert.deepEqual(over.statuses, [429], over.text);
  assert.match(over.text, /retry-after: 1\r\n/i);
  assert.match(over.text, /ratelimit: "sending";r=0;t=1\r\n/i);
  assert.match(over.text, /ratelimit-policy: "sending";q=3;qu="concurrent-requests"\r\n/i);
  await clients[0]?.reset();
  await received(it, 2);
  const next = new Raw(it.port).send(`${MCP}Content-Length: 2\r\n\r\n{}`);
  await next.answers(1);
  assert.notEqual(next.statuses[0], 429, next.text);
  for (const { socket } of [...clients, next]) socket.destroy();
});

test('length, credentials and limits come before the body: 413, 401 and 429 answer a request that has sent none of it', async () => {
  const it = await gateway({ SIGHTLINE_RATE_PER_SECOND: '1', SIGHTLINE_RATE_BURST: '1' });
  const head = 'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  const status = async (text: string): Promise<number | undefined> => {
    const client = new Raw(it.port, { halfOpen: true }).send(text);
    await client.ended();
    client.socket.destroy();
    assert.match(client.text, /connection: close/i);
    return client.statuses[0];
  };
  assert.equal(await status(`${head}Content-Length: 50\r\n\r\n`), 401);
  assert.equal(await status(`${head}X-API-Key: sl_wrong\r\nContent-Length: 50\r\n\r\n`), 401);
  assert.equal(await status(`${head}Content-Length: 65537\r\n\r\n`), 413);
  assert.equal(await status(`${MCP}Content-Length: 65537\r\n\r\n`), 413);
  // takes the one request that the account has in this second
  assert.equal(await status(`${MCP}Connection: close\r\nContent-Length: 2\r\n\r\n{}`), 400);
  assert.equal(await status(`${MCP}Content-Length: 50\r\n\r\n`), 429);
  await gone(it);
});

test('a chunked body above 64 kB is 413 at its first byte too many', async () => {
  const it = await gateway();
  const client = new Raw(it.port).send(`${MCP}Transfer-Encoding: chunked\r\n\r\n10001\r\n${'a'.repeat(0x10001)}`);
  assert.deepEqual(await client.answers(1), [413]);
  await gone(it);
});

test('a POST whose body never ends behind a lookup in work is answered after that lookup', async () => {
  const it = await gateway({ SIGHTLINE_REQUEST_TIMEOUT_MS: '100' });
  const slow = Promise.withResolvers<void>();
  const { script } = it;
  it.script = async (request) => {
    await slow.promise;
    return script(request);
  };
  const lookup = `GET /v1/website/whois/domains/acme-widgets.com HTTP/1.1\r\nHost: a\r\nX-API-Key: ${KEY}\r\n\r\n`;
  const client = new Raw(it.port, { halfOpen: true }).send(lookup + MCP + BODIES['no chunk']);
  while (it.asked.length < 1) await sleep(1);
  await sleep(50);
  assert.deepEqual(client.statuses, []);
  slow.resolve();
  await client.ended();
  assert.deepEqual(client.statuses, [200, 400]);
  client.socket.destroy();
  await gone(it);
});
