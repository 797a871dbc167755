// In the gate alone: it starts whole services one after another.
import assert from 'node:assert/strict';
import { cpSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { json, type SandboxHost } from '../../sandbox/host.ts';
import { exampleOf, RECIPES } from '../../src/sources/recipes/recipes.ts';
import { until } from '../faults/service-process.ts';
import { missing, startRedis } from '../fleet/services.ts';
import { BACKENDS, makeSchema } from '../ledger/backends.ts';
import { limit, realTime } from '../support/real-time.ts';
import { found, KEY, scene, WRONG } from './credential-scene.ts';

const serper = RECIPES.find(({ name }) => name === 'serper');
/** The provider of a recipe, with its documented answer, which repeats the search asked for. */
const SERPER: SandboxHost = {
  origins: ['https://google.serper.dev'],
  answer: async ({ headers, body }) =>
    headers['x-api-key'] === KEY && serper
      ? json({ ...(exampleOf(serper, 'serp').answer as object), searchParameters: JSON.parse(body) as object })
      : json({ message: 'Unauthorized.', statusCode: 403 }, 403),
};
test('a key is tried, stored only after an answer, in force without a restart, and nowhere in clear', async (t) => {
  const { start, folder, lines } = await scene(t);
  const service = await start();
  assert.equal(await service.serp(), 501);
  assert.equal((await service.stateOf('SERPAPI_KEY'))?.state, 'none');

  const refused = await service.enter('SerpApi', { SERPAPI_KEY: WRONG });
  assert.deepEqual([refused.status, refused.body.state, refused.body.stored], [200, 'refused', false]);
  assert.match(String(refused.body.why), /Invalid API key/);
  assert.equal(await service.serp(), 501);

  const right = await service.enter('SerpApi', { SERPAPI_KEY: ` ${KEY} ` });
  assert.deepEqual([right.body.state, right.body.stored], ['works', true], JSON.stringify(right.body));
  assert.ok(right.body.usd > 0, 'its price is said');
  assert.equal(await service.serp(), 200);
  const state = await service.stateOf('SERPAPI_KEY');
  assert.deepEqual([state?.state, state?.hint], ['entered', '…papi']);

  // a wrong one does not replace it, and an empty field keeps it
  assert.equal((await service.enter('SerpApi', { SERPAPI_KEY: WRONG })).body.stored, false);
  assert.equal((await service.enter('SerpApi', {})).body.stored, true);
  assert.equal(await service.serp('linen shirts'), 200);
  const audit = await service.audit();
  assert.deepEqual(
    audit.map(({ action, facts: of }) => [action, of]),
    [
      ['source.credentials', { names: ['SERPAPI_KEY'] }],
      ['source.credentials.refused', { names: ['SERPAPI_KEY'], state: 'refused' }],
      ['source.credentials', { names: ['SERPAPI_KEY'] }],
      ['source.credentials.refused', { names: ['SERPAPI_KEY'], state: 'refused' }],
    ],
  );
  assert.deepEqual((await service.accounts.admin.verifyAudit()).faults, []);

  assert.deepEqual((await service.remove('SerpApi')).body, { removed: true, lacking: ['SERPAPI_KEY'] });
  assert.equal(await service.serp('linen curtains'), 501);
  assert.equal((await service.remove('SerpApi')).body.removed, false);
  await service.stop();
  for (const secret of [KEY, WRONG]) assert.deepEqual(found(secret, folder, lines), []);
});

test('the key of a recipe is entered like any other: tried at the provider, and in force without a restart', async (t) => {
  const { start } = await scene(t, [SERPER]);
  const service = await start();
  assert.equal((await service.enter('recipe/serper', { SERPER_KEY: WRONG })).body.state, 'refused');
  assert.equal(await service.serp(), 501);
  const right = await service.enter('recipe/serper', { SERPER_KEY: KEY });
  assert.equal(right.body.stored, true, JSON.stringify(right.body));
  assert.equal(await service.serp(), 200);
  assert.equal((await service.remove('recipe/serper')).body.lacking[0], 'SERPER_KEY');
  assert.equal(await service.serp('linen shirts'), 501);
});

test('a trial that is stopped stores nothing, whatever the provider answers, and the audit log says so', async (t) => {
  const asked = Promise.withResolvers<void>();
  const answers = Promise.withResolvers<void>();
  const slow: SandboxHost = {
    ...SERPER,
    async answer(request) {
      asked.resolve();
      await answers.promise;
      return SERPER.answer(request);
    },
  };
  const { start } = await scene(t, [slow]);
  const service = await start();
  const stop = new AbortController();
  const trial = service.enter('recipe/serper', { SERPER_KEY: KEY }, stop.signal);
  await asked.promise;
  stop.abort();
  await assert.rejects(trial, { name: 'AbortError' });
  await until('the audit log has it', async () => (await service.audit('recipe/serper')).length > 0);
  answers.resolve();
  const [entry] = await service.audit('recipe/serper');
  assert.deepEqual([entry?.action, entry?.facts], ['source.credentials.refused', { names: ['SERPER_KEY'], state: 'stopped' }]);
  assert.equal((await service.stateOf('SERPER_KEY'))?.state, 'none');
  assert.equal(await service.serp(), 501);
});

test('a store that was restored without its secret opens no credential and says which; the secret again loses nothing', async (t) => {
  const { start, folder, lines } = await scene(t);
  const [original, restored] = [join(folder, 'original'), join(folder, 'restored')];
  const first = await start({}, original);
  assert.equal((await first.enter('SerpApi', { SERPAPI_KEY: KEY })).body.stored, true);
  await first.stop();
  const secret = join(original, 'secret');
  assert.equal(statSync(secret).mode & 0o777, 0o600);
  cpSync(original, restored, { recursive: true, filter: (file) => file !== secret });
  const second = await start({}, restored);
  assert.equal(await second.serp(), 501);
  assert.equal((await second.stateOf('SERPAPI_KEY'))?.state, 'sealed_otherwise');
  assert.ok(lines.some((line) => line.includes('sealed with another SIGHTLINE_SECRET') && line.includes('SERPAPI_KEY')));
  await second.stop();
  cpSync(secret, join(restored, 'secret'));
  const third = await start({}, restored);
  assert.equal((await third.stateOf('SERPAPI_KEY'))?.state, 'entered');
  assert.equal(await third.serp(), 200);
});

test('what cannot be tried or stored is refused by name, and nothing is asked', async (t) => {
  const { start } = await scene(t);
  const service = await start({ SIMILARWEB_API_KEY: 'of-the-environment' });
  for (const [source, values, says] of [
    ['nothing', { X: 'y' }, /There is no source nothing/],
    ['SerpApi', { DATAFORSEO_LOGIN: 'x' }, /no credential of SerpApi: it takes SERPAPI_KEY/],
    ['SerpApi', {}, /values\.SERPAPI_KEY is missing/],
    ['SerpApi', { SERPAPI_KEY: 'two words' }, /must be one word/],
    ['SearXNG', { SEARXNG_URL: 'ftp://x' }, /values\.SEARXNG_URL must be an http\(s\) URL/],
    ['DataForSEO', { DATAFORSEO_LOGIN: 'x' }, /values\.DATAFORSEO_PASSWORD is missing/],
    ['traffic/similarweb', { SIMILARWEB_API_KEY: 'another' }, /set in the environment, which wins/],
  ] as const) {
    const { status, body } = await service.enter(source, values as Readonly<Record<string, string>>);
    assert.ok(status === 400 || status === 404, `${source}: ${status}`);
    assert.match(body.error.message, says);
  }
  assert.equal((await service.stateOf('SIMILARWEB_API_KEY'))?.state, 'environment');
});

test('a key of the environment is tried by one request: nothing is stored, and the key is in no answer', async (t) => {
  const { start, folder, lines } = await scene(t);
  for (const [key, state] of [
    [KEY, 'works'],
    [WRONG, 'refused'],
  ] as const) {
    const service = await start({ SERPAPI_KEY: key }, join(folder, state));
    const { status, body } = await service.enter('SerpApi', {});
    assert.deepEqual([status, body.state, body.stored], [200, state, false], JSON.stringify(body));
    assert.ok(body.usd > 0, 'its price is said');
    assert.ok(!JSON.stringify(body).includes(key));
    const credential = await service.stateOf('SERPAPI_KEY');
    assert.deepEqual([credential?.state, credential?.hint, credential?.setAt], ['environment', null, null]);
    assert.deepEqual(
      (await service.audit()).map(({ action, facts: of }) => [action, of]),
      [['source.check', { paid: true }]],
    );
    assert.equal((await service.remove('SerpApi')).body.removed, false);
    await service.stop();
  }
  for (const secret of [KEY, WRONG]) assert.deepEqual(found(secret, folder, lines), []);
});

test('a trial costs at most what is said before it', async (t) => {
  const { start, folder } = await scene(t);
  const paid = [
    ['SerpApi', { SERPAPI_KEY: KEY }],
    ['DataForSEO', { DATAFORSEO_LOGIN: 'demo', DATAFORSEO_PASSWORD: 'demo-secret' }],
  ] as const;
  for (const [source, environment] of paid) {
    const service = await start(environment, join(folder, source.replace('/', '-')));
    const said = (await service.stateOf(Object.keys(environment)[0] ?? ''))?.usd ?? 0;
    const { body } = await service.enter(source, {});
    const spent = (await service.spendingOf(source))?.usdToday ?? 0;
    assert.ok(body.usd === said && spent > 0 && spent <= said, `${source}: said ${said}, spent ${spent}, ${body.state}`);
    await service.stop();
  }
});

test('under another secret a stored credential opens nothing, says so, and can be entered again; two fields go together', async (t) => {
  const { start, lines } = await scene(t);
  const first = await start({ SIGHTLINE_SECRET: 'a secret of sixteen or more' });
  const both = { REDDIT_CLIENT_ID: 'demo', REDDIT_CLIENT_SECRET: 'demo-secret' };
  const entered = await first.enter('forum/api', both);
  assert.equal(entered.body.stored, true, JSON.stringify(entered.body));
  assert.equal(await first.posts(), 200);
  await first.stop();
  const second = await start({ SIGHTLINE_SECRET: 'another secret of sixteen' });
  assert.equal((await second.stateOf('REDDIT_CLIENT_SECRET'))?.state, 'sealed_otherwise');
  assert.equal(await second.posts(), 501);
  assert.ok(lines.some((line) => line.includes('sealed with another SIGHTLINE_SECRET') && line.includes('REDDIT_CLIENT_SECRET')));
  assert.equal((await second.enter('forum/api', both)).body.stored, true);
  assert.equal(await second.posts(), 200);
});

const skip = BACKENDS.find(({ name }) => name === 'postgres')?.skip ?? 'no PostgreSQL';
test(
  'on a shared store a credential is in force at the other gateway within a second, and without a secret none can be stored',
  { skip },
  realTime(1_000, async (t) => {
    const { start, folder } = await scene(t);
    const { url, drop } = await makeSchema();
    t.after(drop);
    const shared = { DATABASE_URL: url, SIGHTLINE_SECRET: 'the secret of the fleet' };
    const [a, b] = [await start(shared, join(folder, 'a')), await start(shared, join(folder, 'b'))];
    assert.equal(await b.serp(), 501);
    assert.equal((await a.enter('SerpApi', { SERPAPI_KEY: KEY })).body.stored, true);
    const began = performance.now();
    while ((await b.serp()) !== 200) await new Promise((done) => setTimeout(done, 20));
    assert.ok(performance.now() - began < limit(1_000), `${performance.now() - began} ms`);
    // a gateway with another secret neither uses nor harms what the others sealed
    const foreign = { ...shared, SIGHTLINE_SECRET: 'another secret of the fleet' };
    const d = await start(foreign, join(folder, 'd'));
    assert.equal((await d.stateOf('SERPAPI_KEY'))?.state, 'sealed_otherwise');
    assert.equal(await d.serp('linen towels'), 501);
    assert.equal((await a.stateOf('SERPAPI_KEY'))?.state, 'entered');
    await Promise.all([a.stop(), b.stop(), d.stop()]);
    const { SIGHTLINE_SECRET: _, ...without } = shared;
    const c = await start({ ...without, HOST: '127.0.0.1' }, join(folder, 'c')).catch((error: Error) => error);
    if (c instanceof Error) assert.match(c.message, /SIGHTLINE_SECRET is required/);
    else
      assert.match((await c.enter('SerpApi', { SERPAPI_KEY: KEY })).body.error.message, /sealed with SIGHTLINE_SECRET, which is not set/);
    if (!(c instanceof Error)) await c.stop();
    // a trial of what the environment states stores nothing, so that it needs none
    const e = await start({ ...without, HOST: '127.0.0.1', SERPAPI_KEY: KEY }, join(folder, 'e')).catch((error: Error) => error);
    if (!(e instanceof Error)) assert.equal((await e.enter('SerpApi', {})).body.state, 'works');
  }),
);

async function fleetScene(t: TestContext) {
  const own = await scene(t);
  const redis = await startRedis();
  const { url, drop } = await makeSchema();
  t.after(drop);
  return { ...own, redis, shared: { DATABASE_URL: url, REDIS_URL: redis.url, SIGHTLINE_SECRET: 'the secret of the fleet' } };
}

test('in a fleet a gateway without work and a worker use a key that was entered: the worker reads it from the store', {
  skip: skip || missing('redis'),
}, async (t) => {
  const { start, folder, workerOf, shared, redis } = await fleetScene(t);
  const gateway = await start(shared, join(folder, 'gateway'), true);
  const stopWorker = await workerOf(shared);
  assert.equal(await gateway.serp(), 501);
  assert.equal((await gateway.enter('SerpApi', { SERPAPI_KEY: KEY })).body.stored, true);
  // the worker polls the store; until then the gateway waits for it, or it refuses without asking
  await until('the worker answers', async () => (await gateway.serp(`linen ${Math.random()}`)) === 200);
  await gateway.stop();
  await stopWorker();
  await redis.close();
});

test('each process of a fleet tells what it has loaded: the gateways and workers in which a credential is in force are counted', {
  skip: skip || missing('redis'),
}, async (t) => {
  const { start, folder, workerOf, shared, redis } = await fleetScene(t);
  const a = await start(shared, join(folder, 'a'), true);
  const b = await start(shared, join(folder, 'b'), true);
  const stopWorker = await workerOf(shared);
  const inForce = (...[gateways, workers, own, ownWorkers]: readonly number[]) =>
    until(`${own} of ${gateways} gateways and ${ownWorkers} of ${workers} workers`, async () => {
      const fleet = await a.fleet();
      const { behind = [], ...credentials } = fleet?.credentials ?? {};
      // all of them run in this process
      assert.ok(
        behind.every((id) => id.startsWith(`${hostname()}.${process.pid}.`)),
        String(behind),
      );
      const counted = { ...fleet, credentials, behind: behind.length };
      const late = Number(gateways) - Number(own) + Number(workers) - Number(ownWorkers);
      return isDeepStrictEqual(counted, { up: true, gateways, workers, credentials: { gateways: own, workers: ownWorkers }, behind: late });
    });
  await inForce(2, 1, 2, 1);
  assert.equal((await a.enter('SerpApi', { SERPAPI_KEY: KEY })).body.stored, true);
  await inForce(2, 1, 2, 1);
  // one that cannot open what was entered, and a worker that does not read the store
  const foreign = await start({ ...shared, SIGHTLINE_SECRET: 'another secret of the fleet' }, join(folder, 'foreign'), true);
  await inForce(3, 1, 2, 1);
  const { DATABASE_URL: _, ...apart } = shared;
  const stopApart = await workerOf({ ...apart, SERPAPI_KEY: KEY });
  await inForce(3, 2, 2, 1);
  // each change is another one to follow, and all follow
  assert.equal((await b.enter('SerpApi', { SERPAPI_KEY: KEY })).body.stored, true);
  assert.equal((await b.remove('SerpApi')).body.removed, true);
  await inForce(3, 2, 3, 1);
  await Promise.all([a, b, foreign].map((each) => each.stop()));
  for (const stop of [stopWorker, stopApart, redis.close]) await stop();
});
