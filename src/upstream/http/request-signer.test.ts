import assert from 'node:assert/strict';
import { createPublicKey, hash, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import { test } from 'node:test';
import { json, type SandboxHost, type SandboxRequest } from '../../../sandbox/host.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { answerOf, outside } from '../../../test/support/upstream-fixture.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import { readSettings } from '../../settings.ts';
import { createAllowedAsk } from '../../sources/short-link.ts';
import { requestComponents, signatureBase, signMessage } from './message-signature.ts';
import { createRequestSigner, DIRECTORY_MAX_AGE_S, ed25519KeyOf } from './request-signer.ts';

/** test-key-ed25519 of RFC 9421, B.1.4. */
const TEST_KEY = ed25519KeyOf(Buffer.from('n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU', 'base64url'));
const PUBLIC = { SIGHTLINE_PUBLIC_URL: 'https://lookups.acme-widgets.com', SIGHTLINE_SIGN_REQUESTS: '1' };
const SECRET = 'a secret of thirty two characters';

function signerOf(environment: Record<string, string>, secret: string | null = SECRET) {
  const clock = createManualClock();
  const signer = createRequestSigner({ settings: readSettings(environment), clock, randomBytes, secret: () => secret });
  return { clock, signer: signer ?? assert.fail('no signer') };
}

test('RFC 9421, B.2.6: the signature of the test request by the Ed25519 test key', () => {
  const [method, authority, path] = requestComponents('POST', new URL('https://example.com/foo?param=Value&Pet=dog'));
  const covered = [
    { identifier: '"date"', value: 'Tue, 20 Apr 2021 02:07:55 GMT' },
    method ?? assert.fail(),
    path ?? assert.fail(),
    authority ?? assert.fail(),
    { identifier: '"content-type"', value: 'application/json' },
    { identifier: '"content-length"', value: '18' },
  ].toSorted((a, b) => order(a.identifier) - order(b.identifier));
  const parameters = { created: 1618884473, keyid: 'test-key-ed25519' };
  assert.equal(
    signatureBase(covered, parameters).base,
    `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`,
  );
  assert.equal(
    signMessage(covered, parameters, TEST_KEY.key).signature,
    ':wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
  );
});
const order = (identifier: string): number =>
  ['"date"', '"@method"', '"@path"', '"@authority"', '"content-type"', '"content-length"'].indexOf(identifier);

test("the Web Bot Auth draft's vector: key id and signature over the authority and its own member of Signature-Agent", () => {
  assert.equal(TEST_KEY.id, 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U');
  const authority = requestComponents('GET', new URL('https://example.com/path/to/resource'))[1] ?? assert.fail();
  const covered = [authority, { identifier: '"signature-agent";key="agent2"', value: '"https://signature-agent.test"' }];
  const nonce = 'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==';
  const parameters = { created: 1735689600, keyid: TEST_KEY.id, alg: 'ed25519', expires: 4889289600, nonce, tag: 'web-bot-auth' };
  const { input, signature } = signMessage(covered, parameters, TEST_KEY.key);
  assert.equal(
    input,
    `("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${TEST_KEY.id}";alg="ed25519";expires=4889289600;nonce="${nonce}";tag="web-bot-auth"`,
  );
  assert.equal(signature, ':RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:');
});

test('the query of a URL without one is "?", and the usual port is not part of the authority (RFC 9421, 2.2.3 and 2.2.7)', () => {
  const values = (url: string) => requestComponents('GET', new URL(url)).map(({ value }) => value);
  assert.deepEqual(values('https://www.Shop.example:443/a%20b'), ['GET', 'www.shop.example', '/a%20b', '?']);
  assert.deepEqual(values('https://www.shop.example:8443/?b=c&d'), ['GET', 'www.shop.example:8443', '/', '?b=c&d']);
});

test('a page request and its robots.txt are signed for each hop of a redirect alone; other requests, and http, are not', async () => {
  const seen: SandboxRequest[] = [];
  const shop: SandboxHost = {
    origins: ['https://www.shop.example', 'https://shop.example', 'http://www.shop.example'],
    answer(request) {
      seen.push(request);
      if (request.url.pathname === '/robots.txt')
        return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret' };
      if (request.url.pathname === '/moved') return { status: 301, headers: { location: 'https://shop.example/new?a=1' }, body: '' };
      return json({});
    },
  };
  const { signer } = signerOf(PUBLIC);
  const ports = await outside({ hosts: [shop], signer });
  try {
    const ask = createAllowedAsk({ http: ports.http, clock: ports.clock, settings: readSettings({}) });
    const attempt = { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY };
    const reply = await ask({ url: 'https://www.shop.example/moved', attempt });
    assert.equal(reply.tag, 'answer');
    const { keys } = JSON.parse(signer.directory().body.toString()) as { keys: readonly (JsonWebKey & { kid: string })[] };
    assert.deepEqual(
      seen.map(({ url }) => url.href),
      ['https://www.shop.example/robots.txt', 'https://www.shop.example/moved', 'https://shop.example/new?a=1'],
    );
    for (const request of seen) {
      const { 'signature-agent': agent, 'signature-input': input = '', signature = '' } = request.headers;
      assert.equal(agent, 'sig1="https://lookups.acme-widgets.com"');
      const key = keys.find(({ kid }) => input.includes(`;keyid="${kid}"`)) ?? assert.fail('the key is not in the directory');
      const base = [
        `"@method": ${request.method}`,
        `"@authority": ${request.url.host}`,
        `"@path": ${request.url.pathname}`,
        `"@query": ${request.url.search || '?'}`,
        '"signature-agent";key="sig1": "https://lookups.acme-widgets.com"',
        `"@signature-params": ${input.replace(/^sig1=/, '')}`,
      ].join('\n');
      const bytes = Buffer.from(/^sig1=:(.+):$/.exec(signature)?.[1] ?? '', 'base64');
      assert.ok(verify(null, Buffer.from(base), createPublicKey({ key, format: 'jwk' }), bytes), request.url.href);
      const at = Math.floor(ports.clock.now() / 1000);
      assert.match(input, new RegExp(`;created=${at};expires=${at + 60};.*;tag="web-bot-auth"$`));
    }
    assert.equal(new Set(seen.map(({ headers }) => /nonce="([^"]+)"/.exec(headers['signature-input'] ?? '')?.[1])).size, 3);
    const before = seen.length;
    answerOf(await ports.ask('https://www.shop.example/api'));
    answerOf(await ports.ask('http://www.shop.example/page', { signed: true }));
    for (const { headers } of seen.slice(before)) assert.deepEqual([headers.signature, headers['signature-agent']], [undefined, undefined]);
  } finally {
    await ports.close();
  }
});

test('the directory holds what signs now, the next key a day before it signs, and the previous one for a day after', async () => {
  const { clock, signer } = signerOf(PUBLIC);
  const keyNow = (): string =>
    /keyid="([^"]+)"/.exec(signer.headersFor('GET', new URL('https://a.shop/'))['signature-input'] ?? '')?.[1] ?? assert.fail();
  const listed = () => JSON.parse(signer.directory().body.toString()).keys as { kid: string; nbf: number; exp: number }[];
  const signed = new Set<string>();
  for (let hour = 0; hour < 65 * 24; hour++) {
    const [id, keys] = [keyNow(), listed()];
    signed.add(id);
    const key = keys.find(({ kid }) => kid === id) ?? assert.fail(`hour ${hour}: the key that signs is not listed`);
    const now = clock.now() / 1000;
    assert.ok(key.nbf <= now && now + 60 <= key.exp, 'a signature outlives its key');
    for (const { nbf, exp } of keys) assert.ok(exp > now && nbf - now <= DAY_MS / 1000, 'a key is listed too early or too long');
    // a copy of the directory that is as old as it may be has the key
    await clock.advance(DIRECTORY_MAX_AGE_S * 1000);
    assert.ok(keys.some(({ kid }) => kid === keyNow()));
    await clock.advance(3_600_000 - DIRECTORY_MAX_AGE_S * 1000);
  }
  assert.ok(signed.size >= 3, `${signed.size} keys signed in 65 days`);
});

test('every key signs the directory, for its authority and its bytes, until a day from now', async () => {
  const { clock, signer } = signerOf(PUBLIC);
  while (JSON.parse(signer.directory().body.toString()).keys.length < 2) await clock.advance(3_600_000);
  const { body, headers } = signer.directory();
  const { keys } = JSON.parse(body.toString()) as { keys: readonly (JsonWebKey & { kid: string })[] };
  assert.equal(headers['Content-Digest'], `sha-256=:${hash('sha256', body, 'base64')}:`);
  const [inputs, signatures] = [headers['Signature-Input']?.split(', ') ?? [], headers.Signature?.split(', ') ?? []];
  assert.deepEqual([inputs.length, signatures.length], [keys.length, keys.length]);
  const at = Math.floor(clock.now() / 1000);
  keys.forEach((key, i) => {
    const input = inputs[i]?.replace(/^key\d=/, '') ?? '';
    assert.equal(
      input,
      `("@authority";req "content-digest");created=${at};expires=${at + 86_400};keyid="${key.kid}";alg="ed25519";tag="http-message-signatures-directory"`,
    );
    const base = `"@authority";req: lookups.acme-widgets.com\n"content-digest": ${headers['Content-Digest']}\n"@signature-params": ${input}`;
    const bytes = Buffer.from(signatures[i]?.replace(/^key\d=:/, '').slice(0, -1) ?? '', 'base64');
    assert.ok(verify(null, Buffer.from(base), createPublicKey({ key, format: 'jwk' }), bytes));
  });
});

test('the same secret gives the same key in every process; another secret another one', () => {
  const idsOf = (secret: string) => JSON.parse(signerOf(PUBLIC, secret).signer.directory().body.toString()).keys[0].kid;
  assert.equal(idsOf(SECRET), idsOf(SECRET));
  assert.notEqual(idsOf(SECRET), idsOf(`${SECRET}.`));
});

test('signing is off by default, and refused where sites could not look up the keys or processes would sign with different ones', () => {
  const make = (environment: Record<string, string>, secret: string | null = SECRET) =>
    createRequestSigner({ settings: readSettings(environment), clock: createManualClock(), randomBytes, secret: () => secret });
  assert.equal(make({ SIGHTLINE_PUBLIC_URL: 'https://lookups.acme-widgets.com' }), null);
  for (const [url, why] of [
    [undefined, 'set it, or leave SIGHTLINE_SIGN_REQUESTS out'],
    ['http://lookups.acme-widgets.com', 'no https address'],
    ['https://localhost', 'not a name|single label|inner network'],
    ['https://10.0.0.7', 'private'],
    ['https://lookups.internal', 'inner network'],
    ['https://lookups.example', 'not in the public DNS'],
  ] as const)
    assert.throws(() => make({ SIGHTLINE_SIGN_REQUESTS: '1', ...(url && { SIGHTLINE_PUBLIC_URL: url }) }), {
      message: new RegExp(`^SIGHTLINE_SIGN_REQUESTS=1 needs SIGHTLINE_PUBLIC_URL.*(?:${why})`, 'i'),
    });
  assert.throws(() => make(PUBLIC, null), /needs SIGHTLINE_SECRET/);
  assert.throws(() => make({ ...PUBLIC, REDIS_URL: 'redis://127.0.0.1' }), /needs SIGHTLINE_SECRET/);
  assert.ok(make({ ...PUBLIC, REDIS_URL: 'redis://127.0.0.1', SIGHTLINE_SECRET: SECRET }));
});
