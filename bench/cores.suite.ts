import { cpus } from 'node:os';
import { freePort, startPostgres, startRedis } from '../test/fleet/services.ts';
import { load, startServer, withServers } from './load.ts';
import { atLeast, median, type Row } from './measure.ts';

const HIT = '/v1/website/whois/domains/bench-hit.com';
const ROUNDS = 7;

/** Two gateways that share a port against one. It needs four cores: two for the gateways, one for wrk, one for the rest. */
export async function suite(): Promise<Row[]> {
  const [redis, postgres] = [await startRedis(), await startPostgres()];
  const gateway = (port: number) =>
    startServer('fleet-gateway', {
      BENCH_REDIS_URL: redis.url,
      BENCH_DATABASE_URL: postgres.url,
      BENCH_PORT: String(port),
    });
  const [alone, shared] = [await freePort(), await freePort()];
  try {
    const first = await gateway(alone);
    return await withServers(
      {
        one: Promise.resolve(first),
        two: gateway(shared),
        three: gateway(shared),
        worker: startServer('fleet-worker', { BENCH_REDIS_URL: redis.url }),
      },
      async ({ one, two }) => {
        const ratios: number[] = [];
        let note = '';
        for (let round = -1; round < ROUNDS; round++) {
          const single = await load(one, HIT, { connections: 100 });
          const both = await load({ ...two, key: one.key }, HIT, { connections: 100 });
          if (round >= 0) ratios.push(both.perSecond / single.perSecond);
          note = `${Math.round(both.perSecond)} /s against ${Math.round(single.perSecond)} /s on ${cpus().length} cores`;
        }
        return [atLeast('hits a second of two gateways on one port (SIGHTLINE_REUSE_PORT=1) against one', median(ratios), 1.8, note)];
      },
    );
  } finally {
    await redis.close();
    await postgres.close();
  }
}
