import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextSlot } from '../src/watches/records.ts';
import { cpuMicros } from './cpu.ts';
import { load, type Server, startServer, withServers } from './load.ts';
import { atMost, median, type Row } from './measure.ts';
import { type PreparedStore, preparedStore } from './prepared.ts';

const WATCHES = 10_000;
const DAY_MS = 86_400_000;
const IDLE_SECONDS = 30;
const ROUNDS = 5;
const ROUND_SECONDS = 12;
const QUIET_MS = 1_500;
const DUE = 100;
const CONNECTIONS = 50;
const HIT = '/v1/website/whois/domains/bench-hit.com';

/** Daily watches, whose slots are spread over the day as in a service. */
const watched = (): Promise<PreparedStore> =>
  preparedStore((db, { accountId }) => {
    const { id: keyId } = db.prepare('select id from keys').get() as { id: string };
    const now = Date.now();
    const add =
      db.prepare(`insert into watches (id, account_id, key_id, operation, parameters, every_ms, credits_per_month, paused, created_at, next_at, fails)
      values (?, ?, ?, 'registration', ?, ?, 1000, 0, ?, ?, 0)`);
    for (let i = 0; i < WATCHES; i++) {
      const id = `wat_${i}`;
      add.run(id, accountId, keyId, JSON.stringify({ domain: `watched-${i}.com` }), DAY_MS, now, nextSlot({ id, every_ms: DAY_MS }, now));
    }
  });

/** Memory of a process that no file backs, MB. */
const memoryOf = ({ pid }: Server): number =>
  Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000;

async function idle(with10000: Server, without: Server): Promise<Row[]> {
  await sleep(5_000);
  const cpuOf = () => [with10000, without].map(({ pid }) => cpuMicros(pid)) as [number, number];
  const before = cpuOf();
  await sleep(IDLE_SECONDS * 1_000);
  const [used = 0, plain = 0] = cpuOf().map((micros, i) => ((micros - (before[i] ?? 0)) / (IDLE_SECONDS * 1e6)) * 100);
  const memory = [memoryOf(with10000), memoryOf(without)] as const;
  return [
    atMost(
      `share of a core that ${WATCHES.toLocaleString('en')} daily watches take beside an idle service, %`,
      used - plain,
      1,
      `${used.toFixed(2)} % against ${plain.toFixed(2)} %, the checks of ${IDLE_SECONDS} s among them`,
    ),
    atMost(
      `memory that ${WATCHES.toLocaleString('en')} watches take beside an idle service, MB`,
      memory[0] - memory[1],
      10,
      `${memory[0].toFixed(1)} MB against ${memory[1].toFixed(1)} MB`,
    ),
  ];
}

/** Waits until so many checks were made; returns after how long. */
async function untilChecks(db: DatabaseSync, wanted: number): Promise<number> {
  const began = performance.now();
  const count = db.prepare('select count(*) as n from watch_checks');
  while (Number(count.get()?.n) < wanted) {
    if (performance.now() - began > ROUND_SECONDS * 1_000) throw new Error(`there are ${Number(count.get()?.n)} checks, not ${wanted}`);
    await sleep(2);
  }
  return performance.now() - began;
}

/** p99 of hits, by the server, while due checks are made, against the same load before. */
async function due(server: Server, { folder }: PreparedStore): Promise<Row> {
  const db = new DatabaseSync(join(folder, 'sightline.db'));
  db.exec('pragma busy_timeout = 5000');
  const checks = db.prepare('select count(*) as n from watch_checks');
  const makeDue = db.prepare('update watches set next_at = ? where n in (select n from watches order by next_at desc limit ?)');
  const capacity = (await load(server, HIT, { seconds: 2, connections: CONNECTIONS })).perSecond;
  const half = { seconds: ROUND_SECONDS, connections: CONNECTIONS, pauseMs: Math.max(1, (CONNECTIONS * 1000) / (capacity / 2)) };
  const [quiet, busy, lasted]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const loading = load(server, HIT, half);
    await sleep(500);
    await server.ask('times');
    await sleep(QUIET_MS);
    quiet.push(Number(await server.ask('times')));
    const before = Number(checks.get()?.n);
    makeDue.run(Date.now(), DUE);
    await untilChecks(db, before + 1);
    await server.ask('times');
    lasted.push(await untilChecks(db, before + DUE));
    busy.push(Number(await server.ask('times')));
    await loading;
  }
  db.close();
  const ratios = busy.map((ms, i) => ms / (quiet[i] ?? Number.NaN));
  const note = `${median(busy).toFixed(2)} ms against ${median(quiet).toFixed(2)} ms at ${Math.round(capacity / 2)} /s; ${DUE} checks took ${Math.round(median(lasted))} ms`;
  return {
    ...atMost(`p99 of live hits while ${DUE} checks of watches that came due at once are made, against before`, median(ratios), 1.2, note),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** CPU time of watches while none is due, and their effect on live requests. */
export async function suite(): Promise<Row[]> {
  const [many, none] = [await watched(), await preparedStore(() => {})];
  const serve = ({ folder, key }: PreparedStore) => startServer('house', { BENCH_STORE: folder, BENCH_KEY: key, BENCH_TIMES: '1' });
  try {
    return await withServers({ many: serve(many), none: serve(none) }, async (servers) => [
      ...(await idle(servers.many, servers.none)),
      await due(servers.many, many),
    ]);
  } finally {
    for (const { folder } of [many, none]) rmSync(folder, { recursive: true, force: true });
  }
}
