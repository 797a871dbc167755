import { recordAt, recordsOf, SEPARATORS, type Separator } from '../csv-records.ts';
import { type Input, type Operation, operationOf } from '../operations/index.ts';
import { isMisspelt, plainName } from '../parameters/misspelt.ts';
import { bad, good, type Pairs, type Parameter, type Read } from '../parameters/parameter.ts';
import { readPasted, type Understood } from '../parameters/pasted.ts';
import { fail } from './fault.ts';

/** Values by name, as the file has them: parameters, and the further columns of a CSV. */
export type Texts = Readonly<Record<string, string>>;
export type InputFormat = 'csv' | 'ndjson' | 'list';

interface InputLine {
  readonly operation: Operation;
  readonly texts: Texts;
  readonly input: Input;
  /** Values that were given as addresses. */
  readonly understood: readonly Understood[];
}
/** A checked line of the input. Its values are read again when they are needed. */
export interface Lookup {
  readonly line: number;
  readonly start: number;
  readonly operation: Operation;
  /** The first lookup with the same input; null where this is it. */
  readonly first: Lookup | null;
  readonly units: number;
}
/** A line that is no lookup: it is never asked. */
export interface Unreadable {
  readonly line: number;
  readonly start: number;
  readonly first: null;
  readonly why: string;
}
/** The form of a file. */
export interface Form {
  readonly format: InputFormat;
  readonly separator: Separator | null;
  /** What each column holds: the name of a parameter, or its own. */
  readonly columns: readonly string[];
  /** The first record names the columns. */
  readonly hasHeader: boolean;
}
export type Understand = (
  parameters: readonly Parameter[],
  given: Pairs,
) => { readonly pairs: readonly (readonly [string, string])[]; readonly understood: readonly Understood[] };
export interface InputOptions {
  /** Name of the file, which may say its format. */
  readonly name: string;
  readonly operation: Operation | null;
  readonly format?: InputFormat | undefined;
  /** How the file is to be read, where somebody chose it. Default: as its name and its first line say. */
  readonly form?: Form;
  /** What values mean that are no values of their parameters. Default: addresses. */
  readonly understand?: Understand;
  /** A shorter text for the same input: one is stored for each lookup. Default: the text. */
  readonly keyOf?: (text: string) => string;
  /** Awaited from time to time while a long file is read. */
  readonly rest?: () => Promise<unknown>;
}
export type Plan = Awaited<ReturnType<typeof readInput>>;

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
const NOT_UTF8 = 'is not valid UTF-8: save the file as UTF-8';

/** Names of columns in the exports of registrars. */
const ALSO: Readonly<Record<string, string>> = { domainname: 'domain', fqdn: 'domain', dnsname: 'domain' };
export const parameterOf = ({ parameters }: Operation, column: string) => {
  const own = plainName(column);
  return parameters.find(({ name }) => plainName(name) === own) ?? parameters.find(({ name }) => name === ALSO[own]);
};
export const neededOf = ({ parameters }: Operation): string[] => parameters.flatMap(({ name, required }) => (required ? [name] : []));
const failInput = (why: string): never => fail(`The input ${why}.`);

/** The names of a header: parameters by their own name, other columns as they are. */
function columnsOf(fields: readonly string[], operation: Operation): string[] {
  const columns = fields.map((field, n) => parameterOf(operation, field)?.name ?? (field.trim() || `column ${n + 1}`));
  for (const column of columns) {
    const meant = operation.parameters.find(({ name }) => isMisspelt(plainName(column), plainName(name), name.length > 5 ? 2 : 1));
    if (meant && !parameterOf(operation, column))
      failInput(`has the column ${JSON.stringify(column)}, which looks like ${meant.name} misspelt: correct or rename it`);
  }
  if (new Set(columns).size < columns.length) failInput('has a column twice: name each once');
  const missing = neededOf(operation).find((name) => !columns.includes(name));
  const all = operation.parameters.map(({ name }) => name).join(', ');
  return missing ? failInput(`has no column ${missing}; the parameters of ${operation.id} are ${all}`) : columns;
}

