import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';
import { type Server, startServer } from './load.ts';
import { atLeast, atMost, median, type Row } from './measure.ts';

const ROUNDS = 3;
const LINES = 8000;
const IN_FLIGHT = 32;
const POLL_MS = 20;

const domains = (name: string): string[] => Array.from({ length: LINES }, (_, n) => `${name}-${n}.com`);

/** Lookups a second of bare undici: the bodies are read, not parsed. */
async function bare({ baseUrl, key }: Server, name: string): Promise<number> {
  const agent = new Agent({ connections: IN_FLIGHT });
  const left = domains(name);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (let domain = left.pop(); domain; domain = left.pop()) {
        const { body } = await request(`${baseUrl}/v1/website/whois/domains/${domain}`, {
          dispatcher: agent,
          headers: { 'x-api-key': key },
        });
        await body.text();
      }
    }),
  );
  const perSecond = (LINES * 1000) / (performance.now() - begun);
  await agent.close();
  return perSecond;
}

/** `sightline bulk` in a process of its own: lookups a second by its own summary, without the start of the process and the sorting at the end. */
async function bulk({ baseUrl, key }: Server, name: string, folder: string): Promise<{ perSecond: number; mb: number }> {
  const input = join(folder, `${name}.txt`);
  writeFileSync(input, domains(name).join('\n'));
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

/** Bulk lookups that all go to the source, against bare undici with the same requests in flight. */
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
  const [o, t] = [median(ours), median(theirs)];
  return [
    {
      ...atLeast(`bulk lookups against bare undici, ${IN_FLIGHT} in flight`, o / t, 0.8, `${Math.round(o)} /s against ${Math.round(t)} /s`),
      missed:
        'the command shares two cores with the service that it asks. Of its own CPU time undici takes 24 %, which the reference has too; the journal with ' +
        'its serialising and one write an answer 20 %, the client with JSON.parse of the answer, a deadline and a signal 19 %, garbage 15 %. Next: the ' +
        'text of an answer goes to the journal without being parsed.',
    },
    {
      ...atMost('resident memory of a bulk run of 10 kB answers, MB', mb, 150, `${LINES} lines`),
      missed:
        'it is the heap that V8 lets grow, and moves between machines: the same version of 22 November took 137 MB on one and 193 MB on another. ' +
        'Next: what the run holds after a full collection, instead of what the process has.',
    },
  ];
}
