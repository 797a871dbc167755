import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { monitorRedis } from '../test/fleet/monitor.ts';
import { type OwnServer, startRedis } from '../test/fleet/services.ts';
import { costText, cpuRounds, cpuRow, noiseRow, onlyServer, type Subject } from './cpu.ts';
import { load, type Server, startServer } from './load.ts';
import { atLeast, atMost, median, type Row } from './measure.ts';

const ROUNDS = 3;
const CPU_ROUNDS = 7;
/** Misses that the load leaves behind at its end cost CPU time and are not counted: the longer, the smaller their share. */
const SECONDS = 4;
const UPSTREAM_MS = 50;
const LEFT_BEHIND_MS = 1_000;
const IN_FLIGHT = 200;

const fleetOf = (redis: OwnServer, upstream: Server) => ({
  gateway: (more: Record<string, string> = {}) => startServer('fleet-gateway', { BENCH_REDIS_URL: redis.url, ...more }),
  worker: (concurrency: number, base = upstream.baseUrl) =>
    startServer('fleet-worker', { BENCH_REDIS_URL: redis.url, BENCH_UPSTREAM: base, BENCH_CONCURRENCY: String(concurrency) }),
});
type Fleet = ReturnType<typeof fleetOf>;
const MISS = (round: string | number): string => `/v1/website/whois/domains/miss-${round}-#.com`;

/** Cost of the path through Redis, and throughput gained by a fleet. */
export async function suite(): Promise<Row[]> {
  const redis = await startRedis();
  const upstream = await startServer('upstream', { BENCH_UPSTREAM_MS: String(UPSTREAM_MS) });
  const quick = await startServer('upstream');
  const fleet = fleetOf(redis, upstream);
  try {
    return [
      ...(await misses(fleet, upstream, redis)),
      ...(await growth(fleet)),
      await addedByFleet(fleet, quick),
      await sharedHits(fleet, redis),
      await coalescing(fleet),
      await killed(fleet),
    ];
  } finally {
    await upstream.stop();
    await quick.stop();
    await redis.close();
  }
}

/** CPU time and Redis commands of a miss. */
async function misses(fleet: Fleet, upstream: Server, redis: OwnServer): Promise<Row[]> {
  const local = await startServer('house', { BENCH_UPSTREAM: upstream.baseUrl });
  const gateway = await fleet.gateway();
  const workers = [await fleet.worker(100), await fleet.worker(100)];
  await sleep(300);
  const missesOf = (server: Server, processes: Subject['processes']): Subject => ({
    load: (round) => load(server, MISS(round + 1), { seconds: SECONDS, connections: IN_FLIGHT }),
    processes,
  });
  const parts = () => ({ gateway: [gateway.pid], workers: workers.map((w) => w.pid), Redis: [redis.pid] });
  const alone = missesOf(local, onlyServer(local, 'one process'));
  // the server that repeats the measurement needs names of its own: what was asked is cached
  const again: Subject = { ...alone, load: (round) => load(local, MISS(`again-${round}`), { seconds: SECONDS, connections: IN_FLIGHT }) };
  const costs = await cpuRounds({ alone, fleet: missesOf(gateway, parts), again }, CPU_ROUNDS);
  const { commands, close } = await monitorRedis(redis.url);
  await load(gateway, MISS('commands'), { seconds: SECONDS, connections: IN_FLIGHT });
  // the misses that the load leaves behind are answered too: of each, all commands and the reply of its worker are counted
  await sleep(LEFT_BEHIND_MS);
  close();
  const answered = commands.filter((command) => command.startsWith('xadd sightline-replies')).length;
  const counted = commands.filter((command) => !/^evalsha \w+ 4 sightline:pace:/.test(command)).length;
  for (const server of [...workers, gateway, local]) await server.stop();
  const ms = costs.fleet.micros.map((micros) => micros / 1000);
  return [
    noiseRow(costs.alone, costs.again),
    {
      ...atMost(
        'CPU of a miss over gateway, two workers and Redis, ms',
        median(ms),
        1,
        `${costText(costs.fleet)}; ${costText(costs.alone)}; ${IN_FLIGHT} in flight, upstream of ${UPSTREAM_MS} ms`,
      ),
      spread: [Math.min(...ms), Math.max(...ms)],
      missed:
        "By Redis' own times (SLOWLOG, medians) adding the job takes 30 µs, ending it and fetching the next 62 µs, storing the answer 56 µs, the pace " +
        '25 µs, the limits 16 µs, reading and leading 10 µs. Next: BullMQ writes five events a job to a stream that is not read.',
    },
    atMost(
      'Redis commands of a miss',
      counted / answered,
      8,
      'without the pace of the upstream request, heartbeats and what else timers send',
    ),
  ];
}

