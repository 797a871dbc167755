import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from './load.ts';
import { atMost, type Loaded, median, type Row } from './measure.ts';

/** Process ids by the name that the table shows. Read before and after every round: a database opens connections as it needs them. */
export type Processes = () => Readonly<Record<string, readonly number[]>>;

/** A measurement: a load, and the processes whose CPU time is counted. */
export interface Subject {
  readonly processes: Processes;
  /** `round` is −1 for the warm-up. */
  readonly load: (round: number) => Promise<Loaded>;
}

/** Costs of one subject, by round. */
export interface Cost {
  /** CPU time per answered request over all processes, µs, by round. */
  readonly micros: readonly number[];
  /** The same by process, medians. */
  readonly byProcess: Readonly<Record<string, number>>;
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** USER_HZ: /proc counts in hundredths of a second on every Linux of today. */
const TICK_MICROS = 10_000;

/** The fields of /proc/<pid>/stat after the name; null once the process has ended, which it may at any time. */
function statOf(pid: number | string): readonly string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}

/** CPU time used by a process and all of its threads, user and system, µs; 0 once it has ended. */
export function cpuMicros(pid: number): number {
  const fields = statOf(pid);
  return fields ? (Number(fields[11]) + Number(fields[12])) * TICK_MICROS : 0;
}

/** The process and those that it started: PostgreSQL runs one for each connection. */
export function familyOf(pid: number): readonly number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(statOf(name)?.[1]) === pid);
  return [pid, ...children.map(Number)];
}

export const onlyServer =
  (server: Server, name = 'server'): Processes =>
  () => ({ [name]: [server.pid] });

const readAll = (processes: Processes): Map<string, number> =>
  new Map(Object.entries(processes()).flatMap(([name, pids]) => pids.map((pid) => [`${name} ${pid}`, cpuMicros(pid)] as [string, number])));

/** CPU time per request of one round, µs, by process name. */
async function once({ processes, load }: Subject, round: number): Promise<{ loaded: Loaded; parts: Record<string, number> }> {
  const before = readAll(processes);
  const loaded = await load(round);
  const parts: Record<string, number> = {};
  for (const [key, micros] of readAll(processes)) {
    const name = key.slice(0, key.lastIndexOf(' '));
    parts[name] = (parts[name] ?? 0) + Math.max(0, micros - (before.get(key) ?? 0)) / loaded.requests;
  }
  return { loaded, parts };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Measures the subjects in turns: each round runs all of them, in an order that rotates. */
export async function cpuRounds<K extends string>(subjects: Record<K, Subject>, rounds = 11): Promise<Record<K, Cost>> {
  const names = Object.keys(subjects) as K[];
  const runs = Object.fromEntries(names.map((name) => [name, [] as Awaited<ReturnType<typeof once>>[]])) as Record<
    K,
    Awaited<ReturnType<typeof once>>[]
  >;
  for (let round = -1; round < rounds; round++)
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + 1) % names.length] as K;
      const run = await once(subjects[name], round);
      if (round >= 0) runs[name].push(run);
    }
  const costOf = (name: K): Cost => {
    const all = runs[name];
    const parts = [...new Set(all.flatMap((run) => Object.keys(run.parts)))];
    return {
      micros: all.map((run) => sum(Object.values(run.parts))),
      byProcess: Object.fromEntries(parts.map((part) => [part, median(all.map((run) => run.parts[part] ?? 0))])),
      perSecond: median(all.map((run) => run.loaded.perSecond)),
      p99Ms: median(all.map((run) => run.loaded.p99Ms)),
    };
  };
  return Object.fromEntries(names.map((name) => [name, costOf(name)])) as Record<K, Cost>;
}

/** "server 43.1 + PostgreSQL 20.2 µs, 12,000 /s" */
export function costText({ byProcess, perSecond }: Cost): string {
  const parts = Object.entries(byProcess).map(([name, micros]) => `${name} ${micros.toFixed(1)}`);
  return `${parts.join(' + ')} µs (${Math.round(perSecond)} /s)`;
}

/** Ratios of two costs, round by round: their median, the smallest and the largest. */
export function ratioOf(cost: Cost, reference: Cost): { value: number; spread: readonly [number, number] } {
  const ratios = cost.micros.map((micros, round) => micros / (reference.micros[round] ?? Number.NaN));
  return { value: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)] };
}

/** A row of CPU time per request against a reference of the same rounds. */
export function cpuRow(what: string, cost: Cost, reference: Cost, bar: number): Row {
  const { value, spread } = ratioOf(cost, reference);
  return { ...atMost(what, value, bar, `${costText(cost)} against ${costText(reference)}`), spread };
}

/** The same server measured twice in every round. Beyond 5 % the values of its suite are void. */
export function noiseRow(cost: Cost, again: Cost): Row {
  const { value, spread } = ratioOf(again, cost);
  return { what: 'noise: the same server against itself', value, bar: 0.05, holds: 'one within', note: costText(cost), spread };
}
