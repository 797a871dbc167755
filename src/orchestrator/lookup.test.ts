import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROOF } from '../../test/support/evidence.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { charge, registered, scripted } from '../../test/support/orchestrator-fakes.ts';
import { ServiceError } from '../contract/errors.ts';
import { readSettings } from '../settings.ts';
import { absent, blocked, changed, found, limited, type Outcome, unreachable } from '../sources/outcome.ts';
import type { Ports, Source } from '../sources/source.ts';
import { createPace } from '../upstream/pace.ts';
import { createBreakers } from './breaker.ts';
import { createLocalCache } from './cache.ts';
import { createLocalEngine } from './local-engine.ts';
import { createOrchestrator } from './lookup.ts';
import { type Freshness, ORDINARY, type Payment } from './types.ts';

const DOMAIN = 'acme-widgets.com';
const yes = found(registered(DOMAIN));

function createLookups(sources: Source[], clock = createManualClock(), environment: Record<string, string> = {}) {
  const settings = readSettings(environment);
  const ports = { settings, clock, pace: createPace(clock), random: () => 0.5, log: () => {} } as unknown as Ports;
  const cache = createLocalCache(1_000_000, clock.now);
  const orchestrator = createOrchestrator({
    sources,
    settings,
    cache,
    engine: createLocalEngine(sources, ports),
    breakers: createBreakers(clock.now),
    clock,
    random: () => 0.5,
  });
  const ask = (p: Payment = charge(), freshness: Partial<Freshness> = {}, domain = DOMAIN, account?: string) =>
    orchestrator.lookup({
      operation: 'registration',
      input: { domain },
      freshness: { ...ORDINARY, ...freshness },
      charge: p,
      deadlineMs: clock.now() + 30_000,
      requestId: 'r',
      ...(account !== undefined && { account }),
    });
  return { clock, cache, orchestrator, ask };
}
const fails = (result: Awaited<ReturnType<ReturnType<typeof createLookups>['ask']>>): string =>
  result.ok ? 'answered' : result.refusal.error.failure;

test('the request that causes a lookup pays for it; the answer is cached, and free from the cache while it is fresh', async () => {
  const source = scripted('a', [yes]);
  const { ask, clock } = createLookups([source]);
  const [first, second] = [charge(), charge()];
  const one = await ask(first);
  assert.ok(one.ok && one.answer.leads);
  assert.deepEqual(one.answer.cacheStatus, { how: 'miss', fwd: 'uri-miss', stored: true, collapsed: false });
  assert.equal(first.holds, 1);
  const two = await ask(second);
  assert.ok(two.ok && !two.answer.leads);
  assert.deepEqual(two.answer.cacheStatus, { how: 'hit' });
  assert.equal(second.holds, 0);
  await clock.advance(6 * 3_600_000 + 1);
  const three = await ask(charge());
  assert.ok(three.ok && three.answer.leads);
  assert.equal(three.answer.cacheStatus.how === 'miss' && three.answer.cacheStatus.fwd, 'stale');
  assert.equal(source.asked, 2);
});

test('accounts share answers, or under SIGHTLINE_CACHE_SCOPE=account each has its own: cache, running lookups, price question, purge', async () => {
  for (const [scope, asked] of [
    ['shared', 1],
    ['account', 2],
  ] as const) {
    const source = scripted('a', [yes]);
    const { ask, orchestrator } = createLookups([source], createManualClock(), { SIGHTLINE_CACHE_SCOPE: scope });
    const by = (account: string) => ask(charge(), {}, DOMAIN, account);
    await Promise.all([by('acc_a'), by('acc_a'), by('acc_b')]);
    assert.equal(source.asked, asked, 'running lookups are joined within the scope');
    const again = await by('acc_b');
    assert.ok(again.ok && again.answer.cacheStatus.how === 'hit');
    const peek = async (account: string) => (await orchestrator.peek('registration', { domain: DOMAIN }, account)) !== null;
    assert.deepEqual([await peek('acc_a'), await peek('acc_b'), await peek('acc_c')], [true, true, scope === 'shared']);
    const onlyIfCached = await ask(charge(), { onlyIfCached: true }, DOMAIN, 'acc_c');
    assert.equal(fails(onlyIfCached), scope === 'shared' ? 'answered' : 'NOT_CACHED');
    assert.equal(orchestrator.purge('registration', { domain: DOMAIN }), asked);
    assert.equal(await peek('acc_a'), false);
  }
});

