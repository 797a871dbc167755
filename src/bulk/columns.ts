import { recordAt, recordsOf, SEPARATORS, type Separator } from '../contract/csv-records.ts';
import { type Form, neededOf, parameterOf } from '../contract/lists/input.ts';
import type { Operation } from '../contract/operations/index.ts';
import { readPasted } from '../contract/parameters/pasted.ts';
import { meantBy } from './values.ts';

/** How a file is read, as far as it can be told; each part may be changed by the person who gave it. */
export interface Guess {
  readonly format: Form['format'];
  readonly separator: Separator | null;
  readonly hasHeader: boolean;
  /** Names of the columns: those of the header, else `column 1` and so on. */
  readonly names: readonly string[];
  /** The parameter that each column holds; null: none. */
  readonly holds: readonly (string | null)[];
  readonly decimal: '.' | ',';
}

/** Records that are looked at for a guess. */
const SAMPLE = 50;
/** What columns are called in files of people, in lower case without blanks, accents, hyphens and underscores. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  keyword:
    'keywords query searchterm search suchbegriff suchwort suchanfrage begriff motcle requete palabraclave termino parolachiave zoekwoord term phrase'.split(
      ' ',
    ),
  location: 'country countrycode land staat pays pais paese kraj market markt region'.split(' '),
  language: 'lang sprache langue idioma lingua taal jezyk'.split(' '),
  depth: 'results tiefe anzahl top resultats risultati'.split(' '),
  device: 'gerat endgerat appareil dispositivo platform'.split(' '),
  engine: 'searchengine suchmaschine moteur motor'.split(' '),
  domain: 'url website site host webseite domaine dominio'.split(' '),
  handle: 'app appname slug'.split(' '),
};
const plainHeader = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}\s_-]/gu, '');

/** The parameter that a column of this name holds. */
function parameterCalled(operation: Operation, name: string): string | null {
  const own = plainHeader(name);
  const called = Object.entries(CALLED).find(([, names]) => names.includes(own))?.[0];
  return parameterOf(operation, name)?.name ?? operation.parameters.find((p) => p.name === called)?.name ?? null;
}

function recordsIn(text: string, separator: Separator | null): string[][] {
  const records: string[][] = [];
  for (const { fields } of recordsOf(text, separator)) {
    if (fields.ok && fields.value.some((field) => field.trim() !== '')) records.push(fields.value);
    if (records.length >= SAMPLE) break;
  }
  return records;
}
const namesIn = (operation: Operation, fields: readonly string[]): (string | null)[] => {
  const taken = new Set<string>();
  return fields.map((field) => {
    const name = parameterCalled(operation, field);
    if (name === null || taken.has(name)) return null;
    taken.add(name);
    return name;
  });
};

/** The separator whose header names most parameters; else the one that cuts most records into as many fields as the first, two at least. */
function separatorOf(text: string, operation: Operation): Separator | null {
  const scored = SEPARATORS.map((separator) => {
    const records = recordsIn(text, separator);
    const width = records[0]?.length ?? 0;
    const known = namesIn(operation, records[0] ?? []).filter(Boolean).length;
    return { separator, known: width > 1 ? known : 0, even: width > 1 ? records.filter((fields) => fields.length === width).length : 0 };
  });
  const [best] = scored.sort((a, b) => b.known - a.known || b.even - a.even);
  // a comma inside of plain lines is no separator
  const isTable = best && (best.known > 0 || best.even >= Math.max(2, recordsIn(text, best.separator).length * 0.9));
  return isTable ? best.separator : null;
}

/** `1.000,5` and `10,5` are of a decimal comma; without one of them it follows the separator, since a comma cannot be both. */
function decimalOf(records: readonly (readonly string[])[], separator: Separator | null): '.' | ',' {
  const numbers = records.flat().filter((field) => /^\s*\d[\d.,]*\s*$/.test(field));
  if (numbers.some((n) => /\.\d{3},\d|^\s*\d+,\d{1,2}\s*$/.test(n))) return ',';
  if (numbers.some((n) => /,\d{3}\.\d|^\s*\d+\.\d{1,2}\s*$/.test(n))) return '.';
  return separator === ';' ? ',' : '.';
}

