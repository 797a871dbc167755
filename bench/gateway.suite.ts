import { type Load, load, type Server, startServer } from './load.ts';
import { atLeast, atMost, median, type Row } from './measure.ts';

const PATH = '/v1/website/whois/domains/bench-hit.com';
const ROUNDS = 5;
const SECONDS = 3;
const POSTGRES = process.env.SIGHTLINE_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Loads the servers in turns; returns the median requests per second of each. */
async function turns(servers: Record<string, Server>): Promise<Record<string, number>> {
  const rates: Record<string, number[]> = Object.fromEntries(Object.keys(servers).map((n) => [n, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, server] of Object.entries(servers)) {
      const { perSecond } = await load(server, PATH, round < 0 ? 1 : SECONDS);
      if (round >= 0) rates[name]?.push(perSecond);
    }
  }
  return Object.fromEntries(Object.entries(rates).map(([n, r]) => [n, median(r)]));
}

async function withServers<T>(servers: Record<string, Promise<Server>>, work: (servers: Record<string, Server>) => Promise<T>): Promise<T> {
  const started = Object.fromEntries(await Promise.all(Object.entries(servers).map(async ([n, s]) => [n, await s] as const)));
  try {
    return await work(started);
  } finally {
    await Promise.all(Object.values(started).map((s) => s.stop()));
  }
}

/** Cache hits against bare Fastify, charged against uncharged hits, and the tail latency of a hit while the store is slow. */
export async function suite(): Promise<Row[]> {
  const rows: Row[] = [];
  const rates = await withServers(
    { bare: startServer('bare'), hit: startServer('house'), charged: startServer('house', { BENCH_CHARGE: '1' }) },
    turns,
  );
  const { bare = 0, hit = 0, charged = 0 } = rates;
  const rate = (n: number) => `${Math.round(n)} /s`;
  rows.push(
    atLeast('metered cache hit, 10 kB, 50 connections, against bare Fastify', hit / bare, 0.6, `${rate(hit)} against ${rate(bare)}`),
  );
  rows.push(atLeast('charged answer (SQLite, FULL) against uncharged', charged / hit, 0.6, `${rate(charged)} against ${rate(hit)}`));
  const fleet = await withServers(
    {
      hit: startServer('house', { BENCH_DATABASE_URL: POSTGRES }),
      charged: startServer('house', { BENCH_DATABASE_URL: POSTGRES, BENCH_CHARGE: '1' }),
    },
    turns,
  );
  rows.push(
    atLeast(
      'charged answer (PostgreSQL) against uncharged',
      (fleet.charged ?? 0) / (fleet.hit ?? 1),
      0.45,
      `${rate(fleet.charged ?? 0)} against ${rate(fleet.hit ?? 0)}`,
    ),
  );
  rows.push(await slowStore());
  return rows;
}

/** A hit must not wait for the disk: charges run concurrently, with every commit delayed by 20 ms. */
async function slowStore(): Promise<Row> {
  const tails: Record<string, number[]> = { plain: [], slowed: [] };
  const servers = { plain: startServer('house'), slowed: startServer('house', { BENCH_COMMIT_DELAY_MS: '20' }) };
  await withServers(servers, async (started) => {
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, server] of Object.entries(started)) {
        const misses = load(server, (n) => `/v1/website/whois/domains/miss-${round + 1}-${n}.com`, SECONDS, 2);
        const hits: Load = await load(server, PATH, SECONDS, 10);
        await misses;
        if (round >= 0) tails[name]?.push(hits.p99);
      }
    }
  });
  const [plain, slowed] = [median(tails.plain ?? []), median(tails.slowed ?? [])];
  // autocannon reports whole milliseconds: values below one cannot be compared
  return atMost(
    "a hit's p99 while every commit is slowed by 20 ms, against unslowed",
    Math.max(slowed, 1) / Math.max(plain, 1),
    1.5,
    `${slowed} ms against ${plain} ms`,
  );
}
