import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A file that measures its process, changes it, or has real time as its subject says so in its own lines. */
const OWN_PROCESS = /^\/\/ Own process: .|^import .*\/real-time\.ts'/m;
/** A file of seconds, most of which it waits, says so: it shares its process with few of its folder. */
const FEW = /^\/\/ Few in a process: ./m;
/** So many files run in one process. */
const TOGETHER = { few: 4, many: 16 };

/** The processes of a run, each with its test files. Processes with few files come first, because their tests wait the most. */
export function processesOf(files: readonly string[]): readonly (readonly string[])[] {
  const kinds = Map.groupBy(files, (file) => {
    const text = readFileSync(file, 'utf8');
    return OWN_PROCESS.test(text) ? 'alone' : FEW.test(text) ? 'few' : 'many';
  });
  const chunks = (kind: 'few' | 'many', groupOf: (file: string) => string | undefined) =>
    [...Map.groupBy(kinds.get(kind) ?? [], groupOf).values()].flatMap((all) =>
      Array.from({ length: Math.ceil(all.length / TOGETHER[kind]) }, (_, i) => all.slice(i * TOGETHER[kind], (i + 1) * TOGETHER[kind])),
    );
  return [...chunks('few', dirname), ...(kinds.get('alone') ?? []).map((file) => [file]), ...chunks('many', (file) => file.split('/')[0])];
}

const LOOK_MS = 200;
/** Whole cores that were idle since the last look. */
function idleCores(): () => number {
  const read = () => cpus().reduce((sum, { times }) => sum + times.idle, 0);
  let [before, at] = [read(), performance.now()];
  return () => {
    const [now, then] = [read(), performance.now()];
    const idle = (now - before) / (then - at);
    [before, at] = [now, then];
    return idle;
  };
}

/**
 * Calls `run` for each item: `atLeast` at a time, and up to `atMost` while a part of a core is idle, as where most of them wait. On a machine
 * that is busy with other work there are no more than `atLeast`.
 */
export async function runAdaptively<T>(
  items: readonly T[],
  atLeast: number,
  atMost: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const running = new Set<Promise<void>>();
  const idle = idleCores();
  const start = (): boolean => {
    const { value, done } = rest.next();
    if (done) return false;
    const started = run(value).finally(() => running.delete(started));
    running.add(started);
    return true;
  };
  for (let more = true; more || running.size; ) {
    while (more && running.size < atLeast) more = start();
    if (!more) await Promise.all(running);
    else {
      await Promise.race([sleep(LOOK_MS), ...running]);
      if (running.size < atMost && idle() > 0.4) more = start();
    }
  }
}
