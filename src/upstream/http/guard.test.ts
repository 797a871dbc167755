import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import test from 'node:test';
import fc from 'fast-check';
import { addressFault, hostFault, innerFault, SPECIAL_RANGES, urlFault } from './guard.ts';

const toNumber = (v4: string): number => v4.split('.').reduce((n, part) => n * 256 + Number(part), 0);
const toV4 = (n: number): string => [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.');
/** First and last address of an IPv4 block, and the addresses next to it. */
function edges4(cidr: string): { inside: string[]; outside: string[] } {
  const [net = '', prefix = ''] = cidr.split('/');
  const first = toNumber(net);
  const last = first + 2 ** (32 - Number(prefix)) - 1;
  return { inside: [toV4(first), toV4(last)], outside: [first - 1, last + 1].filter((n) => n >= 0 && n < 2 ** 32).map(toV4) };
}
/** First and last address of an IPv6 block. */
function edges6(cidr: string): string[] {
  const [net = '', prefix = ''] = cidr.split('/');
  const [head = '', tail = ''] = net.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  const value = groups.reduce((n: bigint, g: string) => n * 65536n + BigInt(`0x${g}`), 0n);
  const last = value + 2n ** BigInt(128 - Number(prefix)) - 1n;
  const text = (n: bigint) => Array.from({ length: 8 }, (_, i) => ((n >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':');
  return [text(value), text(last)];
}
const urlOf = (host: string) => new URL(`https://${host}/`);

test('no address of a special range is allowed, from the first to the last', () => {
  for (const [cidr, name] of SPECIAL_RANGES)
    for (const address of cidr.includes(':') ? edges6(cidr) : edges4(cidr).inside) {
      assert.notEqual(addressFault(address), null, `${address} of ${cidr} (${name})`);
      assert.notEqual(urlFault(urlOf(cidr.includes(':') ? `[${address}]` : address)), null, `https://${address}`);
    }
});

test('the addresses next to an IPv4 range are not refused with it', () => {
  const covered = (address: string) => {
    const n = toNumber(address);
    return SPECIAL_RANGES.some(([cidr]) => {
      if (cidr.includes(':')) return false;
      const [a = '', b = ''] = edges4(cidr).inside;
      return n >= toNumber(a) && n <= toNumber(b);
    });
  };
  for (const [cidr] of SPECIAL_RANGES.filter(([c]) => !c.includes(':')))
    for (const address of edges4(cidr).outside) assert.equal(addressFault(address) === null, !covered(address), address);
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '193.0.6.139',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2620:fe::fe',
  ])
    assert.equal(addressFault(address), null, address);
});

test('an IPv4 address embedded in an IPv6 address is refused in every form, public or not', () => {
  for (const v4 of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '8.8.8.8'])
    for (const prefix of ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']) {
      assert.notEqual(addressFault(prefix + v4), null, prefix + v4);
      assert.notEqual(urlFault(urlOf(`[${prefix}${v4}]`)), null, prefix + v4);
    }
  assert.notEqual(addressFault('2002:7f00:1::'), null);
  assert.notEqual(addressFault('2001:0:7f00:1::'), null);
  assert.notEqual(addressFault('fe80::1%eth0'), null);
});

test('an address is recognised in every notation', () => {
  const loopback = ['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7F.0.0.1', '0177.0.0.1', '017700000001', '127.0.0.1.'];
  const zero = ['0', '0.0.0.0', '0x0', '00', '０.0.0.0', '127。0。0。1', '①27.0.0.1', '%31%32%37.0.0.1'];
  const metadata = ['169.254.169.254', '0xA9FEA9FE', '2852039166', '0251.0376.0251.0376', '169.254.43518', '[::ffff:a9fe:a9fe]'];
  const six = [
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::]',
    '[::127.0.0.1]',
    '[fd00:ec2::254]',
    '[FE80::1]',
  ];
  for (const host of [...loopback, ...zero, ...metadata, ...six]) {
    assert.notEqual(urlFault(urlOf(host)), null, host);
    assert.notEqual(urlFault(new URL(`//${host}/x`, 'https://public.com/')), null, `redirect to ${host}`);
  }
  // a WHOIS referral is not a URL: a number in any notation is not a host name there
  for (const host of ['2130706433', '0x7f000001', '127.1', '0177.0.0.1', '[::1]', '::1', '127.0.0.1', '', 'a b.com', 'a/b.com', 'x..com'])
    assert.notEqual(hostFault(host), null, host);
});

test('names of this machine and of private networks are refused, public names are not', () => {
  const inner =
    'localhost LOCALHOST localhost. a.localhost db redis metadata.google.internal printer.local nas.lan router.home.arpa srv.corp';
  for (const host of inner.split(' ')) assert.notEqual(innerFault(host), null, host);
  for (const host of ['shop.test', 'www.example', 'x.invalid', 'abc.onion', '1.in-addr.arpa']) {
    assert.notEqual(hostFault(host), null, host);
    assert.equal(innerFault(host), null, host);
  }
  for (const host of ['example.com', 'xn--bcher-kva.de', 'localhost.com', 'internal.org', 'whois.nic.io', 'under_score.net', 'Rdap.Org.'])
    assert.equal(hostFault(host), null, host);
});

test('only http and https, on the allowed ports, without credentials', () => {
  for (const url of ['ftp://public.com/', 'file:///etc/passwd', 'gopher://public.com/', 'data:text/plain,x', 'ws://public.com/'])
    assert.notEqual(urlFault(new URL(url)), null, url);
  for (const port of [22, 25, 53, 110, 3306, 5432, 6379, 9200, 11211])
    assert.notEqual(urlFault(urlOf(`public.com:${port}`)), null, `${port}`);
  for (const port of ['', ':80', ':443', ':8443', ':9000']) assert.equal(urlFault(urlOf(`public.com${port}`)), null, port);
  assert.notEqual(urlFault(urlOf('user:secret@public.com')), null);
});

test('an IPv4 address has the same result as a number, in hexadecimal and in octal', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const n = toNumber(address);
      const octal = address.split('.').map((part) => `0${Number(part).toString(8)}`);
      for (const host of [String(n), `0x${n.toString(16)}`, octal.join('.')]) {
        const url = urlOf(host);
        assert.ok(isIPv4(url.hostname));
        assert.equal(urlFault(url), addressFault(address));
      }
    }),
  );
});
