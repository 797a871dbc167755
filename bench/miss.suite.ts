import { Agent, request } from 'undici';
import { cpuRounds, cpuRow, noiseRow, onlyServer, ratioOf, type Subject } from './cpu.ts';
import { load, startServer, withServers } from './load.ts';
import { atMost, type Loaded, median, type Row } from './measure.ts';

const ADDED_ROUNDS = 5;
const SECONDS = 1;
const MISSED =
  'The reference does once what a lookup needs: request, parse, check, serialise, hash. A miss does that and, in the main thread, parsing with ' +
  'its limits, unread fields, cache, request log and the messages of hold and capture (200 µs with in-memory clients, 88 the reference); ' +
  'the thread of the store takes 20 µs for hold, capture and rows; garbage collection and compilation in the threads of V8 take 50 µs, 10 in the ' +
  'reference, because what waits for its hold and its source is copied. Next: fewer objects that a waiting lookup keeps.';

/**
 * A miss (hold, upstream request, schema check, cache write, capture) against a handler that makes the same request and check itself; and a
 * thousand identical lookups.
 */
export async function suite(): Promise<Row[]> {
  const upstream = await startServer('upstream');
  const BENCH_UPSTREAM = upstream.baseUrl;
  try {
    return await withServers(
      {
        direct: startServer('direct', { BENCH_UPSTREAM }),
        bare: startServer('bare-miss', { BENCH_UPSTREAM }),
        house: startServer('house', { BENCH_UPSTREAM }),
      },
      async ({ direct, bare, house }) => {
        const requests: Subject = {
          load: async () => JSON.parse(await direct.ask(String(SECONDS))) as Loaded,
          processes: onlyServer(direct, 'client'),
        };
        const bareMisses: Subject = {
          load: () => load(bare, '/v1/website/whois/domains/hand-#.com', { seconds: SECONDS }),
          processes: onlyServer(bare),
        };
        const misses: Subject = {
          load: (round) => load(house, `/v1/website/whois/domains/miss-${round + 1}-#.com`, { seconds: SECONDS }),
          processes: onlyServer(house),
        };
        const costs = await cpuRounds({ requests, bareMisses, misses, again: bareMisses });
        const added: number[] = [];
        for (let round = 0; round < ADDED_ROUNDS; round++) added.push(await addedMs(house.baseUrl, house.key, BENCH_UPSTREAM, round));
        const row = cpuRow('CPU of a miss against the same work by hand, 50 in flight', costs.misses, costs.bareMisses, 1.6);
        const againstDirect = ratioOf(costs.misses, costs.requests).value.toFixed(1);
        return [
          noiseRow(costs.bareMisses, costs.again),
          { ...row, note: `${row.note}; ${againstDirect} × a direct request without a server`, missed: MISSED },
          atMost('median time that a miss adds, one at a time, ms', median(added), 1.5, 'hold durable before the work (SQLite, FULL)'),
          await coalescing(),
        ];
      },
    );
  } finally {
    await upstream.stop();
  }
}

/** Sequential requests, alternating between the service and the upstream; returns the difference of the medians. */
async function addedMs(base: string, key: string, upstream: string, round: number): Promise<number> {
  const agent = new Agent();
  const timed = async (url: string, headers: Record<string, string>): Promise<number> => {
    const from = performance.now();
    const { body } = await request(url, { dispatcher: agent, headers });
    JSON.parse(await body.text());
    return performance.now() - from;
  };
  const [through, straight]: [number[], number[]] = [[], []];
  for (let i = 0; i < 300; i++) {
    through.push(await timed(`${base}/v1/website/whois/domains/one-${round}-${i}.com`, { 'x-api-key': key }));
    straight.push(await timed(`${upstream}/one-${i}.com`, {}));
  }
  await agent.close();
  return median(through) - median(straight);
}

/** Upstream requests caused by a thousand identical lookups at once. */
async function coalescing(): Promise<Row> {
  const { createServer } = await import('node:http');
  const { resource } = await import('./resource.ts');
  let asked = 0;
  const slow = createServer((_request, response) => {
    asked++;
    setTimeout(() => response.end(JSON.stringify(resource('twins.com'))), 500);
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const house = await startServer('house', { BENCH_UPSTREAM: `http://127.0.0.1:${(slow.address() as { port: number }).port}` });
  const agent = new Agent({ connections: 1000 });
  const answers = await Promise.all(
    Array.from({ length: 1000 }, async () => {
      const { statusCode, body } = await request(`${house.baseUrl}/v1/website/whois/domains/twins.com`, {
        dispatcher: agent,
        headers: { 'x-api-key': house.key },
      });
      await body.dump();
      return statusCode;
    }),
  );
  await agent.close();
  await house.stop();
  slow.closeAllConnections();
  slow.close();
  if (answers.some((s) => s !== 200)) throw new Error(`answers: ${[...new Set(answers)]}`);
  return atMost('upstream requests of 1,000 identical lookups at once', asked, 1, '1,000 answers of 200');
}
