// Own process: measures its CPU time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsOf } from '../../src/mcp/arguments.ts';
import { createMcpRoute } from '../../src/mcp/route.ts';
import { createServiceEndpoint } from '../../src/mcp/service.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { KEY, rig, settingsOf } from '../contract/fakes.ts';
import { inject } from '../support/inject.ts';

const it = rig({
  parts: {
    createMcp: (routes, origins) => createMcpRoute(routes, origins, async () => createServiceEndpoint(settingsOf(), realClock, () => {})),
  },
});
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'x-api-key': KEY };

async function post(payload: string | Buffer): Promise<{ status: number; text: string; error: { code: unknown; message: string } }> {
  const reply = await inject(it.gateway.app, { method: 'POST', url: '/mcp', payload, headers: HEADERS });
  const text = reply.body;
  const error = text.startsWith('{') ? JSON.parse(text).error : undefined;
  return { status: reply.statusCode, text, error };
}
const call = (given: string, params = ''): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"registration","arguments":${given}${params}}}`;
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const list = (members: number): string => `[${Array(members).fill(1).join()}]`;

test('a body that is no JSON is 400 with the parse error of JSON-RPC: empty, cut off, with a byte order mark, in UTF-16', async () => {
  const whole = call('{"domain":"a.com"}');
  for (const body of ['', ' ', whole.slice(0, -1), `\uFEFF${whole}`, Buffer.from(whole, 'utf16le'), 'x', '{"a":1}{"a":1}', '\u0000']) {
    const { status, error } = await post(body);
    assert.deepEqual([status, error.code], [400, -32_700], String(body).slice(0, 40));
    assert.match(error.message, /^Parse error: /);
  }
  assert.equal(it.accounts.state.balance, 1000);
});

test('JSON that is no message is 400: a scalar, null, a list, an empty object', async () => {
  for (const body of ['5', '"x"', 'null', 'true', '{}', '[]', '[{}]', '{"jsonrpc":"1.0"}'])
    assert.equal((await post(body)).status, 400, body);
});

test('a message with more than 32 levels or 1,000 members is 400, before it is parsed; nothing is asked', async () => {
  const bodies = [
    call(`{"domain":${nested(10_000)}}`),
    call(`{"domain":${nested(30)}}`),
    call(`{"fields":${list(1_001)}}`),
    call('{}', `,"_meta":${nested(40)}`),
    call('{}', `,"_meta":{${Array.from({ length: 1_001 }, (_, i) => `"m${i}":{}`).join()}}`),
    '['.repeat(60_000),
  ];
  for (const body of bodies) {
    const { status, error } = await post(body);
    assert.deepEqual([status, error.code], [400, 'INVALID_REQUEST'], body.slice(0, 60));
    assert.match(error.message, /^A message has 32 levels and 1000 members and elements at most\./);
  }
  assert.equal(it.asked.length, 0);
});

test('over stdio, where no limit holds, an argument nested 10,000 deep is refused by its name', () => {
  let domain: unknown = [];
  for (let i = 0; i < 10_000; i++) domain = [domain];
  assert.throws(() => textsOf({ domain }), { failure: 'INVALID_REQUEST', message: /^Argument domain is (?:nested too deeply|\[{80}),/ });
});

test('a message within the limits is a call: 28 levels and 900 members reach the tool', async () => {
  for (const given of [`{"domain":${nested(28)}}`, `{"fields":${list(900)}}`]) {
    const { status, text } = await post(call(given));
    assert.equal(status, 200);
    assert.match(text, /INVALID_REQUEST/);
    assert.doesNotMatch(text, /INTERNAL_ERROR/);
  }
});

test('a message is 64 kB at most', async () => {
  const pad = (bytes: number): string => call(`{"domain":"${'a'.repeat(bytes - call('{"domain":""}').length)}"}`);
  assert.equal((await post(pad(65_536))).status, 200);
  assert.deepEqual([(await post(pad(65_537))).status, (await post(pad(65_537))).error.code], [413, 'REQUEST_TOO_LARGE']);
});

test('the limit of the account comes before the body: over it a call is 429, whatever its body', async () => {
  const limited = rig({
    parts: {
      createMcp: (routes, origins) => createMcpRoute(routes, origins, async () => createServiceEndpoint(settingsOf(), realClock, () => {})),
    },
    settings: { SIGHTLINE_RATE_PER_SECOND: '1', SIGHTLINE_RATE_BURST: '2' },
  });
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const reply = await inject(limited.gateway.app, { method: 'POST', url: '/mcp', payload: call('{}'), headers: HEADERS });
    statuses.push(reply.statusCode);
  }
  assert.deepEqual(statuses, [200, 200, 429, 429]);
  assert.equal(limited.accounts.state.usage.at(-1)?.status, 429);
});

/** CPU time of one message, ms: the least of three measurements of 30 messages. */
async function cpuMs(body: string): Promise<number> {
  const measured: number[] = [];
  for (let i = 0; i < 4; i++) {
    const began = process.cpuUsage();
    for (let n = 0; n < 30; n++) await post(body);
    const { user, system } = process.cpuUsage(began);
    measured.push((user + system) / 1000 / 30);
  }
  return Math.min(...measured.slice(1));
}

test('the dearest message that is allowed costs no more CPU time than ten ordinary ones', async (t) => {
  const ordinary = await cpuMs(call('{"domain":"a.com"}'));
  const members = Array.from({ length: 950 }, (_, i) => `"m${i}":"${'x'.repeat(50)}"`).join();
  const dear: Record<string, string> = {
    'unknown arguments': call(`{${members}}`),
    'a list of fields': call(`{"domain":"a.com","fields":${JSON.stringify(Array(950).fill('domain'))}}`),
    'meta data': call('{"domain":"a.com"}', `,"_meta":{${members}}`),
    'a member of the protocol': `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{${members}}}}}`,
    'one text': call(`{"domain":"${'a'.repeat(65_000)}"}`),
    levels: call(
      `{"domain":${Array.from({ length: 30 }, () => nested(28))
        .join()
        .slice(0, 57)}}`,
    ),
  };
  for (const [what, body] of Object.entries(dear)) {
    const ms = await cpuMs(body);
    t.diagnostic(`${what}: ${ms.toFixed(2)} ms, an ordinary call ${ordinary.toFixed(2)} ms`);
    assert.ok(ms < 10 * ordinary, `${what}: ${ms.toFixed(2)} ms, an ordinary call ${ordinary.toFixed(2)} ms`);
  }
});
