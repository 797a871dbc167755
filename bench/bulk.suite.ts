import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Server, startServer } from './load.ts';
import { atLeast, atMost, median, type Row } from './measure.ts';

const ROUNDS = 5;
const LINES = 8000;
const IN_FLIGHT = 32;
const POLL_MS = 20;
const run = promisify(execFile);

/** Lookups a second of bare undici, in a process of its own too: without its start, but with code that V8 has not optimised yet, as in a bulk run. */
async function bare({ baseUrl, key }: Server, name: string): Promise<number> {
  const work = { BENCH_URL: baseUrl, BENCH_KEY: key, BENCH_NAME: name, BENCH_LINES: String(LINES), BENCH_IN_FLIGHT: String(IN_FLIGHT) };
  const { stdout } = await run(process.execPath, ['bench/bulk-reference.ts'], { env: { ...process.env, ...work } });
  return (LINES * 1000) / (JSON.parse(stdout) as { elapsedMs: number }).elapsedMs;
}

/** `sightline bulk` in a process of its own: lookups a second by its own summary, without the start of the process and the sorting at the end. */
async function bulk({ baseUrl, key }: Server, name: string, folder: string): Promise<{ perSecond: number; mb: number }> {
  const input = join(folder, `${name}.txt`);
  writeFileSync(input, Array.from({ length: LINES }, (_, n) => `${name}-${n}.com`).join('\n'));
  const args = [
    'bulk',
    'registration',
    input,
    '-o',
    join(folder, name),
    '--yes',
    '--json',
    '--unordered',
    '--concurrency',
    String(IN_FLIGHT),
  ];
  const child = spawn(process.execPath, ['bin/sightline.mjs', ...args], {
    env: { ...process.env, SIGHTLINE_URL: baseUrl, SIGHTLINE_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let mb = 0;
  const watch = setInterval(() => {
    try {
      mb = Math.max(mb, Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
    } catch {
      // it has ended
    }
  }, POLL_MS);
  const ended = once(child, 'exit');
  let elapsedMs = Number.POSITIVE_INFINITY;
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { event: string; elapsedMs?: number; found?: number };
    if (event.event === 'summary' && event.found === LINES) elapsedMs = event.elapsedMs ?? elapsedMs;
  }
  await ended;
  clearInterval(watch);
  return { perSecond: (LINES * 1000) / elapsedMs, mb };
}

/** Bulk lookups that all go to the source, against bare undici with the same number of lines and of connections, in turns. */
export async function suite(): Promise<Row[]> {
  const house = await startServer('house');
  const folder = mkdtempSync(join(tmpdir(), 'bench-bulk-'));
  const [ours, theirs]: [number[], number[]] = [[], []];
  let mb = 0;
  try {
    await bare(house, 'warm-up');
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(await bare(house, `bare-${round}`));
      const measured = await bulk(house, `bulk-${round}`, folder);
      ours.push(measured.perSecond);
      mb = Math.max(mb, measured.mb);
    }
  } finally {
    await house.stop();
    rmSync(folder, { recursive: true });
  }
  const ratios = ours.map((perSecond, round) => perSecond / (theirs[round] ?? Number.NaN));
  const note = `${Math.round(median(ours))} /s against ${Math.round(median(theirs))} /s, each in a process of its own`;
  return [
    {
      ...atLeast(`bulk lookups against bare undici, ${IN_FLIGHT} in flight`, median(ratios), 0.8, note),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      missed:
        'the command shares two cores with the service that it asks. Of the CPU of its run undici takes 34 %, which the reference has too; the journal with ' +
        'one write an answer 17 %, the client 12 %, garbage 11 %, reading the line of the input again 9 %, JSON.parse of the answer 6 %. Next: the input ' +
        'of a line is kept from the check of the file.',
    },
    atMost('resident memory of a bulk run of 10 kB answers, MB', mb, 150, `${LINES} lines`),
  ];
}
