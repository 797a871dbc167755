import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { UsageError } from '../usage-error.ts';
import { changedLine, type OutputLine, readLine } from './line.ts';
import type { Plan } from './plan.ts';
import { type FileRecord, readPart, recordsOf } from './records.ts';
import type { Export } from './table.ts';

const NONE = -1;
const BLOCK_CHARACTERS = 1 << 20;
/** Lines between two looks at signals. */
const SLICE = 500;

/** What became of a lookup. */
export type LineState = 'missing' | 'ok' | 'failed' | 'retryable';

/**
 * The journal of a run: NDJSON, a line for each answer, appended with one write as it comes, so that a kill leaves whole lines. A later line for
 * the same lookup counts instead of the earlier one. Outputs are exports of it.
 */
export interface Journal {
  readonly credits: number;
  stateOf(index: number): LineState;
  codeOf(index: number): string | null;
  /** Writes the line, and the lines of its duplicates. */
  write(index: number, line: OutputLine): void;
  /** Writes the credits that the ledger has for a line. */
  correct(index: number, credits: number): void;
  /** The texts of all lines: in input order, or as they came. */
  texts(ordered: boolean): Generator<string, void, undefined>;
  /** The file itself is what `texts` gives. */
  isExported(ordered: boolean): boolean;
  /** Records an export before it takes its place: only a file that was exported is overwritten. */
  noteExport(sha256: string): void;
  close(): void;
}

interface JournalOptions {
  readonly path: string;
  readonly plan: Plan;
  /** Nothing is written. */
  readonly dryRun: boolean;
  /** A run was begun: the file may end with a part of a line. */
  readonly begun: boolean;
  /** The file that the journal is exported to, where it is another one. */
  readonly exportedTo: string | null;
  /** Gets every line that is written. */
  readonly echo: ((line: OutputLine) => void) | null;
  readonly stop?: AbortSignal;
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** Opens for reading; null: there is no such file. */
function openExisting(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Opens the journal and reads what an earlier run wrote. Throws a UsageError where a file is not of a run with this input; nothing is changed then. */
export async function openJournal({ path, plan, dryRun, begun, exportedTo, echo, stop }: JournalOptions): Promise<Journal> {
  const starts = new Array<number>(plan.size).fill(NONE);
  const ends = new Array<number>(plan.size).fill(NONE);
  const states = new Array<LineState>(plan.size).fill('missing');
  const codes = new Array<string | null>(plan.size).fill(null);
  const amounts = new Array<number>(plan.size).fill(0);
  const exports = new Set<string>();
  let size = 0;
  let superseded = false;
  let credits = 0;

  function note(index: number, start: number, end: number, { ok, error, credits: amount }: OutputLine): void {
    if (starts[index] !== NONE) superseded = true;
    starts[index] = start;
    ends[index] = end;
    states[index] = ok ? 'ok' : error?.retryable ? 'retryable' : 'failed';
    codes[index] = error?.code ?? null;
    credits += amount - (amounts[index] ?? 0);
    amounts[index] = amount;
  }
  const refused = (file: string, why: string) =>
    new UsageError(`${file}${why}. It is not the output of a run with this input: name another output, or delete it.`);

  function readRecord(record: FileRecord): void {
    const text = record.bytes.toString('utf8');
    const sha256 = exportedTo === null ? undefined : /^\{"exported":"([0-9a-f]{64})"\}$/.exec(text)?.[1];
    if (sha256 !== undefined) return void exports.add(sha256);
    const written = readLine(text);
    if (!written) throw refused(path, `, line ${record.line}, is not a line of a bulk run`);
    const index = plan.indexOf(written.line);
    if (index === undefined || JSON.stringify(plan.read(index).texts) !== JSON.stringify(written.input))
      throw refused(path, `, line ${record.line}, is the answer to another input than line ${written.line} now has`);
    note(index, record.start, record.end, written);
  }
  /** A part of a line that a kill left behind. */
  function isPart(text: string): boolean {
    if (!begun) return false;
    const line = Number(/^\{"line":(\d+),/.exec(text)?.[1] ?? Number.NaN);
    const index = plan.indexOf(line);
    const beginning = index === undefined ? '{"line":' : `{"line":${line},"input":${JSON.stringify(plan.read(index).texts)},`;
    return index === undefined
      ? /^(?:\{("(l(i(n(e("(:\d*)?)?)?)?)?)?)?)?$|^\{"exported":/.test(text)
      : text.startsWith(beginning.slice(0, text.length));
  }

