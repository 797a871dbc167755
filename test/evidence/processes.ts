import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { copyCheckout } from '../support/project-copy.ts';

type Environment = Readonly<Record<string, string>>;

/** Starts a command that prints a JSON line when it is ready, and stops it after the test. */
export async function startCommand<T>(
  t: TestContext,
  environment: Environment,
  ...args: string[]
): Promise<{ line: T; child: ChildProcess }> {
  const child = spawn(process.execPath, ['src/cli/main.ts', ...args, '--json'], {
    env: { ...CHILD_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((end) => child.once('exit', () => end()));
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  for await (const text of createInterface({ input: child.stdout })) return { line: JSON.parse(text) as T, child };
  throw new Error(`${args.join(' ')} ended before it was ready`);
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}
/** Runs a command of the checkout in `from`. */
export function runCommand(
  args: readonly string[],
  { environment = {}, from = '.', cwd = '.', input = '' }: { environment?: Environment; from?: string; cwd?: string; input?: string } = {},
): Promise<Ran> {
  return new Promise((done) => {
    const options = { cwd, env: { ...CHILD_ENVIRONMENT, ...environment }, maxBuffer: 1 << 26 };
    const child = execFile(process.execPath, [join(resolve(from), 'src/cli/main.ts'), ...args], options, (failed, out, error) =>
      done({ code: failed ? Number(failed.code) : 0, out, error }),
    );
    child.stdin?.end(input);
  });
}

/** A copy of the checkout in which one file is edited, removed after the tests of the file or suite that makes it. */
export function editedCopy(file: string, edit: (text: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-edited-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  copyCheckout(folder);
  const text = readFileSync(join(folder, file), 'utf8');
  const edited = edit(text);
  if (edited === text) throw new Error(`${file} is not changed`);
  writeFileSync(join(folder, file), edited);
  return folder;
}

/** Repeats `look` until it is not null; other processes do the work. */
export async function eventually<T>(look: () => Promise<T | null>, limitMs = 120_000): Promise<T> {
  for (const until = performance.now() + limitMs; performance.now() < until; await sleep(100)) {
    const seen = await look();
    if (seen !== null) return seen;
  }
  throw new Error(`nothing came within ${limitMs} ms`);
}
