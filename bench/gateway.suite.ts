import { type OwnServer, startPostgres } from '../test/fleet/services.ts';
import { cpuRounds, cpuRow, familyOf, noiseRow, onlyServer, type Subject } from './cpu.ts';
import { load, type Server, startServer, withServers } from './load.ts';
import { atMost, median, type Row } from './measure.ts';

const PATH = '/v1/website/whois/domains/bench-hit.com';
const SECONDS = 1;
const SLOW_ROUNDS = 5;

const CHARGED_SQLITE =
  'the thread of the store takes 5 µs of the 20 that a charge adds; in the main thread, by the profile, it is garbage (what lives until ' +
  'the commit is copied: 14 %), the packed row with its receipt, the journal with its hash and ids, two more promises and a later end of ' +
  'the response. Not built: durable blocks of credits, from which requests draw in memory. They would save a commit, but idle credits, ' +
  'refusals, caps and restarts then need rules of their own.';
const CHARGED_POSTGRES =
  'a batch is one statement, which compares and writes; balance, caps and hash are decided in the gateway, so that the backend runs ' +
  'no function. Two gateways that charge one account at the same time lock and read it instead. Next: a measurement on a quiet ' +
  'machine.';

const hits = (server: Server, postgres?: OwnServer): Subject => ({
  load: () => load(server, PATH, { seconds: SECONDS }),
  processes: postgres ? () => ({ gateway: [server.pid], PostgreSQL: familyOf(postgres.pid) }) : onlyServer(server),
});

/** CPU time of cache hits against bare Fastify, of charged against uncharged hits, and the tail latency of a hit while the store is slow. */
export async function suite(): Promise<Row[]> {
  return [...(await embedded()), ...(await onPostgres()), await slowStore()];
}

const embedded = (): Promise<Row[]> =>
  withServers(
    { bare: startServer('bare'), hit: startServer('house'), charged: startServer('house', { BENCH_CHARGE: '1' }) },
    async ({ bare, hit, charged }) => {
      const costs = await cpuRounds({ bare: hits(bare), hit: hits(hit), charged: hits(charged), again: hits(bare) });
      return [
        noiseRow(costs.bare, costs.again),
        cpuRow('CPU of a metered cache hit, 10 kB, 50 connections, against bare Fastify', costs.hit, costs.bare, 1.5),
        {
          ...cpuRow('CPU of a metered cache hit against bare Fastify, second goal', costs.hit, costs.bare, 1.33),
          missed:
            'what is left beyond bare Fastify, by profiles with and without sockets: text and checks of twenty header lines by Node ' +
            '(2.5 µs, the same in a bare node:http), the request log and the thread of the store (2 µs), the kernel, which has to wake the ' +
            'load generator for more of the answers because it waits for a slower server (up to 4 µs on a virtual machine), garbage, ' +
            'admission and metrics (2 µs). Next: a header block made once for each cached answer, for which Node has no public interface.',
        },
        { ...cpuRow('CPU of a charged answer (SQLite, FULL) against uncharged', costs.charged, costs.hit, 1.5), missed: CHARGED_SQLITE },
      ];
    },
  );

async function onPostgres(): Promise<Row[]> {
  const postgres = await startPostgres();
  const house = (environment = {}) => startServer('house', { BENCH_DATABASE_URL: postgres.url, ...environment });
  try {
    // one after the other: the first makes the tables
    const uncharged = await house();
    return await withServers(
      { uncharged: Promise.resolve(uncharged), charged: house({ BENCH_CHARGE: '1' }) },
      async ({ uncharged, charged }) => {
        const costs = await cpuRounds({ uncharged: hits(uncharged, postgres), charged: hits(charged, postgres) });
        return [
          {
            ...cpuRow('CPU of a charged answer (PostgreSQL, gateway and backends) against uncharged', costs.charged, costs.uncharged, 2.2),
            missed: CHARGED_POSTGRES,
          },
        ];
      },
    );
  } finally {
    await postgres.close();
  }
}

/** A hit must not wait for the disk: charges run concurrently, with every commit delayed by 20 ms. */
const slowStore = (): Promise<Row> =>
  withServers({ plain: startServer('house'), slowed: startServer('house', { BENCH_COMMIT_DELAY_MS: '20' }) }, async (servers) => {
    const tails: Record<keyof typeof servers, number[]> = { plain: [], slowed: [] };
    for (let round = -1; round < SLOW_ROUNDS; round++)
      for (const name of ['plain', 'slowed'] as const) {
        const server = servers[name];
        const misses = load(server, `/v1/website/whois/domains/miss-${round + 1}-#.com`, { seconds: SECONDS, connections: 2 });
        const { p99Ms } = await load(server, PATH, { seconds: SECONDS, connections: 10 });
        await misses;
        if (round >= 0) tails[name].push(p99Ms);
      }
    const [plain, slowed] = [median(tails.plain), median(tails.slowed)];
    return atMost(
      "a hit's p99 while every commit is slowed by 20 ms, against unslowed",
      slowed / plain,
      1.5,
      `${slowed.toFixed(2)} ms against ${plain.toFixed(2)} ms`,
    );
  });
