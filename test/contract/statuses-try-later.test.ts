import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import { caller, hits, KEY, leads, MISS, overload, REGISTRATION, refused, rig } from './fakes.ts';
import { isError } from './is-error.ts';

test('429 by account: with Retry-After and both RateLimit fields, until the wait is over', async () => {
  const r = rig({ settings: { SIGHTLINE_RATE_PER_SECOND: '2', SIGHTLINE_RATE_BURST: '3' } });
  for (const left of ['2', '1', '0'])
    assert.match(String((await r.get(REGISTRATION)).headers.ratelimit), new RegExp(`^"account";r=${left};t=[12]$`));
  const reply = await r.get(REGISTRATION);
  isError(reply, 'RATE_LIMITED');
  assert.equal(reply.headers['retry-after'], '1');
  assert.equal(reply.headers.ratelimit, '"account";r=0;t=2');
  assert.equal(reply.headers['ratelimit-policy'], '"account";q=3;w=2');
  r.clock.ms += 500;
  assert.equal((await r.get(REGISTRATION)).status, 200);
});
test('429 by key: the limits of a key apply to it', async () => {
  const r = rig({ callers: { [KEY]: caller({ ratePerSecond: 1, rateBurst: 1 }) } });
  assert.equal((await r.get(REGISTRATION)).headers['ratelimit-policy'], '"account";q=100000;w=2000, "key";q=1;w=1');
  assert.equal((await r.get(REGISTRATION)).status, 429);
});
test('429 by address: wrong credentials are limited before authentication', async () => {
  const r = rig({ settings: { SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 1, burst: 2 } }) } });
  for (let i = 0; i < 2; i++) assert.equal((await r.get(REGISTRATION, { 'x-api-key': `guess${i}` })).status, 401);
  const reply = await r.get(REGISTRATION, { 'x-api-key': 'guess' });
  isError(reply, 'RATE_LIMITED', false);
  assert.equal(reply.headers['retry-after'], '1');
  assert.equal(reply.headers['ratelimit-policy'], '"address";q=2;w=2');
});

test('500: a defect is described in the log only, and is free', async () => {
  const r = rig();
  r.script = async ({ charge }) => {
    await charge.hold();
    throw new TypeError('secret detail at /home/operator');
  };
  const reply = await r.get(REGISTRATION);
  isError(reply, 'INTERNAL_ERROR');
  assert.doesNotMatch(reply.text, /secret|operator/);
  assert.equal(r.logged.filter((l) => l.level === 'error').length, 1);
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'release']);
});

test('500: a defect is never reported as an unavailable store; the log has its stack', async () => {
  const defect = new TypeError('secret detail at /home/operator');
  const cases: Record<string, (r: ReturnType<typeof rig>) => void> = {
    authentication: (r) => {
      r.accounts.state.defect = defect;
    },
    'the hold': (r) => {
      r.script = async ({ charge }) => {
        r.accounts.state.defect = defect;
        await charge.hold();
        throw new Error('the hold went through');
      };
    },
    'what a lookup refuses with': (r) => {
      r.script = async () => refused(Object.assign(new ServiceError('INTERNAL_ERROR'), { cause: defect }));
    },
  };
  for (const [where, prepare] of Object.entries(cases)) {
    const r = rig();
    prepare(r);
    const reply = await r.get(REGISTRATION);
    assert.equal(reply.status, 500, where);
    assert.equal(reply.body.error?.code, 'INTERNAL_ERROR', where);
    assert.doesNotMatch(reply.text, /secret|operator/);
    const told = r.logged.filter((l) => l.level === 'error').map((l) => (l.facts as { err?: unknown }).err);
    assert.ok(told.includes(defect), where);
  }
  // what is left is informational: its defect is logged, and the answer is delivered
  const r = rig();
  r.script = async (request) => {
    const result = await leads(r.clock)(request);
    r.accounts.state.defect = defect;
    return result;
  };
  assert.equal((await r.get(REGISTRATION)).status, 200);
  assert.ok(r.logged.some((l) => l.level === 'error' && (l.facts as { err?: unknown }).err === defect));
});

