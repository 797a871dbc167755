import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isRequestCursor } from '../../src/accounts/usage/request-log.ts';
import { isUsageCursor } from '../../src/accounts/usage/usage.ts';
import { isStatementCursor } from '../../src/billing/statement.ts';
import { accountEndpoints } from '../../src/contract/account/endpoints.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { AttemptReport } from '../../src/orchestrator/types.ts';
import { cached, hits, refused } from '../contract/fakes.ts';
import { openTestService, REGISTRATION, SERP } from './test-service.ts';

interface Entry {
  kind: string;
  credits: number;
  held: number;
  receipt: string | null;
  keyId: string | null;
  operation: string | null;
  requestId: string | null;
  label: string | null;
  note: string | null;
}
const facts = (e: Entry) => [e.kind, e.credits, e.held];

test('the receipt of a response selects its hold and its capture in the ledger', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const answer = await h.get(SERP, h.first.key, { headers: { 'x-request-id': 'order-1' } });
  const receipt = String(answer.headers['x-receipt']);
  await h.get(REGISTRATION);
  await h.settled();
  const { entries, hasMore } = (await h.get(`/v1/account/ledger?receipt=${receipt}`)).body as { entries: Entry[]; hasMore: boolean };
  assert.deepEqual(entries.map(facts), [
    ['capture', -3, -3],
    ['hold', 0, 3],
  ]);
  for (const e of entries) assert.deepEqual([e.receipt, e.keyId, e.operation, e.label], [receipt, h.first.keyId, 'serp', 'order-1']);
  assert.equal(hasMore, false);
});

test('uncharged responses have no receipt: errors, cache hits, account routes', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  h.script = async ({ charge }) => {
    await charge.hold();
    return refused(new ServiceError('NOT_FOUND'));
  };
  assert.equal((await h.get(REGISTRATION)).headers['x-receipt'], undefined);
  h.script = hits(h.clock as never);
  assert.equal((await h.get(REGISTRATION)).headers['x-receipt'], undefined);
  assert.equal((await h.get('/v1/account')).headers['x-receipt'], undefined);
});

test('the ledger lists the entries of the own account, newest first, in pages without repeated or missing entries', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  for (let i = 0; i < 7; i++) await h.get(REGISTRATION);
  await h.settled();
  const all = (await h.get('/v1/account/ledger?limit=1000')).body.entries as Entry[];
  assert.equal(all.length, 15);
  assert.deepEqual(facts(all.at(-1) as Entry), ['grant', 1000, 0]);
  assert.equal(all.at(-1)?.note, 'with the account');
  const paged: Entry[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { body } = await h.get(`/v1/account/ledger?limit=4${after && `&after=${after}`}`);
    paged.push(...(body.entries as Entry[]));
    after = body.after as string | null;
    assert.equal(body.hasMore, after !== null);
  }
  assert.deepEqual(paged, all);
  const { accountId } = await h.accounts.admin.createAccount({ name: 'other', credits: 5 });
  const { key } = await h.accounts.admin.createKey({ accountId });
  assert.equal(((await h.get('/v1/account/ledger', key)).body.entries as Entry[]).length, 1);
  assert.deepEqual((await h.get(`/v1/account/ledger?receipt=${all[0]?.receipt}`, key)).body.entries, []);
  for (const query of ['after=x', 'limit=0', 'limit=1001', 'receipt=', 'receipt=a%27b', 'nosuch=1'])
    assert.equal((await h.get(`/v1/account/ledger?${query}`)).status, 400, query);
});