/** The form of the input: as given, by the name of the file, else by its first line. Throws an InputFault for a wrong header. */
function formOf(text: string, fileName: string, operation: Operation | null, given: InputFormat | undefined): Form {
  const parameters = operation?.parameters.map(({ name }) => name) ?? [];
  const byName = /\.(csv|tsv)$/i.test(fileName) ? 'csv' : /\.(ndjson|jsonl)$/i.test(fileName) || /^\s*\{/.test(text) ? 'ndjson' : null;
  const stated = operation ? (given ?? byName) : 'ndjson';
  if (!operation || stated === 'ndjson') return { format: 'ndjson', separator: null, columns: parameters, hasHeader: false };
  const needed = neededOf(operation);
  const known = (separator: Separator): string[] => {
    const { fields } = recordAt(text, 0, separator);
    return fields.ok ? fields.value.flatMap((field) => parameterOf(operation, field)?.name ?? []) : [];
  };
  const separator = SEPARATORS.reduce((best, next) => (known(next).length > known(best).length ? next : best));
  const isHeader = known(separator).length > 0 && needed.every((name) => known(separator).includes(name));
  if (stated === 'csv' || (stated === null && isHeader)) {
    const { fields } = recordAt(text, 0, separator);
    return { format: 'csv', separator, columns: columnsOf(fields.ok ? fields.value : failInput(fields.why), operation), hasHeader: true };
  }
  if (needed.length !== 1) failInput(`is a plain list, but ${operation.id} needs ${needed.join(', ')}: give CSV with a header, or NDJSON`);
  return { format: 'list', separator: null, columns: needed, hasHeader: false };
}

function textsOfJson(text: string): Read<Texts> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(`is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('is not a JSON object with the parameters');
  const given = Object.entries(value).filter(([, each]) => each !== null);
  const wrong = given.find(([, each]) => typeof each !== 'string' && typeof each !== 'number');
  return wrong
    ? bad(`has ${wrong[0]}, which is neither a text nor a number`)
    : good(Object.fromEntries(given.map(([name, each]) => [name, String(each)])));
}

function textsOf(fields: readonly string[], { format, columns }: Form): Read<Texts> {
  const [line = ''] = fields;
  if (format === 'list') return good({ [columns[0] ?? '']: line.trim() });
  if (format === 'ndjson') return textsOfJson(line);
  if (fields.length !== columns.length) return bad(`has ${fields.length} fields, but the header has ${columns.length}`);
  return good(Object.fromEntries(fields.flatMap((value, n) => (value.trim() ? [[columns[n], value]] : []))));
}

/** What a line has that is no lookup; nothing where its form cannot be told. */
function textsOfUnreadable(fields: Read<string[]>, form: ReturnType<typeof formOf>): Texts {
  if (fields.ok && form.format === 'csv')
    return Object.fromEntries(fields.value.map((value, n) => [form.columns[n] ?? `column ${n + 1}`, value]));
  const texts = fields.ok ? textsOf(fields.value, form) : fields;
  return texts.ok ? texts.value : {};
}

/** Checks the whole input; `report` gets every line that is no lookup. Without operation each line names its own. Throws an InputFault for a wrong header. */
export async function readInput(
  given: Uint8Array | string,
  { name, operation, format, form: chosen, understand = readPasted, keyOf = (text) => text, rest = nextTask }: InputOptions,
  report: (line: number, why: string) => void,
) {
  const text = typeof given === 'string' ? given : new TextDecoder().decode(given);
  const hasDamage = typeof given !== 'string' && text.includes('\ufffd') && !isUtf8(given);
  const isDamaged = (part: string): boolean => hasDamage && part.includes('\ufffd');
  if (given.length === 0) failInput('is empty');
  if (isDamaged(text.slice(0, recordAt(text, 0, null).end))) failInput(NOT_UTF8);
  const form = chosen ?? formOf(text, name, operation, format);
  const carried = form.columns.filter((column) => operation && !operation.parameters.some((p) => p.name === column));

  function lineOf(fields: Read<string[]>): Read<InputLine> {
    const texts = fields.ok ? textsOf(fields.value, form) : fields;
    if (!texts.ok) return texts;
    const own = operation ?? operationOf(texts.value.operation ?? '');
    if (!own) return bad(`names the operation ${JSON.stringify(texts.value.operation ?? null)}, which there is not`);
    const isParameter = ([key]: readonly [string, string]) => !carried.includes(key) && (operation !== null || key !== 'operation');
    const { pairs, understood } = understand(own.parameters, Object.entries(texts.value).filter(isParameter));
    const input = own.readInput(pairs);
    return input.ok ? good({ operation: own, texts: texts.value, input: input.value, understood }) : input;
  }

  const fieldsAt = (start: number): string[] => (recordAt(text, start, form.separator).fields as { value: string[] }).value;
  const lookups: Lookup[] = [];
  const unreadable: Unreadable[] = [];
  const lines: (Lookup | Unreadable)[] = [];
  const byLine = new Map<number, Lookup | Unreadable>();
  const firsts = new Map<string, Lookup>();
  const understood = new Map<string, { count: number; first: Understood }>();
  let seen = 0;
  for (const { line, start, end, fields } of recordsOf(text, form.separator)) {
    // signals, or the page, are looked at between
    if (++seen % 500 === 0) await rest();
    const record = text.slice(start, end);
    if ((form.hasHeader && start === 0) || record.trim() === '') continue;
    const read = isDamaged(record) ? bad(NOT_UTF8) : lineOf(fields);
    if (!read.ok) {
      report(line, read.why);
      const one = { line, start, first: null, why: read.why };
      byLine.set(line, one);
      lines.push(one);
      unreadable.push(one);
      continue;
    }
    const { operation: own, input } = read.value;
    for (const one of read.value.understood)
      understood.set(one.name, { first: one, ...understood.get(one.name), count: (understood.get(one.name)?.count ?? 0) + 1 });
    const key = keyOf(`${own.id} ${JSON.stringify(input)}`);
    const lookup = { line, start, operation: own, first: firsts.get(key) ?? null, units: own.price(input) };
    if (!lookup.first) firsts.set(key, lookup);
    byLine.set(line, lookup);
    lines.push(lookup);
    lookups.push(lookup);
  }
  return {
    lookups,
    unreadable,
    /** Column names: the CSV header, the single parameter for a list, all parameters for NDJSON. */
    columns: form.columns,
    /** Columns of a CSV that are no parameters: they are carried to the output. */
    carried,
    /** Values that were given as addresses: how many of each parameter, and the first one. */
    understood,
    understand,
    inputOfLine: (line: number) => byLine.get(line),
    /** Every line, in the order of the file. */
    lines,
    /** The values of a line as the file has them. */
    textsOf: (one: Lookup | Unreadable): Texts =>
      'why' in one
        ? textsOfUnreadable(recordAt(text, one.start, form.separator).fields, form)
        : (textsOf(fieldsAt(one.start), form) as { value: Texts }).value,
    /** The values of a lookup, which were read before. */
    read: ({ start }: Lookup): InputLine => (lineOf(good(fieldsAt(start))) as { value: InputLine }).value,
  };
}
