// In the gate alone: packages of test/outside with a lock file of their own.
/** A verifier that nobody here wrote accepts our signatures. `npm ci --prefix test/outside` installs it; SIGHTLINE_TEST_REQUIRE=outside runs this. */
import assert from 'node:assert/strict';
import { type JsonWebKey, randomBytes, type webcrypto } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { createRequestSigner, DIRECTORY_PATH } from '../../src/upstream/http/request-signer.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';

const skip = process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('outside')
  ? false
  : 'SIGHTLINE_TEST_REQUIRE does not name "outside": a verifier with a lock file of its own';

interface Candidate {
  readonly label: string;
  readonly parameters: { readonly keyid?: string };
}
interface Rules {
  readonly label?: string;
  readonly policy: Readonly<Record<string, unknown>>;
  resolveVerifier(candidate: Candidate): Promise<unknown>;
}
interface HttpMessageSig {
  verifySignature(message: unknown, rules: Rules): Promise<unknown>;
  readonly webcrypto: { verifier(key: webcrypto.CryptoKey): unknown };
}
interface WebBotAuth {
  jwkToKeyID(jwk: object, hash: unknown, decode: unknown): Promise<string>;
  readonly helpers: { readonly WEBCRYPTO_SHA256: unknown; readonly BASE64URL_DECODE: unknown };
  readonly HTTP_MESSAGE_SIGNATURES_DIRECTORY: string;
  readonly MediaType: Readonly<Record<string, string>>;
}
interface Jwk extends JsonWebKey {
  readonly kid: string;
}
const foreign = createRequire(resolve('test/outside/package.json'));

const SECRET = 'a secret of thirty two characters';
const SIGNED = { SIGHTLINE_SIGN_REQUESTS: '1', SIGHTLINE_PUBLIC_URL: 'https://lookups.acme-widgets.com', SIGHTLINE_SECRET: SECRET };
let service: Running;
let answer: Response;
let text: string;
before(async () => {
  if (skip) return;
  service = await startWhole({ ...SANDBOX_SETTINGS, ...SIGNED });
  answer = await fetch(`${service.baseUrl}${DIRECTORY_PATH}`, { headers: { 'accept-encoding': 'gzip' } });
  text = await answer.text();
});
after(async () => {
  if (!skip) await service.stop();
});

async function verifierOf(candidate: Candidate): Promise<unknown> {
  const { keys } = JSON.parse(text) as { keys: readonly Jwk[] };
  const jwk = keys.find(({ kid }) => kid === candidate.parameters.keyid) ?? assert.fail(`${candidate.parameters.keyid} is not listed`);
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', true, ['verify']);
  return (foreign('http-message-sig') as HttpMessageSig).webcrypto.verifier(key);
}

test('http-message-sig accepts a signed request by the key of the served directory, and no other request with its signature', {
  skip,
}, async () => {
  const { verifySignature } = foreign('http-message-sig') as HttpMessageSig;
  const signer = createRequestSigner({ settings: readSettings(SIGNED), clock: realClock, randomBytes, secret: () => SECRET });
  const url = 'https://apps.shopify.com/reviews?page=2';
  const headers = signer?.headersFor('GET', new URL(url)) ?? assert.fail();
  const policy = {
    algorithms: ['ed25519'],
    requiredComponents: ['@authority', { name: 'signature-agent', parameters: { key: 'sig1' } }],
    requiredParameters: ['created', 'expires', 'keyid', 'tag'],
    maxAge: 60,
    clockSkew: 5,
  };
  const verify = (target: string, method = 'GET', agent = headers['signature-agent'] ?? '') =>
    verifySignature(new Request(target, { method, headers: { ...headers, 'signature-agent': agent } }), {
      label: 'sig1',
      policy,
      resolveVerifier: verifierOf,
    });
  await verify(url);
  for (const [target, method, agent] of [
    ['https://apps.shopify.com/reviews?page=3', 'GET', undefined],
    ['https://apps.shopify.com/other?page=2', 'GET', undefined],
    ['https://elsewhere.shop/reviews?page=2', 'GET', undefined],
    [url, 'POST', undefined],
    [url, 'GET', 'sig1="https://elsewhere.shop"'],
  ] as const)
    await assert.rejects(verify(target, method, agent), { name: 'SignatureError' }, `${method} ${target} ${agent}`);
});

test('the directory has the path, the media type and the key ids that web-bot-auth knows, and http-message-sig accepts its signatures', {
  skip,
}, async () => {
  const { verifySignature } = foreign('http-message-sig') as HttpMessageSig;
  const { jwkToKeyID, helpers, HTTP_MESSAGE_SIGNATURES_DIRECTORY: path, MediaType } = foreign('web-bot-auth') as WebBotAuth;
  assert.equal(answer.status, 200);
  assert.equal(path, DIRECTORY_PATH);
  assert.equal(answer.headers.get('content-type'), MediaType.HTTP_MESSAGE_SIGNATURES_DIRECTORY);
  const { keys } = JSON.parse(text) as { keys: readonly Jwk[] };
  for (const key of keys) assert.equal(await jwkToKeyID(key, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE), key.kid);
  const request = { kind: 'request', method: 'GET', targetUri: `https://lookups.acme-widgets.com${DIRECTORY_PATH}`, fields: [] };
  const fields = [...answer.headers].map(([name, value]) => ({ name, value }));
  const policy = {
    algorithms: ['ed25519'],
    requiredComponents: [{ name: '@authority', parameters: { req: true } }, 'content-digest'],
    requiredParameters: ['created', 'expires', 'keyid', 'tag'],
    maxAge: 86_400,
    clockSkew: 5,
  };
  const verify = (targetUri: string, label: string) =>
    verifySignature(
      { kind: 'response', status: 200, fields, request: { ...request, targetUri } },
      { label, policy, resolveVerifier: verifierOf },
    );
  for (const i of keys.keys()) await verify(request.targetUri, `key${i + 1}`);
  await assert.rejects(verify('https://elsewhere.shop/', 'key1'), { name: 'SignatureError' });
});