test('usage by day, operation, key and status, with credits; as JSON in pages, and as CSV', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const other = await h.accounts.admin.createKey({ label: 'other' });
  await h.get(REGISTRATION);
  await h.get(REGISTRATION, other.key);
  await h.get(SERP);
  await h.get(SERP);
  await h.get(`${SERP}&nosuch=1`);
  await h.clock.tick();
  const day = '2026-11-01';
  const rows = [
    { day, operation: 'registration', keyId: h.first.keyId, status: 200, requests: 1, credits: 1 },
    { day, operation: 'registration', keyId: other.keyId, status: 200, requests: 1, credits: 1 },
    { day, operation: 'serp', keyId: h.first.keyId, status: 200, requests: 2, credits: 6 },
    { day, operation: 'serp', keyId: h.first.keyId, status: 400, requests: 1, credits: 0 },
  ].sort((a, b) => (`${a.operation}${a.keyId}${a.status}` < `${b.operation}${b.keyId}${b.status}` ? -1 : 1));
  const whole = (await h.get('/v1/account/usage')).body;
  assert.deepEqual([whole.days, whole.after, whole.hasMore], [rows, null, false]);
  const first = (await h.get('/v1/account/usage?limit=3')).body;
  const rest = (await h.get(`/v1/account/usage?limit=3&after=${encodeURIComponent(String(first.after))}`)).body.days as object[];
  // the requests to the account routes have added usage rows
  assert.deepEqual([...(first.days as object[]), ...rest].slice(-4), rows);
  const csv = await h.get(`/v1/account/usage?from=${day}&to=${day}`, h.first.key, { headers: { accept: 'text/csv' } });
  assert.match(String(csv.headers['content-type']), /^text\/csv/);
  const lines = csv.text.split('\r\n');
  assert.equal(lines[0], 'day,operation,keyId,status,requests,credits');
  assert.ok(lines.includes(`${day},serp,${h.first.keyId},200,2,6`));
  const page = await h.get('/v1/account/usage?format=csv&limit=1');
  const next = /^<([^>]+)>; rel="next"$/.exec(String(page.headers.link))?.[1] ?? '';
  assert.notEqual((await h.get(next)).text.split('\r\n')[1], page.text.split('\r\n')[1]);
  assert.equal((await h.get('/v1/account/usage?format=json', h.first.key, { headers: { accept: 'text/csv' } })).text.startsWith('{'), true);
  for (const query of ['after=x', 'limit=0', 'format=xml']) assert.equal((await h.get(`/v1/account/usage?${query}`)).status, 400, query);
});

test('a parameter that the asked form of an answer leaves without effect is refused: in every form, by `format` and by Accept', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const inForms = accountEndpoints.filter(({ texts }) => texts);
  assert.ok(inForms.length >= 3);
  for (const { id, path, texts = {}, jsonOnly = [], htmlOnly = [], parameters, headers = [] } of inForms) {
    const isWhole = !headers.includes('Link');
    for (const name of ['limit', 'after'])
      if (parameters.some((p) => p.name === name)) assert.equal(jsonOnly.includes(name), isWhole, `${id}: ${name} is of pages`);
    const at = path.replace('{watchId}', 'wat_5f0c2d');
    for (const name of jsonOnly) {
      const { example } = parameters.find((p) => p.name === name) ?? {};
      for (const type of Object.keys(texts)) {
        const form = type === 'text/csv' ? 'csv' : 'ndjson';
        for (const [query, accept, by] of [
          [`&format=${form}`, '*/*', 'format'],
          ['', type, 'Accept'],
        ] as const) {
          const { status, text } = await h.get(`${at}?${name}=${example}${query}`, h.first.key, { headers: { accept } });
          assert.equal(status, 400, text);
          assert.ok(text.includes(`Parameter ${name} is \\"${example}\\", but it is for JSON alone, and ${by} asks for ${type}`), text);
        }
        const asJson = await h.get(`${at}?${name}=${example}&format=json`, h.first.key, { headers: { accept: type } });
        assert.notEqual(asJson.status, 400, asJson.text);
      }
    }
    const ofPage = parameters.filter(({ description }) => description.startsWith('Of the report: ')).map(({ name }) => name);
    assert.deepEqual(htmlOnly, ofPage, id);
    for (const name of htmlOnly) {
      for (const [query, accept, says] of [
        ['&format=csv', '*/*', 'format asks for text/csv: leave one of them out.'],
        ['&format=json', 'text/html', 'format asks for application/json: leave one of them out.'],
        ['', 'text/csv', 'Accept asks for text/csv: leave one of them out.'],
        ['', null, 'the answer is application/json: add format=html, or leave it out.'],
      ] as const) {
        const { status, text } = await h.get(`${at}?${name}=Acme${query}`, h.first.key, { headers: accept === null ? {} : { accept } });
        assert.equal(status, 400, text);
        assert.ok(text.includes(`Parameter ${name} is \\"Acme\\", but it is for HTML alone, and ${says}`), text);
      }
      for (const [query, accept] of [
        ['&format=html', '*/*'],
        ['', 'text/html'],
      ] as const) {
        const page = await h.get(`${at}?${name}=Acme${query}`, h.first.key, { headers: { accept } });
        assert.notEqual(page.status, 400, page.text);
      }
    }
  }
});

