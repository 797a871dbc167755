import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import { printable } from '../contract/errors.ts';
import { VERSION } from '../runtime/installation.ts';
import { unreadFile } from '../runtime/unread-file.ts';
import { OperatorError } from '../settings.ts';
import { SCHEMA } from '../store/migrate.ts';
import { UsageError } from './option-values.ts';

/** What a version says of itself, in one JSON line. */
export interface Description {
  readonly version: string;
  /** The schema of the store that it knows. */
  readonly schema: number;
}

/** How a file begins that the kernel runs: any other one is given to a shell, line by line. */
const BEGINNINGS = ['\x7fELF', '#!'].map((text) => Buffer.from(text));
const isProgram = (content: Buffer): boolean => BEGINNINGS.some((bytes) => content.subarray(0, bytes.length).equals(bytes));

/** Asks the program in a file. Where it does not answer as one of ours: why, if it says so. */
function describe(file: string): Description | { readonly why: string } {
  // its own pipes: where there is no /dev/null nothing can be ignored
  const options = { encoding: 'utf8', stdio: 'pipe', timeout: 120_000, killSignal: 'SIGKILL' } as const;
  const { stdout, stderr, status, error } = spawnSync(file, ['upgrade', '--describe'], options);
  const why = printable((error as NodeJS.ErrnoException | undefined)?.code ?? (stderr.trim().split('\n', 1)[0] || `exit code ${status}`));
  if (status !== 0) return { why };
  try {
    const { version, schema } = JSON.parse(stdout) as Partial<Description>;
    if (typeof version === 'string' && typeof schema === 'number') return { version: printable(version), schema };
  } catch {
    // another program, which printed something else
  }
  return { why: 'it is another program' };
}

function sync(path: string): void {
  const opened = openSync(path, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

const refusal = (why: string): OperatorError => new OperatorError(`${why}: nothing was replaced.`);

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw refusal(unreadFile(file, error));
  }
}

/**
 * Puts the program of `from` in the place of `target`, at once, and keeps the old one as `<target>.old`. Throws an OperatorError, with both
 * unchanged, where `from` is no such program for this machine, is the one that is there, or knows an older schema than `running`.
 */
export function replaceProgram(target: string, from: string, running: Description): Description {
  const folder = dirname(target);
  const [fresh, before] = ['new', 'old'].map((name) => join(folder, `.${basename(target)}.${process.pid}.${name}`)) as [string, string];
  const write = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      throw refusal(`${folder} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
    }
  };
  const content = read(from);
  const unfit = (why: string): OperatorError => refusal(`${from} is no sightline that runs on this machine, or is damaged (${why})`);
  if (!isProgram(content)) throw unfit('it is no program');
  try {
    write(() => {
      writeFileSync(fresh, content);
      chmodSync(fresh, 0o755);
      sync(fresh);
    });
    if (content.length === statSync(target).size && content.equals(readFileSync(target)))
      throw refusal(`${from} is the program that is there already`);
    const found = describe(fresh);
    if ('why' in found) throw unfit(found.why);
    if (found.schema < running.schema)
      throw refusal(
        `${from} is version ${found.version}, which knows schema ${found.schema} of the store; this version has brought it to ${running.schema}, and there is no way back but a backup`,
      );
    write(() => {
      linkSync(target, before);
      renameSync(before, `${target}.old`);
      renameSync(fresh, target);
    });
    sync(folder);
    return found;
  } finally {
    for (const left of [fresh, before]) rmSync(left, { force: true });
  }
}

/** `sightline upgrade`: of the one file alone; a package is upgraded by what installed it. */
export function upgrade({ from, describe: isAsked }: { readonly from?: string; readonly describe?: boolean }): void {
  const running = { version: VERSION, schema: SCHEMA };
  if (isAsked) {
    process.stdout.write(`${JSON.stringify(running)}\n`);
    return;
  }
  if (from === undefined) throw new UsageError('Name the file of the other version: sightline upgrade --from FILE.');
  if (!isSea())
    throw new OperatorError('This sightline is not the one file: upgrade it by what installed it (npm, dpkg, the image; docs/install.md).');
  const { version } = replaceProgram(process.execPath, from, running);
  process.stdout.write(
    `${process.execPath} is version ${version} now; version ${VERSION} is kept as ${process.execPath}.old.\nRestart the service to run it.\n`,
  );
}
