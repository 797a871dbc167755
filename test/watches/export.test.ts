// Own process: it measures the memory of a service that it starts.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { ServiceProcesses } from '../faults/service-process.ts';
import { sizeOf } from '../support/sizes.ts';
import { storeHistory } from './history.ts';

/** An hourly year is 165 MB of CSV. */
const CHECKS = sizeOf({ whole: 8_784, part: 1_500 });
/** A hundred ranks, and one number beside them. */
const POINTS = 101;
/** Of one export; of several, which wait for each other, as much again: the heap keeps what its collector has not looked at. */
const MOST_MORE_BYTES = 60_000_000;
const processes = new ServiceProcesses();
after(() => processes.close());

/** Resident memory of a process in bytes: now, and its peak since `forgetPeak`. */
function memoryOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number => 1024 * Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]);
  return { now: of('VmRSS'), peak: of('VmHWM') };
}
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

async function read(answer: Response): Promise<{ readonly bytes: number; readonly rows: number }> {
  let [bytes, rows] = [0, 0];
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++;
  }
  return { bytes, rows };
}

test('an export of the whole history takes no memory that grows with it; six at once by one key are answered', async (t) => {
  const folder = processes.folder();
  const first = await processes.serve(folder);
  const { key } = first;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ operation: 'serp', parameters: { keyword: 'widgets' }, every: '7d', creditsPerMonth: 1_000, paused: true });
  const { watchId } = (await (await fetch(`${first.baseUrl}/v1/account/watches`, { method: 'POST', headers, body })).json()) as {
    watchId: string;
  };
  await processes.end(first);
  storeHistory(folder, CHECKS, Date.now());

  const served = await processes.serve(folder);
  const path = `${served.baseUrl}/v1/account/watches/${watchId}/history?format=csv`;
  const ask = async () => read(await fetch(path, { headers }));
  assert.equal((await fetch(path, { method: 'HEAD', headers })).status, 200);
  const idle = memoryOf(served.pid).now;
  for (const atOnce of [1, 6]) {
    forgetPeak(served.pid);
    const answers = await Promise.all(Array.from({ length: atOnce }, ask));
    const more = memoryOf(served.pid).peak - idle;
    t.diagnostic(`${atOnce} of ${(answers[0]?.bytes ?? 0) / 1e6} MB: ${(more / 1e6).toFixed(0)} MB above ${(idle / 1e6).toFixed(0)} MB`);
    for (const { rows } of answers) assert.equal(rows, 1 + CHECKS * POINTS);
    assert.ok(more <= (atOnce === 1 ? 1 : 2) * MOST_MORE_BYTES, `${more} bytes above idle`);
  }
});
