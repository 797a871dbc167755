// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';
import { missing, startRedis } from './services.ts';

const MAX_CONNECTIONS = 8;
const MAX_COMMANDS_PER_SECOND = 30;
/** Seconds by the clock of Redis: a busy machine sends fewer commands in a second, not more. */
const OBSERVED_SECONDS = 8;

test('an idle process of a fleet, gateway and worker, holds at most 8 connections to Redis and sends at most 30 commands a second', {
  skip: missing('redis'),
}, async (t) => {
  const redis = await startRedis();
  const observer = new Redis(redis.url);
  const folder = mkdtempSync(join(tmpdir(), 'sightline-idle-'));
  const settings = readSettings({ PORT: '0', REDIS_URL: redis.url, SIGHTLINE_DATA_DIR: folder, SIGHTLINE_DRAIN_MS: '500' });
  const service = await startService(settings, { log: silent });
  t.after(async () => {
    await service.stop();
    observer.disconnect();
    await redis.close();
    rmSync(folder, { recursive: true, force: true });
  });
  // commands that scripts run are counted too
  const counted = async (): Promise<{ commands: number; seconds: number }> => {
    const [seconds, micros] = await observer.time();
    const commands = /^total_commands_processed:(\d+)/m.exec(await observer.info('stats'))?.[1];
    return { commands: Number(commands), seconds: Number(seconds) + Number(micros) / 1e6 };
  };
  await sleep(2_000); // the commands of the start
  const before = await counted();
  let after = before;
  let reads = 0;
  for (; after.seconds - before.seconds < OBSERVED_SECONDS; reads++) {
    await sleep(1_000);
    after = await counted();
  }
  const perSecond = (after.commands - before.commands - 2 * reads) / (after.seconds - before.seconds);
  const connections = ((await observer.client('LIST')) as string).trim().split('\n').length - 1;
  t.diagnostic(`${connections} connections, ${perSecond.toFixed(1)} commands a second`);
  assert.ok(connections <= MAX_CONNECTIONS, `${connections} connections`);
  assert.ok(perSecond <= MAX_COMMANDS_PER_SECOND, `${perSecond} commands a second`);
  assert.ok(perSecond > 1, 'the process sends its heartbeats');
});
