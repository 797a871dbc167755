import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Operation, operationList } from '../../src/contract/operations/index.ts';
import { KEY, rig } from './fakes.ts';

/** URL path built from the examples of the description. */
function exampleUrl(operation: Operation, more = ''): string {
  let path = operation.path;
  const query = new URLSearchParams();
  for (const p of operation.parameters) {
    if (p.in === 'path') path = path.replace(`{${p.name}}`, encodeURIComponent(p.example));
    else query.set(p.name, String(p.example));
  }
  const text = `${query}${more}`;
  return text ? `${path}?${text}` : path;
}

for (const operation of operationList) {
  test(`${operation.id}: its examples reach the lookup of the operation, typed, at its price`, async () => {
    const r = rig();
    const reply = await r.get(exampleUrl(operation));
    assert.equal(reply.status, 200, reply.text);
    assert.equal(r.asked[0]?.operation, operation.id);
    const input = r.asked[0]?.input as unknown as Record<string, unknown>;
    for (const p of operation.parameters) assert.equal(typeof input[p.field], typeof p.example, p.name);
    assert.equal(reply.headers['x-credits-charged'], '1');
    const short = operation.path.replace(/\{(\w+)\}/g, (_, name) => String(operation.parameters.find((p) => p.name === name)?.example));
    if (!operation.parameters.some((p) => p.in === 'query' && p.required)) {
      await r.get(short);
      const defaults = r.asked[1]?.input as unknown as Record<string, unknown>;
      for (const p of operation.parameters) if (p.default !== undefined) assert.equal(defaults[p.field], p.default, p.name);
    } else assert.equal((await r.get(short)).status, 400, 'a required parameter is missing');
  });

  test(`${operation.id}: 401, 400 for an unknown parameter, 405 and 501`, async () => {
    const r = rig();
    const url = exampleUrl(operation);
    assert.equal((await r.get(url, {})).status, 401);
    assert.equal((await r.get(exampleUrl(operation, '&nosuch=1'))).status, 400);
    assert.equal((await r.get(url, { 'x-api-key': KEY }, 'POST')).status, 405);
    for (const p of operation.parameters.filter((q) => q.in === 'query'))
      assert.equal((await r.get(exampleUrl(operation, `&${p.name}=${encodeURIComponent(p.example)}`))).status, 400, `${p.name} twice`);
    assert.equal(r.asked.length, 0);
  });
}

test('a static path takes precedence over a parametrised one', async () => {
  const r = rig();
  await r.get('/v1/appmarket/apps/keywords?keyword=a');
  await r.get('/v1/appmarket/apps/keywords-tool');
  await r.get('/v1/appmarket/apps/developers/x');
  await r.get('/v1/appmarket/apps/developers/reviews');
  assert.deepEqual(
    r.asked.map((a) => a.operation),
    ['app-keywords', 'app', 'app-developer', 'app-developer'],
  );
});

test('path parameters are decoded once, and long ones are decoded before they are validated', async () => {
  const r = rig();
  await r.get('/v1/website/whois/domains/b%C3%BCcher.example');
  assert.deepEqual(r.asked[0]?.input, { domain: 'xn--bcher-kva.example' });
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.com`;
  assert.equal((await r.get(`/v1/website/whois/domains/${long}`)).status, 200);
  assert.equal((await r.get(`/v1/website/whois/domains/${'a'.repeat(300)}.com`)).status, 400);
  assert.equal((await r.get('/v1/website/whois/domains/a%252ecom')).status, 400);
});

test('deadlines are taken from the settings', async () => {
  const r = rig({
    settings: { SIGHTLINE_DEADLINE_MS: '1000', SIGHTLINE_DEADLINE_SERP_MS: '2000', SIGHTLINE_DEADLINE_COMMENTS_MS: '3000' },
  });
  await r.get('/v1/website/whois/domains/a.com');
  await r.get('/v1/searchengine/serp?keyword=a');
  await r.get('/v1/forum/posts/abc/comments');
  assert.deepEqual(
    r.asked.map((a) => a.deadlineMs - r.clock.ms),
    [1000, 2000, 3000],
  );
});