test('a quote gives the price and whether a cached answer makes the lookup free; it holds nothing and asks no source', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  h.script = async () => assert.fail('no lookup');
  const serp = await h.get('/v1/account/price?operation=serp&keyword=a&depth=25');
  assert.deepEqual(serp.body, { operation: 'serp', price: 3, cached: false, freshUntil: null, charge: 3 });
  h.peeked = cached(h.clock as never);
  const free = await h.get('/v1/account/price?operation=registration&domain=acme-widgets.com');
  assert.deepEqual([free.body.price, free.body.cached, free.body.charge], [1, true, 0]);
  assert.equal(free.body.freshUntil, new Date(h.clock.ms + 21_600_000).toISOString());
  assert.equal(free.headers['x-credits-charged'], '0');
  for (const query of [
    '',
    'operation=nosuch',
    'operation=serp',
    'operation=serp&operation=serp&keyword=a',
    'operation=serp&keyword=a&depth=999',
  ])
    assert.equal((await h.get(`/v1/account/price?${query}`)).status, 400, query);
  assert.equal(((await h.get('/v1/account/ledger')).body.entries as unknown[]).length, 1);
  const charging = await openTestService({ settings: { SIGHTLINE_CHARGE_CACHE_HITS: '1' } });
  t.after(charging.close);
  charging.peeked = cached(charging.clock as never);
  assert.equal((await charging.get('/v1/account/price?operation=registration&domain=acme-widgets.com')).body.charge, 1);
  charging.peeked = cached(charging.clock as never, {}, { absent: 'Not found.' });
  assert.equal((await charging.get('/v1/account/price?operation=registration&domain=acme-widgets.com')).body.charge, 0);
});

test('429: uncharged lookups at sources are limited per account; cache hits are not', async (t) => {
  const h = await openTestService({ settings: { SIGHTLINE_PROTECTION: JSON.stringify({ uncharged: { perSecond: 1, burst: 3 } }) } });
  t.after(h.close);
  const fails: typeof h.script = async (request) => {
    try {
      await request.charge.hold();
    } catch (error) {
      return refused(error as ServiceError);
    }
    request.charge.release();
    return refused(new ServiceError('NOT_FOUND'));
  };
  h.script = fails;
  const { accountId } = await h.accounts.admin.createAccount({ name: 'other', credits: 5 });
  const { key } = await h.accounts.admin.createKey({ accountId });
  for (let i = 0; i < 3; i++) assert.equal((await h.get(REGISTRATION)).status, 404);
  const slowed = await h.get(REGISTRATION);
  assert.deepEqual([slowed.status, slowed.body.error?.code, slowed.headers['retry-after']], [429, 'RATE_LIMITED', '1']);
  assert.equal((await h.get(REGISTRATION, key)).status, 404, 'another account is not touched');
  h.script = hits(h.clock as never);
  assert.equal((await h.get(REGISTRATION)).status, 200);
  h.script = fails;
  h.clock.ms += 1000;
  assert.deepEqual([(await h.get(REGISTRATION)).status, (await h.get(REGISTRATION)).status], [404, 429]);
});

test('lookups for which no source was asked do not count as uncharged; one that asked a source does', async (t) => {
  const h = await openTestService({ settings: { SIGHTLINE_PROTECTION: JSON.stringify({ uncharged: { perSecond: 1, burst: 3 } }) } });
  t.after(h.close);
  const paced = { source: 'registration/rdap', tag: 'limited', what: 'Paced.', detail: null, ms: 0, isUnsent: true as const };
  const sent = { source: 'registration/whois', tag: 'blocked', what: 'Blocked.', detail: null, ms: 0 };
  const ends =
    (attempts: readonly AttemptReport[]): typeof h.script =>
    async ({ charge }) => {
      try {
        await charge.hold();
      } catch (error) {
        return refused(error as ServiceError);
      }
      charge.release();
      const error = new ServiceError('UPSTREAM_RATE_LIMITED', undefined, { 'retry-after': '1' });
      return { ok: false, refusal: { error, attempts, cacheStatus: null, upstreamMs: 0, atMs: null } };
    };
  h.script = ends([paced, paced]);
  const statuses = async (n: number) => {
    const codes: unknown[] = [];
    for (let i = 0; i < n; i++) codes.push((await h.get(REGISTRATION)).body.error?.code);
    return codes;
  };
  assert.deepEqual(new Set(await statuses(10)), new Set(['UPSTREAM_RATE_LIMITED']));
  h.script = ends([paced, sent]);
  assert.deepEqual(await statuses(4), [...Array.from({ length: 3 }, () => 'UPSTREAM_RATE_LIMITED'), 'RATE_LIMITED']);
});

test('a cursor that an account endpoint accepts is one from which its page is read', () => {
  const readers = { 'account-ledger': isStatementCursor, 'account-usage': isUsageCursor, 'account-requests': isRequestCursor };
  for (const [id, isCursor] of Object.entries(readers)) {
    const after = accountEndpoints.find((one) => one.id === id)?.parameters.find(({ name }) => name === 'after');
    assert.ok(after && isCursor(String(after.example)), id);
    const { pattern = '' } = after.schema as { readonly pattern?: string };
    fc.assert(fc.property(fc.stringMatching(new RegExp(pattern, 'u')), isCursor));
  }
});