/** The one required parameter in a column that no name gives away: the first column most of whose values can be read as it. */
function heldByValues(
  operation: Operation,
  records: readonly (readonly string[])[],
  holds: readonly (string | null)[],
  decimal: '.' | ',',
): (string | null)[] {
  const missing = neededOf(operation).filter((name) => !holds.includes(name));
  const parameter = operation.parameters.find(({ name }) => name === missing[0]);
  if (missing.length !== 1 || !parameter) return [...holds];
  const reads = (text: string): boolean => {
    const [pair] = readPasted([parameter], [[parameter.name, text]]).pairs;
    return parameter.read(pair?.[1] ?? text).ok || meantBy(parameter, text, { decimal }) !== null;
  };
  const found = holds.findIndex((held, n) => {
    const values = records.map((fields) => fields[n] ?? '').filter((value) => value.trim() !== '');
    const isNumbers = values.every((value) => /^[\d.,\s]+$/.test(value));
    return held === null && values.length > 0 && !isNumbers && values.filter(reads).length >= values.length * 0.7;
  });
  return holds.map((held, n) => (n === found ? parameter.name : held));
}

/** How a file is to be read for an operation, by its name and its first records. Says something about every file; what is wrong shows in its lines. */
export function guessForm(text: string, fileName: string, operation: Operation): Guess {
  const isJson = /\.(ndjson|jsonl)$/i.test(fileName) || /^\s*\{/.test(text);
  const [only = operation.parameters[0]?.name ?? ''] = neededOf(operation);
  if (isJson) {
    const names = operation.parameters.map(({ name }) => name);
    return { format: 'ndjson', separator: null, hasHeader: false, names, holds: names, decimal: '.' };
  }
  const separator = /\.tsv$/i.test(fileName) ? '\t' : separatorOf(text, operation);
  const first = recordAt(text, 0, separator).fields;
  const head = first.ok ? first.value : [];
  const named = namesIn(operation, head);
  const hasHeader = named.some(Boolean);
  if (separator === null && !hasHeader) return { format: 'list', separator, hasHeader, names: [only], holds: [only], decimal: '.' };
  const records = recordsIn(text, separator);
  const decimal = decimalOf(records.slice(hasHeader ? 1 : 0), separator);
  const names = head.map((field, n) => (hasHeader && field.trim()) || `column ${n + 1}`);
  const holds = heldByValues(operation, records.slice(hasHeader ? 1 : 0), named, decimal);
  return { format: 'csv', separator: separator ?? ',', hasHeader, names, holds, decimal };
}

/** The form with the columns as somebody mapped them: a parameter by its name, another column by its own, which no parameter has. */
export function formOf({ format, separator, hasHeader, names }: Guess, holds: readonly (string | null)[], operation: Operation): Form {
  const taken = new Set<string>(operation.parameters.map(({ name }) => name));
  const columns = names.map((name, n) => {
    const held = holds[n];
    if (held) return held;
    let own = taken.has(name) ? `${name} (${n + 1})` : name;
    while (taken.has(own)) own += '*';
    taken.add(own);
    return own;
  });
  return { format, separator: format === 'csv' ? separator : null, columns, hasHeader };
}

/** Required parameters that no column holds. */
export const lackingIn = (operation: Operation, holds: readonly (string | null)[]): readonly string[] =>
  neededOf(operation).filter((name) => !holds.includes(name));

/** Lines as they are to be read in place of what the file has. */
export type Repairs = ReadonlyMap<number, string>;
/** The text with its repaired lines. */
export function repaired(text: string, separator: Separator | null, repairs: Repairs): string {
  if (repairs.size === 0) return text;
  let [done, out] = [0, ''];
  for (const { line, start, end } of recordsOf(text, separator)) {
    const repair = repairs.get(line);
    if (repair === undefined) continue;
    out += text.slice(done, start) + repair;
    done = end;
  }
  return out + text.slice(done);
}