test('501, 502 and 504: the error of the lookup, with message and Retry-After, free', async () => {
  const r = rig();
  for (const name of [
    'NOT_IMPLEMENTED',
    'NOT_CACHED',
    'UPSTREAM_FAILED',
    'UPSTREAM_UNREACHABLE',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_BLOCKED',
    'UPSTREAM_CHANGED',
  ] as const) {
    r.script = async () => refused(new ServiceError(name, 'Because.'));
    const reply = await r.get(REGISTRATION);
    isError(reply, name);
    assert.equal(reply.body.error?.message, 'Because.');
  }
  r.script = async ({ charge }) => {
    await charge.hold();
    return refused(new ServiceError('UPSTREAM_RATE_LIMITED', undefined, { 'retry-after': '30' }), { ...MISS, stored: false });
  };
  const reply = await r.get(REGISTRATION);
  isError(reply, 'UPSTREAM_RATE_LIMITED');
  assert.equal(reply.headers['retry-after'], '30');
  assert.equal(reply.headers['x-credits-remaining'], '1000');
  assert.equal(reply.headers['cache-status'], 'sightline; fwd=uri-miss');
});

test('503: load shedding comes before every other check; only /healthz is still answered', async () => {
  const r = rig({ settings: { SIGHTLINE_METRICS_TOKEN: 'figures' } });
  await overload(r);
  for (const path of [REGISTRATION, '/v1/nosuch', '/v1/account', '/readyz', '/openapi.json']) {
    const reply = await r.get(path);
    isError(reply, 'OVERLOADED', false);
    assert.ok(Number(reply.headers['retry-after']) > 0);
  }
  isError(await r.get(REGISTRATION, {}, 'POST'), 'OVERLOADED', false);
  isError(await r.get(`/x?${'a'.repeat(9000)}`), 'OVERLOADED', false);
  assert.equal((await r.get('/healthz')).status, 200);
  assert.equal((await r.get('/metrics', { authorization: 'Bearer figures' })).status, 200);
  assert.equal(r.asked.length, 0);
});
test('503: without the store nothing is served, not even from the cache', async () => {
  const r = rig();
  r.accounts.state.unavailable = true;
  for (const script of [leads(r.clock), hits(r.clock)]) {
    r.script = script;
    const reply = await r.get(REGISTRATION);
    assert.equal(reply.status, 503);
    assert.equal(reply.body.error?.code, 'UNAVAILABLE');
    assert.ok(reply.headers['retry-after']);
    assert.doesNotMatch(reply.text, /db\.internal/);
  }
  const ready = await r.get('/readyz');
  isError(ready, 'UNAVAILABLE', false);
  assert.match(String(ready.body.error?.message), /store/);
});
test('501: the settings that are missing are logged once a minute for each operation', async () => {
  const r = rig();
  const lines = () => r.logged.filter(({ message }) => message.startsWith('no source is configured')).map(({ facts }) => facts);
  const ask = async (path: string, lacking: readonly string[]) => {
    const error = new ServiceError('NOT_IMPLEMENTED');
    r.script = async () => ({ ok: false, refusal: { error, cacheStatus: null, attempts: [], upstreamMs: 0, atMs: null, lacking } });
    assert.equal((await r.get(path)).status, 501);
  };
  await ask(REGISTRATION, ['A_KEY']);
  await ask(REGISTRATION, ['A_KEY']);
  await ask('/v1/traffic/domains/acme-widgets.com', ['B_KEY']);
  r.clock.ms += 60_000;
  await ask(REGISTRATION, ['A_KEY']);
  assert.deepEqual(lines(), [
    { operation: 'registration', settings: ['A_KEY'] },
    { operation: 'traffic', settings: ['B_KEY'] },
    { operation: 'registration', settings: ['A_KEY'] },
  ]);
});
