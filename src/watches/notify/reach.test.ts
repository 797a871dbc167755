import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realClock } from '../../runtime/clock.ts';
import { createReach } from './reach.ts';

const ADDRESSES: Readonly<Record<string, string>> = {
  'hooks.example.com': '93.184.215.14',
  'n8n.lan': '192.168.1.10',
  'rebound.example.com': '192.168.1.10',
  'metadata.lan': '169.254.169.254',
  'db.lan': '10.0.0.5',
  'here.lan': '127.0.0.1',
};
const reach = (privateTargets: readonly string[], allowsLoopback = false) =>
  createReach({
    settings: {
      SIGHTLINE_PRIVATE_TARGETS: privateTargets,
      DATABASE_URL: 'postgresql://u:p@db.lan/x',
      REDIS_URL: 'redis://10.0.0.6:6380/0',
      SIGHTLINE_CACHE_URL: null,
    },
    ownPorts: () => [8080, 9090],
    allowsLoopback,
    clock: realClock,
    lookup: async (host) => (ADDRESSES[host] === undefined ? [] : [{ address: ADDRESSES[host], family: 4 }]),
  });
const faultOf = async (url: string, privateTargets: readonly string[] = [], allowsLoopback = false) =>
  URL.canParse(url) ? (await reach(privateTargets, allowsLoopback)(new URL(url))).fault : 'no URL';

/** What points inward, to our own parts, or is no target. */
const INWARD = [
  ...['http://example.com/x', 'https://localhost/x', 'https://10.0.0.1/', 'https://[::1]/', 'https://printer/', 'https://a.internal/'],
  ...['localhost.', 'metadata.google.internal.', 'printer.local.', 'intra.corp', 'a.home.arpa', 'host.lan', 'kubernetes.default.svc'],
  ...['x.test', 'a.localdomain', 'a.intranet', 'x.invalid', 'x.onion', '0x7f.1', '8.8.8.8', '[2606:4700::1111]', 'a..com'],
  ...['n8n.lan', 'rebound.example.com', 'metadata.lan', 'db.lan', 'here.lan', '169.254.169.254', '[fe80::1]', '[::ffff:10.0.0.1]'],
  ...[22, 25, 6379, 5432, 9090, 65_535].map((port) => `hooks.example.com:${port}`),
  ...['https://user:pass@example.com/', 'http://127.0.0.1:9/', 'http://192.168.1.10:5678/x', 'http://10.0.0.5:5432/'],
].map((target) => (target.includes('//') ? target : `https://${target}/x`));

test('a target that points inward or is not https is refused, with the setting that would open it; loopback is for the demo alone', async () => {
  for (const url of INWARD) assert.notEqual(await faultOf(url), null, url);
  assert.match(String(await faultOf('https://n8n.lan/x')), /SIGHTLINE_PRIVATE_TARGETS of the operator opens private targets$/);
  for (const host of ['hooks.example.com', 'hooks.example.com.', 'hooks.example.com:8443', 'xn--mller-kva.de', 'not-yet.example.org'])
    assert.equal(await faultOf(`https://${host}/x`), null, host);
  assert.equal(await faultOf('http://127.0.0.1:9/', [], true), null);
  assert.notEqual(await faultOf('http://10.0.0.1/', [], true), null);
});

test('what the operator names is opened, http and any port included, and nothing beside it', async () => {
  const opened = ['n8n.lan:5678', '10.20.0.0/16', 'fd00::/8', 'late.lan'];
  for (const url of ['http://n8n.lan:5678/x', 'https://n8n.lan:5678/x', 'http://10.20.3.4:81/', 'https://[fd00::7]/', 'https://late.lan/'])
    assert.equal(await faultOf(url, opened), null, url);
  for (const url of [...INWARD, 'http://n8n.lan/x', 'http://10.21.0.1/', 'http://hooks.example.com/x', 'http://8.8.8.8/'])
    assert.notEqual(await faultOf(url, opened), null, url);
  const { opened: rule } = await reach(opened)(new URL('http://n8n.lan:5678/x'));
  assert.equal(rule?.('192.168.1.99'), null, 'a host that is named may move');
  assert.notEqual(rule?.('169.254.169.254'), null, 'but not to a link-local address');
  assert.equal((await reach(opened)(new URL('https://hooks.example.com/x'))).opened, null);
});

