import { readFileSync } from 'node:fs';
import { cacheKeyOf } from '../src/orchestrator/cache.ts';
import { load, type Server, startServer } from './load.ts';
import { atMost, median, type Row } from './measure.ts';
import { filledCache } from './prepared.ts';

const rssOf = (server: Server): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
const idle = () => new Promise((resolve) => setTimeout(resolve, 3000));

/** At least so many requests. */
async function requests(server: Server, amount: number): Promise<void> {
  for (let done = 0; done < amount; ) done += (await load(server, '/v1/website/whois/domains/flat.com', { seconds: 2 })).requests;
}

const MODULES =
  'a start loads some 400 modules, 240 of them ours, and three fifths of its CPU time are to find, read and link modules. The import ' +
  'of node:http loads the fetch of Node: 25 ms and 2 MB; without it a bulk run takes a quarter more time and 45 MB more, for a reason not found yet. ' +
  'Next: the packed service as one file.';
const MEMORY =
  'a quarter of what is beyond bare Fastify is loaded half a second after the start, for the first lookup: undici and the compiler of schemas, and ' +
  'the young generation of the heap, which grows with them. Next: undici as one file, too.';
const ANSWERS = 200_000;
const numbered = (n: number): string => n.toLocaleString('en');

/** Memory of a cached answer beside the bytes of its body. */
function memoryPerAnswer(): number {
  const used = (): number => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  const cache = filledCache(ANSWERS);
  const taken = used() - before;
  let bytes = 0;
  for (let i = 0; i < ANSWERS; i++) {
    const cached = cache.local(cacheKeyOf('registration', { domain: `n-${i}.com` }));
    if (!cached) throw new Error('an answer is missing');
    bytes += cached.bytes.length;
  }
  return (taken - bytes) / ANSWERS;
}

/** Time from start to ready and resident memory against bare Fastify's; memory after 200,000 requests. */
export async function suite(): Promise<Row[]> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++) {
    for (const [kind, into] of [
      ['bare', theirs],
      ['house', ours],
    ] as const) {
      const server = await startServer(kind);
      into.push(server.startMs);
      await server.stop();
    }
  }
  const [bare, house] = [await startServer('bare'), await startServer('house')];
  await idle();
  const [idleBare, idleHouse] = [rssOf(bare), rssOf(house)];
  // memory pages touched by the first requests are no leak; by then V8's young generation has its full size
  await requests(house, 100_000);
  await idle();
  const before = rssOf(house);
  await requests(house, 200_000);
  await idle();
  const after = rssOf(house);
  await bare.stop();
  await house.stop();
  const perAnswer = memoryPerAnswer();
  const ms = (n: number) => `${Math.round(n)} ms`;
  const mb = (n: number) => `${Math.round(n)} MB`;
  return [
    {
      ...atMost(
        "start to ready, embedded, against bare Fastify's",
        median(ours) / median(theirs),
        2.5,
        `${ms(median(ours))} against ${ms(median(theirs))}`,
      ),
      missed: MODULES,
    },
    {
      ...atMost("resident memory idle, against bare Fastify's", idleHouse / idleBare, 1.6, `${mb(idleHouse)} against ${mb(idleBare)}`),
      missed: MEMORY,
    },
    {
      ...atMost('memory of a cached answer beyond its bytes, bytes', perAnswer, 400, `${numbered(ANSWERS)} answers of 280 bytes`),
      missed:
        '108 bytes are the Buffer over the bytes, 104 the answer with its time, 90 key and ETag, and 95 the places in the map and in the lists of ' +
        'lru-cache. Next: the time relative to the start of the process, which V8 keeps without a box (16 bytes).',
    },
    {
      ...atMost('resident memory after 200,000 more requests, against before', after / before, 1.15, `${mb(after)} against ${mb(before)}`),
      missed:
        'V8 lets the heap grow until a full collection, so that this row moves between 1.0 and 1.3 from run to run. Whether memory goes on growing ' +
        'is what the suite soak measures.',
    },
  ];
}
