import { type OutputLine, textOfLine, textOfResult, unreadable } from '../../bulk/lines.ts';
import { type TableOptions, tableOf } from '../../bulk/table.ts';
import { csvRecord } from '../../contract/tables.ts';
import { saveFile } from '../parts/controls.tsx';
import type { OpenFile } from './open-file.ts';
import type { Reading } from './reading.ts';
import { files } from './store.ts';

const AT_A_TIME = 100;

/** The lines of the output that have an answer or cannot be read, in the order of the file, as the command line writes them. */
export async function* answeredLines(file: OpenFile, { plan }: Pick<Reading, 'plan'>): AsyncGenerator<string, void, undefined> {
  const begunAt = file.job.peek().begun?.at ?? '';
  for (let from = 0; from < plan.lines.length; from += AT_A_TIME) {
    const part = plan.lines.slice(from, from + AT_A_TIME);
    const texts = await files.texts(file.id, part[0]?.line ?? 0, part.at(-1)?.line ?? 0);
    for (const one of part) {
      const names = { line: one.line, input: plan.textsOf(one) };
      if ('why' in one) yield textOfResult(names, unreadable(one.why), begunAt);
      const fact = file.facts.get((one.first ?? one).line);
      if ('why' in one || !fact) continue;
      const text = texts.get(fact.line) ?? (await files.texts(file.id, fact.line, fact.line)).get(fact.line);
      if (text === undefined) continue;
      const answered = JSON.parse(text) as OutputLine;
      if (one.first) yield textOfLine({ ...answered, ...names, credits: 0, cache: 'duplicate' });
      // the ledger may have corrected its credits
      else yield answered.credits === fact.credits ? text : textOfLine({ ...answered, credits: fact.credits });
    }
  }
}

export type Form = 'csv' | 'spreadsheet' | 'ndjson';
type Rows = TableOptions['rows'];

/** Rows of a table of the result: the columns of the file first. */
export const tableFor = (file: OpenFile, { operation, plan, guess }: Reading, rows: Rows, form: Form) => {
  const options = {
    ...{ rows, format: 'csv' as const, inputFirst: true as const },
    // a semicolon where the program that made the file wants one
    separator: form === 'spreadsheet' && guess.separator === ';' ? ('semicolon' as const) : ('comma' as const),
    ...(form === 'csv' ? { raw: true as const } : { bom: true as const }),
  };
  const table = tableOf(operation, plan, options);
  if (file.job.peek().keepsColumns) return table;
  return tableOf(operation, plan, { ...options, columns: table.names.filter((name) => !plan.carried.includes(name)) });
};

const downloadName = (file: OpenFile, what: string): string => `${file.job.peek().name.replace(/\.[^.]*$/, '')}-${what}`;

export async function downloadResult(file: OpenFile, reading: Reading, form: Form, rows: Rows): Promise<void> {
  const parts: string[] = [];
  const table = form === 'ndjson' ? null : tableFor(file, reading, rows, form);
  if (table) parts.push(table.head);
  for await (const text of answeredLines(file, reading)) parts.push(table ? table.encode(text) : text);
  const [ending, type] = table ? ['csv', 'text/csv'] : ['ndjson', 'application/x-ndjson'];
  saveFile(`${downloadName(file, form === 'spreadsheet' ? 'spreadsheet' : 'result')}.${ending}`, new Blob(parts, { type }));
}

/** The lines without an answer: the ones that failed, are left, or cannot be read. */
export function withoutAnswer(file: OpenFile, { plan, bad }: Reading): readonly number[] {
  const open = plan.lookups.filter(({ line, first }) => !file.facts.get(first?.line ?? line)?.ok).map(({ line }) => line);
  const missing = open.filter((line) => file.facts.get(line)?.code !== 'NOT_FOUND');
  return [...missing, ...bad.map(({ line }) => line)].sort((a, b) => a - b);
}

/** A file of these lines that can be given again. */
export function downloadLines(file: OpenFile, reading: Reading, lines: readonly number[]): void {
  const { format, separator, hasHeader, names } = reading.guess;
  const isTable = format === 'csv';
  const records = lines.map((line) => reading.fieldsOf(line));
  const text = isTable
    ? [...(hasHeader ? [names] : []), ...records]
        .map((fields) => csvRecord(fields, separator ?? ',', (cell) => String(cell ?? '')))
        .join('')
    : records.map(([line = '']) => `${line}\n`).join('');
  const ending = isTable ? 'csv' : format === 'ndjson' ? 'ndjson' : 'txt';
  saveFile(`${downloadName(file, 'left')}.${ending}`, new Blob([text], { type: 'text/plain' }));
}
