/**
 * `npm run test:chaos -- --seconds N [--seed S] [--report FILE]`: a fleet of two gateways and three workers over Redis and PostgreSQL of its
 * own, under load from outside, while everything is killed, frozen and restarted. A checker outside then proves what must hold. The last line
 * is the summary; exit 0 only without a violation. It never touches services that it has not started.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { realClock } from '../../src/outside/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { freePort, startPostgres, startRedis } from '../fleet/services.ts';
import { check } from './check.ts';
import { createHavoc } from './havoc.ts';
import { type Account, createLoad, type Gateway } from './load.ts';
import { startPlatforms } from './platforms.ts';
import { createMember, type Member } from './process.ts';
import { createRandom } from './random.ts';
import { reportOf } from './report.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' }, report: { type: 'string', default: 'chaos-report.md' } },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
if (!(seconds >= 5) || !Number.isInteger(seed)) {
  console.error('Usage: npm run test:chaos -- --seconds N (5 or more) [--seed S] [--report FILE]');
  process.exit(2);
}
const LOAD_PER_SECOND = 25;
const random = createRandom(seed);
const folder = mkdtempSync(join(tmpdir(), 'sightline-chaos-'));
console.log(`chaos: ${seconds} s, seed ${seed}, logs in ${folder}`);

const [redis, postgres, platforms] = await Promise.all([startRedis(), startPostgres(), startPlatforms()]);
const common = {
  DATABASE_URL: postgres.url,
  REDIS_URL: redis.url,
  SIGHTLINE_HOSTS: platforms.sandbox.mapFile,
  DATAFORSEO_LOGIN: 'demo',
  DATAFORSEO_PASSWORD: 'demo-secret',
  SIGHTLINE_DATAFORSEO_DAILY_REQUESTS: '100000000',
  SIGHTLINE_DATAFORSEO_DAILY_USD: '1000000',
  SIGHTLINE_SERP_SOURCES: 'dataforseo',
  SIGHTLINE_DEADLINE_MS: '6000',
  SIGHTLINE_DEADLINE_SERP_MS: '6000',
  SIGHTLINE_DRAIN_MS: '8000',
  SIGHTLINE_ADDRESS_RATE_PER_SECOND: '1000',
  SIGHTLINE_ADDRESS_BURST: '1000',
  SIGHTLINE_UNCHARGED_PER_SECOND: '1000',
  SIGHTLINE_UNCHARGED_BURST: '10000',
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '5000',
  SIGHTLINE_LOG_LEVEL: 'info',
};
const accounts = await makeAccounts();
const member = (name: string, args: readonly string[], more: Record<string, string> = {}): Member =>
  createMember({
    name,
    args,
    logFile: join(folder, `${name}.log`),
    environment: {
      ...common,
      SIGHTLINE_DATA_DIR: join(folder, name),
      SIGHTLINE_CONTACT: `chaos-${name}@example.com`,
      // machines whose clocks don't agree
      SIGHTLINE_TEST_CLOCK_OFFSET_MS: String(random.int(-120_000, 120_000)),
      ...more,
    },
  });
const gateways: Gateway[] = [];
for (const name of ['gateway1', 'gateway2']) {
  const port = await freePort();
  const made = member(name, ['serve', '--gateway', '--json'], { PORT: String(port) });
  gateways.push({ ...made, baseUrl: `http://127.0.0.1:${port}` });
}
const workers = ['worker1', 'worker2', 'worker3'].map((name) => member(name, ['worker', '--json']));
const members = [...gateways, ...workers];
await Promise.all(members.map((m) => m.start()));
await sleep(500);

const load = createLoad(gateways, accounts, random);
const havoc = createHavoc({ gateways, workers, redis, postgres, random, longestMs: 3_000 });
const began = performance.now();
const over = (): boolean => performance.now() - began > seconds * 1000;
await Promise.all([sendAll(), upsetAll(), wreckAll()]);
await load.settled();
await sleep(3_000); // captures follow their answers
const report = await check({
  told: load.all,
  seen: platforms.seen,
  members,
  redisGaps: havoc.redisGaps,
  postgresGaps: havoc.postgresGaps,
  accounts,
  databaseUrl: postgres.url,
});
const logs = members.flatMap((m) =>
  readFileSync(join(folder, `${m.name}.log`), 'utf8')
    .split('\n')
    .filter((l) => /"level":"(error|fatal)"/.test(l)),
);
const text = reportOf({
  seconds,
  seed,
  requests: load.all.length,
  upstream: platforms.seen.length,
  havoc: havoc.done,
  faults: platforms.faults,
  report,
  logs,
});
writeFileSync(values.report, text);

for (const m of members) await m.end();
await platforms.sandbox.close();
await redis.close();
await postgres.close();
const { violations } = report;
for (const violation of violations.slice(0, 20)) console.log(`violation: ${violation}`);
if (!violations.length) rmSync(folder, { recursive: true, force: true });
const wrecks = Object.values(havoc.done).reduce((a, b) => a + b, 0);
console.log(
  `chaos: ${load.all.length} requests, ${platforms.seen.length} upstream, ${wrecks} wrecks, ${Object.values(platforms.faults).reduce((a, b) => a + b, 0)} upstream faults, ${violations.length} violations (${values.report})`,
);
process.exit(violations.length ? 1 : 0);

async function makeAccounts(): Promise<Account[]> {
  const settings = readSettings({ DATABASE_URL: postgres.url });
  const opened = await openAccounts({ settings, clock: realClock, log: () => {} });
  const made: Account[] = [];
  // the last one runs out
  for (const granted of [1_000_000, 1_000_000, 1_000_000, 60]) {
    const { accountId } = await opened.admin.createAccount({ name: `chaos ${made.length}`, credits: granted });
    made.push({ accountId, granted, key: (await opened.admin.createKey({ accountId })).key });
  }
  await opened.close();
  return made;
}
async function sendAll(): Promise<void> {
  while (!over()) {
    await sleep(random.int(1, Math.round(2_000 / LOAD_PER_SECOND)));
    // at times more at once than the platforms' pace lets through
    const times = random.next() < 0.01 ? 60 : 1;
    for (let i = 0; i < times; i++) load.send();
  }
}
async function upsetAll(): Promise<void> {
  while (!over()) {
    await sleep(random.int(200, 1_200));
    platforms.upset(random);
  }
  platforms.sandbox.faults.clear();
}
async function wreckAll(): Promise<void> {
  await sleep(1_000);
  while (!over()) {
    await havoc.once();
    await sleep(random.int(200, 1_500));
  }
}