  const existing = openExisting(path);
  if (existing !== null) {
    try {
      let seen = 0;
      for (const record of recordsOf(existing, null)) {
        if (++seen % SLICE === 0) {
          await setImmediate();
          stop?.throwIfAborted();
        }
        if (!record.whole) {
          if (!isPart(record.bytes.toString('utf8'))) throw refused(path, ` ends with a text that is not a line of a bulk run`);
          break;
        }
        readRecord(record);
        size = record.end + 1;
      }
    } finally {
      closeSync(existing);
    }
  }
  if (exportedTo !== null && openExistingIsOther(exportedTo, exports))
    throw refused(exportedTo, ' has other content than the last run wrote');

  const file = dryRun ? openExisting(path) : openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o644);
  if (!dryRun && file !== null && fstatSync(file).size > size) ftruncateSync(file, size);
  const textAt = (index: number): string => readPart(file ?? 0, starts[index] ?? 0, ends[index] ?? 0).toString('utf8');
  const append = (lines: readonly { index: number; text: string; line: OutputLine }[]): void => {
    if (file === null) return;
    writeAll(file, Buffer.from(`${lines.map(({ text }) => text).join('\n')}\n`));
    for (const { index, text, line } of lines) {
      const end = size + Buffer.byteLength(text);
      note(index, size, end, line);
      size = end + 1;
      echo?.(line);
    }
  };
  /** The line of a duplicate: the answer of the first line with this input, free. */
  function copyFor(index: number, text: string) {
    const copy = changedLine(text, { line: plan.lineOf(index), input: plan.read(index).texts, credits: 0, cache: 'duplicate' });
    return { index, text: copy, line: JSON.parse(copy) as OutputLine };
  }
  // a kill may have left out duplicates of the last line
  for (let index = 0; !dryRun && index < plan.size; index++) {
    const first = plan.firstOf(index);
    if (states[index] === 'missing' && states[first] !== 'missing') append([copyFor(index, textAt(first))]);
  }

  const written = (): number[] => states.flatMap((state, index) => (state === 'missing' ? [] : [index]));
  const inOrder = (ordered: boolean): number[] => (ordered ? written() : written().sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0)));
  return {
    get credits() {
      return credits;
    },
    stateOf: (index) => states[index] ?? 'missing',
    codeOf: (index) => codes[index] ?? null,
    write(index, line) {
      const text = JSON.stringify(line);
      const lines = [{ index, text, line }];
      for (let same = plan.nextSame(index); same !== undefined; same = plan.nextSame(same)) lines.push(copyFor(same, text));
      append(lines);
    },
    correct(index, amount) {
      if (states[index] === 'missing' || amounts[index] === amount) return;
      const text = changedLine(textAt(index), { credits: amount });
      append([{ index, text, line: JSON.parse(text) as OutputLine }]);
    },
    *texts(ordered) {
      for (const index of inOrder(ordered)) yield textAt(index);
    },
    isExported: (ordered) =>
      !superseded && inOrder(ordered).every((index, n, all) => n === 0 || (starts[index] ?? 0) > (starts[all[n - 1] ?? 0] ?? 0)),
    noteExport(sha256) {
      if (file !== null) writeAll(file, Buffer.from(`{"exported":"${sha256}"}\n`));
    },
    close: () => void (file !== null && closeSync(file)),
  };
}

/** Whether there is a file with other content than what was exported. */
function openExistingIsOther(path: string, exports: ReadonlySet<string>): boolean {
  const file = openExisting(path);
  if (file === null) return false;
  try {
    return fstatSync(file).size > 0 && !exports.has(createHash('sha256').update(readFileSync(file)).digest('hex'));
  } finally {
    closeSync(file);
  }
}

/** The whole export, in blocks. */
export function* exportOf(journal: Journal, ordered: boolean, form: Export | null): Generator<string, void, undefined> {
  let block = form?.head ?? '';
  for (const text of journal.texts(ordered)) {
    block += form ? form.encode(JSON.parse(text) as OutputLine) : `${text}\n`;
    if (block.length < BLOCK_CHARACTERS) continue;
    yield block;
    block = '';
  }
  if (block) yield block;
}

/** Writes the export to a file of this run's own name, which then takes the place of the output: a kill leaves the old or the new one. */
export async function exportTo(
  path: string,
  runId: string,
  blocks: Iterable<string>,
  note: ((sha256: string) => void) | null,
): Promise<void> {
  const part = `${path}.${runId}.part`;
  const file = await open(part, 'w', 0o644);
  const sha256 = createHash('sha256');
  try {
    for (const block of blocks) {
      await file.writeFile(block);
      sha256.update(block);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  note?.(sha256.digest('hex'));
  await rename(part, path);
}
