import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, copyFileSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSea } from 'node:sea';
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

/** Asks the program in a file. Null where it is none, or of another kind. */
function describe(file: string): Description | null {
  // its own pipes: where there is no /dev/null nothing can be ignored
  const { stdout, status } = spawnSync(file, ['upgrade', '--describe'], { encoding: 'utf8', stdio: 'pipe', timeout: 120_000 });
  if (status !== 0) return null;
  try {
    const { version, schema } = JSON.parse(stdout) as Partial<Description>;
    return typeof version === 'string' && typeof schema === 'number' ? { version, schema } : null;
  } catch {
    return null; // another program, which printed something else
  }
}

function sync(path: string): void {
  const opened = openSync(path, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

/**
 * Puts the program of `from` in the place of `target`, at once, and keeps the old one as `<target>.old`. Throws an OperatorError, with `target`
 * unchanged, where `from` is no such program for this machine or knows an older schema than `running`.
 */
export function replaceProgram(target: string, from: string, running: Description): Description {
  const fresh = join(dirname(target), `.${basename(target)}.${process.pid}`);
  try {
    try {
      copyFileSync(from, fresh);
    } catch (error) {
      throw new OperatorError(`${unreadFile(from, error)}: nothing was replaced.`);
    }
    chmodSync(fresh, 0o755);
    sync(fresh);
    const found = describe(fresh);
    if (!found) throw new OperatorError(`${from} is no sightline that runs on this machine, or is damaged: nothing was replaced.`);
    if (found.schema < running.schema)
      throw new OperatorError(
        `${from} is version ${found.version}, which knows schema ${found.schema} of the store; this version has brought it to ${running.schema}, and there is no way back but a backup: nothing was replaced.`,
      );
    rmSync(`${target}.old`, { force: true });
    linkSync(target, `${target}.old`);
    renameSync(fresh, target);
    sync(dirname(target));
    return found;
  } finally {
    rmSync(fresh, { force: true });
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
