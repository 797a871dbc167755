import { subscribe } from 'node:diagnostics_channel';
import { createInterface } from 'node:readline';
import { quantile } from './measure.ts';

/**
 * With BENCH_TIMES=1: measures from the head of a request, read by Node, to the last byte of its response, given to the system. The line
 * `times` on standard input prints the 99th percentile in ms since the last such line.
 */
export function reportServiceTimes(): void {
  if (process.env.BENCH_TIMES !== '1') return;
  const begun = new WeakMap<object, number>();
  let times: number[] = [];
  subscribe('http.server.request.start', (message) => begun.set((message as { request: object }).request, performance.now()));
  subscribe('http.server.response.finish', (message) => {
    const from = begun.get((message as { request: object }).request);
    if (from !== undefined) times.push(performance.now() - from);
  });
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line !== 'times') return;
    process.stdout.write(`${quantile(times, 0.99)}\n`);
    times = [];
  });
}