test('a thousand identical concurrent lookups call the source once, and one of them is charged', async () => {
  let answer: (o: Outcome) => void = () => {};
  const source = scripted('a', [new Promise<Outcome>((r) => (answer = r))]);
  const { ask } = createLookups([source]);
  const charges = Array.from({ length: 1000 }, () => charge());
  const all = charges.map((p) => ask(p));
  await new Promise(setImmediate);
  answer(yes);
  const results = await Promise.all(all);
  assert.equal(source.asked, 1);
  assert.equal(results.filter((r) => r.ok && r.answer.leads).length, 1);
  assert.equal(results.filter((r) => r.ok && r.answer.cacheStatus.how === 'miss' && r.answer.cacheStatus.collapsed).length, 999);
  assert.equal(
    charges.reduce((sum, c) => sum + c.holds, 0),
    1,
  );
});

test('if the leader cannot pay, it alone is refused and the oldest follower leads', async () => {
  const source = scripted('a', [yes]);
  const { ask } = createLookups([source]);
  const [poor, rich, third] = [charge(new ServiceError('INSUFFICIENT_CREDITS')), charge(), charge()];
  const [a, b, c] = await Promise.all([ask(poor), ask(rich), ask(third)]);
  assert.equal(fails(a), 'INSUFFICIENT_CREDITS');
  assert.ok(b.ok && b.answer.leads);
  assert.ok(c.ok && !c.answer.leads);
  assert.deepEqual([rich.holds, third.holds, source.asked], [1, 0, 1]);
});

test('an unexpected error of a charge is a defect with its cause, never an unavailable store', async () => {
  const reason = new TypeError('no such column');
  for (const freshness of [{}, { noStore: true, noCache: true }]) {
    const { ask } = createLookups([scripted('a', [yes])]);
    const result = await ask(charge(reason), freshness);
    assert.ok(!result.ok);
    assert.equal(result.refusal.error.failure, 'INTERNAL_ERROR');
    assert.equal(result.refusal.error.cause, reason);
  }
});

test('every failure is free: the hold is released and nothing is cached', async () => {
  for (const [outcome, failure] of [
    [blocked('Wall.'), 'UPSTREAM_BLOCKED'],
    [changed('Shape.'), 'UPSTREAM_CHANGED'],
    [limited('Slow.', 5000), 'UPSTREAM_RATE_LIMITED'],
    [found({ domain: 1 }), 'UPSTREAM_CHANGED'],
  ] as const) {
    const { ask, cache } = createLookups([scripted('a', [outcome as Outcome])]);
    const p = charge();
    const result = await ask(p);
    assert.equal(fails(result), failure);
    assert.deepEqual([p.holds, p.released, cache.purge('registration')], [1, 1, 0]);
    if (!result.ok && failure === 'UPSTREAM_RATE_LIMITED') assert.equal(result.refusal.error.headers['retry-after'], '5');
  }
});

test('"not found" is a free 404 that is cached for a minute', async () => {
  const source = scripted('a', [absent(PROOF, 'No such domain.')]);
  const { ask, clock } = createLookups([source]);
  const p = charge();
  const first = await ask(p);
  assert.equal(fails(first), 'NOT_FOUND');
  assert.ok(
    !first.ok && first.refusal.cacheStatus?.how === 'miss' && !first.refusal.cacheStatus.collapsed,
    'the request that asked the source did not join another',
  );
  assert.equal(p.released, 1);
  const again = await ask();
  assert.ok(!again.ok && again.refusal.cacheStatus?.how === 'hit');
  await clock.advance(60_001);
  await ask();
  assert.equal(source.asked, 2);
});

test('no source: 501 before any hold, with the settings that would configure one', async () => {
  const { ask } = createLookups([scripted('a', [yes], { needs: ['SIMILARWEB_API_KEY'] })]);
  const p = charge();
  const result = await ask(p);
  assert.equal(fails(result), 'NOT_IMPLEMENTED');
  assert.equal(p.holds, 0);
  assert.ok(!result.ok);
  assert.deepEqual(result.refusal.lacking, ['SIMILARWEB_API_KEY']);
  assert.match(result.refusal.error.message, /^No source is configured for this operation\. .*sightline sources.*Nothing was charged\.$/);
});

