import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unpackRequests } from '../../src/accounts/usage/rows.ts';
import { accountEndpoints } from '../../src/contract/account/endpoints.ts';
import type { AccountUsage, RequestExplanation } from '../../src/contract/account/schemas.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { camelCase, operationList, operationOf } from '../../src/contract/operations/index.ts';
import { hits, leads, refused } from '../contract/fakes.ts';
import { openTestService, REGISTRATION, SERP } from './test-service.ts';

interface Listed {
  requestId: string;
  label: string | null;
  operation: string;
  status: number;
  credits: number;
}
const sent = (requestId: string, more: Record<string, string> = {}) => ({ headers: { 'x-request-id': requestId, ...more } });

test('a charged lookup is explained with its parameters, attempts, rule and receipt', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const lead = leads(h.clock as never);
  const begun = h.clock.now();
  h.script = async (request) => {
    const result = await lead(request);
    assert.ok(result.ok);
    const attempts = [
      {
        source: 'serp/browser',
        tag: 'blocked',
        what: 'The source blocked this service.',
        detail: 'HTTP 403 from host',
        ms: 12.4,
        at: begun + 5,
      },
      { source: 'serp/api', tag: 'found', what: null, detail: null, ms: 300, at: begun + 18 },
    ];
    return { ok: true, answer: { ...result.answer, cached: { ...result.answer.cached, unread: ['organic.title'] }, attempts } };
  };
  const answer = await h.get(SERP, h.first.key, sent('order-1', { 'cache-control': 'max-age=60' }));
  assert.equal(answer.status, 200);
  const explained = (await h.get('/v1/account/requests/order-1')).body as unknown as RequestExplanation;
  assert.deepEqual(explained.parameters, { keyword: 'a', depth: '30' });
  assert.equal(explained.freshness, 'max-age=60');
  assert.deepEqual(explained.attempts, [
    { source: 'serp/browser', outcome: 'blocked', startMs: 5, durationMs: 12, reason: 'The source blocked this service.' },
    { source: 'serp/api', outcome: 'found', startMs: 18, durationMs: 300, reason: null },
  ]);
  assert.deepEqual(
    explained.steps.map(({ step }) => step),
    ['admission', 'cache', 'hold', 'answer'],
  );
  assert.deepEqual(explained.unread, ['organic.title']);
  assert.equal(explained.rule, 'charged');
  assert.equal(explained.credits, 3);
  assert.equal(explained.receipt, answer.headers['x-receipt']);
  const operator = await h.accounts.admin.explainRequest({ requestId: 'order-1' });
  assert.deepEqual(operator.details, ['HTTP 403 from host', null]);
  assert.match(String(operator.inputHash), /^[0-9a-f]{64}$/);
  assert.equal(JSON.stringify(explained).includes('HTTP 403 from host'), false, 'details are for the operator alone');
});

test('the same X-Request-Id of two accounts names requests of each: ids, receipts and answers stay apart', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { accountId } = await h.accounts.admin.createAccount({ name: 'other', credits: 10 });
  const { key } = await h.accounts.admin.createKey({ accountId });
  const answers = [
    await h.get(REGISTRATION, h.first.key, sent('ticket-77')),
    await h.get(SERP, h.first.key, sent('ticket-77')),
    await h.get(REGISTRATION, key, sent('ticket-77')),
  ];
  for (const { headers } of answers) assert.equal(headers['x-request-id'], 'ticket-77', 'echoed');
  const explain = async (name: string, by = h.first.key) =>
    (await h.get(`/v1/account/requests/${name}`, by)).body as unknown as RequestExplanation;
  const [own, other] = [await explain('ticket-77'), await explain('ticket-77', key)];
  assert.deepEqual([own.operation, own.others.length, other.operation, other.others.length], ['serp', 1, 'registration', 0]);
  const first = await explain(String(own.others[0]?.requestId));
  assert.deepEqual([first.label, first.receipt, first.others], ['ticket-77', answers[0]?.headers['x-receipt'], []]);
  assert.equal(other.receipt, answers[2]?.headers['x-receipt']);
  assert.equal(new Set([own.requestId, other.requestId, first.requestId, 'ticket-77']).size, 4);
  const { requests } = (await h.get('/v1/account/requests?label=ticket-77')).body as unknown as { requests: Listed[] };
  assert.deepEqual(
    requests.map((r) => r.requestId),
    [own.requestId, first.requestId],
  );
  const operator = await h.accounts.admin.explainRequest({ requestId: 'ticket-77' });
  assert.deepEqual(
    [operator, ...operator.others].map((r) => [r.accountId, r.requestId]),
    [
      [accountId, other.requestId],
      [h.first.accountId, own.requestId],
      [h.first.accountId, first.requestId],
    ],
  );
  await h.settled();
  const { entries } = (await h.get('/v1/account/ledger')).body as unknown as {
    entries: { requestId: string; label: string; kind: string }[];
  };
  const held = entries.filter(({ kind }) => kind === 'hold').map(({ requestId, label }) => [requestId, label]);
  assert.deepEqual(held, [
    [own.requestId, 'ticket-77'],
    [first.requestId, 'ticket-77'],
  ]);
});

