import { Agent, request } from 'undici';
import { load, startServer } from './load.ts';
import { atLeast, atMost, median, type Row } from './measure.ts';

const ROUNDS = 5;
const SECONDS = 3;

/** Direct requests, 50 in flight, for some seconds: the reference for a miss. */
async function direct(base: string, seconds: number, inFlight = 50): Promise<{ perSecond: number; p50: number }> {
  const agent = new Agent({ connections: inFlight });
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  let n = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < until) {
        const from = performance.now();
        const { body } = await request(`${base}/direct-${n++}.com`, { dispatcher: agent });
        JSON.parse(await body.text());
        times.push(performance.now() - from);
      }
    }),
  );
  await agent.close();
  return { perSecond: times.length / seconds, p50: median(times) };
}

/**
 * A miss (hold, upstream request, schema check, cache write, capture) against a direct request to the same upstream; and a thousand
 * identical lookups.
 */
export async function suite(): Promise<Row[]> {
  const upstream = await startServer('upstream');
  const house = await startServer('house', { BENCH_UPSTREAM: upstream.baseUrl });
  const [ours, theirs]: [number[], number[]] = [[], []];
  const added: number[] = [];
  try {
    for (let round = -1; round < ROUNDS; round++) {
      const d = await direct(upstream.baseUrl, SECONDS);
      const m = await load(house, `/v1/website/whois/domains/miss-${round + 1}-#.com`, { seconds: SECONDS });
      if (round < 0) continue;
      theirs.push(d.perSecond);
      ours.push(m.perSecond);
      added.push(await addedMs(house.baseUrl, house.key, upstream.baseUrl, round));
    }
  } finally {
    await house.stop();
    await upstream.stop();
  }
  const [o, t] = [median(ours), median(theirs)];
  return [
    atLeast(
      'a miss against a direct request to the same upstream, 50 in flight',
      o / t,
      0.35,
      `${Math.round(o)} /s against ${Math.round(t)} /s`,
    ),
    atMost('median time that a miss adds, one at a time, ms', median(added), 1.5, 'hold durable before the work (SQLite, FULL)'),
    await coalescing(),
  ];
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
