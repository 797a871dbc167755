import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Fleet } from '../../src/fleet/membership.ts';
import { createOutage } from '../../src/runtime/outage.ts';
import { found } from '../../src/sources/outcome.ts';
import { pollKeyChanges } from '../../src/store/postgres/changes.ts';
import { startTurns } from '../../src/watches/turns.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ask, openGatewayEngine, sourceOf, sourceWorkers } from './engine-fixture.ts';
import { missing, startRedis } from './services.ts';

/** `once` of node:events rejects on the error event, which each failed connection has. */
const next = (connection: Fleet['redis'], event: string): Promise<void> =>
  new Promise((resolve) => void connection.once(event, () => resolve()));

function recordingLog() {
  const lines: string[] = [];
  return { lines, log: (level: string, message: string) => void lines.push(`${level} ${message}`) };
}

describe('a part that tries again and again in an outage logs its begin and its end, not each failure', () => {
  test('the poll of key changes', async () => {
    const [clock, { lines, log }] = [createManualClock(), recordingLog()];
    let isAway = true;
    let polls = 0;
    const changes = pollKeyChanges(clock, log, async () => {
      polls++;
      if (isAway) throw new Error('away');
      return 1;
    });
    changes.listen(() => undefined);
    await clock.advance(8_000);
    isAway = false;
    await clock.advance(8_000);
    await changes.close();
    assert.ok(polls > 30, `${polls}`);
    assert.deepEqual(lines, ['error store: key changes cannot be asked for', 'info store: key changes are asked for again']);
  });

  test('the look at what is due', async () => {
    const [clock, { lines, log }] = [createManualClock(), recordingLog()];
    let isAway = true;
    let reads = 0;
    const turns = startTurns({
      clock,
      pollMs: 500,
      due: async () => {
        reads++;
        if (isAway) throw new Error('away');
        return [];
      },
      mayBegin: () => true,
      turnOf: () => '',
      run: async () => undefined,
      outage: createOutage(clock, log, 'away', 'back'),
    });
    await clock.advance(8_000);
    isAway = false;
    await clock.advance(8_000);
    await turns.close();
    assert.ok(reads > 20, `${reads}`);
    assert.deepEqual(lines, ['error away', 'info back']);
  });

  test('queue and worker without Redis', { skip: missing('redis') }, async (t) => {
    const redis = await startRedis();
    const { lines, log } = recordingLog();
    const gateway = await openGatewayEngine(redis.url, log);
    const work = await sourceWorkers(redis.url, [sourceOf(async () => found({}))], 1, log);
    t.after(async () => {
      await gateway.close();
      await work.close();
      await redis.close();
    });
    // a gateway opens the queue of a worker for its first attempt there
    while (gateway.fleet.queueFor('registration/rdap') === null)
      await new Promise<void>((resolve) => void gateway.fleet.subscribe(() => resolve()));
    await ask(gateway.engine, 'first.example');
    const connections = [gateway.fleet.redis, work.fleet.redis];
    const down = connections.map((connection) => next(connection, 'close'));
    await redis.kill();
    await Promise.all(down);
    for (let i = 0; i < 4; i++) await Promise.all(connections.map((connection) => next(connection, 'reconnecting')));
    const up = [gateway.fleet, work.fleet].map(
      (fleet) => new Promise<void>((resolve) => fleet.subscribe((event) => event === 'up' && resolve())),
    );
    await redis.start();
    await Promise.all(up);
    assert.deepEqual(lines.filter((line) => /fleet: (queue|worker)/.test(line)).sort(), [
      'error fleet: queue failed',
      'error fleet: worker failed',
      'info fleet: queue works again',
      'info fleet: worker works again',
    ]);
  });
});