test('errors and answers from the cache are explained as free, with the message that the caller saw', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  h.script = async ({ charge }) => {
    await charge.hold();
    return refused(new ServiceError('UPSTREAM_BLOCKED', 'The source blocked this service.'));
  };
  await h.get(REGISTRATION, h.first.key, sent('blocked-1'));
  h.script = hits(h.clock as never);
  await h.get(REGISTRATION, h.first.key, sent('free-1'));
  const explain = async (id: string) => (await h.get(`/v1/account/requests/${id}`)).body as unknown as RequestExplanation;
  const [error, free] = [await explain('blocked-1'), await explain('free-1')];
  assert.deepEqual([error.status, error.code, error.rule, error.credits], [502, 'UPSTREAM_BLOCKED', 'error', 0]);
  assert.equal(error.message, 'The source blocked this service.');
  assert.deepEqual([free.rule, free.cache, free.receipt], ['cached', 'hit', null]);
  assert.deepEqual(free.parameters, { domain: 'acme-widgets.com' });
});

test('a request with invalid parameters leaves none of them in the log: they may hold a misplaced key', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const secret = 'sl_secret0123456789';
  await h.get(`${REGISTRATION}?api_key=${secret}`, h.first.key, sent('wrong-1'));
  const explained = (await h.get('/v1/account/requests/wrong-1')).body as unknown as RequestExplanation;
  assert.deepEqual([explained.status, explained.parameters], [400, null]);
  const rows = await h.accounts.store.db.selectFrom('request_log').selectAll().execute();
  const targets = rows.flatMap(unpackRequests).map(({ target }) => target);
  assert.ok(targets.length > 0 && targets.every((target) => target === null));
  assert.equal(JSON.stringify(rows).includes(secret), false);
});

test('the request of another account, and one that never was, are not found', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  await h.get(REGISTRATION, h.first.key, sent('mine-1'));
  const other = await h.accounts.admin.createAccount({ name: 'other' });
  const { key } = await h.accounts.admin.createKey({ accountId: other.accountId });
  for (const id of ['mine-1', 'never-was']) {
    const answer = await h.get(`/v1/account/requests/${id}`, key);
    assert.equal(answer.status, 404);
    assert.match(String(answer.body.error?.message), new RegExp(`no request ${id}`));
  }
  const { requests } = (await h.get('/v1/account/requests?operation=registration', key)).body as unknown as { requests: Listed[] };
  assert.deepEqual(requests, []);
});

test('the list has every request of the account once, newest first, and filters by operation, status and day', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  for (let i = 0; i < 5; i++) await h.get(REGISTRATION, h.first.key, sent(`r-${i}`));
  await h.get(SERP, h.first.key, sent('s-0'));
  await h.get('/v1/searchengine/serp', h.first.key, sent('s-1'));
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const { body } = await h.get(`/v1/account/requests?operation=registration&limit=2${after && `&after=${after}`}`);
    seen.push(...(body.requests as Listed[]).map((r) => String(r.label)));
    if (body.hasMore !== true) break;
    after = String(body.after);
  }
  assert.deepEqual(seen, ['r-4', 'r-3', 'r-2', 'r-1', 'r-0']);
  const of = async (query: string) => ((await h.get(`/v1/account/requests?${query}`)).body.requests as Listed[]).map((r) => r.label);
  assert.deepEqual(await of('operation=serp&status=400'), ['s-1']);
  assert.deepEqual(await of('operation=serp&status=200&from=2026-11-01&to=2026-11-01'), ['s-0']);
  assert.deepEqual(await of('operation=serp&to=2026-10-31'), []);
  assert.equal((await h.get('/v1/account/requests?from=2026-11-02&to=2026-11-01')).status, 400);
  for (const { id } of [...operationList, ...accountEndpoints])
    for (const form of [id, camelCase(id)]) assert.equal((await h.get(`/v1/account/requests?operation=${form}`)).status, 200, form);
  assert.equal((await of('operation=accountRequests')).length, (await of('operation=account-requests')).length - 1);
  const unknown = await h.get('/v1/account/requests?operation=serps');
  assert.equal(unknown.status, 400);
  assert.match(String(unknown.body.error?.message), /"serps".*must be one of serp, /);
});

