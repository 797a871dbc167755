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
              'V8 counts the bytes of buffers as heap, and collects the whole heap of the main thread for them (4 ms at once and 9 ms in steps). Pages are ' +
              'decoded in the parser threads, so that this happens after some 60 pages instead of 10, and the p99 falls from 13.3 to 8.0 ms. The heap of ' +
              'objects starts the collections that are left, more of them after an idle time than under steady load: with ' +
              '--initial-old-space-size=256 there are none, and the p99 is 4.2 ms with a third more resident memory. Without a measurable effect: a ' +
              'lower priority of the parser threads, --external-memory-accounted-in-global-limit. Next: that size at the start of the process, smaller.',
          },
        ];
      },
    ),
  );
}
