import { closeSync, createWriteStream, fstatSync, lstatSync, mkdtempSync, openSync, rmSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../usage-error.ts';

/** Files of a run. Standard input, and the journal of standard output, are kept in files of a temporary folder. */
export interface RunFiles {
  /** Open for reading. */
  readonly input: number;
  /** Null: standard output. */
  readonly output: string | null;
  /** The journal: the output itself where `isJournal`, else a file beside it. */
  readonly journal: string;
  close(): void;
}

/** Opens the input; `-` is standard input. Throws a UsageError. */
export async function openFiles(inputName: string, output: string | undefined, isJournal: boolean): Promise<RunFiles> {
  let folder: string | null = null;
  const temporary = (name: string): string => {
    folder ??= mkdtempSync(join(tmpdir(), 'sightline-bulk-'));
    return join(folder, name);
  };
  const remove = () => folder && rmSync(folder, { recursive: true, force: true });
  try {
    let path = inputName;
    if (inputName === '-') {
      path = temporary('input');
      await pipeline(process.stdin, createWriteStream(path));
    }
    const input = openInputFile(path);
    const journal = output === undefined ? temporary('journal') : isJournal ? output : `${output}.ndjson`;
    if (output !== undefined) for (const file of new Set([output, journal, `${output}.run`])) demandOwnFile(file, fstatSync(input));
    return {
      input,
      output: output ?? null,
      journal,
      close() {
        closeSync(input);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A file that a run may write: a regular one, and not the input under another name. */
function demandOwnFile(path: string, input: Stats): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found && lstatSync(path, { throwIfNoEntry: false }))
    throw new UsageError(`${path} is a link to a file that does not exist: name another output.`);
  if (!found) return;
  if (found.dev === input.dev && found.ino === input.ino) throw new UsageError(`${path} is the input itself: name another output.`);
  if (!found.isFile())
    throw new UsageError(`${path} is not a regular file: name another output, or leave it out to write to standard output.`);
}

function openInputFile(path: string): number {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new UsageError(`The input ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  // places in the file are read more than once
  if (!fstatSync(file).isFile()) throw new UsageError(`The input ${path} is not a file: write - to read standard input.`);
  return file;
}
