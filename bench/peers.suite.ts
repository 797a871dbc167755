import { cpuRounds, cpuRow, noiseRow, onlyServer, type Subject } from './cpu.ts';
import { load, type Server, startServer, withServers } from './load.ts';
import type { Row } from './measure.ts';

const PATH = '/v1/website/whois/domains/bench-hit.com';
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = 1;
/** Until every server is compiled: ours has the most code. */
const WARM_UP_SECONDS = 5;

const hits = (server: Server): Subject => ({ load: () => load(server, PATH, { seconds: SECONDS }), processes: onlyServer(server) });
const misses = (server: Server, name: string): Subject => ({
  load: (round) => load(server, `/v1/website/whois/domains/${name}-${round + 1}-#.com`, { seconds: SECONDS }),
  processes: onlyServer(server),
});
async function warmRounds<K extends string>(subjects: Record<K, Subject>, servers: Readonly<Record<string, Server>>) {
  for (const [name, server] of Object.entries(servers)) await load(server, `/v1/website/whois/domains/warm-${name}-#.com`, { seconds: 1 });
  for (const server of Object.values(servers)) await load(server, PATH, { seconds: WARM_UP_SECONDS });
  return cpuRounds(subjects, ROUNDS);
}

const DONE =
  'keys by hash, a limit for each account, a cache in the process, ETag, a usage row for each request in SQLite; a charge is one transaction, durable before the answer';

/** CPU time of hit, charged hit and miss against Fastify with plugins and Express with middleware that do the same work, and bare Fastify as the lower bound. */
export async function suite(): Promise<Row[]> {
  return [...(await ofHits()), ...(await ofCharges()), ...(await ofMisses())];
}

const ofHits = (): Promise<Row[]> =>
  withServers(
    { hit: startServer('house'), fastify: startServer('peer-fastify'), express: startServer('peer-express'), bare: startServer('bare') },
    async (servers) => {
      const { hit, fastify, express, bare } = servers;
      const subjects = { hit: hits(hit), fastify: hits(fastify), express: hits(express), bare: hits(bare), again: hits(fastify) };
      const costs = await warmRounds(subjects, servers);
      const against = (name: string, reference: 'fastify' | 'express' | 'bare', bar: number): Row =>
        cpuRow(`CPU of a metered cache hit of 10 kB against ${name}`, costs.hit, costs[reference], bar);
      return [
        noiseRow(costs.fastify, costs.again),
        { ...against('Fastify with its plugins', 'fastify', 0.45), missed: DONE },
        against('Express with the usual middleware', 'express', 0.45),
        against('bare Fastify, which does none of the work', 'bare', 1.5),
      ];
    },
  );

const ofCharges = (): Promise<Row[]> => {
  const BENCH_CHARGE = '1';
  const charged = (kind: string) => startServer(kind, { BENCH_CHARGE });
  return withServers({ charge: charged('house'), fastify: charged('peer-fastify'), express: charged('peer-express') }, async (servers) => {
    const { charge, fastify, express } = servers;
    const costs = await warmRounds({ charge: hits(charge), fastify: hits(fastify), express: hits(express) }, servers);
    const against = (name: string, reference: 'fastify' | 'express'): Row =>
      cpuRow(`CPU of a charged answer (SQLite, FULL) against ${name}`, costs.charge, costs[reference], 0.6);
    return [against('Fastify with its plugins', 'fastify'), against('Express with the usual middleware', 'express')];
  });
};

async function ofMisses(): Promise<Row[]> {
  const upstream = await startServer('upstream');
  const BENCH_UPSTREAM = upstream.baseUrl;
  const asking = (kind: string) => startServer(kind, { BENCH_UPSTREAM });
  try {
    const starting = {
      miss: asking('house'),
      fastify: asking('peer-fastify'),
      express: asking('peer-express'),
      manual: asking('bare-miss'),
    };
    return await withServers(starting, async (servers) => {
      const { miss, fastify, express, manual } = servers;
      const subjects = {
        miss: misses(miss, 'm'),
        fastify: misses(fastify, 'f'),
        express: misses(express, 'e'),
        manual: misses(manual, 'h'),
      };
      const costs = await warmRounds(subjects, servers);
      const against = (name: string, reference: 'fastify' | 'express' | 'manual', bar: number): Row =>
        cpuRow(`CPU of a miss with its charge against ${name}`, costs.miss, costs[reference], bar);
      return [
        against('Fastify with its plugins', 'fastify', 1),
        against('Express with the usual middleware', 'express', 1),
        against('the same request and check by hand, without charge and keys', 'manual', 2.2),
      ];
    });
  } finally {
    await upstream.stop();
  }
}
