// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Service, startService } from '../../src/cli/serve.ts';
import { startWorker } from '../../src/cli/worker.ts';
import { purgeShared } from '../../src/fleet/cache.ts';
import { connectRedis } from '../../src/fleet/redis.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import { silent } from '../../src/telemetry/log.ts';
import { registered } from '../support/orchestrator-fakes.ts';
import { limit, realTime } from '../support/real-time.ts';
import { sourceOf } from './engine-fixture.ts';
import { missing, type OwnServer, startPostgres, startRedis } from './services.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
  readonly ms: number;
}

describe('two gateways, one worker', { skip: missing('redis') || missing('postgres') }, () => {
  let redis: OwnServer;
  let postgres: OwnServer;
  let gateways: Service[] = [];
  let working: { stop(): Promise<void> };
  let key = '';
  let accountId = '';
  const folder = mkdtempSync(join(tmpdir(), 'sightline-fleet-'));
  const asked: string[] = [];
  let slowMs = 0;
  const source = sourceOf(async (domain) => {
    asked.push(domain);
    if (slowMs) await sleep(slowMs);
    return found({ ...registered(domain), contacts: [] });
  });
  const agent = new Agent({ connections: 500 });

  before(async () => {
    [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    const settings = readSettings({
      PORT: '0',
      SIGHTLINE_DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      SIGHTLINE_RATE_PER_SECOND: '5000',
      SIGHTLINE_RATE_BURST: '5000',
      SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 5000, burst: 5000 } }),
      SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
      SIGHTLINE_DRAIN_MS: '1000',
    });
    const start = () => startService(settings, { log: silent, sources: [source], gatewayOnly: true });
    // one after the other: the first migrates the schema
    gateways = [await start(), await start()];
    working = await startWorker(settings, { log: silent, sources: [source] });
    const admin = gateways[0]?.accounts.admin;
    if (!admin) throw new Error('no gateway');
    accountId = (await admin.createAccount({ name: 'fleet', credits: 1_000 })).accountId;
    key = (await admin.createKey({ accountId })).key;
    await eventually(
      'both gateways know the worker',
      async () => (await get(0, 'first.com')).status === 200 && (await get(1, 'second.com')).status === 200,
    );
  });
  after(async () => {
    await working?.stop();
    for (const g of gateways) await g.stop();
    await agent.close();
    await redis?.close();
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function get(gateway: number, domain: string, headers: Record<string, string> = {}): Promise<Answer> {
    const began = performance.now();
    const answer = await request(`${gateways[gateway]?.baseUrl}/v1/website/whois/domains/${domain}`, {
      dispatcher: agent,
      headers: { 'x-api-key': key, ...headers },
    });
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text(), ms: performance.now() - began };
  }
  const code = (answer: Answer): string => (JSON.parse(answer.body) as { error?: { code: string } }).error?.code ?? '';
  /** Credits on the account once nothing is held: a capture follows the last byte of its answer. */
  const balance = async (): Promise<number> => {
    let settled = 0;
    await eventually('nothing is held', async () => {
      const row = await gateways[0]?.accounts.store.db
        .selectFrom('balances')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      settled = row?.balance ?? 0;
      return row?.held === 0;
    });
    return settled;
  };
  const isCached = async (gateway: number, domain: string): Promise<boolean> =>
    (await get(gateway, domain, { 'cache-control': 'only-if-cached' })).status === 200;
  async function eventually(what: string, good: () => Promise<boolean>): Promise<void> {
    for (const until = performance.now() + limit(8_000); performance.now() < until; await sleep(30)) if (await good()) return;
    assert.fail(what);
  }

  test('a thousand identical lookups over two gateways: one upstream request, one charge', async () => {
    slowMs = 300;
    const before = await balance();
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => get(i % 2, 'twins.com')));
    slowMs = 0;
    assert.deepEqual([...new Set(answers.map((a) => a.status))], [200]);
    assert.equal(asked.filter((d) => d === 'twins.com').length, 1);
    assert.equal(new Set(answers.map((a) => a.body)).size, 1);
    assert.equal(answers.filter((a) => a.headers['x-credits-charged'] === '1').length, 1);
    assert.ok(answers.some((a) => /collapsed/.test(String(a.headers['cache-status']))));
    assert.equal(await balance(), before - 1);
  });

  test('a result found by one gateway is a hit at the other, byte for byte, and free', async () => {
    const first = await get(0, 'shared.com');
    await eventually('the other gateway has it', () => isCached(1, 'shared.com'));
    const second = await get(1, 'shared.com');
    assert.equal(first.headers['x-credits-charged'], '1');
    assert.match(String(second.headers['cache-status']), /; hit; ttl=/);
    assert.deepEqual([second.headers['x-credits-charged'], second.body, second.headers.etag], ['0', first.body, first.headers.etag]);
    assert.equal(asked.filter((d) => d === 'shared.com').length, 1);
  });

  test('no-cache starts a new lookup, whose result all gateways then share', async () => {
    await get(0, 'newer.com');
    // the answer is stored and the leadership ends by one command, after the answer was sent: until then another request joins it
    await eventually('the other gateway has it', () => isCached(1, 'newer.com'));
    const again = await get(1, 'newer.com', { 'cache-control': 'no-cache' });
    assert.match(String(again.headers['cache-status']), /fwd=request; stored/);
    assert.equal(asked.filter((d) => d === 'newer.com').length, 2);
  });

  test('a purge drops the cached answer at every gateway', async () => {
    await get(0, 'purged.com');
    await eventually('the other gateway has it', () => isCached(1, 'purged.com'));
    const own = connectRedis(redis.url, () => {});
    await own.connect();
    assert.ok((await purgeShared(own, 'registration')).dropped >= 1);
    own.disconnect();
    await eventually('the other gateway has it no more', async () => !(await isCached(1, 'purged.com')));
    assert.match(String((await get(1, 'purged.com')).headers['cache-status']), /fwd=uri-miss/);
  });

  test(
    'Redis lost: misses fail at once, hits are served, nothing is charged, and the fleet recovers without a restart',
    realTime(200, async () => {
      await get(0, 'kept.com');
      const before = await balance();
      await redis.kill();
      await sleep(20);
      const miss = await get(0, 'missed.com');
      assert.deepEqual([miss.status, code(miss)], [502, 'UPSTREAM_FAILED']);
      assert.ok(miss.ms < limit(500), `${miss.ms} ms`);
      assert.equal((await get(0, 'kept.com')).status, 200);
      assert.equal(await balance(), before);
      await redis.start();
      await eventually(
        'lookups work again',
        async () => (await get(0, 'back.com')).status === 200 && (await get(1, 'back-too.com')).status === 200,
      );
    }),
  );

  test(
    'no worker: reported within a second',
    realTime(200, async () => {
      await working.stop();
      const miss = await get(0, 'nobody.com');
      assert.deepEqual([miss.status, code(miss)], [502, 'UPSTREAM_FAILED']);
      assert.ok(miss.ms < limit(1_000), `${miss.ms} ms`);
    }),
  );

  test('PostgreSQL lost: nothing is served unmetered, cached or not, and the fleet recovers without a restart', async () => {
    await postgres.kill();
    await eventually('everything is refused', async () => {
      const answers = await Promise.all([get(0, 'kept.com'), get(1, 'shared.com'), get(1, 'other.com')]);
      return answers.every((a) => a.status === 503 && code(a) === 'UNAVAILABLE' && a.headers['retry-after'] !== undefined);
    });
    await postgres.start();
    await eventually('hits are served again', async () => (await get(0, 'kept.com')).status === 200);
  });
});
