import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { SPECIAL } from '../../sandbox/registration/facts.ts';
import { type Reply, type Running, startWhole } from './service.ts';

const DOMAIN = '/v1/website/whois/domains/';
let service: Running;
before(async () => {
  service = await startWhole();
});
after(() => service.stop());

const refused = (reply: Reply, status: number, code: string, words: RegExp): void => {
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  assert.deepEqual(Object.keys(reply.body), ['error']);
  assert.deepEqual(Object.keys(reply.body.error).sort(), ['code', 'message']);
  assert.equal(reply.body.error.code, code);
  assert.match(reply.body.error.message, words);
};
const charged = (reply: Reply): number => Number(reply.headers.get('x-credits-charged'));

test('no key, a wrong key, two keys: 401 with a challenge and no details', async () => {
  const none = await service.get(`${DOMAIN}acme-widgets.com`, {});
  refused(none, 401, 'UNAUTHORIZED', /API key/);
  assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer(?!.*error=)/);
  const wrong = await service.get(`${DOMAIN}acme-widgets.com`, { 'x-api-key': 'sl_wrong' });
  refused(wrong, 401, 'UNAUTHORIZED', /./);
  assert.match(wrong.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  refused(
    await service.get(`${DOMAIN}acme-widgets.com`, { 'x-api-key': service.key, authorization: 'Bearer other' }),
    401,
    'UNAUTHORIZED',
    /./,
  );
});

test('an error for invalid input names the field, the value and the correction, and is free', async () => {
  const cases: [string, RegExp][] = [
    [`${DOMAIN}acme-widgets.com?fresh=1`, /"fresh"/],
    [`${DOMAIN}%20`, /domain.*empty/],
    [`${DOMAIN}co.uk`, /domain.*co\.uk.*suffix/],
    [`${DOMAIN}127.0.0.1`, /domain.*IP address/],
    [`${DOMAIN}localhost`, /two labels/],
    [`${DOMAIN}${'a'.repeat(64)}.com`, /63/],
    ['/v1/searchengine/serp?keyword=', /keyword.*empty/],
    ['/v1/searchengine/serp?keyword=a&depth=1e2', /depth.*1e2.*decimal/],
    ['/v1/searchengine/serp?keyword=a&location=XX', /location.*XX.*ISO 3166-1/],
    ['/v1/searchengine/serp?keyword=a&keyword=b', /keyword.*more than once/],
  ];
  for (const [path, words] of cases) {
    const reply = await service.get(path);
    refused(reply, 400, 'INVALID_REQUEST', words);
    assert.equal(charged(reply), 0);
  }
});

test('a domain is reduced to its registrable domain in A-label form', async () => {
  const plain = await service.get(`${DOMAIN}acme-widgets.com`);
  assert.equal(plain.status, 200, JSON.stringify(plain.body));
  assert.deepEqual([plain.body.domain, plain.body.available, charged(plain)], ['acme-widgets.com', false, 1]);
  const below = await service.get(`${DOMAIN}shop.www.acme-widgets.com`);
  assert.deepEqual([below.body.domain, charged(below), below.headers.get('cache-status')?.includes('hit')], ['acme-widgets.com', 0, true]);
  const unicode = await service.get(`${DOMAIN}${encodeURIComponent('müller-uhren.de')}`);
  assert.equal(unicode.body.domain, 'xn--mller-uhren-thb.de', JSON.stringify(unicode.body));
});

test('cached answers: 304 for a matching ETag, 504 for only-if-cached on a miss, a new lookup for no-cache', async () => {
  const first = await service.get(`${DOMAIN}bluebirdlooms.com`);
  const tag = first.headers.get('etag') ?? '';
  const same = await service.get(`${DOMAIN}bluebirdlooms.com`, {
    'x-api-key': service.key,
    'if-none-match': tag,
    'cache-control': 'max-age=600',
  });
  assert.deepEqual([same.status, same.body, charged(same)], [304, null, 0]);
  refused(
    await service.get(`${DOMAIN}nobody-asked-this.com`, { 'x-api-key': service.key, 'cache-control': 'only-if-cached' }),
    504,
    'NOT_CACHED',
    /only-if-cached/,
  );
  const again = await service.get(`${DOMAIN}bluebirdlooms.com`, { 'x-api-key': service.key, 'cache-control': 'no-cache' });
  assert.deepEqual([again.status, charged(again)], [200, 1]);
  assert.match(again.headers.get('cache-status') ?? '', /fwd=request/);
  assert.equal(again.headers.get('etag'), tag, 'the tag does not depend on the moment of reading');
});

