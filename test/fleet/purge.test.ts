// Own process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../../src/cli/serve.ts';
import { startWorker } from '../../src/cli/worker.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import { silent } from '../../src/telemetry/log.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { registered } from '../support/orchestrator-fakes.ts';
import { limit, realTime } from '../support/real-time.ts';
import { sourceOf } from './engine-fixture.ts';
import { freePort, missing, type OwnServer, startRedis } from './services.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

describe('sightline cache purge in a fleet', { skip: missing('redis') }, () => {
  let redis: OwnServer;
  let cache: OwnServer;
  /** Proxy between the second gateway and Redis. */
  let proxy: TcpProxy;
  const gateways: { service: Service; key: string }[] = [];
  const folders: string[] = [];
  let working: { stop(): Promise<void> };
  const source = sourceOf(async (domain) => found({ ...registered(domain), contacts: [] }));

  before(async () => {
    [redis, cache] = await Promise.all([startRedis(), startRedis()]);
    proxy = await openTcpProxy(redis.url);
    const settings = (url: string) => {
      const folder = mkdtempSync(join(tmpdir(), 'sightline-purge-'));
      folders.push(folder);
      return readSettings({
        PORT: '0',
        REDIS_URL: url,
        SIGHTLINE_CACHE_URL: cache.url,
        SIGHTLINE_DATA_DIR: folder,
        SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
        SIGHTLINE_DRAIN_MS: '500',
      });
    };
    working = await startWorker(settings(redis.url), { log: silent, sources: [source] });
    for (const url of [redis.url, proxy.url]) {
      const service = await startService(settings(url), { log: silent, sources: [source], gatewayOnly: true });
      gateways.push({ service, key: (await service.accounts.admin.ensureFirstAccount())?.key ?? '' });
    }
  });
  after(async () => {
    for (const { service } of gateways) await service.stop();
    await working?.stop();
    await proxy?.close();
    await redis?.close();
    await cache?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** Cache-Status of a lookup at this gateway. */
  async function get(gateway: 0 | 1, domain: string): Promise<string> {
    const { service, key = '' } = gateways[gateway] ?? assert.fail('no gateway');
    const answer = await fetch(`${service.baseUrl}/v1/website/whois/domains/${domain}`, { headers: { 'x-api-key': key } });
    assert.equal(answer.status, 200, await answer.text());
    return answer.headers.get('cache-status') ?? '';
  }
  function purge(environment: Record<string, string> = {}, ...options: string[]): Promise<{ code: number; out: string; error: string }> {
    const env = { ...CHILD_ENVIRONMENT, REDIS_URL: redis.url, SIGHTLINE_CACHE_URL: cache.url, ...environment };
    return new Promise((resolve) => {
      execFile(process.execPath, ['src/cli/main.ts', 'cache', 'purge', 'registration', ...options], { env }, (failed, out, error) =>
        resolve({ code: failed ? Number(failed.code) : 0, out, error }),
      );
    });
  }
  async function eventually(what: string, good: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = performance.now() + 60_000; performance.now() < end; await sleep(20)) if (await good()) return;
    assert.fail(what);
  }
  const isUp = async (gateway: 0 | 1): Promise<boolean> =>
    /sightline_fleet\{[^}]*what="up"[^}]*\} 1/.test(await (await fetch(`${gateways[gateway]?.service.adminUrl}/metrics`)).text());

  /** Waits until the gateway has neither a local nor a shared answer: the message of a purge may arrive after the command has ended. */
  const dropped = (gateway: 0 | 1, domain: string): Promise<void> =>
    eventually(`gateway ${gateway} has dropped ${domain}`, async () => {
      const answer = await fetch(`${gateways[gateway]?.service.baseUrl}/v1/website/whois/domains/${domain}`, {
        headers: { 'x-api-key': gateways[gateway]?.key ?? '', 'cache-control': 'only-if-cached' },
      });
      return answer.status === 504;
    });

  test('the command empties the shared cache and the local cache of every gateway', async () => {
    await get(0, 'every.com');
    await eventually('the second gateway has it too', async () => /; hit/.test(await get(1, 'every.com')));
    assert.deepEqual(await purge(), { code: 0, out: '1 shared answer of registration dropped; 2 gateways drop their own\n', error: '' });
    for (const gateway of [0, 1] as const) await dropped(gateway, 'every.com');
  });

  test('a gateway that was disconnected from Redis drops its local cache when it reconnects', async () => {
    await get(0, 'cut.com');
    await eventually('the second gateway has it too', async () => /; hit/.test(await get(1, 'cut.com')));
    proxy.shut();
    await eventually('the second gateway is cut off', async () => !(await isUp(1)));
    assert.match((await purge()).out, /; 1 gateway drops its own/);
    assert.match(await get(1, 'cut.com'), /; hit/, 'nobody could tell it yet');
    proxy.open();
    await eventually('the second gateway is back', () => isUp(1));
    await dropped(1, 'cut.com');
  });

  test('a gateway that missed a purge applies it, even if Redis has lost its data since', async () => {
    await get(1, 'lost.com');
    proxy.shut();
    await eventually('the second gateway is cut off', async () => !(await isUp(1)));
    await purge();
    await redis.kill();
    await redis.start();
    await eventually('the first gateway is back', () => isUp(0));
    proxy.open();
    await eventually('the second gateway is back', () => isUp(1));
    await dropped(1, 'lost.com');
  });

  test(
    'a frozen SIGHTLINE_CACHE_URL server is bypassed, and used again once it answers',
    realTime(100, async () => {
      cache.freeze();
      try {
        const began = performance.now();
        const ways = [await get(0, 'frozen-1.com'), await get(0, 'frozen-2.com'), await get(0, 'frozen-1.com')];
        assert.ok(performance.now() - began < limit(3_000), `${performance.now() - began} ms`);
        assert.match(ways[2] ?? '', /; hit/);
      } finally {
        cache.thaw();
      }
      let n = 0;
      await eventually('what one gateway found is a hit at the other again', async () => {
        await get(0, `thawed-${++n}.com`);
        return /; hit/.test(await get(1, `thawed-${n}.com`));
      });
    }),
  );

  test('a purge of one entry drops it at every gateway, and no other entry', async () => {
    for (const domain of ['one.com', 'other.com']) {
      await get(0, domain);
      await eventually('the second gateway has it too', async () => /; hit/.test(await get(1, domain)));
    }
    const one = () => purge({}, '--domain', 'ONE.com');
    assert.equal((await one()).out, 'the shared answer to this lookup of registration dropped; 2 gateways drop their own\n');
    for (const gateway of [0, 1] as const) await dropped(gateway, 'one.com');
    assert.match(await get(0, 'other.com'), /; hit/);
    assert.match(await get(1, 'other.com'), /; hit/);
    assert.match((await purge({}, '--domain', 'never-asked.com')).out, /^no shared answer to this lookup of registration; 2 gateways/);
  });

  for (const loses of [false, true]) {
    const lost = loses ? ', even where Redis has lost its data since' : '';
    test(`a gateway that was disconnected drops a purged entry${lost}`, async () => {
      const domain = `question-${loses}.com`;
      await get(1, domain);
      await get(1, 'kept.com');
      proxy.shut();
      await eventually('the second gateway is cut off', async () => !(await isUp(1)));
      assert.match((await purge({}, '--domain', domain)).out, /; 1 gateway drops its own/);
      if (loses) {
        await redis.kill();
        await redis.start();
        await eventually('the first gateway is back', () => isUp(0));
      }
      proxy.open();
      await eventually('the second gateway is back', () => isUp(1));
      await dropped(1, domain);
      assert.match(await get(1, 'kept.com'), /; hit/);
    });
  }

  test('without Redis the command fails and names the server that cannot be reached', async () => {
    const nowhere = `redis://127.0.0.1:${await freePort()}`;
    for (const setting of ['REDIS_URL', 'SIGHTLINE_CACHE_URL']) {
      const { code, out, error } = await purge({ [setting]: nowhere });
      assert.deepEqual([code, out], [1, '']);
      assert.match(
        error,
        new RegExp(`^Redis at 127\\.0\\.0\\.1:\\d+ \\(${setting}\\) refuses the connection: start it, .* Nothing was dropped\\.\\n$`),
      );
    }
  });

  test('a frozen Redis is a timeout', async (t) => {
    const frozen = await startRedis();
    t.after(() => frozen.close());
    frozen.freeze();
    const { code, error } = await purge({ REDIS_URL: frozen.url });
    assert.equal(code, 1);
    assert.match(
      error,
      /^Redis at 127\.0\.0\.1:\d+ \(REDIS_URL\) does not answer \(it did not connect in time\): .* Nothing was dropped\.\n$/,
    );
  });
});
