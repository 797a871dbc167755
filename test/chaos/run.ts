/**
 * `npm run test:chaos -- --seconds N [--seed S] [--report FILE]`: starts a fleet of two gateways and three workers with its own Redis and
 * PostgreSQL, and kills, freezes and restarts every part of it under load. A separate checker then verifies the guarantees. The last line
 * is the summary; the exit code is 0 only without a violation. The suite never touches services that it has not started.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { check } from './check.ts';
import { createDisturbances } from './disturbances.ts';
import { type ChaosFleet, startFleet } from './fleet.ts';
import { oldHoldsEnded, openHolds, readLedgerRows } from './ledger-rows.ts';
import { createLoad } from './load.ts';
import { createRandom } from './random.ts';
import { reportOf } from './report.ts';
import { stoppable } from './servers.ts';
import { watchStalls } from './stalls.ts';

const LOAD_PER_SECOND = 25;
/** Time limit for everything beyond the seconds of load: start, last fault, last answers and shutdown. */
const MOST_BESIDE_MS = 90_000;
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' }, report: { type: 'string', default: 'chaos-report.md' } },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
if (!(seconds >= 5) || !Number.isInteger(seed)) {
  console.error('Usage: npm run test:chaos -- --seconds N (5 or more) [--seed S] [--report FILE]');
  process.exit(2);
}
const random = createRandom(seed);
const folder = mkdtempSync(join(tmpdir(), 'sightline-chaos-'));
console.log(`chaos: ${seconds} s, seed ${seed}, logs in ${folder}`);

let fleet: ChaosFleet | null = null;
const began = performance.now();
const failed = (why: string): void => {
  console.log(`chaos: failed, nothing was proved: ${why} (logs in ${folder})`);
  process.exit(1);
};
// everything that the suite started is killed when the suite exits, for any reason
process.once('exit', () => {
  for (const pid of [...(fleet?.members ?? []).map((m) => m.pid()), fleet?.redis.pid, fleet?.postgres.pid])
    try {
      if (pid) process.kill(pid, 'SIGKILL');
    } catch {} // it has already exited
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => failed(signal));
setTimeout(() => failed(`not over after ${seconds} s and ${MOST_BESIDE_MS / 1_000} more`), seconds * 1_000 + MOST_BESIDE_MS).unref();
try {
  fleet = await startFleet(folder, random);
  const violations = await disturbAndCheck(fleet);
  await fleet.close();
  if (!violations) rmSync(folder, { recursive: true, force: true });
  process.exit(violations ? 1 : 0);
} catch (error) {
  failed(String((error as Error).stack ?? error));
}

async function disturbAndCheck(chaos: ChaosFleet): Promise<number> {
  const { gateways, workers, members, accounts, platforms, redis, postgres, holdMs } = chaos;
  const load = createLoad(gateways, accounts, random);
  const parts = { redis: stoppable(redis, 'SIGTERM'), postgres: stoppable(postgres, 'SIGINT') };
  const disturbances = createDisturbances({ gateways, workers, random, ...parts });
  const stalls = watchStalls();
  const from = performance.now();
  const over = (inMs = 0): boolean => performance.now() - from + inMs > seconds * 1_000;

  async function sendAll(): Promise<void> {
    while (!over()) {
      await sleep(random.int(1, Math.round(2_000 / LOAD_PER_SECOND)));
      // at times more at once than the pace of the platforms allows
      const times = random.next() < 0.01 ? 60 : 1;
      for (let i = 0; i < times; i++) load.send();
    }
  }
  async function upsetAll(): Promise<void> {
    while (!over()) {
      await sleep(random.int(100, 1_000));
      platforms.upset();
    }
    platforms.sandbox.faults.clear();
  }
  async function disturbAll(): Promise<void> {
    await sleep(1_000);
    while (!over()) {
      await disturbances.once();
      await sleep(random.int(100, 900));
    }
  }
  /** Requests in flight when a gateway is frozen must not be charged if it is resumed after their holds have expired. */
  async function outliveHolds(): Promise<void> {
    const freezeMs = holdMs + 2_000;
    const before = async (name: string): Promise<void> => {
      // no hold is placed while a store is unavailable or the source is in back-off
      for (let held = 0; held < 5 && !over(freezeMs); ) {
        const ids = load.burst(name, 40);
        await sleep(random.int(50, 300));
        held = await openHolds(postgres.url, ids);
        if (held < 5) await sleep(500);
      }
    };
    const during = async (): Promise<void> => {
      for (const until = performance.now() + 10_000; performance.now() < until; await sleep(200))
        if (await oldHoldsEnded(postgres.url)) return;
    };
    await sleep(random.int(1_500, 5_000));
    while (!over(freezeMs)) {
      await disturbances.outlive(freezeMs, before, during);
      await sleep(random.int(2_000, 6_000));
    }
  }

  await Promise.all([sendAll(), upsetAll(), disturbAll(), outliveHolds()]);
  await load.settled();
  await chaos.end(); // an orderly shutdown loses no capture
  stalls.stop();
  const ledgerRows = await readLedgerRows(postgres.url);
  const { redisGaps, postgresGaps } = disturbances;
  const evidence = {
    told: load.all,
    seen: platforms.seen,
    members,
    redisGaps,
    postgresGaps,
    accounts,
    ledgerRows,
    stalls: stalls.stalls,
    holdMs,
  };
  const report = check(evidence);
  const logs = members.flatMap((m) =>
    readFileSync(chaos.logFile(m), 'utf8')
      .split('\n')
      .filter((line) => /^\{.*"level":"(error|fatal)"/.test(line)),
  );
  const { done } = disturbances;
  const facts = { seconds, seed, requests: load.all.length, upstream: platforms.seen.length, disturbances: done, faults: platforms.faults };
  writeFileSync(values.report, reportOf({ ...facts, report, logs }));
  const { violations } = report;
  for (const violation of violations.slice(0, 20)) console.log(`violation: ${violation}`);
  if (violations.length) writeFileSync(join(folder, 'evidence.json'), JSON.stringify(evidence));
  const total = (figures: Readonly<Record<string, number>>): number => Object.values(figures).reduce((a, b) => a + b, 0);
  const what = [
    `${load.all.length} requests`,
    `${platforms.seen.length} upstream`,
    `${total(done)} disturbances`,
    `${total(platforms.faults)} upstream faults`,
    `${violations.length} violations`,
    `${Math.round((performance.now() - began) / 1_000)} s`,
  ];
  console.log(`chaos: ${what.join(', ')} (${values.report})`);
  return violations.length;
}