async function growth(fleet: Fleet): Promise<Row[]> {
  const gateway = await fleet.gateway();
  const workers: Server[] = [];
  const rates: number[] = [];
  for (const many of [1, 2, 4]) {
    while (workers.length < many) workers.push(await fleet.worker(8));
    await sleep(300);
    rates.push((await load(gateway, MISS(`grow${many}`), { seconds: SECONDS, connections: 100 })).perSecond);
  }
  for (const w of workers) await w.stop();
  await gateway.stop();
  const [one = 0, two = 0, four = 0] = rates;
  const note = `${rates.map(Math.round).join(', ')} /s by 1, 2, 4 workers of 8 attempts at one time`;
  return [atLeast('two such workers against one', two / one, 1.9, note), atLeast('four against one', four / one, 3.6, note)];
}

/** Sequential requests, alternating between the fleet and a single process. */
async function addedByFleet(fleet: Fleet, quick: Server): Promise<Row> {
  const local = await startServer('house', { BENCH_UPSTREAM: quick.baseUrl });
  const gateway = await fleet.gateway();
  const worker = await fleet.worker(10, quick.baseUrl);
  await sleep(300);
  const agent = new Agent();
  const timed = async (server: Server, name: string): Promise<number> => {
    const from = performance.now();
    const { body } = await request(`${server.baseUrl}/v1/website/whois/domains/${name}.com`, {
      dispatcher: agent,
      headers: { 'x-api-key': server.key },
    });
    await body.dump();
    return performance.now() - from;
  };
  const [through, alone]: [number[], number[]] = [[], []];
  for (let i = -100; i < 400; i++) {
    const [a, b] = [await timed(gateway, `one-${i + 100}`), await timed(local, `one-${i + 100}`)];
    if (i < 0) continue;
    through.push(a);
    alone.push(b);
  }
  await agent.close();
  for (const s of [worker, gateway, local]) await s.stop();
  const [o, t] = [median(through), median(alone)];
  return atMost('median time that the way through the fleet adds, ms', o - t, 3, `${o.toFixed(2)} ms against ${t.toFixed(2)} ms`);
}

async function sharedHits(fleet: Fleet, redis: OwnServer): Promise<Row> {
  const worker = await fleet.worker(10);
  const keeps = await fleet.gateway();
  const forgets = await fleet.gateway({ BENCH_KEEP: '0' });
  await sleep(300);
  const path = '/v1/website/whois/domains/hit.com';
  const hitsOf = (gateway: Server): Subject => ({
    load: () => load(gateway, path, { seconds: SECONDS }),
    processes: () => ({ gateway: [gateway.pid], Redis: [redis.pid] }),
  });
  const costs = await cpuRounds({ local: hitsOf(keeps), shared: hitsOf(forgets) }, CPU_ROUNDS);
  for (const s of [forgets, keeps, worker]) await s.stop();
  return cpuRow('CPU of a hit of the shared cache against one of the local cache, gateway and Redis', costs.shared, costs.local, 2);
}

async function coalescing(fleet: Fleet): Promise<Row> {
  const slow = await startServer('upstream', { BENCH_UPSTREAM_MS: '500' });
  const worker = await fleet.worker(50, slow.baseUrl);
  const gateways = [await fleet.gateway(), await fleet.gateway()];
  await sleep(300);
  const agent = new Agent({ connections: 500 });
  const answers = await Promise.all(
    Array.from({ length: 1000 }, async (_, i) => {
      const gateway = gateways[i % 2] as Server;
      const { statusCode, body } = await request(`${gateway.baseUrl}/v1/website/whois/domains/twins.com`, {
        dispatcher: agent,
        headers: { 'x-api-key': gateway.key },
      });
      await body.dump();
      return statusCode;
    }),
  );
  await agent.close();
  const { asked } = (await (await request(`${slow.baseUrl}/count`)).body.json()) as { asked: number };
  for (const s of [...gateways, worker, slow]) await s.stop();
  if (answers.some((s) => s !== 200)) throw new Error(`answers: ${[...new Set(answers)]}`);
  return atMost('upstream requests of 1,000 identical questions over two gateways', asked, 1, '1,000 answers of 200');
}

/** A worker is killed during a lookup, which another worker answers. */
async function killed(fleet: Fleet): Promise<Row> {
  const gateway = await fleet.gateway();
  const never = await startServer('upstream', { BENCH_UPSTREAM_MS: '60000' });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const first = await fleet.worker(1, never.baseUrl);
    await sleep(300);
    const asked = request(`${gateway.baseUrl}/v1/website/whois/domains/killed-${round}.com`, { headers: { 'x-api-key': gateway.key } });
    await sleep(200);
    const second = await fleet.worker(10);
    const from = performance.now();
    process.kill(first.pid, 'SIGKILL');
    const { statusCode, body } = await asked;
    await body.dump();
    if (statusCode !== 200) throw new Error(`a killed worker's lookup ended with ${statusCode}`);
    times.push((performance.now() - from) / 1000);
    await second.stop();
  }
  await gateway.stop();
  await never.stop();
  return atMost("seconds until a killed worker's lookup is answered by another", Math.max(...times), 5, `the longest of ${ROUNDS}`);
}
