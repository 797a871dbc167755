import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobsOptions, Queue } from 'bullmq';
import type { Fleet } from '../../src/fleet/membership.ts';
import { decodeReply, encodeReply } from '../../src/fleet/wire/messages.ts';
import { EngineAwayError } from '../../src/orchestrator/engine.ts';
import { found, type Outcome, timeout } from '../../src/sources/outcome.ts';
import { limit, realTime } from '../support/real-time.ts';
import { ask, openGatewayEngine, type SourceWorkers, sourceOf, sourceWorkers, type TestEngine } from './engine-fixture.ts';
import { missing, type OwnServer, startRedis } from './services.ts';

const timed = async <T>(work: Promise<T>): Promise<{ value: T | Error; ms: number }> => {
  const began = performance.now();
  const value = await work.catch((error: Error) => error);
  return { value, ms: performance.now() - began };
};

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

describe('engine bullmq in a fleet', { skip: missing('redis') }, () => {
  let redis: OwnServer;
  let gateway: GatewayEngine;
  let other: GatewayEngine;
  before(async () => {
    redis = await startRedis();
    [gateway, other] = await Promise.all([openGatewayEngine(redis.url), openGatewayEngine(redis.url)]);
  });
  after(async () => {
    await gateway.close();
    await other.close();
    await redis.close();
  });
  type GatewayEngine = TestEngine & { fleet: Fleet };
  /** Runs with these source workers and closes them on every outcome. */
  async function withSourceWorkers(
    made: Promise<SourceWorkers>[],
    work: (allSourceWorkers: SourceWorkers[]) => Promise<void>,
  ): Promise<void> {
    const allSourceWorkers = await Promise.all(made);
    const isSeen = ({ fleet }: { fleet: Fleet }) => fleet.seen.workers >= made.length && fleet.queueFor('registration/rdap') !== null;
    await until(() => isSeen(gateway) && isSeen(other));
    try {
      await work(allSourceWorkers);
    } finally {
      await Promise.all(allSourceWorkers.map((s) => s.close()));
      // a gateway that still saw these would take their end for that of the next test's
      await until(() => [gateway, other].every(({ fleet }) => fleet.queueFor('registration/rdap') === null));
    }
  }

  test('without a worker for the source an attempt fails at once', async () => {
    const { value, ms } = await timed(ask(gateway.engine, 'nobody.example', 30_000));
    assert.ok(value instanceof EngineAwayError && /no worker takes registration\/rdap/.test(value.detail));
    assert.ok(ms < 1_000, `${ms} ms`);
  });

  test('each attempt is a separate job, answered to the gateway that sent it', async () => {
    let runs = 0;
    const source = sourceOf(async (domain) => {
      const run = ++runs;
      await sleep(50);
      return found({ domain, run });
    });
    await withSourceWorkers([sourceWorkers(redis.url, [source]), sourceWorkers(redis.url, [source])], async () => {
      const outcomes = await Promise.all([gateway, other, gateway, other].map(({ engine }) => ask(engine, 'same.example')));
      assert.deepEqual(new Set(outcomes.map((o) => o.tag === 'found' && (o.resource as { run?: number }).run)), new Set([1, 2, 3, 4]));
    });
  });

  test('a job of an unknown version is rejected by name, and its attempt fails at once', async () => {
    const source = sourceOf(async () => found({}));
    await withSourceWorkers([sourceWorkers(redis.url, [source])], async () => {
      const { add } = Queue.prototype;
      const newer = mock.method(Queue.prototype, 'add', function (this: Queue, name: string, data: object, options: JobsOptions) {
        return add.call(this, name, { ...data, v: 99 }, options);
      });
      const { value, ms } = await timed(ask(gateway.engine, 'newer.example', 30_000));
      newer.mock.restore();
      assert.ok(value instanceof EngineAwayError);
      assert.equal(value.detail, 'a job has version 99, this release reads version 6');
      assert.ok(ms < 1_000, `${ms} ms`);
      assert.deepEqual(await ask(gateway.engine, 'same.example'), found({}));
    });
  });

  test('a reply keeps its outcome and its body; one of an unknown version is rejected by name', () => {
    const outcome = found(
      { bytes: Buffer.from('{"a":\n1}'), etag: 'W/"x"', freshForMs: 5, fields: { present: ['a'], missing: ['b'] } },
      3,
      ['a'],
    );
    for (const reply of [{ outcome }, { outcome: timeout('Late.') }, { defect: 'thrown' }])
      assert.deepEqual(decodeReply(encodeReply(7, reply)), { attempt: 7, reply });
    for (const newer of ['{"v":99,"attempt":7,"reply":{}}', '{"v":99,"attempt":7,"reply":{}}\n{}'])
      assert.deepEqual(decodeReply(Buffer.from(newer)), {
        attempt: 7,
        reply: { refused: 'a reply has version 99, this release reads version 6' },
      });
  });

  test('a job whose only worker left before it took it is not run by the next worker', async () => {
    const asked: string[] = [];
    let end = () => {};
    const source = sourceOf((domain): Promise<Outcome> => {
      asked.push(domain);
      return domain === 'first.example' ? new Promise((resolve) => (end = () => resolve(found({})))) : Promise.resolve(found({}));
    });
    const leaving = await sourceWorkers(redis.url, [source], 1);
    await until(() => gateway.fleet.queueFor('registration/rdap') !== null);
    const first = timed(ask(gateway.engine, 'first.example', 30_000));
    // an attempt that fails is not waited for
    await Promise.race([first, until(() => asked.length > 0)]);
    assert.deepEqual(asked, ['first.example']);
    const given = timed(ask(gateway.engine, 'given-up.example', 30_000));
    await sleep(50);
    await leaving.fleet.close();
    const { value } = await given;
    assert.ok(value instanceof EngineAwayError && /no worker takes registration\/rdap/.test(value.detail), String(value));
    await first;
    end();
    await leaving.worker.close(1_000);
    await withSourceWorkers([sourceWorkers(redis.url, [source])], async () => {
      await ask(gateway.engine, 'next.example');
      await sleep(100);
      assert.deepEqual(asked, ['first.example', 'next.example']);
    });
  });

  test('a job whose attempt was aborted is not run', async () => {
    const asked: string[] = [];
    let end = () => {};
    const source = sourceOf((domain): Promise<Outcome> => {
      asked.push(domain);
      return domain === 'first.example' ? new Promise((resolve) => (end = () => resolve(found({})))) : Promise.resolve(found({}));
    });
    await withSourceWorkers([sourceWorkers(redis.url, [source], 1)], async () => {
      const first = ask(gateway.engine, 'first.example');
      const giving = new AbortController();
      await sleep(50);
      const left = ask(gateway.engine, 'left.example', 5_000, { signal: giving.signal });
      await sleep(50);
      giving.abort();
      await left;
      const third = ask(other.engine, 'third.example');
      end();
      await Promise.all([first, third]);
      assert.deepEqual(asked, ['first.example', 'third.example']);
    });
  });

  const takenOver = realTime(100, async () => {
    const child: ChildProcess = spawn(process.execPath, ['test/fleet/worker-child.ts', redis.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const says = async (word: string) => {
      for (;;) if (String((await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data'))[0]).includes(word)) return;
    };
    try {
      await says('ready');
      while (gateway.fleet.queueFor('registration/rdap') === null) await sleep(10);
      const asked = ask(gateway.engine, 'killed.example', 20_000);
      await says('begun');
      await withSourceWorkers([sourceWorkers(redis.url, [sourceOf(async (domain) => found({ domain }))])], async () => {
        const killed = performance.now();
        child.kill('SIGKILL');
        assert.deepEqual(await asked, found({ domain: 'killed.example' }));
        const ms = performance.now() - killed;
        assert.ok(ms < limit(5_000), `${Math.round(ms)} ms`);
      });
    } finally {
      child.kill('SIGKILL');
    }
  });
  test("a killed worker's attempt is answered by another within 5 s", takenOver);

  const lost = realTime(100, async () => {
    const source = () => sourceOf((domain) => (domain === 'waits.example' ? new Promise(() => {}) : Promise.resolve(found({ domain }))));
    await withSourceWorkers([sourceWorkers(redis.url, [source()])], async ([only]) => {
      const waits = timed(ask(gateway.engine, 'waits.example', 30_000));
      await sleep(100);
      await only?.fleet.close(); // from here on silent, as after a kill
      const { value, ms } = await waits;
      assert.ok(value instanceof EngineAwayError && ms < limit(1_100), `${ms} ms`);
    });
    await withSourceWorkers([sourceWorkers(redis.url, [source()])], async () => {
      const waits = timed(ask(gateway.engine, 'waits.example', 30_000));
      await sleep(100);
      await redis.kill();
      assert.ok((await waits).value instanceof EngineAwayError);
      const { value, ms } = await timed(ask(gateway.engine, 'away.example', 30_000));
      assert.ok(value instanceof EngineAwayError && ms < limit(50), `${ms} ms`);
      await assert.rejects(gateway.engine.ready());
      await redis.start();
      const until = performance.now() + limit(5_000);
      let back: Outcome | Error = new Error('never');
      while (performance.now() < until && back instanceof Error) {
        back = await ask(gateway.engine, 'back.example', 3_000).catch((error: Error) => error);
        await sleep(20);
      }
      assert.deepEqual(back, found({ domain: 'back.example' }));
    });
  });
  test('last worker lost, or Redis lost: waiting attempts fail at once, and the engine recovers without a restart', lost);
});