test('the request log is filtered by key, source and kind, and states the parameters of each lookup', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const { keyId, key } = await h.accounts.admin.createKey({ label: 'other' });
  await h.get(SERP, h.first.key);
  await h.get(REGISTRATION, key);
  h.script = async () => refused(new ServiceError('UPSTREAM_BLOCKED', 'The source blocked this service.'));
  await h.get(SERP, h.first.key);
  await h.get('/v1/account', h.first.key);
  const of = async (query: string) =>
    ((await h.get(`/v1/account/requests?${query}`)).body as unknown as { requests: (Listed & { parameters: object | null })[] }).requests;
  assert.deepEqual(
    (await of('kind=lookup')).map(({ operation, status, parameters }) => [operation, status, parameters]),
    [
      ['serp', 502, { keyword: 'a', depth: '30' }],
      ['registration', 200, { domain: 'acme-widgets.com' }],
      ['serp', 200, { keyword: 'a', depth: '30' }],
    ],
  );
  assert.deepEqual(
    (await of('kind=error')).map(({ status }) => status),
    [502],
  );
  assert.deepEqual(
    (await of(`key=${keyId}`)).map(({ operation }) => operation),
    ['registration'],
  );
  const [source] = (await of('kind=lookup&status=200')).map((request) => (request as unknown as { source: string }).source);
  assert.equal((await of(`source=${source}`)).length, 2);
  assert.equal((await of('source=other/source')).length, 0);
});

test('the log has the parameters that the lookup had, whatever the target holds without encoding', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  const lead = leads(h.clock as never);
  const inputs: unknown[] = [];
  h.script = (request) => {
    inputs.push(request.input);
    return lead(request);
  };
  for (const [id, target] of [
    ['serp', '/v1/searchengine/serp?keyword=what?&depth=20'],
    ['serp', '/v1/searchengine/serp?keyword=?a??b&depth=20#depth=30'],
    ['short-video', '/v1/shortvideo/videos?url=https://www.tiktok.com/@acme/video/7301234567890123456?lang=en'],
    ['registration', '/v1/website/whois/domains/acme-widgets.com#a?b=c'],
    ['registration', '/v1/website/whois/domains/%61cme-widgets.com?'],
    ['app-reviews', '/v1/appmarket/apps/acme-widgets/reviews?page=2&&sort=newest'],
  ] as const) {
    assert.equal((await h.get(target)).status, 200, target);
    const [logged] = (await h.get('/v1/account/requests?kind=lookup&limit=1')).body.requests as { parameters: Record<string, string> }[];
    const read = operationOf(id)?.readInput(Object.entries(logged?.parameters ?? {}));
    assert.deepEqual(read, { ok: true, value: inputs.at(-1) }, target);
  }
});

test('usage states on demand how long lookups took and how many came from the cache, without requests to account endpoints', async (t) => {
  const h = await openTestService();
  t.after(h.close);
  await h.get(SERP, h.first.key);
  h.script = hits(h.clock as never);
  await h.get(SERP, h.first.key);
  await h.get(REGISTRATION, h.first.key);
  const plain = (await h.get('/v1/account/usage')).body as unknown as AccountUsage;
  assert.deepEqual(plain.timings, []);
  const { to, timings } = (await h.get('/v1/account/usage?include=timings')).body as unknown as AccountUsage;
  const of = (day: string | null, operation: string | null) => timings.find((each) => each.day === day && each.operation === operation);
  assert.deepEqual([of(null, null)?.requests, of(null, null)?.cacheHits], [3, 2]);
  assert.deepEqual([of(to, null)?.requests, of(null, 'serp')?.requests, of(null, 'serp')?.cacheHits], [3, 2, 1]);
  assert.equal(of(null, 'account-usage'), undefined);
});
