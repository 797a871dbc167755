import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { accountEndpoints } from '../../src/contract/account/endpoints.ts';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import { describe } from '../../src/contract/openapi/document.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { createAdminServer } from '../../src/gateway/admin/server.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { adminHttp, inject } from '../support/inject.ts';
import { fakeOAuth, rig } from './fakes.ts';

/** Paths that other standards place, or that operate the service. */
const PLACED_ELSEWHERE = [
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/healthz',
  '/readyz',
];

interface Described {
  paths: Record<
    string,
    {
      servers?: { url: string }[];
      get: {
        operationId: string;
        description: string;
        parameters: Record<string, unknown>[];
        responses: Record<string, unknown>;
        security?: unknown[];
      };
    }
  >;
  components: Record<string, Record<string, Record<string, unknown>>>;
  [key: string]: unknown;
}
const document = describe() as unknown as Described;

test('openapi.json is generated from the contract (`npm run generate` rewrites it)', () => {
  const file = new URL('../../openapi.json', import.meta.url);
  assert.ok(existsSync(file));
  assert.ok(readFileSync(file, 'utf8') === `${JSON.stringify(document, null, 2)}\n`, 'openapi.json is out of date');
});

test('every path stands in full, without a server of its own; every endpoint has a description, every parameter an example', () => {
  const own = new Set([...operationList, ...accountEndpoints].map((o) => o.path));
  assert.deepEqual(Object.keys(document.paths).sort(), [...own, '/v1/oauth/token', ...PLACED_ELSEWHERE].sort());
  for (const [path, { servers, ...methods }] of Object.entries(document.paths)) {
    assert.equal(servers, undefined, path);
    for (const { description } of Object.values(methods)) assert.ok(description.length > 10, path);
  }
  for (const { get } of Object.values(document.paths).filter((path) => 'get' in path))
    for (const p of get.parameters ?? []) if (!('$ref' in p)) assert.ok(p.example !== undefined, `${get.operationId} ${p.name}`);
});

test('every error status of the table is described for every operation, with an example for each code', () => {
  const statuses = new Set(Object.values(ERRORS).map((e) => String(e.status)));
  for (const operation of operationList) {
    const responses = document.paths[operation.path]?.get.responses ?? {};
    assert.deepEqual(new Set(Object.keys(responses)), new Set(['200', '304', ...statuses]));
  }
});

test('each error response lists the codes of its status', () => {
  for (const [name, answer] of Object.entries(document.components.responses ?? {})) {
    const { description, content } = answer as { description: string; content: { 'application/json': { examples: object } } };
    const listed = [...(/Codes: (.*)\./.exec(description)?.[1]?.matchAll(/`(\w+)`/g) ?? [])].map(([, code]) => code);
    assert.deepEqual(listed, Object.keys(content['application/json'].examples), name);
  }
  const names = Object.keys(ERRORS) as ErrorName[];
  for (const name of names) assert.match(JSON.stringify(document.components.responses), new RegExp(`Codes: [^.]*\`${codeOf(name)}\``));
});

test('every object of an answer is a named component, so that generated types have names', () => {
  const unnamed: string[] = [];
  const visit = (value: unknown, at: string, isTop: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!isTop && 'properties' in value && Object.keys(value.properties as object).length > 0) unnamed.push(at);
    for (const [key, item] of Object.entries(value)) visit(item, `${at}/${key}`, false);
  };
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) visit(schema, name, true);
  assert.deepEqual(unnamed, []);
  for (const name of ['ShortVideoMetrics', 'AppProfilePricing', 'AccountUsageDay', 'AppReviewPageReview', 'AccountLedgerEntry'])
    assert.ok(document.components.schemas?.[name], name);
});

test('the price endpoint has one query parameter for each name that an operation knows, whose schema takes what the operation takes', () => {
  const { parameters } = document.paths['/v1/account/price']?.get ?? { parameters: [] };
  const names = parameters.filter((p) => p.in === 'query').map((p) => p.name);
  assert.deepEqual(new Set(names), new Set(['operation', ...operationList.flatMap((o) => o.parameters.map((p) => p.name))]));
  assert.equal(names.length, new Set(names).size);
  for (const { name, style, schema, example } of parameters) {
    assert.equal(style, undefined);
    if (name === undefined) continue;
    assert.ok(Compile(schema as object).Check(example), String(name));
    for (const o of operationList)
      for (const p of o.parameters.filter((q) => q.name === name)) {
        assert.ok(Compile(schema as object).Check(p.example), `${name} of ${o.id}`);
        for (const value of (p.schema as { enum?: string[] }).enum ?? [])
          assert.ok(Compile(schema as object).Check(value), `${name}=${value}`);
      }
  }
});

