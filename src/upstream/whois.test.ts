import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SandboxWhois } from '../../sandbox/host.ts';
import { answerOf, detailOf, outside } from '../../test/support/upstream-fixture.ts';
import { bodyText } from './answer.ts';
import type { PaceRule } from './ports.ts';

const record = 'Domain Name: ACME-WIDGETS.COM\r\nRegistrar: Ünlü Names\r\n'.repeat(50);
const asked: string[] = [];
const registry: SandboxWhois = {
  host: 'whois.registry.example',
  answer(query) {
    asked.push(query);
    if (query === 'latin') return Buffer.from('Stra\xdfe', 'latin1');
    return query === 'nothing' ? '' : record;
  },
};
let ports: Awaited<ReturnType<typeof outside>>;
before(async () => {
  ports = await outside({ whois: [registry] });
});
after(() => ports.close());
const host = registry.host;

test('a query is sent as one line, and the answer is read to its end, byte for byte', async () => {
  const answer = answerOf(await ports.askWhois(host, '-T dn acme-widgets.com'));
  assert.equal(bodyText(answer), record);
  assert.deepEqual([answer.status, answer.headers, answer.url, answer.atMs], [200, {}, `whois://${host}`, ports.clock.now()]);
  assert.equal(asked.at(-1), '-T dn acme-widgets.com');
  assert.deepEqual([...answerOf(await ports.askWhois('WHOIS.Registry.Example.', 'latin')).body], [...Buffer.from('Stra\xdfe', 'latin1')]);
});

test('an empty answer is an answer', async () => {
  assert.equal(answerOf(await ports.askWhois(host, 'nothing')).body.length, 0);
});

test('a broken connection, or a host without a server, is unreachable', async () => {
  for (const kind of ['reset', 'reset-body'] as const) {
    ports.sandbox.faults.next(`whois://${host}`, { kind });
    assert.equal((await ports.askWhois(host, 'a.com')).tag, 'unreachable', kind);
  }
  assert.equal((await ports.askWhois('whois.unknown.example', 'a.com')).tag, 'unreachable');
});

test('an answer above the size limit is not read', async () => {
  ports.sandbox.faults.next(`whois://${host}`, { kind: 'huge' });
  const reply = await ports.askWhois(host, 'a.com');
  assert.match(reply.tag === 'changed' ? reply.what : '', /larger/);
});

test('a late first byte, a pause, the timeout of the query and the signal are timeouts, and leave no timer', async () => {
  for (const [kind, timeoutMs, leastMs, mostMs] of [
    ['slow-headers', undefined, 10_000, 11_000],
    ['slow-body', undefined, 10_000, 11_000],
    ['slow-headers', 4000, 4000, 4500],
  ] as const) {
    const { clock, sandbox, askWhois, close } = await outside({ whois: [registry] });
    sandbox.faults.next(`whois://${host}`, { kind, ms: Number.POSITIVE_INFINITY });
    const startMs = clock.now();
    let endMs = 0;
    const reply = askWhois(host, 'a.com', timeoutMs === undefined ? {} : { timeoutMs });
    void reply.then(() => {
      endMs = clock.now();
    });
    await clock.whenSleeping(timeoutMs === undefined ? 2 : 3);
    while (!endMs) await clock.advance(500);
    assert.equal((await reply).tag, 'timeout');
    assert.ok(endMs - startMs >= leastMs && endMs - startMs <= mostMs, `${kind}: ${endMs - startMs} ms`);
    while (clock.sleepers) await clock.advance(0);
    await close();
  }
  ports.sandbox.faults.next(`whois://${host}`, { kind: 'slow-headers', ms: Number.POSITIVE_INFINITY });
  const stop = new AbortController();
  const reply = ports.askWhois(host, 'a.com', { attempt: { signal: stop.signal, deadlineMs: Number.POSITIVE_INFINITY } });
  await ports.clock.whenSleeping(2);
  stop.abort();
  assert.equal((await reply).tag, 'timeout');
  while (ports.clock.sleepers) await ports.clock.advance(0);
  assert.equal(
    (await ports.askWhois(host, 'a.com', { attempt: { signal: stop.signal, deadlineMs: Number.POSITIVE_INFINITY } })).tag,
    'timeout',
  );
});

test('private hosts and addresses, other ports and queries of two lines are refused without a connection', async () => {
  const before = asked.length;
  for (const bad of [
    'localhost',
    '127.0.0.1',
    '2130706433',
    '[::1]',
    '::1',
    '10.0.0.1',
    '169.254.169.254',
    'db',
    'redis.internal',
    'a b.com',
    '',
  ])
    assert.equal((await ports.askWhois(bad, 'a.com')).tag, 'refused', bad);
  for (const query of ['a.com\r\nb.com', 'a.com\n', 'a\0b']) assert.equal((await ports.askWhois(host, query)).tag, 'refused');
  assert.equal(asked.length, before);
  const { askWhois, close } = await outside({ unmapped: true, lookup: async () => [{ address: '192.168.0.1', family: 4 }] });
  const reply = await askWhois('whois.nic.com', 'a.com');
  assert.equal(reply.tag, 'refused');
  assert.match(detailOf(reply), /192\.168\.0\.1 \(private\)/);
  assert.equal((await askWhois('whois.nic.com', 'a.com', { port: 6379 })).tag, 'refused');
  await close();
});

test('every query is paced; a wait beyond the limit is `limited`', async () => {
  const rules: PaceRule[] = [];
  const pace = { take: async (rule: PaceRule) => (rules.push(rule) > 1 ? 700 : 0), rest: async () => {}, resting: async () => 0 };
  const { askWhois, close } = await outside({ whois: [registry], pace, environment: { SIGHTLINE_PACE_PER_SECOND: '0.5' } });
  assert.equal((await askWhois(host, 'a.com')).tag, 'answer');
  const reply = await askWhois(host, 'a.com', { pace: { key: 'registry', everyMs: 2000, burst: 1 } });
  assert.deepEqual([reply.tag, reply.tag === 'limited' && reply.retryAfterMs], ['limited', 700]);
  assert.deepEqual(rules, [
    { key: `whois://${host}`, everyMs: 2000, burst: 1 },
    { key: 'registry', everyMs: 2000, burst: 1 },
  ]);
  await close();
});
