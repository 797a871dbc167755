import { closeSync, createReadStream, createWriteStream, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../usage-error.ts';

/** Files of a run. Standard input and output are kept in files of a temporary folder, so that both can be read again. */
export interface RunFiles {
  /** Open for reading. */
  readonly input: number;
  readonly inputName: string;
  readonly output: string;
  /** The output is standard output. */
  readonly toStandardOutput: boolean;
  /** Writes the output to standard output, where it goes there. */
  deliver(): Promise<void>;
  close(): void;
}

/** Opens the input; `-` is standard input. Throws a UsageError. */
export async function openFiles(inputName: string, output: string | undefined): Promise<RunFiles> {
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
    if (output !== undefined && resolve(output) === resolve(path))
      throw new UsageError('Input and output are the same file: name another output.');
    const target = output ?? temporary('output');
    return {
      input,
      inputName,
      output: target,
      toStandardOutput: output === undefined,
      async deliver() {
        if (output === undefined) await pipeline(createReadStream(target), process.stdout, { end: false });
      },
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
