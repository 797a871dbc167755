import assert from 'node:assert/strict';
import test from 'node:test';
import { readSettings } from '../../settings.ts';
import { exempt, proxies } from './dispatchers.ts';

test('NO_PROXY exempts a host with its subdomains, its subdomains only, a port, an address, or everything', () => {
  const table: [entry: string, yes: string[], no: string[]][] = [
    [
      'a.com',
      ['https://a.com/', 'http://x.a.com/', 'https://a.com:8443/', 'https://A.com./'],
      ['https://ba.com/', 'https://a.com.evil.net/'],
    ],
    ['.a.com', ['https://x.a.com/', 'https://a.com/'], ['https://ba.com/']],
    ['*.a.com', ['https://x.a.com/'], ['https://a.com/']],
    ['a.com:8443', ['https://a.com:8443/'], ['https://a.com/']],
    ['a.com:443', ['https://a.com/'], ['http://a.com/']],
    ['1.2.3.4', ['http://1.2.3.4/', 'http://0x01020304/'], ['http://11.2.3.4/']],
    ['[2606:4700::1]', ['http://[2606:4700::1]/'], ['http://[2606:4700::2]/']],
    ['2606:4700::1', ['http://[2606:4700::1]/'], []],
    ['*', ['https://any.com/'], []],
    ['*:80', ['http://any.com/'], ['https://any.com/']],
    ['.', [], ['https://any.com/']],
  ];
  for (const [entry, yes, no] of table) {
    for (const url of yes) assert.equal(exempt(new URL(url), ['other.net', entry]), true, `${entry}: ${url}`);
    for (const url of no) assert.equal(exempt(new URL(url), ['other.net', entry]), false, `${entry}: ${url}`);
  }
});

test('each scheme has its own proxy, loopback has none, and a host with a port is enough', () => {
  const { urls, for: proxyFor } = proxies(readSettings({ HTTPS_PROXY: 'proxy.lan:3128', http_proxy: 'http://plain.lan' }));
  assert.deepEqual(urls, ['http://plain.lan', 'http://proxy.lan:3128']);
  assert.equal(proxyFor(new URL('https://a.com')), 'http://proxy.lan:3128');
  assert.equal(proxyFor(new URL('http://a.com')), 'http://plain.lan');
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'a.localhost']) assert.equal(proxyFor(new URL(`http://${host}`)), null);
  assert.equal(proxies(readSettings({ HTTPS_PROXY: 'x' })).for(new URL('http://a.com')), null);
});

test('an invalid proxy URL is refused at once with the name of its setting and without its value', () => {
  for (const value of ['ftp://user:secret@proxy', 'http://'])
    assert.throws(
      () => proxies(readSettings({ HTTPS_PROXY: value })),
      (error: Error) => /HTTPS_PROXY must be/.test(error.message) && !/secret/.test(error.message),
    );
});
