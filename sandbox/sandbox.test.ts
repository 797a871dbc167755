import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createFaults } from './faults.ts';
import { html, type SandboxHost } from './host.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

const say = (word: string, ...origins: string[]): SandboxHost => ({
  origins,
  answer: ({ url, body }) => html(`${word} ${url.href} ${body}`),
});
const hosts = [
  say('exact', 'https://one.example', 'http://localhost:8888'),
  say('below', 'https://*.example'),
  say('deeper', 'https://*.two.example'),
  { origins: ['https://long.example'], answer: () => html('long '.repeat(1000)) },
];
let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ hosts, whois: [{ host: 'whois.one.example', answer: (query) => `${query} is mine` }], now: () => 7 });
});
after(() => sandbox.close());

async function ask(origin: string, path = '/', headers: Record<string, string> = {}, body = '') {
  const { protocol, host } = new URL(origin);
  const to = new URL(sandbox.map['https://*'] ?? '');
  const sent = request(new URL(path, to), {
    method: body ? 'POST' : 'GET',
    headers: { host, 'x-forwarded-proto': protocol.slice(0, -1), ...headers },
    agent: false,
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
}

test('the host that is named exactly answers, else the longest pattern, by scheme', async () => {
  assert.equal(String((await ask('https://one.example', '/a?b')).body), 'exact https://one.example/a?b ');
  assert.equal(String((await ask('https://three.example')).body), 'below https://three.example/ ');
  assert.equal(String((await ask('https://x.two.example', '/', {}, 'posted')).body), 'deeper https://x.two.example/ posted');
  assert.equal(String((await ask('http://localhost:8888')).body), 'exact http://localhost:8888/ ');
});

test('a host that nobody plays is reset, never answered', async () => {
  for (const origin of ['http://one.example', 'https://nobody.com']) await assert.rejects(ask(origin), /hang up|ECONNRESET/);
});

test('long bodies are compressed where that is accepted', async () => {
  const packed = await ask('https://long.example', '/', { 'accept-encoding': 'gzip, br' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(String(gunzipSync(packed.body)), 'long '.repeat(1000));
  assert.equal(String((await ask('https://long.example')).body), 'long '.repeat(1000));
});

test('a WHOIS host answers on its own port', async () => {
  const [address = '', port = ''] = sandbox.map['whois://whois.one.example']?.split(':') ?? [];
  const socket = connect(Number(port), address);
  socket.write('acme.com\r\n');
  const [text] = await once(socket, 'data');
  assert.equal(String(text), 'acme.com is mine');
  assert.deepEqual(sandbox.requests.at(-1), { method: 'WHOIS', url: 'whois://whois.one.example/acme.com', at: 7 });
});

test('the map leads every host to loopback, so that nothing leaves the machine', () => {
  const map = JSON.parse(readFileSync(sandbox.mapFile, 'utf8')) as Record<string, string>;
  assert.deepEqual(map, sandbox.map);
  for (const key of ['https://*', 'http://*', 'whois://*', 'https://one.example', 'http://localhost:8888', 'whois://whois.one.example'])
    assert.match(map[key] ?? '', /^(http:\/\/)?127\.0\.0\.1:\d+$/, key);
});

test('a fault comes as often as it was asked for, where it was asked for, the oldest first', () => {
  const faults = createFaults();
  faults.next('https://a.example/x', { kind: 'empty' }, 2);
  faults.next(/example/, { kind: 'reset' });
  assert.equal(faults.take('https://b.test/x'), null);
  assert.deepEqual(
    ['x', 'y', 'x/z', 'x'].map((path) => faults.take(`https://a.example/${path}`)?.kind),
    ['empty', 'reset', 'empty', undefined],
  );
  faults.next('https://a.example', { kind: 'empty' }, Number.POSITIVE_INFINITY);
  faults.clear();
  assert.equal(faults.take('https://a.example/'), null);
});

test('closing ends connections that are open and takes the map away', async () => {
  const short = await startSandbox({ hosts: [], whois: [] });
  const [address = '', port = ''] = short.map['whois://*']?.split(':') ?? [];
  const socket = connect(Number(port), address);
  await once(socket, 'connect');
  await Promise.all([once(socket, 'close'), short.close()]);
  assert.equal(existsSync(short.mapFile), false);
});
