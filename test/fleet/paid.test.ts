// Few in a process: it waits for servers that it starts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorker } from '../../src/cli/worker.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import type { Source } from '../../src/sources/source.ts';
import { createSourceBudget } from '../../src/sources/source-budget.ts';
import { silent } from '../../src/telemetry/log.ts';
import { registered } from '../support/orchestrator-fakes.ts';
import { ask, openGatewayEngine } from './engine-fixture.ts';
import { missing, startRedis } from './services.ts';

const cleanUp: (() => unknown)[] = [];
after(async () => {
  for (const end of cleanUp.reverse()) await end();
});

test('a worker counts the cost of paid sources and the requests that a daily cap rejected', { skip: missing('redis') }, async () => {
  const redis = await startRedis();
  cleanUp.push(() => redis.close());
  const folder = mkdtempSync(join(tmpdir(), 'sightline-paid-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const paid: Source = {
    id: 'registration/rdap',
    operations: ['registration'],
    needs: [],
    knowsAbsence: true,
    about: 'paid, at most two requests a day',
    open(ports) {
      const budget = createSourceBudget({ key: 'paid', maxRequests: 2, maxUsd: 1, usdEach: 0.01, settings: 'A_CAP' }, ports);
      return {
        async registration({ domain }) {
          const taken = await budget.take();
          if (taken.tag !== 'taken') return taken;
          await taken.settle(0.004);
          return found({ ...registered(domain), contacts: [] });
        },
      };
    },
  };
  const settings = readSettings({ REDIS_URL: redis.url, SIGHTLINE_DATA_DIR: folder, SIGHTLINE_ADMIN_PORT: '0', SIGHTLINE_DRAIN_MS: '500' });
  const worker = await startWorker(settings, { log: silent, sources: [paid] });
  cleanUp.push(() => worker.stop());
  const gateway = await openGatewayEngine(redis.url);
  cleanUp.push(() => gateway.close());
  while (gateway.fleet.queueFor('registration/rdap') === null) await sleep(10);

  const tags = [];
  for (let i = 0; i < 3; i++) tags.push((await ask(gateway.engine, `paid-${i}.com`)).tag);
  assert.deepEqual(tags, ['found', 'found', 'limited']);
  const metrics = await (await fetch(`${worker.adminUrl}/metrics`)).text();
  assert.match(metrics, /^sightline_upstream_cost_usd_total\{source="paid"\} 0\.008$/m);
  assert.match(metrics, /^sightline_daily_cap_refusals_total\{source="paid"\} 1$/m);
});
