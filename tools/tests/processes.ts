import { readdirSync, readFileSync } from 'node:fs';

/** Command lines of the group's running processes, from `/proc`; none without `/proc`. Zombies do not count. */
export function livingIn(group: number): string[] {
  return pids().flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // the name in parentheses may contain any character: state, parent and group follow the last parenthesis
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(pgrp) !== group || state === 'Z' || state === 'X') return [];
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || `process ${pid}`];
    } catch (error) {
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []; // exited meanwhile
      throw error;
    }
  });
}

function pids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // not Linux
  }
}

export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // all of them have exited
  }
}

/** CPU time of this process and of the processes that it started and that have ended, from `/proc`, where a tick is 10 ms. */
export function cpuMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 10 * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1000);
  }
}
