/**
 * For tests whose subject is real time: the drain after SIGTERM, a frozen process, a lost server. Such a test declares itself with
 * `realTime`, and states its limits with `limit`. CONTRIBUTING.md names the files that import this one. Everything else has an injected
 * clock, counts or CPU time.
 */
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** By how much this machine is slower than a quiet one, as the runner measured it (`tools/tests/machine.ts`). */
const SLOWNESS = Number(process.env.SIGHTLINE_TEST_SLOWNESS ?? 1);

/** The limit of a quiet machine, in the time of this one. */
export const limit = (ms: number): number => Math.ceil(ms * SLOWNESS);

const TICK_MS = 10;
/** A thread that sleeps adds up by how much it wakes up late. It is not delayed by what the test's own thread does. */
const SLEEPER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const late = new Float64Array(workerData);
  const never = new Int32Array(new SharedArrayBuffer(4));
  let last = performance.now(); // before the message: the machine may stand still as soon as it is sent
  parentPort.postMessage('runs');
  for (;;) {
    Atomics.wait(never, 0, 0, ${TICK_MS});
    const now = performance.now();
    late[0] += Math.max(0, now - last - 2 * ${TICK_MS});
    late[1]++;
    last = now;
  }`;

/** Starts to record for how long the machine stood still. */
async function recordLag(): Promise<{ lateMs(): Promise<number>; end(): Promise<unknown> }> {
  const shared = new SharedArrayBuffer(16);
  const late = new Float64Array(shared);
  const sleeper = new Worker(SLEEPER, { eval: true, workerData: shared });
  await once(sleeper, 'message');
  return {
    // after a stall the test's own thread may run before the other has added it up
    async lateMs() {
      const woken = (late[1] ?? 0) + 2;
      while ((late[1] ?? 0) < woken) await setTimeout(TICK_MS);
      return Math.round(late[0] ?? 0);
    },
    end: () => sleeper.terminate(),
  };
}

/**
 * A test of real time. Where it fails and the machine stood still for longer than it tolerates in all, it isn't judged: the runner counts
 * that like a skip and says why. What it failed with is in the file's output.
 */
export function realTime(toleratesMs: number, run: (t: TestContext) => Promise<void>): (t: TestContext) => Promise<void> {
  return async (t) => {
    const lag = await recordLag();
    try {
      await run(t);
    } catch (error) {
      const lateMs = await lag.lateMs();
      if (lateMs <= toleratesMs) throw error;
      console.log(`not judged: ${t.name}`, error);
      t.skip(`not judged: the machine was busy (${lateMs} ms)`);
    } finally {
      await lag.end();
    }
  };
}
