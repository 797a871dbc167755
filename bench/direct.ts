/**
 * The reference for a miss: 50 direct undici requests in flight to BENCH_UPSTREAM, each parsed. Sends them for as many seconds as a line of
 * its input says, then prints the result.
 */
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';
import { type Loaded, median, quantile } from './measure.ts';
import { say } from './resource.ts';

const IN_FLIGHT = 50;
const agent = new Agent({ connections: IN_FLIGHT });
let n = 0;

async function run(seconds: number): Promise<Loaded> {
  const from = performance.now();
  const until = from + seconds * 1000;
  const times: number[] = [];
  const send = async (): Promise<void> => {
    while (performance.now() < until) {
      const sent = performance.now();
      const { body } = await request(`${process.env.BENCH_UPSTREAM}/direct-${n++}.com`, { dispatcher: agent });
      JSON.parse(await body.text());
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, send));
  const perSecond = (times.length * 1000) / (performance.now() - from);
  return { requests: times.length, perSecond, p50Ms: median(times), p99Ms: quantile(times, 0.99) };
}

process.on('SIGTERM', () => process.exit(0));
say({ baseUrl: '' });
for await (const line of createInterface(process.stdin)) say(await run(Number(line)));
