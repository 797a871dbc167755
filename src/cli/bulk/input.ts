import { type Input, type Operation, operationOf } from '../../contract/operations/index.ts';
import { isMisspelt } from '../../contract/parameters/misspelt.ts';
import { readPasted, type Understood } from '../../contract/parameters/pasted.ts';
import { bad, good, type Read } from '../../contract/parameters/value-types.ts';
import { type FileRecord, fieldsOf, readPart, recordsOf } from './records.ts';

export const INPUT_FORMATS = ['csv', 'ndjson', 'list'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** Values by name, as the file has them: parameters, and the further columns of a CSV. */
export type Texts = Readonly<Record<string, string>>;
/** One lookup of the input. */
export interface InputLine {
  readonly operation: Operation;
  readonly texts: Texts;
  readonly input: Input;
  /** Values that were given as addresses. */
  readonly understood: readonly Understood[];
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
  /** Names of the values: the header's, the parameter of a list; of NDJSON the parameters. */
  readonly columns: readonly string[];
  /** Columns of a CSV that are no parameters: they are carried to the output. */
  readonly carried: readonly string[];
  /** Every lookup or why it is none, in order. */
  all(): Generator<{ readonly line: number; readonly record: FileRecord; readonly read: Read<InputLine> }, void, undefined>;
  /** A lookup that `all` gave, by its place in the file. */
  at(start: number, end: number): InputLine;
}

/** `Post ID`, `post_id` and `postId` are one name. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
const parameterOf = ({ parameters }: Operation, column: string) => parameters.find(({ name }) => plain(name) === plain(column));

/** The separator under which most columns of the header are parameters. */
function separatorOf(head: string, operation: Operation): string {
  const known = (separator: string): number => {
    const fields = fieldsOf(head, separator);
    return fields.ok ? fields.value.filter((field) => parameterOf(operation, field)).length : 0;
  };
  return [',', ';', '\t'].reduce((best, next) => (known(next) > known(best) ? next : best));
}

/** The format: as given, by the name of the file, else by its first line. */
function formatOf(given: InputFormat | undefined, name: string, head: string, operation: Operation): InputFormat {
  if (given) return given;
  if (/\.(csv|tsv)$/i.test(name)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(name) || head.trimStart().startsWith('{')) return 'ndjson';
  const fields = fieldsOf(head, separatorOf(head, operation));
  const known = fields.ok ? fields.value.filter((field) => parameterOf(operation, field)) : [];
  const needed = operation.parameters.filter((p) => p.required);
  return fields.ok && needed.every((p) => known.some((field) => plain(field) === plain(p.name))) && known.length > 0 ? 'csv' : 'list';
}

/** The names of a header: parameters by their own name, other columns as they are. */
function columnsOf(fields: readonly string[], operation: Operation): Read<string[]> {
  const columns = fields.map((field, n) => parameterOf(operation, field)?.name ?? (field.trim() || `column ${n + 1}`));
  for (const column of columns) {
    const meant = operation.parameters.find(({ name }) => isMisspelt(plain(column), plain(name), name.length > 5 ? 2 : 1));
    if (meant && !parameterOf(operation, column))
      return bad(`has the column ${JSON.stringify(column)}, which looks like ${meant.name} misspelt: correct or rename it`);
  }
  if (new Set(columns).size < columns.length) return bad('has a column twice: name each once');
  const missing = operation.parameters.find((p) => p.required && !columns.includes(p.name));
  const all = operation.parameters.map(({ name }) => name).join(', ');
  return missing ? bad(`has no column ${missing.name}; the parameters of ${operation.id} are ${all}`) : good(columns);
}

/** Opens the lookups of a file. Without operation each line of NDJSON names its own. */
export function openInput(file: number, name: string, operation: Operation | null, given?: InputFormat): Read<InputReader> {
  const [first] = recordsOf(file, null);
  if (!first) return bad('is empty');
  const start = textOf(first.bytes);
  if (!start.ok) return start;
  const format = operation ? formatOf(given, name, start.value, operation) : 'ndjson';
  const separator = format === 'csv' && operation ? separatorOf(start.value, operation) : null;
  const needed = operation?.parameters.filter((p) => p.required).map((p) => p.name) ?? [];
  let columns = operation?.parameters.map((p) => p.name) ?? [];
  if (operation && separator !== null) {
    const [record] = recordsOf(file, separator);
    if (record && record.openQuote !== null) return bad(`has a quote in line ${record.openQuote} that is not closed`);
    const text = textOf(record?.bytes ?? Buffer.alloc(0));
    const fields = text.ok ? fieldsOf(text.value, separator) : text;
    const names = fields.ok ? columnsOf(fields.value, operation) : fields;
    if (!names.ok) return names;
    columns = names.value;
  }
  if (format === 'list' && needed.length !== 1)
    return bad(`is a plain list, but ${operation?.id} needs ${needed.join(', ')}: give CSV with a header, or NDJSON`);
  if (format === 'list') columns = needed;
  const carried = columns.filter((column) => operation && !operation.parameters.some((p) => p.name === column));

  const texts = (text: string): Read<Texts> => {
    if (format === 'list') return good({ [columns[0] ?? '']: text.trim() });
    if (separator === null) return textsOfJson(text);
    const fields = fieldsOf(text, separator);
    if (!fields.ok) return fields;
    if (fields.value.length !== columns.length) return bad(`has ${fields.value.length} fields, but the header has ${columns.length}`);
    return good(Object.fromEntries(fields.value.flatMap((value, n) => (value.trim() ? [[columns[n] ?? '', value]] : []))));
  };
  const lineOf = (bytes: Buffer): Read<InputLine> => {
    const text = textOf(bytes);
    const named = text.ok ? texts(text.value) : text;
    if (!named.ok) return named;
    const own = operation ?? operationOf(named.value.operation ?? '');
    if (!own) return bad(`names the operation ${JSON.stringify(named.value.operation ?? null)}, which there is not`);
    const isParameter = ([key]: readonly [string, string]) => !carried.includes(key) && (operation !== null || key !== 'operation');
    const { pairs, understood } = readPasted(own.parameters, Object.entries(named.value).filter(isParameter));
    const input = own.readInput(pairs);
    return input.ok ? good({ operation: own, texts: named.value, input: input.value, understood }) : input;
  };
  return good({
    columns,
    carried,
    *all() {
      let isHeader = separator !== null;
      for (const record of recordsOf(file, separator)) {
        if (isHeader) isHeader = false;
        else if (record.openQuote !== null)
          yield { line: record.openQuote, record, read: bad('opens a quote that is not closed: close it, or quote the whole field') };
        else if (!/^\s*$/.test(record.bytes.toString('latin1'))) yield { line: record.line, record, read: lineOf(record.bytes) };
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
