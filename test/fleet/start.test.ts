// Few in a process: it waits for servers that it starts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startService } from '../../src/cli/serve.ts';
import { composeFleet } from '../../src/cli/service-fleet.ts';
import { startWorker } from '../../src/cli/worker.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import type { Source } from '../../src/sources/source.ts';
import { silent } from '../../src/telemetry/log.ts';
import { registered } from '../support/orchestrator-fakes.ts';
import { ask, sourceOf } from './engine-fixture.ts';
import { missing, type OwnServer, startPostgres, startRedis } from './services.ts';

describe('the start of a process of a fleet', { skip: missing('redis') || missing('postgres') }, () => {
  let redis: OwnServer;
  let postgres: OwnServer;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-fleet-start-'));
  const settings = () =>
    readSettings({
      ...{ PORT: '0', SIGHTLINE_ADMIN_PORT: '0', SIGHTLINE_DATA_DIR: folder, DATABASE_URL: postgres.url, REDIS_URL: redis.url },
      SIGHTLINE_DRAIN_MS: '1000',
    });
  before(async () => {
    [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  });
  after(async () => {
    await Promise.all([redis?.close(), postgres?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('a worker of a name that several sources have runs the attempts of all of them, and says the name once', async () => {
    const first = sourceOf(async () => assert.fail('another operation'));
    const apart: Source = { ...first, operations: ['traffic'] };
    const asked = sourceOf(async (domain) => found({ ...registered(domain), contacts: [] }));
    const lacking: Source = { ...first, operations: ['serp'], needs: ['X_BEARER_TOKEN'] };
    const sources = [apart, asked, lacking];
    const options = { gateway: true, work: null, onAttempt: () => {}, sources } as const;
    const gateway = await composeFleet(settings(), () => {}, options);
    const worker = await startWorker(settings(), { log: silent, sources, only: [asked.id, asked.id] });
    try {
      assert.deepEqual(worker.sources, [asked.id]);
      while (gateway.fleet.queueFor(asked.id) === null) await sleep(10);
      assert.ok(gateway.lookups);
      assert.equal((await ask(gateway.lookups.engine, 'example.com')).tag, 'found');
    } finally {
      await worker.stop();
      await gateway.close();
    }
  });

  test('a gateway that its store refuses has not joined', async () => {
    const lines: string[] = [];
    const log = { ...silent, info: (_: object, message: string) => void lines.push(message) };
    const start = () => startService(settings(), { log, sources: [sourceOf(async () => assert.fail('asked'))] });
    await (await start()).stop();
    assert.ok(lines.includes('redis: joined the fleet'));
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query("INSERT INTO kysely_migration VALUES ('9999_newer', '2030-01-01T00:00:00Z')");
    await client.end();
    lines.length = 0;
    await assert.rejects(start(), /run the newer version/);
    assert.deepEqual(lines, []);
  });
});
