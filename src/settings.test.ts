import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings, SettingError, settingWarnings } from './settings.ts';

const refused = (environment: Record<string, string>, words: RegExp): void =>
  assert.throws(
    () => readSettings(environment),
    (error) => error instanceof SettingError && words.test(error.message),
    JSON.stringify(environment),
  );

test('a list with an entry that cannot be meant is refused, and the entry is named', () => {
  refused({ SIGHTLINE_TRUST_PROXY: '10.0.0.0/8,300.1.1.1' }, /^SIGHTLINE_TRUST_PROXY is .* has "300\.1\.1\.1": each entry must be .*CIDR/);
  refused({ SIGHTLINE_TRUST_PROXY: '10.0.0.0/33' }, /has "10\.0\.0\.0\/33"/);
  refused({ SIGHTLINE_SERP_SOURCES: 'google' }, /^SIGHTLINE_SERP_SOURCES .*has "google": choose from dataforseo, /);
  refused({ SIGHTLINE_CORS_ORIGINS: 'foo' }, /^SIGHTLINE_CORS_ORIGINS .*has "foo".*such as https:/);
  refused({ SIGHTLINE_CORS_ORIGINS: 'https://app.example.com/' }, /no path/);
});

test('lists that are right are taken as they stand', () => {
  const settings = readSettings({
    SIGHTLINE_TRUST_PROXY: '10.0.0.0/8, ::1 fd00::/8',
    SIGHTLINE_SERP_SOURCES: 'searxng,browser',
    SIGHTLINE_CORS_ORIGINS: 'https://app.example.com,http://localhost:5173',
  });
  assert.deepEqual(settings.SIGHTLINE_TRUST_PROXY, ['10.0.0.0/8', '::1', 'fd00::/8']);
  assert.deepEqual(settings.SIGHTLINE_SERP_SOURCES, ['searxng', 'browser']);
  assert.deepEqual(settings.SIGHTLINE_CORS_ORIGINS, ['https://app.example.com', 'http://localhost:5173']);
  assert.deepEqual(readSettings({ SIGHTLINE_CORS_ORIGINS: '*' }).SIGHTLINE_CORS_ORIGINS, ['*']);
});

test('a JSON setting: what is not given keeps its default, and a wrong part is named', () => {
  const { SIGHTLINE_PROTECTION: limits } = readSettings({ SIGHTLINE_PROTECTION: '{"address":{"burst":7}}' });
  assert.deepEqual(limits.address, { perSecond: 100, burst: 7 });
  assert.deepEqual(limits.uncharged, { perSecond: 5, burst: 500 });
  const wrong = (json: string, words: RegExp) => refused({ SIGHTLINE_DAILY_CAPS: json }, words);
  wrong('5', /^SIGHTLINE_DAILY_CAPS is "5", but it must be a JSON object such as \{"dataforseo"/);
  wrong('{"google":{}}', /names "google": choose from dataforseo, serpapi/);
  wrong('{"x":5}', /needs an object for x/);
  wrong('{"x":{"reads":5}}', /names "x.reads": choose from requests, usd, requestUsd/);
  wrong('{"x":{"requests":1.5}}', /needs a whole number from 1 to 100000000 for x.requests/);
  wrong('{"x":{"usd":-1}}', /needs a number from 0 to 1000000 for x.usd/);
});

test('one of two settings that belong together is refused', () => {
  refused({ DATAFORSEO_LOGIN: 'me' }, /^DATAFORSEO_LOGIN is set without DATAFORSEO_PASSWORD: set both, or neither$/);
  refused({ REDDIT_CLIENT_SECRET: 'x' }, /^REDDIT_CLIENT_SECRET is set without REDDIT_CLIENT_ID/);
  readSettings({ DATAFORSEO_LOGIN: 'me', DATAFORSEO_PASSWORD: 'x' });
});

test('an address of a store is a URL of its kind; its password is never told', () => {
  for (const DATABASE_URL of ['mysql://root:hidden@127.0.0.1/x', 'hidden'])
    refused({ DATABASE_URL }, /^DATABASE_URL must be a URL that begins with postgresql:\/\/((?!hidden).)*$/);
  refused({ REDIS_URL: 'http://:hidden@127.0.0.1' }, /^REDIS_URL must be a URL that begins with redis:\/\/((?!hidden).)*$/);
  readSettings({ DATABASE_URL: 'postgres:///books?host=/run/postgresql', REDIS_URL: 'rediss://cache:6380/1' });
});

test('a name within two edits of a setting is refused as misspelt, and the setting is named', () => {
  refused({ SIGHTLINE_CONTCT: 'ops@example.com' }, /^SIGHTLINE_CONTCT is no setting, and looks like SIGHTLINE_CONTACT misspelt/);
  refused({ SIGHTLINE_RATE_BRUST: '1' }, /SIGHTLINE_RATE_BURST misspelt/);
});

test('other names that have no effect are one line of warning each; what Kubernetes and tests set is not judged', () => {
  const environment = {
    SIGHTLINE_OWN_NOTE: 'x',
    RELAYS: '/etc/relays.json',
    CONTACT: 'me',
    SIGHTLINE_CONTACT: 'me',
    PORT: '8080',
    SIGHTLINE_PORT: 'tcp://10.0.0.1:8080',
    SIGHTLINE_PORT_8080_TCP_ADDR: '10.0.0.1',
    SIGHTLINE_SERVICE_HOST: '10.0.0.1',
    SIGHTLINE_SERVICE_PORT: '8080',
    SIGHTLINE_TEST_SEED: '1',
  };
  readSettings({ ...environment });
  assert.deepEqual(settingWarnings(environment), [
    'SIGHTLINE_OWN_NOTE is no setting of this version and has no effect: see docs/settings.md, or remove it',
    'RELAYS has no effect here: the setting is called SIGHTLINE_RELAYS',
  ]);
});

test('settings and sources of earlier versions are named as removed, and change nothing else', () => {
  const environment = { SIGHTLINE_SERP_PAGE: '1', SIGHTLINE_SERP_SOURCES: 'dataforseo-html, searxng,page' };
  assert.deepEqual(readSettings(environment).SIGHTLINE_SERP_SOURCES, ['searxng']);
  assert.deepEqual(settingWarnings(environment), [
    'SIGHTLINE_SERP_PAGE was removed with its source and has no effect: remove it',
    'SIGHTLINE_SERP_SOURCES names dataforseo-html, a source that was removed: leave it out',
    'SIGHTLINE_SERP_SOURCES names page, a source that was removed: leave it out',
  ]);
  // an empty list would be the default, which asks paid sources
  assert.throws(() => readSettings({ SIGHTLINE_SERP_SOURCES: 'page' }), SettingError);
});
