import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { type LineResult, type OutputLine, textOfLine as textOf, textOfResult, UNREADABLE } from '../../bulk/lines.ts';
import type { Run as LedgerRun } from '../../bulk/service.ts';
import type { Lookup, Plan, Unreadable } from '../../contract/lists/input.ts';
import { UsageError } from '../option-values.ts';

/** A run, and the process that writes. */
export interface Run extends LedgerRun {
  readonly pid: number;
}
interface RunRow {
  readonly run: Run | null;
  readonly exported?: string;
}

type Line = Lookup | Unreadable;

/** The last answer to a line: its place in the file, and what decides about further runs. */
interface Row {
  readonly start: number;
  readonly end: number;
  readonly ok: boolean;
  readonly code: string | null;
  readonly retryable: boolean;
  readonly credits: number;
  readonly run: string | null;
}

/**
 * The journal of a run, which is all of its state: NDJSON, a row for each answer, appended with one write as it comes, so that a kill leaves whole
 * rows. A later row for the same lookup counts instead of the earlier one; a duplicate has none. `{"run":…}` is the run that goes on after it, null
 * where it has ended; with `exported` the SHA-256 of the table that was written then.
 */
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Reads what earlier runs wrote. Throws a UsageError where the journal, or its table, is not of a run with this input. */
export async function openJournal(path: string, plan: Plan, table: string | null) {
  const rows = new Map<Line, Row>();
  const exports = new Set<string>();
  let run: Run | null = null;
  let file: number | null = null;
  let size = 0;
  const refused = (name: string, why: string) =>
    new UsageError(`${name}${why}. It is not the output of a run with this input: name another output, or delete it.`);

  /** The place of the row that is the next one of the file, with its line feed. */
  function place(text: string): { start: number; end: number } {
    const start = size;
    size += Buffer.byteLength(text);
    return { start, end: size };
  }
  function note(lookup: Line, text: string, { ok, error, credits }: Omit<LineResult, 'resource'>): string {
    const { code = null, retryable = false } = error ?? {};
    rows.set(lookup, { ...place(text), ok, code, retryable, credits, run: run?.id ?? null });
    return text;
  }
  function readRow(text: string, number: number): void {
    const row = rowIn(text);
    if (row === null) throw refused(path, `, line ${number}, is not a line of a bulk run`);
    if ('line' in row) {
      const lookup = plan.inputOfLine(row.line);
      const isSame = lookup && JSON.stringify(plan.textsOf(lookup)) === JSON.stringify(row.input);
      // a line that could not be read is asked once it was corrected
      if (lookup && row.error?.code === UNREADABLE && !(isSame && 'why' in lookup)) return void place(text);
      if (!isSame) throw refused(path, `, line ${number}, is the answer to another input than line ${row.line} now has`);
      note(lookup, text, row);
    } else {
      place(text);
      run = row.run;
      exports.add(row.exported ?? '');
    }
  }
  if (fs.existsSync(path)) {
    let rest = Buffer.alloc(0);
    let number = 0;
    for await (const chunk of fs.createReadStream(path, { highWaterMark: 1 << 20 })) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      let from = 0;
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
        readRow(rest.toString('utf8', from, end + 1), ++number);
        from = end + 1;
      }
      rest = rest.subarray(from);
    }
    // only a run that did not end leaves a part of a row
    if (rest.length > 0 && run === null) throw refused(path, ' ends with a text that is not a line of a bulk run');
  }
  if (table !== null && fs.existsSync(table)) {
    const content = fs.readFileSync(table);
    if (content.length > 0 && !exports.has(createHash('sha256').update(content).digest('hex')))
      throw refused(table, ' has other content than the last run wrote');
  }

  function append(text: string): string {
    fs.writeFileSync(file ?? 0, text);
    return text;
  }
  let scratch = Buffer.alloc(0);
  function textAt({ start, end }: Row): string {
    if (scratch.length < end - start) scratch = Buffer.allocUnsafeSlow(2 * (end - start));
    fs.readSync(file ?? 0, scratch, 0, end - start, start);
    return scratch.toString('utf8', 0, end - start);
  }
  const lineAt = (row: Row): OutputLine => JSON.parse(textAt(row)) as OutputLine;
  const namesOf = (lookup: Line) => ({ line: lookup.line, input: plan.textsOf(lookup) });
  /** Of a duplicate that of the first lookup with its input. */
  const rowOf = (lookup: Line): Row | undefined => rows.get(lookup.first ?? lookup);
  return {
    get run() {
      return run;
    },
    rowOf,
    /** Opens the file for writing, and begins or resumes a run. */
    begin(begun: Run): void {
      file = fs.openSync(path, 'a+', 0o644);
      fs.ftruncateSync(file, size);
      run = begun;
      place(append(textOf({ run })));
    },
    /** Returns the text of the row. */
    write: (lookup: Line, result: LineResult, at: string) => note(lookup, append(textOfResult(namesOf(lookup), result, at)), result),
    correct(lookup: Lookup, credits: number): void {
      const row = rows.get(lookup);
      if (!row || row.credits === credits) return;
      const line = { ...lineAt(row), credits };
      note(lookup, append(textOf(line)), line);
    },
    /** The text of every line of the output that has an answer: in input order, or as they came. */
    *texts(ordered: boolean, onlyDuplicates = false): Generator<string, void, undefined> {
      const answered = plan.lines.map((lookup) => ({ lookup, row: rowOf(lookup) }));
      if (!ordered) answered.sort((a, b) => (a.row?.start ?? 0) - (b.row?.start ?? 0));
      for (const { lookup, row } of answered)
        if (row && lookup.first) yield textOf({ ...lineAt(row), ...namesOf(lookup), credits: 0, cache: 'duplicate' });
        else if (row && !onlyDuplicates) yield textAt(row);
    },
    /** Replaces a file by an export: a table, which is noted, because only what was exported is ever overwritten, or the journal itself. */
    exportTo(target: string, texts: Iterable<string>, hasEnded: boolean): void {
      // of a name of this run's own: a kill leaves the old file or the new one
      const part = `${target}.${run?.id}.part`;
      const sha256 = target === path ? null : createHash('sha256');
      const written = fs.openSync(part, 'w', 0o644);
      for (const text of texts) {
        sha256?.update(text);
        fs.writeFileSync(written, text);
      }
      fs.fsyncSync(written);
      fs.closeSync(written);
      if (sha256) append(textOf({ run: hasEnded ? null : run, exported: sha256.digest('hex') }));
      fs.renameSync(part, target);
    },
    close: () => void (file !== null && fs.closeSync(file)),
  };
}

/** A row of a journal; null: the text is none. */
function rowIn(text: string): OutputLine | RunRow | null {
  try {
    const row = JSON.parse(text) as Partial<OutputLine & RunRow>;
    const { line, input, ok, credits, run, exported = '', ...more } = row;
    if (Object.keys(row).every((name) => name === 'run' || name === 'exported'))
      return (run === null || run?.id.startsWith('bulk-')) && /^([0-9a-f]{64})?$/.test(exported) ? { run, exported } : null;
    const isLine =
      'at' in more && Number.isInteger(line) && typeof input === 'object' && typeof ok === 'boolean' && typeof credits === 'number';
    return isLine ? (row as OutputLine) : null;
  } catch {
    return null; // the caller names the line
  }
}
