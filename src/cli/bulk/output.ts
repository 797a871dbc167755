import { closeSync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';
import { UsageError } from '../usage-error.ts';
import type { Format, OutputLine, Written } from './format.ts';
import type { Plan } from './plan.ts';
import { readInto, readPart, recordsOf } from './records.ts';

type Result = Pick<Written, 'ok' | 'code' | 'retryable' | 'credits'>;
const NONE = -1;
const BLOCK_BYTES = 1 << 20;

/** What became of a lookup. */
export type LineState = 'missing' | 'ok' | 'failed' | 'retryable';

/**
 * The output file. While the run goes on, lines are appended as they come, each with one write, so that a kill leaves whole lines; a rest
 * without line end is cut off by the next run. `finish` puts them in input order: a new file takes the place of the old one.
 */
export interface Output {
  readonly credits: number;
  stateOf(index: number): LineState;
  codeOf(index: number): string | null;
  creditsOf(index: number): number;
  /** Writes the line, and the lines of its duplicates. */
  write(index: number, line: OutputLine): void;
  /** The credits that the ledger has for a line; written by `finish`. */
  correct(index: number, credits: number): void;
  finish(ordered: boolean): void;
  close(): void;
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** Opens the output and reads what an earlier run wrote. `echo` gets every text that is written. Throws a UsageError where the file belongs to another input. */
export function openOutput(path: string, plan: Plan, format: Format, echo: ((text: string) => void) | null): Output {
  const file = openSync(path, 'a+', 0o644);
  const starts = new Array<number>(plan.size).fill(NONE);
  const ends = new Array<number>(plan.size).fill(NONE);
  const states = new Array<LineState>(plan.size).fill('missing');
  const codes = new Array<string | null>(plan.size).fill(null);
  const amounts = new Array<number>(plan.size).fill(0);
  const corrected = new Map<number, number>();
  let size = 0;
  let superseded = false;
  let credits = 0;

  const textAt = (index: number): string => readPart(file, starts[index] ?? 0, ends[index] ?? 0).toString('utf8');
  const note = (index: number, start: number, end: number, { ok, code, retryable, credits: amount }: Result): void => {
    if (starts[index] !== NONE) superseded = true;
    starts[index] = start;
    ends[index] = end;
    states[index] = ok ? 'ok' : retryable ? 'retryable' : 'failed';
    codes[index] = code;
    credits += amount - (amounts[index] ?? 0);
    amounts[index] = amount;
  };
  const append = (lines: readonly { index: number; text: string; result: Result }[]): void => {
    const text = `${lines.map((line) => line.text).join('\n')}\n`;
    writeAll(file, Buffer.from(text));
    echo?.(text);
    for (const { index, text: one, result } of lines) {
      const end = size + Buffer.byteLength(one);
      note(index, size, end, result);
      size = end + 1;
    }
  };
  /** The line of a duplicate: the answer of the first line with this input, free. */
  const copyFor = (index: number, text: string, result: Result) => {
    const changes = { line: plan.lineOf(index), input: plan.read(index).texts, credits: 0, cache: 'duplicate' };
    return { index, text: format.change(text, changes), result: { ...result, credits: 0 } };
  };

  function scan(): void {
    const other = (line: number, why: string) =>
      new UsageError(`${path}, line ${line}: ${why}. Choose another output, or delete this one to begin anew.`);
    let isHeader = format.header !== null;
    for (const record of recordsOf(file, format.quoted)) {
      if (!record.whole) break;
      size = record.end + 1;
      const text = record.bytes.toString('utf8');
      if (isHeader) {
        isHeader = false;
        if (text !== format.header) throw other(record.line, 'the columns are not those of this operation');
        continue;
      }
      const written = format.decode(text);
      if (!written) throw other(record.line, 'this is not a line of a bulk run');
      const index = plan.indexOf(written.line);
      const same = index !== undefined && JSON.stringify(plan.read(index).texts) === JSON.stringify(written.input);
      if (index === undefined || !same) throw other(record.line, `it is the answer to another input than line ${written.line} now has`);
      note(index, record.start, record.end, written);
    }
    ftruncateSync(file, size);
    if (isHeader && format.header !== null) {
      writeAll(file, Buffer.from(`${format.header}\n`));
      echo?.(`${format.header}\n`);
      size = Buffer.byteLength(format.header) + 1;
    }
  }

  scan();
  // a kill may have left out duplicates of the last line
  for (let index = 0; index < plan.size; index++) {
    const first = plan.firstOf(index);
    const state = states[first] ?? 'missing';
    if (states[index] !== 'missing' || state === 'missing') continue;
    const result = { ok: state === 'ok', code: codes[first] ?? null, retryable: state === 'retryable', credits: 0 };
    append([copyFor(index, textAt(first), result)]);
  }

  return {
    get credits() {
      return credits;
    },
    stateOf: (index) => states[index] ?? 'missing',
    codeOf: (index) => codes[index] ?? null,
    creditsOf: (index) => amounts[index] ?? 0,
    write(index, line) {
      const text = format.encode(line);
      const { ok, error, credits: amount } = line;
      const result = { ok, code: error?.code ?? null, retryable: error?.retryable ?? false, credits: amount };
      const lines = [{ index, text, result }];
      for (let same = plan.nextSame(index); same !== undefined; same = plan.nextSame(same)) lines.push(copyFor(same, text, result));
      append(lines);
    },
    correct(index, amount) {
      const before = amounts[index] ?? 0;
      if (states[index] === 'missing' || before === amount) return;
      credits += amount - before;
      amounts[index] = amount;
      corrected.set(index, amount);
    },
    finish(ordered) {
      const written = states.flatMap((state, index) => (state === 'missing' ? [] : [index]));
      const byPlace = written.toSorted((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
      const inOrder = ordered ? written : byPlace;
      if (!superseded && !corrected.size && inOrder.every((index, n) => index === byPlace[n])) return;
      const next = openSync(`${path}.sorted`, 'w', 0o644);
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      let used = 0;
      const flush = () => {
        writeAll(next, block.subarray(0, used));
        used = 0;
      };
      const room = (bytes: number) => {
        if (used + bytes > BLOCK_BYTES) flush();
        return bytes <= BLOCK_BYTES;
      };
      const add = (text: string) => {
        const bytes = Buffer.from(`${text}\n`);
        if (room(bytes.length)) used += bytes.copy(block, used);
        else writeAll(next, bytes);
      };
      if (format.header !== null) add(format.header);
      for (const index of inOrder) {
        const amount = corrected.get(index);
        const [start, end] = [starts[index] ?? 0, (ends[index] ?? 0) + 1];
        if (amount !== undefined) add(format.change(textAt(index), { credits: amount }));
        else if (room(end - start)) used += readInto(file, block.subarray(used, used + end - start), start);
        else writeAll(next, readPart(file, start, end));
      }
      flush();
      fsyncSync(next);
      closeSync(next);
      renameSync(`${path}.sorted`, path);
    },
    close: () => closeSync(file),
  };
}
