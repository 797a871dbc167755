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

/** The state of an unfinished run. Throws a UsageError while its process is alive, and where the file is of another program. */
export function readRunState(output: string): RunState | null {
  const file = fileOf(output);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (text === '') return null; // a kill before it was written: no lookup was asked yet
  const found = /^\{"runId":"(bulk-[\w-]{36})","since":(null|"[^"]*"),"pid":(\d+)\}\n$/.exec(text);
  if (!found?.[1] || !found[2]) throw new UsageError(`${file} is not a file of a bulk run: name another output, or delete it.`);
  const state: RunState = { runId: found[1], since: JSON.parse(found[2]) as string | null, pid: Number(found[3]) };
  if (state.pid !== process.pid && isAlive(state.pid))
    throw new UsageError(`Process ${state.pid} is writing ${output}: wait for its end. If it is another program, delete ${file}.`);
  return state;
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