test('no source for this input: 501 that states this and names the input', async () => {
  const { ask } = createLookups([scripted('a', [yes], { serves: () => false }), scripted('b', [yes], { needs: ['SIMILARWEB_API_KEY'] })]);
  const result = await ask();
  assert.equal(fails(result), 'NOT_IMPLEMENTED');
  assert.ok(!result.ok);
  assert.match(result.refusal.error.message, /^The sources that are configured .* do not answer this request \(domain "/);
  assert.deepEqual(result.refusal.lacking, ['SIMILARWEB_API_KEY']);
});

test('request directives: no-cache, no-store, max-age, min-fresh, max-stale, only-if-cached, stale-if-error', async () => {
  const source = scripted('a', [yes, yes, yes, yes, yes, unreachable('Down.'), unreachable('Down.')]);
  const { ask, clock, cache } = createLookups([source]);
  assert.equal(fails(await ask(charge(), { onlyIfCached: true })), 'NOT_CACHED');
  await ask(charge(), { noStore: true });
  assert.deepEqual([source.asked, cache.purge('registration')], [1, 0]);
  await ask();
  const forced = await ask(charge(), { noCache: true });
  assert.ok(forced.ok && forced.answer.cacheStatus.how === 'miss' && forced.answer.cacheStatus.fwd === 'request');
  await clock.advance(10_000);
  assert.ok((await ask(charge(), { maxAgeMs: 20_000 })).ok);
  assert.equal(source.asked, 3);
  await ask(charge(), { maxAgeMs: 5_000 });
  assert.equal(source.asked, 4);
  await ask(charge(), { minFreshMs: 7 * 3_600_000 });
  assert.equal(source.asked, 5);
  await clock.advance(6 * 3_600_000 + 30_000);
  const stale = await ask(charge(), { maxStaleMs: Number.POSITIVE_INFINITY });
  assert.ok(stale.ok && stale.answer.cacheStatus.how === 'stale' && stale.answer.cacheStatus.fwdStatus === null);
  const settled = ask(charge(), { staleIfErrorMs: 60_000 });
  await clock.advance(1_000);
  const saved = await settled;
  assert.ok(saved.ok && saved.answer.cacheStatus.how === 'stale' && saved.answer.cacheStatus.fwdStatus === 502);
  assert.ok(!saved.answer.leads, 'a stale answer is free');
});

test('no-cache with stale-if-error: the copy that is kept is served free where the forced lookup failed', async () => {
  for (const [lateMs, staleIfErrorMs, served] of [
    [0, 0, true],
    [60_000, 60_000, true],
    [60_001, 60_000, false],
    [0, null, false],
  ] as const) {
    const source = scripted('a', [yes, blocked('Wall.'), yes]);
    const { ask, clock } = createLookups([source]);
    await ask();
    await clock.advance(lateMs > 0 ? 6 * 3_600_000 + lateMs : 0);
    const p = charge();
    const result = await ask(p, { noCache: true, staleIfErrorMs });
    assert.deepEqual([result.ok, source.asked, p.released], [served, 2, 1], `${lateMs} ${staleIfErrorMs}`);
    if (result.ok) assert.deepEqual([result.answer.cacheStatus, result.answer.leads], [{ how: 'stale', fwdStatus: 502 }, false]);
    const forced = await ask(charge(), { noCache: true, staleIfErrorMs });
    assert.ok(forced.ok && forced.answer.leads, 'a forced lookup that succeeds is served, and charged');
  }
});

test('a stale copy is not served after keepUntil', async () => {
  const { ask, clock } = createLookups([scripted('a', [yes, unreachable('Down.')])]);
  await ask();
  await clock.advance(24 * 3_600_000 + 1);
  const settled = ask(charge(), { staleIfErrorMs: Number.POSITIVE_INFINITY });
  await clock.advance(1_000);
  assert.equal(fails(await settled), 'UPSTREAM_UNREACHABLE');
});

test('an answer without a waiting client still fills the cache', async () => {
  let answer: (o: Outcome) => void = () => {};
  const { ask, cache } = createLookups([scripted('a', [new Promise<Outcome>((r) => (answer = r))])]);
  void ask();
  await new Promise(setImmediate);
  answer(yes);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  assert.equal(cache.purge('registration'), 1);
});
