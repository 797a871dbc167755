import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Times that were measured on this machine; limits of real time are scaled by them. */
export interface Machine {
  /** a fixed piece of work */
  readonly workMs: number;
  /** how late a timer comes */
  readonly lagMs: number;
  /** start and end of a process */
  readonly startMs: number;
}
/** The same on two quiet cores. */
const QUIET: Machine = { workMs: 40, lagMs: 5, startMs: 60 };

/** The median of three measurements of each. */
export async function measureMachine(): Promise<Machine> {
  const all: Machine[] = [];
  for (let i = 0; i < 3; i++) work(); // until it is compiled
  for (let i = 0; i < 3; i++)
    all.push({
      workMs: await lasted(work),
      lagMs: (await lasted(() => sleep(20))) - 20,
      startMs: await lasted(() => spawnSync(process.execPath, ['-e', '0'])),
    });
  const median = (of: (each: Machine) => number): number => Math.round(all.map(of).sort((a, b) => a - b)[1] ?? 0);
  return { workMs: median((m) => m.workMs), lagMs: median((m) => m.lagMs), startMs: median((m) => m.startMs) };
}

/** The factor of the limits of real time; at least 1. */
export const slownessOf = (m: Machine): number =>
  Math.max(1, Math.round(10 * Math.max(m.workMs / QUIET.workMs, m.lagMs / QUIET.lagMs, m.startMs / QUIET.startMs)) / 10);

async function lasted(run: () => unknown): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

function work(): number {
  let x = 1;
  for (let i = 0; i < 30_000_000; i++) x = (Math.imul(x, 31) + i) | 0;
  return x;
}