test('an account without credits gets 402 and no lookup starts; after a grant lookups succeed', async () => {
  const { accountId } = await service.admin.createAccount({ name: 'Poor', credits: 1 });
  const { key } = await service.admin.createKey({ accountId });
  const ask = (name: string) => service.get(`${DOMAIN}${name}`, { authorization: `Bearer ${key}` });
  assert.equal((await ask('cobaltkettle.net')).status, 200);
  const before = service.sandbox.requests.length;
  refused(await ask('quartzfitness.app'), 402, 'INSUFFICIENT_CREDITS', /0 credits|credit/);
  assert.equal(service.sandbox.requests.length, before);
  assert.equal((await ask('cobaltkettle.net')).status, 200, 'what is kept costs nothing');
  await service.admin.grant({ accountId, credits: 5 });
  assert.equal((await ask('quartzfitness.app')).status, 200);
});

test('an unreachable registry is 502 and free; with stale-if-error the kept answer is served and marked', async () => {
  const path = `${DOMAIN}ibisoptics.org`;
  assert.equal((await service.get(path)).status, 200);
  service.sandbox.faults.next(/ibisoptics|whois:/, { kind: 'reset' }, 20);
  const gone = await service.get(path, { 'x-api-key': service.key, 'cache-control': 'no-cache' });
  refused(gone, 502, 'UPSTREAM_UNREACHABLE', /./);
  assert.equal(charged(gone), 0);
  for (const forced of ['max-age=0', 'no-cache']) {
    const saved = await service.get(path, { 'x-api-key': service.key, 'cache-control': `${forced}, stale-if-error=600` });
    assert.equal(saved.status, 200);
    assert.equal(charged(saved), 0);
    assert.match(String(saved.headers.get('cache-status')), /^sightline; fwd=request; fwd-status=502; ttl=\d+$/);
  }
  service.sandbox.faults.clear();
});

test('a throttled registry is 502 with Retry-After, never "available"', async () => {
  const reply = await service.get(`${DOMAIN}${SPECIAL.throttled}`);
  refused(reply, 502, 'UPSTREAM_RATE_LIMITED', /./);
  assert.ok(Number(reply.headers.get('retry-after')) > 0);
  assert.equal(charged(reply), 0);
});

test('no source configured: 501, free, with a neutral message', async () => {
  const reply = await service.get('/v1/searchengine/serp?keyword=shoes');
  refused(reply, 501, 'NOT_IMPLEMENTED', /No source/);
  assert.equal(charged(reply), 0);
});

test('every response has a request id; a valid X-Request-Id is reused', async () => {
  const mine = await service.get('/healthz', { 'x-request-id': 'abc-1' });
  assert.equal(mine.headers.get('x-request-id'), 'abc-1');
  const theirs = await service.get('/healthz', { 'x-request-id': 'a'.repeat(500) });
  assert.notEqual(theirs.headers.get('x-request-id'), 'a'.repeat(500));
});

test('a second server on the same folder is refused with a message that names the first; commands go through the first', async () => {
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, ['bin/sightline.mjs', ...args], {
      env: { ...process.env, SIGHTLINE_DATA_DIR: service.folder, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (d: Buffer) => (out += d));
    const [code] = await once(child, 'exit');
    return { code, out };
  };
  const second = await run('serve', '--json');
  assert.equal(second.code, 1);
  assert.match(second.out, /another|already|holds|served/i);
  const made = await run(
    'keys',
    'create',
    '--label',
    'second',
    '--account',
    (await service.admin.listAccounts())[0]?.accountId ?? '',
    '--json',
  );
  assert.equal(made.code, 0, made.out);
  const { key, keyId } = JSON.parse(made.out);
  assert.equal((await service.get('/v1/account', { 'x-api-key': key })).status, 200);
  assert.equal((await run('keys', 'revoke', keyId)).code, 0);
  assert.equal((await service.get('/v1/account', { 'x-api-key': key })).status, 401, 'revoked when the command returns');
  const proof = await run('ledger', 'verify');
  assert.equal(proof.code, 0, proof.out);
});
