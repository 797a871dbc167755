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

test('the exact origin answers, else the longest matching pattern of the same scheme', async () => {
  assert.equal(String((await ask('https://one.example', '/a?b')).body), 'exact https://one.example/a?b ');
  assert.equal(String((await ask('https://three.example')).body), 'below https://three.example/ ');
  assert.equal(String((await ask('https://x.two.example', '/', {}, 'posted')).body), 'deeper https://x.two.example/ posted');
  assert.equal(String((await ask('http://localhost:8888')).body), 'exact http://localhost:8888/ ');
});

test('the connection is reset for an origin without a simulated platform', async () => {
  for (const origin of ['http://one.example', 'https://nobody.com']) await assert.rejects(ask(origin), /hang up|ECONNRESET/);
});

test('long bodies are compressed for clients that accept gzip', async () => {
  const packed = await ask('https://long.example', '/', { 'accept-encoding': 'gzip, br' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(String(gunzipSync(packed.body)), 'long '.repeat(1000));
  assert.equal(String((await ask('https://long.example')).body), 'long '.repeat(1000));
});

test('each WHOIS server has its own port', async () => {
  const [address = '', port = ''] = sandbox.map['whois://whois.one.example']?.split(':') ?? [];
  const socket = connect(Number(port), address);
  socket.write('acme.com\r\n');
  const [text] = await once(socket, 'data');
  assert.equal(String(text), 'acme.com is mine');
  assert.deepEqual(sandbox.requests.at(-1), { method: 'WHOIS', url: 'whois://whois.one.example/acme.com', at: 7 });
});

test('the host map maps every host to loopback, so that no request leaves the machine', () => {
  const map = JSON.parse(readFileSync(sandbox.mapFile, 'utf8')) as Record<string, string>;
  assert.deepEqual(map, sandbox.map);
  for (const key of ['https://*', 'http://*', 'whois://*', 'https://one.example', 'http://localhost:8888', 'whois://whois.one.example'])
    assert.match(map[key] ?? '', /^(http:\/\/)?127\.0\.0\.1:\d+$/, key);
});

test('a fault applies to matching requests the given number of times, the oldest first', () => {
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

test('close() closes open connections and deletes the host map', async () => {
  const short = await startSandbox({ hosts: [], whois: [] });
  const [address = '', port = ''] = short.map['whois://*']?.split(':') ?? [];
  const socket = connect(Number(port), address);
  await once(socket, 'connect');
  await Promise.all([once(socket, 'close'), short.close()]);
  assert.equal(existsSync(short.mapFile), false);
});

test('POST /day at the address of the server begins the next day; platforms and WHOIS servers are told which it is', async (t) => {
  const days = await startSandbox({
    hosts: [{ origins: ['https://one.example'], answer: ({ day }) => html(`day ${day}`) }],
    whois: [{ host: 'whois.one.example', answer: (_query, _at, day) => `day ${day}` }],
    day: 3,
  });
  t.after(() => days.close());
  const seen = async (): Promise<string[]> => {
    const sent = request(days.url, { headers: { host: 'one.example', 'x-forwarded-proto': 'https' }, agent: false });
    sent.end();
    const [answer] = await once(sent, 'response');
    const [page] = await once(answer, 'data');
    const [address = '', port = ''] = days.map['whois://whois.one.example']?.split(':') ?? [];
    const socket = connect(Number(port), address);
    socket.write('a\r\n');
    const [record] = await once(socket, 'data');
    return [String(page), String(record)];
  };
  assert.deepEqual(await seen(), ['day 3', 'day 3']);
  const control = async (method: string, path: string) => {
    const answer = await fetch(`${days.url}${path}`, { method });
    return `${answer.status} ${(await answer.text()).trim()}`;
  };
  assert.equal(await control('POST', '/day'), '200 day 4');
  assert.equal(await control('GET', '/day'), '200 day 4');
  assert.match(await control('POST', '/days'), /^404 /);
  assert.deepEqual(await seen(), ['day 4', 'day 4']);
  assert.equal(days.nextDay(), 5);
  assert.equal(days.requests.length, 4, 'what is asked of the sandbox itself is no request to a platform');
});