test('every reference resolves, and every component is used', () => {
  const text = JSON.stringify(document);
  const used = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, kind, name]) => `${kind}/${name}`));
  for (const kind of ['schemas', 'responses', 'headers', 'parameters'])
    for (const name of Object.keys(document.components[kind] ?? {})) assert.ok(used.delete(`${kind}/${name}`), `${kind}/${name} is unused`);
  assert.deepEqual([...used], []);
});

test('every header that an answer has is described', async () => {
  const r = rig();
  const described = new Set(Object.keys(document.components.headers ?? {}).map((h) => h.toLowerCase()));
  const general = ['content-type', 'content-length', 'content-encoding', 'date', 'connection', 'x-content-type-options', 'referrer-policy'];
  for (const url of ['/v1/website/whois/domains/a.com', '/v1/website/whois/domains/com', '/v1/nosuch', '/v1/account', '/healthz'])
    for (const name of Object.keys((await r.get(url)).headers)) assert.ok(described.has(name) || general.includes(name), name);
});

test('/openapi.json has the public URL and otherwise equals the committed file; operations have two security schemes', async () => {
  const r = rig({ settings: { SIGHTLINE_PUBLIC_URL: 'https://api.example' }, parts: { oauth: fakeOAuth('https://api.example') } });
  const reply = await r.get('/openapi.json', {});
  assert.deepEqual(reply.body.servers, [{ url: 'https://api.example', description: 'This service' }]);
  assert.deepEqual(reply.body.security, [{ apiKey: [] }, { bearer: [] }]);
  assert.deepEqual(reply.body.components, document.components);
  const paths = reply.body.paths as Described['paths'];
  assert.deepEqual(Object.keys(paths), Object.keys(document.paths));
  assert.equal(reply.headers['strict-transport-security'], 'max-age=31536000');
  assert.equal((await r.get('/openapi.json', { 'if-none-match': String(reply.headers.etag) })).status, 304);
});

test('/docs works offline: every file of a page is served locally, compressed, and its Content-Security-Policy allows no other origin and nothing inline', async () => {
  const r = rig();
  const start = await r.get('/docs', {});
  assert.deepEqual([start.status, start.headers.location], [302, '/docs/']);
  for (const page of ['/docs/', '/docs/watches.html', '/docs/reference/serp.html', '/docs/reference/']) {
    const reply = await r.get(page, {});
    assert.equal(reply.status, 200, page);
    const policy = String(reply.headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe|blob:/);
    assert.doesNotMatch(reply.text, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    const parts = [...reply.text.matchAll(/(?:src|rel="stylesheet" href|data-index)="([^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(parts.length >= 4, page);
    for (const path of parts) {
      const { pathname } = new URL(path, `http://service${page}`);
      const part = await r.get(pathname, { 'accept-encoding': 'gzip' });
      assert.equal(part.status, 200, pathname);
      if (part.text.length > 1_000 && !pathname.endsWith('.png')) assert.equal(part.headers['content-encoding'], 'gzip', pathname);
    }
  }
  assert.equal((await r.get('/docs/nosuch.html', {})).status, 404);
  assert.equal((await r.get('/docs/../package.json', {})).status, 404);
  assert.equal((await r.get('/docs/openapi.json', {})).text, (await r.get('/openapi.json', {})).text);
});

test('the admin listener serves metrics without a token, and nothing else', async () => {
  const admin = createAdminServer({ http: adminHttp(createMetrics({ version: '1.2.3' })), version: '1.2.3' });
  const metrics = await inject(admin, '/metrics');
  assert.match(metrics.body, /sightline_build_info\{version="1\.2\.3"\} 1/);
  assert.match(metrics.body, /process_resident_memory_bytes/);
  assert.equal((await inject(admin, '/healthz')).statusCode, 200);
  const none = await inject(admin, '/v1/account');
  assert.deepEqual([none.statusCode, none.json().error.code], [404, 'NOT_FOUND']);
  await admin.close();
});
