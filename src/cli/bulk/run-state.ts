import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';

/** What an unfinished run leaves beside its output, so that the next one goes on: `<output>.run`. */
export interface RunState {
  /** Prefix of the request ids of the run. */
  readonly runId: string;
  /** Newest entry of the ledger when the run began; null: there was none. */
  readonly since: string | null;
  /** Process that writes the output. */
  readonly pid: number;
}

const fileOf = (output: string): string => `${output}.run`;

/** The state of an unfinished run. Throws a UsageError while its process is alive. */
export function readRunState(output: string): RunState | null {
  let text: string;
  try {
    text = readFileSync(fileOf(output), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  let state: Partial<RunState> = {};
  try {
    state = JSON.parse(text) as Partial<RunState>;
  } catch {
    return null; // cut off while it was written: no lookup was asked yet
  }
  const { runId, since = null, pid = 0 } = state;
  if (typeof runId !== 'string') return null;
  if (pid !== process.pid && isAlive(pid))
    throw new UsageError(`Process ${pid} is writing ${output}: wait for its end. If it is another program, delete ${fileOf(output)}.`);
  return { runId, since, pid };
}

export function writeRunState(output: string, begun: RunState | null, since: string | null): RunState {
  const state = { runId: begun?.runId ?? `bulk-${randomUUID()}`, since: begun ? begun.since : since, pid: process.pid };
  writeFileSync(fileOf(output), `${JSON.stringify(state)}\n`);
  return state;
}
export const removeRunState = (output: string): void => rmSync(fileOf(output), { force: true });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
