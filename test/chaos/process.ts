import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import type { Outage } from './evidence.ts';

/** One process of the fleet, which the suite kills, freezes, ends and starts again. */
export interface Member {
  readonly name: string;
  readonly outages: Outage[];
  readonly running: () => boolean;
  readonly pid: () => number | null;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the exit. */
  end(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export interface MemberParts {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const START_MS = 60_000;
const END_MS = 20_000;

/** `sightline <args>`; it counts as started when it has printed its line. */
export function createMember({ name, args, environment, logFile }: MemberParts): Member {
  const outages: Outage[] = [];
  let child: ChildProcess | null = null;
  let isRunning = false;
  const begin = (kind: Outage['kind']): Outage => {
    const outage = { kind, from: Date.now(), until: Number.POSITIVE_INFINITY };
    outages.push(outage);
    return outage;
  };
  const gone = async (process: ChildProcess): Promise<void> => {
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
  };
  return {
    name,
    outages,
    running: () => isRunning,
    pid: () => (child && child.exitCode === null && child.signalCode === null ? (child.pid ?? null) : null),
    async start() {
      const made = spawn(process.execPath, ['test/support/serve-with.ts', ...args], {
        env: { ...CHILD_ENVIRONMENT, HOME: process.env.HOME, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = made;
      const note = (data: Buffer): void => appendFileSync(logFile, data);
      made.stderr?.on('data', note);
      const line = new Promise<void>((resolve, reject) => {
        made.stdout?.on('data', (data: Buffer) => {
          note(data);
          if (data.includes('\n')) resolve();
        });
        made.once('exit', (code, signal) => reject(new Error(`${name} ended with ${code ?? signal} before it ran: see ${logFile}`)));
        setTimeout(() => reject(new Error(`${name} does not start`)), START_MS).unref();
      });
      await line;
      isRunning = true;
      made.once('exit', (code, signal) => {
        // killed and ended processes are already marked as not running
        if (child === made && isRunning) begin('fallen').reason = `${code ?? signal}`;
      });
      for (const outage of outages) if (outage.until === Number.POSITIVE_INFINITY) outage.until = Date.now();
    },
    async kill() {
      isRunning = false;
      begin('killed');
      child?.kill('SIGKILL');
      if (child) await gone(child);
    },
    async end() {
      isRunning = false;
      const outage = begin('ended');
      const ending = child;
      if (!ending) return;
      ending.kill('SIGTERM');
      const late = setTimeout(() => {
        outage.stuck = true;
        ending.kill('SIGKILL');
      }, END_MS);
      await gone(ending);
      clearTimeout(late);
    },
    freeze() {
      begin('frozen');
      child?.kill('SIGSTOP');
    },
    thaw() {
      child?.kill('SIGCONT');
      const last = outages.at(-1);
      if (last) last.until = Date.now();
    },
  };
}
