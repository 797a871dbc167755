import { setTimeout as sleep } from 'node:timers/promises';
import { load, type Server, startServer, withServers } from './load.ts';
import { atMost, median, type Row } from './measure.ts';

const ROUNDS = 7;
const CONNECTIONS = 50;
const HIT = '/v1/website/whois/domains/bench-hit.com';
const PAGES_PER_SECOND = 50;
const PAGE_CONNECTIONS = 10;

const ms = (n: number): string => `${n.toFixed(2)} ms`;

/** 99th percentiles of hits at half of the capacity: by the server, and by the client while pages of 600 kB are read. */
export function suite(): Promise<Row[]> {
  const times = { BENCH_TIMES: '1' };
  return withServers({ bare: startServer('bare', times), upstream: startServer('upstream') }, async ({ bare, upstream }) =>
    withServers(
      { house: startServer('house', times), pages: startServer('house', { BENCH_UPSTREAM: upstream.baseUrl }) },
      async (houses) => {
        const capacity = (await load(houses.house, HIT, { seconds: 2 })).perSecond;
        // a pause that makes the connections together send half of the capacity
        const half = { seconds: 2, connections: CONNECTIONS, pauseMs: Math.max(1, (CONNECTIONS * 1000) / (capacity / 2)) };
        await load(houses.pages, HIT);
        const served: Record<'bare' | 'house', number[]> = { bare: [], house: [] };
        const seen: Record<'bare' | 'pages', number[]> = { bare: [], pages: [] };
        let [rate, pageRate] = [0, 0];
        const byServer = async (server: Server): Promise<number> => {
          await server.ask('times');
          rate = (await load(server, HIT, half)).perSecond;
          return Number(await server.ask('times'));
        };
        for (let round = 0; round < ROUNDS; round++) {
          served.bare.push(await byServer(bare));
          served.house.push(await byServer(houses.house));
          seen.bare.push((await load(bare, HIT, half)).p99Ms);
          const reading = load(houses.pages, `/v1/website/whois/domains/page-${round}-#.com`, {
            seconds: 3,
            connections: PAGE_CONNECTIONS,
            pauseMs: (PAGE_CONNECTIONS * 1000) / PAGES_PER_SECOND,
          });
          await sleep(500);
          seen.pages.push((await load(houses.pages, HIT, half)).p99Ms);
          pageRate = (await reading).perSecond;
        }
        const note = (a: number, b: number) => `${ms(a)} against ${ms(b)} at ${Math.round(rate)} /s`;
        const [bareServed, houseServed] = [median(served.bare), median(served.house)];
        const [bareSeen, pagesSeen] = [median(seen.bare), median(seen.pages)];
        return [
          atMost(
            "p99 service time of hits at half of the capacity, by the server, beyond bare Fastify's, ms",
            houseServed - bareServed,
            1,
            note(houseServed, bareServed),
          ),
          {
            ...atMost(
              `p99 of hits, by the client, while ${PAGES_PER_SECOND} pages of 600 kB a second are read, beyond bare Fastify's, ms`,
              pagesSeen - bareSeen,
              3,
              `${note(pagesSeen, bareSeen)}, ${Math.round(pageRate)} pages a second`,
            ),
            missed:
              'a page takes 7 to 10 ms of a parser thread, and its bytes lie outside of the heap of V8, which collects the whole heap of the main ' +
              'thread after every five or six pages for that (5 to 16 ms each; 44 times in six seconds, 10 times with --initial-old-space-size=256). ' +
              'Bodies in shared memory took pages that come uncompressed from 13.0 to 10.5 ms, and changed nothing for compressed ones, because the ' +
              'pieces of zlib count as well: not kept. Next: decoding in the parser threads.',
          },
        ];
      },
    ),
  );
}
