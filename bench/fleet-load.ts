/**
 * Open-loop load, pinned to one core by the caller: `fleet-load.ts <baseUrl> <key> <seconds> <per second> <most in flight> <path>`. `#` in
 * the path becomes a number. At the limit of requests in flight, further arrivals are not sent. Prints one JSON line.
 */
import { Agent, request } from 'undici';
import { median, quantile } from './measure.ts';

const [baseUrl = '', key = '', seconds = '', perSecond = '', inFlight = '', path = ''] = process.argv.slice(2);
const agent = new Agent({ connections: Number(inFlight) });
const times: number[] = [];
let [running, n, bad] = [0, 0, 0];
async function one(): Promise<void> {
  running++;
  const from = performance.now();
  const { statusCode, body } = await request(baseUrl + path.replace('#', String(n++)), {
    dispatcher: agent,
    headers: { 'x-api-key': key },
  });
  await body.dump();
  if (statusCode !== 200) bad++;
  times.push(performance.now() - from);
  running--;
}
const began = performance.now();
let due = 0;
while (performance.now() - began < Number(seconds) * 1000) {
  const now = ((performance.now() - began) * Number(perSecond)) / 1000;
  for (; due < now; due++) if (running < Number(inFlight)) void one();
  await new Promise((resolve) => setTimeout(resolve, 2));
}
const done = times.length;
const tookMs = performance.now() - began;
while (running) await new Promise((resolve) => setTimeout(resolve, 10));
await agent.close();
process.stdout.write(`${JSON.stringify({ perSecond: (done * 1000) / tookMs, p50: median(times), p99: quantile(times, 0.99), bad })}\n`);
