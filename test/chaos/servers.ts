import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnServer } from '../fleet/services.ts';

/** A server with all of its processes: a signal to the postmaster alone would leave its backends running. */
export interface Stoppable {
  /** SIGKILL to all of its processes. */
  kill(): Promise<void>;
  /** Requests an orderly shutdown and waits for the exit. */
  end(): Promise<void>;
  freeze(): void;
  thaw(): void;
  start(): Promise<void>;
}

const END_MS = 10_000;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // the process has exited
  }
};
/** State and parent of a process. The name before them may contain any character, parentheses included. */
const stat = (pid: string | number): string[] =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && stat(name)[1] === String(pid))
    .map(Number);
/** A zombie that was not reaped counts as exited. */
const isGone = (pid: number): boolean => ['', 'Z'].includes(stat(pid)[0] ?? '');
const send = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error;
    }
};

async function gone(pids: readonly number[]): Promise<boolean> {
  for (const until = performance.now() + END_MS; performance.now() < until; await sleep(5)) if (pids.every(isGone)) return true;
  return false;
}

/** `ending`: the signal for an immediate, orderly shutdown. */
export function stoppable(server: OwnServer, ending: NodeJS.Signals): Stoppable {
  let frozen: number[] = [];
  return {
    async kill() {
      // the parent first, because it would restart its children
      const { pid } = server;
      send([pid], 'SIGSTOP');
      const all = [pid, ...childrenOf(pid)];
      send(all, 'SIGKILL');
      if (!(await gone(all))) throw new Error(`${server.url} outlives a SIGKILL`);
      await server.kill();
    },
    async end() {
      const all = [server.pid, ...childrenOf(server.pid)];
      send([server.pid], ending);
      if (!(await gone(all))) throw new Error(`${server.url} does not end`);
      await server.kill();
    },
    freeze() {
      const { pid } = server;
      send([pid], 'SIGSTOP');
      frozen = [pid, ...childrenOf(pid)];
      send(frozen, 'SIGSTOP');
    },
    thaw() {
      send(frozen.reverse(), 'SIGCONT');
    },
    start: () => server.start(),
  };
}
