/**
 * Runs test files, one or several in a process, each process in its own group, and returns the result of each file. A process that does
 * not exit after its tests, exceeds its time limit or leaves processes running is killed, and its files fail.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SETTINGS } from '../../src/settings.ts';
import { cpuMsOf, type Ending, judge, judgeTogether, type Outcome } from './outcome.ts';
import { runAdaptively } from './plan.ts';
import type { Databases } from './postgres.ts';
import { killGroup, livingIn } from './processes.ts';
import { type Report, readReports } from './report.ts';

export interface Limits {
  /** total time limit of a file */
  limitMs: number;
  /** time for a file, and the processes it started, to exit after its last test */
  graceMs: number;
  /** by how much the machine is slower than a quiet one (`machine.ts`): the factor of a test's limits of real time */
  slowness: number;
}
export const LIMITS: Limits = { limitMs: 300_000, graceMs: 10_000, slowness: 1 };

export interface Ran extends Outcome {
  file: string;
  ms: number;
  cpuMs: number;
  reports: readonly Report[];
  /** stdout and stderr of the file */
  output: string;
}

const REPORTER = join(import.meta.dirname, 'reporter.ts');
const TOGETHER = join(import.meta.dirname, 'together.ts');
/** Settings of the caller's own service, as its shell may export them: a test that found them would use that service's stores. */
const OWN_SETTINGS = Object.fromEntries(Object.keys(SETTINGS).flatMap((name) => (name.endsWith('_PROXY') ? [] : [[name, undefined]])));
const groups = new Set<number>();
/** Shared compile cache: later processes start in a third of the time. A run that a test starts uses the cache of the outer run. */
const outer = process.env.NODE_COMPILE_CACHE;
const COMPILED = outer ?? mkdtempSync(join(tmpdir(), 'sightline-compiled-'));
if (outer === undefined) process.once('exit', () => rmSync(COMPILED, { recursive: true, force: true }));
process.once('exit', () => groups.forEach(killGroup));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** How many processes run at a time: up to `atMost` while they leave a part of a core idle. */
export interface Concurrency {
  readonly atLeast: number;
  readonly atMost: number;
}

/** Runs processes, each with its files. `onRan` is called for each file when its process ends. */
export async function runProcesses(
  processes: readonly (readonly string[])[],
  { atLeast, atMost }: Concurrency,
  limits: Limits,
  onRan?: (ran: Ran) => void,
  databases?: Databases,
): Promise<Ran[]> {
  const answers: Ran[] = [];
  await runAdaptively(processes, atLeast, atMost, async (files) => {
    const run = (database?: string) => runProcess(files, limits, database);
    for (const ran of await (databases ? databases.with(files, run) : run())) {
      answers.push(ran);
      onRan?.(ran);
    }
  });
  return answers.sort((a, b) => (a.file < b.file ? -1 : 1));
}

async function runProcess(files: readonly string[], limits: Limits, database?: string): Promise<Ran[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-test-'));
  const [report, output] = [join(folder, 'report'), join(folder, 'output')];
  const start = performance.now();
  try {
    const [file = ''] = files;
    const args = files.length > 1 ? [TOGETHER, ...files] : [resolve(file)];
    const ending = await endOf(args, report, output, limits, database);
    const reports = existsSync(report) ? readReports(readFileSync(report, 'utf8')) : [];
    const ms = performance.now() - start;
    const written = readFileSync(output, 'utf8');
    if (files.length === 1) return [{ file, ms, cpuMs: cpuMsOf(reports), reports, output: written, ...judge(reports, ending, written) }];
    const all = judgeTogether(files, reports, ending, written);
    return all.map(({ outcome, ...each }, at) => ({ ...each, output: at === all.length - 1 ? written : '', ...outcome }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function endOf(
  args: readonly string[],
  report: string,
  output: string,
  { limitMs, graceMs, slowness }: Limits,
  database?: string,
): Promise<Ending> {
  // a file instead of a pipe: a child process that inherits it cannot delay the runner
  const fd = openSync(output, 'w');
  // a service that a test starts without its own data folder must not write into the checkout
  const data = join(dirname(output), 'data');
  const child = spawn(process.execPath, [`--test-reporter=${REPORTER}`, ...args], {
    stdio: ['ignore', fd, fd],
    detached: true,
    env: {
      ...process.env,
      ...OWN_SETTINGS,
      SIGHTLINE_TEST_REPORT: report,
      SIGHTLINE_DATA_DIR: data,
      ...(database && { SIGHTLINE_TEST_POSTGRES: database }),
      NODE_COMPILE_CACHE: COMPILED,
      SIGHTLINE_TEST_GRACE_MS: String(graceMs),
      SIGHTLINE_TEST_SLOWNESS: String(slowness),
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
  // a killed file cannot stop its child processes
  const leftBehind = ending.signal ? [] : await stillLiving(group, graceMs);
  if (ending.signal || leftBehind.length) killGroup(group);
  groups.delete(group);
  return { ...ending, leftBehind, ...(ranPastMs !== undefined && { ranPastMs }) };
}

/** Waits for child processes that were asked to exit just before their parent exited. */
async function stillLiving(group: number, graceMs: number): Promise<string[]> {
  const until = performance.now() + graceMs;
  for (;;) {
    const living = livingIn(group);
    if (!living.length || performance.now() > until) return living;
    await wait(50);
  }
}
