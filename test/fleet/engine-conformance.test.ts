// Few in a process: it waits for servers that it starts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DefectError } from '../../src/orchestrator/engine.ts';
import { absent, blocked, changed, found, limited, type Outcome, refused, timeout, unreachable } from '../../src/sources/outcome.ts';
import type { Source } from '../../src/sources/source.ts';
import { PROOF } from '../support/evidence.ts';
import { ask, openBullEngine, openLocalEngine, type Script, sourceOf, type TestEngine } from './engine-fixture.ts';
import { missing, type OwnServer, startRedis } from './services.ts';

const OUTCOMES: Outcome[] = [
  found({ domain: 'ü.example', nested: [1.7, null, '', { a: true }] }, 3),
  absent(PROOF, 'Not there.', 'detail'),
  blocked('Wall.'),
  { ...blocked('Age gate.'), final: true } as Outcome,
  limited('Slow down.', 5000),
  limited('Slow down.'),
  unreachable('Down.', 'ECONNRESET'),
  timeout('Late.'),
  changed('New shape.'),
  refused('Bad credentials.'),
];

/** No attempt of these tests ends by this limit. */
const LONG_MS = 600_000;

let redis: OwnServer;
const kinds: { name: string; skip: string | false; open: (sources: readonly Source[]) => Promise<TestEngine> | TestEngine }[] = [
  { name: 'local', skip: false, open: openLocalEngine },
  { name: 'bullmq', skip: missing('redis'), open: (sources) => openBullEngine(redis.url, sources) },
];

for (const { name, skip, open } of kinds) {
  describe(`engine ${name}`, { skip }, () => {
    let engineUnderTest: TestEngine;
    let script: Script = async () => found({});
    before(async () => {
      if (name === 'bullmq') redis = await startRedis();
      engineUnderTest = await open([sourceOf((domain, attempt) => script(domain, attempt))]);
    });
    after(async () => {
      await engineUnderTest?.close();
      if (name === 'bullmq') await redis?.close();
    });

    test('every outcome arrives as the source returned it', async () => {
      script = async (domain) => OUTCOMES[Number(domain.split('.')[0])] as Outcome;
      for (const [i, outcome] of OUTCOMES.entries()) assert.deepEqual(await ask(engineUnderTest.engine, `${i}.example`), outcome);
    });
    test('a source that throws is a defect, reported with its reason', async () => {
      script = async () => {
        throw new Error('cannot read property of undefined');
      };
      await assert.rejects(
        ask(engineUnderTest.engine, 'throws.example'),
        (error) => error instanceof DefectError && /of undefined/.test(error.message),
      );
    });
    test('an attempt that exceeds its time limit is a timeout, and its signal is aborted', async () => {
      let over = false;
      script = (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => (over = true)));
      const began = performance.now();
      const outcome = await ask(engineUnderTest.engine, 'slow.example', 200);
      assert.equal(outcome.tag, 'timeout');
      assert.ok(performance.now() - began >= 199);
      assert.equal(over, true);
    });
    test('the source receives its deadline on its own clock', async () => {
      script = async (_, { deadlineMs }) => found({ left: deadlineMs - Date.now() });
      const differMs = engineUnderTest.clocksDifferMs();
      const outcome = await ask(engineUnderTest.engine, 'deadline.example', LONG_MS);
      assert.ok(outcome.tag === 'found');
      const { left } = outcome.resource as { left: number };
      // rounded up on one clock and read on another, each as exact as its last measurements
      const mostMs = LONG_MS + Math.max(differMs, engineUnderTest.clocksDifferMs()) + 1;
      assert.ok(left > LONG_MS / 2 && left <= mostMs, `${left} ms of at most ${mostMs}`);
    });
    test('an aborted attempt is rejected at once', async () => {
      script = (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(timeout('Over.'))));
      const giving = new AbortController();
      const asked = ask(engineUnderTest.engine, 'given-up.example', LONG_MS, { signal: giving.signal });
      giving.abort();
      // before the time limit of the attempt, which is longer than that of this file
      assert.equal((await asked).tag, 'timeout');
    });
    test('concurrent attempts each receive their own result', async () => {
      script = async (domain) => found({ domain });
      const domains = Array.from({ length: 300 }, (_, i) => `many-${i}.example`);
      const outcomes = await Promise.all(domains.map((d) => ask(engineUnderTest.engine, d)));
      assert.deepEqual(
        outcomes.map((o) => o.tag === 'found' && (o.resource as { domain: string }).domain),
        domains,
      );
    });
    test('a repeated lookup after the first has ended is a new attempt', async () => {
      let n = 0;
      script = async () => found({ n: n++ });
      const seen = [];
      for (let i = 0; i < 20; i++) {
        const outcome = await ask(engineUnderTest.engine, 'again.example');
        seen.push(outcome.tag === 'found' && (outcome.resource as { n: number }).n);
      }
      assert.deepEqual(seen, [...Array(20).keys()]);
    });
    test('ready() resolves', () => engineUnderTest.engine.ready());
  });
}
