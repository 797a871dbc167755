import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { SettingError } from '../../settings.ts';
import { hostsFrom, readHosts } from './host-map.ts';

const map = {
  'https://api.shop.com': 'http://127.0.0.1:1',
  'https://*.shop.com': 'http://127.0.0.1:2',
  'https://*.example': 'http://[::1]:3',
  'https://*': 'http://localhost:4',
  'http://localhost:8888': 'http://127.0.0.1:5',
  'whois://whois.nic.io': '127.0.0.1:6',
  'whois://*.cctld.uz': '127.0.0.1:7',
};
const hosts = hostsFrom(map);
const port = (url: string) => hosts.http(new URL(url))?.port ?? null;

test('the exact origin has precedence over the longest pattern, and that over the catch-all', () => {
  assert.equal(port('https://api.shop.com/x?y'), 1);
  assert.equal(port('https://api.shop.com:8443/'), 2);
  assert.equal(port('https://a.b.shop.com/'), 2);
  assert.equal(port('https://shop.com/'), 4);
  assert.deepEqual(hosts.http(new URL('https://www.demo.example/')), { address: '::1', port: 3 });
  assert.equal(port('http://shop.com/'), null);
  assert.equal(hosts.whois('whois.nic.io', 43)?.port, 6);
  assert.equal(hosts.whois('whois.cctld.uz', 43)?.port, 7);
  assert.equal(hosts.whois('whois.nic.fr', 43), null);
});

test('a pattern never matches this machine or a private network', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', '10.0.0.1', 'db', 'a.internal', '2130706433'])
    assert.equal(port(`https://${host}/`), null);
  assert.equal(port('http://localhost:8888/'), 5);
  assert.equal(port('https://8.8.8.8/'), 4);
});

test('a map to anything but loopback is refused with the name of its setting', () => {
  const refused = (faulty: unknown) =>
    assert.throws(
      () => hostsFrom(faulty),
      (e) => e instanceof SettingError && /SIGHTLINE_HOSTS/.test(e.message),
    );
  for (const to of [
    'http://10.0.0.1:80',
    'http://8.8.8.8:80',
    'https://127.0.0.1:80',
    'http://127.0.0.1',
    'http://evil.com:80',
    '127.0.0.1:80',
    7,
    '',
  ])
    refused({ 'https://a.com': to });
  for (const key of ['a.com', 'ftp://a.com', 'https://a.com/path', 'https://*a.com', 'whois://']) refused({ [key]: 'http://127.0.0.1:80' });
  refused({ 'whois://a.com': 'whois.other.com:43' });
  refused([]);
  refused(null);
});

test('the map is read from its file; an unreadable or invalid file is refused by name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'map.json');
  await assert.rejects(readHosts(file), /SIGHTLINE_HOSTS names .*map\.json/);
  writeFileSync(file, JSON.stringify(map));
  assert.equal((await readHosts(file)).http(new URL('https://api.shop.com'))?.port, 1);
  assert.equal((await readHosts(null)).http(new URL('https://api.shop.com')), null);
});
