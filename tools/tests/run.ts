/**
 * Runs test files, each in a process of its own that leads a group of its own, so many at a time, and says what came of each. No file can hold
 * the run: one that is done and does not end, one that runs past its limit, and whatever a file leaves running are killed, and are failures.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Ending, judge, type Outcome } from './outcome.ts';
import { killGroup, livingIn } from './processes.ts';
import { type Report, readReports } from './report.ts';

export interface Limits {
  /** what a file may take in all */
  limitMs: number;
  /** what a file, and what it started, may take to end after its last test */
  graceMs: number;
}
export const LIMITS: Limits = { limitMs: 300_000, graceMs: 10_000 };

export interface Ran extends Outcome {
  file: string;
  ms: number;
  reports: readonly Report[];
  /** what the file wrote on stdout and stderr */
  output: string;
}

const REPORTER = join(import.meta.dirname, 'reporter.ts');
const groups = new Set<number>();
/** What one process compiled, the next ones load: a start takes a third of the time. */
const COMPILED = mkdtempSync(join(tmpdir(), 'sightline-compiled-'));
process.once('exit', () => rmSync(COMPILED, { recursive: true, force: true }));
process.once('exit', () => groups.forEach(killGroup));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** `onRan` hears of each file as soon as it is done; the answer is in the order of `files`. */
export async function runFiles(files: readonly string[], concurrency: number, limits: Limits, onRan?: (ran: Ran) => void): Promise<Ran[]> {
  const answers: Ran[] = [];
  const rest = files.entries();
  const next = async (): Promise<void> => {
    for (const [at, file] of rest) {
      const ran = await runFile(file, limits);
      answers[at] = ran;
      onRan?.(ran);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, next));
  return answers;
}

async function runFile(file: string, limits: Limits): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-test-'));
  const [report, output] = [join(folder, 'report'), join(folder, 'output')];
  const start = performance.now();
  try {
    const ending = await endOf(file, report, output, limits);
    const reports = existsSync(report) ? readReports(readFileSync(report, 'utf8')) : [];
    const ms = performance.now() - start;
    const written = readFileSync(output, 'utf8');
    return { file, ms, reports, output: written, ...judge(reports, ending, written) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function endOf(file: string, report: string, output: string, { limitMs, graceMs }: Limits): Promise<Ending> {
  // a file, not a pipe: whoever inherits it cannot keep us waiting
  const fd = openSync(output, 'w');
  // a service that a test starts without a data folder of its own keeps nothing in the checkout
  const data = join(dirname(output), 'data');
  const child = spawn(process.execPath, [`--test-reporter=${REPORTER}`, resolve(file)], {
    stdio: ['ignore', fd, fd],
    detached: true,
    env: {
      ...process.env,
      SIGHTLINE_TEST_REPORT: report,
      SIGHTLINE_DATA_DIR: data,
      NODE_COMPILE_CACHE: COMPILED,
      SIGHTLINE_TEST_GRACE_MS: String(graceMs),
      NODE_TEST_CONTEXT: undefined,
    },
  });
  closeSync(fd);
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal, leftBehind: [] }));
  });
  const group = child.pid;
  if (group === undefined) return ended;
  groups.add(group);
  let ranPastMs: number | undefined;
  const limit = setTimeout(() => {
    ranPastMs = limitMs;
    killGroup(group);
  }, limitMs);
  const ending = await ended;
  clearTimeout(limit);
  // who is killed has no time to end what it started
  const leftBehind = ending.signal ? [] : await stillLiving(group, graceMs);
  if (ending.signal || leftBehind.length) killGroup(group);
  groups.delete(group);
  return { ...ending, leftBehind, ...(ranPastMs !== undefined && { ranPastMs }) };
}

/** What a process told to end just before its parent's own end gets its time. */
async function stillLiving(group: number, graceMs: number): Promise<string[]> {
  const until = performance.now() + graceMs;
  for (;;) {
    const living = livingIn(group);
    if (!living.length || performance.now() > until) return living;
    await wait(50);
  }
}