test('our own listeners, our stores and link-local addresses stay closed whatever is named', async () => {
  const all = ['0.0.0.0/0', '::/0', 'here.lan', 'db.lan', 'metadata.lan', '127.0.0.1', '10.0.0.6', '169.254.169.254'];
  for (const url of [
    ...['http://127.0.0.1:8080/', 'http://here.lan:9090/', 'http://[::1]:8080/', 'http://0.0.0.0:9090/'],
    ...['http://db.lan:5432/', 'http://10.0.0.5:5432/', 'http://10.0.0.6:6380/'],
    ...['http://metadata.lan/', 'http://169.254.169.254/latest', 'http://[fe80::1]/'],
  ])
    assert.notEqual(await faultOf(url, all), null, url);
  for (const url of ['http://127.0.0.1:5678/', 'http://db.lan:80/', 'http://10.0.0.6/']) assert.equal(await faultOf(url, all), null, url);
});

test('an address that stands for another one is what that one is, by a name as well: mapped, compatible, NAT64, 6to4', async () => {
  const wide = ['0.0.0.0/0', '::/0', '10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '::1', 'mapped.lan'];
  const v6Of = (v4: string): readonly string[] => {
    const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
    const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
    return [`::ffff:${v4}`, `::${v4}`, `64:ff9b::${v4}`, `64:ff9b:1::${v4}`, `2002:${high}:${low}::1`, `0:0:0:0:0:ffff:${high}:${low}`];
  };
  for (const [v4, port] of [
    ['10.0.0.5', 5432],
    ['10.0.0.6', 6380],
    ['127.0.0.1', 8080],
    ['127.8.8.8', 9090],
    ['0.0.0.0', 8080],
    ['169.254.169.254', 80],
  ] as const) {
    for (const host of v6Of(v4)) assert.notEqual(await faultOf(`http://[${host}]:${port}/`, wide), null, `${host} ${port}`);
    const mapped = createReach({
      settings: {
        SIGHTLINE_PRIVATE_TARGETS: wide,
        DATABASE_URL: 'postgresql://10.0.0.5/x',
        REDIS_URL: 'redis://10.0.0.6:6380',
        SIGHTLINE_CACHE_URL: null,
      },
      ownPorts: () => [8080, 9090],
      allowsLoopback: false,
      clock: realClock,
      lookup: async () => v6Of(v4).map((address) => ({ address, family: 6 })),
    });
    assert.notEqual((await mapped(new URL(`http://mapped.lan:${port}/`))).fault, null, v4);
  }
  assert.equal(await faultOf('http://[::ffff:10.0.0.5]:81/', wide), null, 'another port of that host is named');
  assert.equal(await faultOf('http://[fd00::5]:81/', ['fd00::/8']), null);
});

test('a store on this machine is closed by each of its addresses', async () => {
  const here = createReach({
    settings: {
      SIGHTLINE_PRIVATE_TARGETS: ['127.0.0.0/8', '::1'],
      DATABASE_URL: 'postgresql://[::1]/x',
      REDIS_URL: 'redis://127.0.0.1',
      SIGHTLINE_CACHE_URL: null,
    },
    ownPorts: () => [],
    allowsLoopback: false,
    clock: realClock,
  });
  for (const url of [
    'http://127.0.0.1:5432/',
    'http://127.0.0.2:5432/',
    'http://[::1]:6379/',
    'http://[::1]:5432/',
    'http://[::ffff:127.0.0.1]:6379/',
  ])
    assert.notEqual((await here(new URL(url))).fault, null, url);
  assert.equal((await here(new URL('http://127.0.0.1:5433/'))).fault, null);
});

test('of a thousand addresses only those are reached that are named', async () => {
  const named = ['10.20.0.0/16', '192.168.7.7', 'fd12:3456::/32'];
  let reached = 0;
  for (let i = 0; i < 1_000; i++) {
    const third = i % 256;
    for (const [url, isNamed] of [
      [`http://10.${i % 40}.${third}.9:81/`, i % 40 === 20],
      [`https://192.168.7.${third}/`, third === 7],
      [`http://172.16.${third}.1/`, false],
      [`http://[fd12:${(0x3456 + (i % 3)).toString(16)}::${i.toString(16)}]/`, i % 3 === 0],
    ] as const) {
      assert.equal((await faultOf(url, named)) === null, isNamed, url);
      assert.notEqual(await faultOf(url), null, `${url}, where nothing is named`);
      reached += Number(isNamed);
    }
  }
  assert.equal(reached > 300, true);
});
