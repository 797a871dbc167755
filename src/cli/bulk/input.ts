import type { Input, Operation } from '../../contract/operations/index.ts';
import { bad, good, type Read } from '../../contract/parameters/value-types.ts';
import { fieldsOf } from './csv.ts';
import { type FileRecord, readPart, recordsOf } from './records.ts';

export const INPUT_FORMATS = ['csv', 'ndjson', 'list'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** Parameters by name, as the file has them. */
export type Texts = Readonly<Record<string, string>>;
/** One lookup of the input. */
export interface InputLine {
  readonly texts: Texts;
  readonly input: Input;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
function textOf(bytes: Buffer): Read<string> {
  try {
    return good(UTF8.decode(bytes).replace(/\r$/, ''));
  } catch {
    return bad('is not valid UTF-8: save the file as UTF-8');
  }
}

/** Reads the lookups of a file: the records after the header, blank ones skipped. */
export interface InputReader {
  /** Every lookup or why it is none, in order. */
  all(): Generator<{ readonly record: FileRecord; readonly read: Read<InputLine> }, void, undefined>;
  /** A lookup that `all` gave, by its place in the file. */
  at(start: number, end: number): InputLine;
}

/** The format: as given, by the name of the file, else by its first line. */
function formatOf(given: InputFormat | undefined, name: string, head: string, operation: Operation): InputFormat {
  if (given) return given;
  if (/\.csv$/i.test(name)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'ndjson';
  if (head.trimStart().startsWith('{')) return 'ndjson';
  const fields = fieldsOf(head);
  return fields.ok && fields.value.every((field) => operation.parameters.some(({ name: known }) => known === field.trim()))
    ? 'csv'
    : 'list';
}

/** Opens the lookups of a file. Refused: an empty file, a header with unknown columns, a list for more than one required parameter. */
export function openInput(file: number, name: string, operation: Operation, given?: InputFormat): Read<InputReader> {
  const [first] = recordsOf(file, false);
  if (!first) return bad('is empty');
  const start = textOf(first.bytes);
  if (!start.ok) return start;
  const format = formatOf(given, name, start.value, operation);
  const parameters = operation.parameters.map((p) => p.name);
  const needed = operation.parameters.filter((p) => p.required).map((p) => p.name);
  let columns: readonly string[] = [];
  if (format === 'csv') {
    const [record] = recordsOf(file, true);
    const text = textOf(record?.bytes ?? Buffer.alloc(0));
    const fields = text.ok ? fieldsOf(text.value) : text;
    if (!fields.ok) return fields;
    columns = fields.value.map((field) => field.trim());
    const unknown = columns.find((column) => !parameters.includes(column));
    if (unknown !== undefined)
      return bad(`has the column ${JSON.stringify(unknown)}, but the columns of ${operation.id} are ${parameters.join(', ')}`);
    if (new Set(columns).size < columns.length) return bad('has a column twice: name each once');
    const missing = needed.find((column) => !columns.includes(column));
    if (missing !== undefined) return bad(`has no column ${missing}`);
  }
  if (format === 'list' && needed.length !== 1)
    return bad(`is a plain list, but ${operation.id} needs ${needed.join(', ')}: give CSV with a header, or NDJSON`);

  const texts = (text: string): Read<Texts> => {
    if (format === 'list') return good({ [needed[0] ?? '']: text.trim() });
    if (format === 'ndjson') return textsOfJson(text);
    const fields = fieldsOf(text);
    if (!fields.ok) return fields;
    if (fields.value.length !== columns.length) return bad(`has ${fields.value.length} fields, but the header has ${columns.length}`);
    return good(Object.fromEntries(fields.value.flatMap((value, n) => (value.trim() ? [[columns[n] ?? '', value]] : []))));
  };
  const lineOf = (bytes: Buffer): Read<InputLine> => {
    const text = textOf(bytes);
    const named = text.ok ? texts(text.value) : text;
    if (!named.ok) return named;
    const input = operation.readInput(Object.entries(named.value));
    return input.ok ? good({ texts: named.value, input: input.value }) : input;
  };
  return good({
    *all() {
      let isHeader = format === 'csv';
      for (const record of recordsOf(file, format === 'csv')) {
        if (isHeader) isHeader = false;
        else if (!/^\s*$/.test(record.bytes.toString('latin1'))) yield { record, read: lineOf(record.bytes) };
      }
    },
    at(from, to) {
      const read = lineOf(readPart(file, from, to));
      if (!read.ok) throw new Error(`The input changed while it was read: a line ${read.why}`);
      return read.value;
    },
  });
}

function textsOfJson(text: string): Read<Texts> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(`is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('is not a JSON object with the parameters');
  const texts: Record<string, string> = {};
  for (const [name, given] of Object.entries(value)) {
    if (given === null) continue;
    if (typeof given !== 'string' && typeof given !== 'number') return bad(`has ${name}, which is neither a text nor a number`);
    texts[name] = String(given);
  }
  return good(texts);
}
