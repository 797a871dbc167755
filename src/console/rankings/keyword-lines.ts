import { recordsOf, SEPARATORS, type Separator } from '../../contract/csv-records.ts';

/** Keywords of a list, and the lines that are left out, with their numbers. */
export interface ReadLines {
  readonly lines: number;
  readonly fresh: readonly { readonly line: number; readonly keyword: string }[];
  readonly left: readonly { readonly why: 'twice' | 'watched' | 'too long'; readonly lines: readonly number[] }[];
}

/** Characters of a keyword that the API takes. */
export const MOST_CHARACTERS = { sites: 700, apps: 200 } as const;
/** Search engines do not tell capital letters apart. */
export const foldedOf = (keyword: string): string => keyword.trim().replace(/\s+/g, ' ').toLowerCase();

/** Reads one keyword a line. `watched`: the folded keywords that are watched already. */
export function readLines(text: string, watched: ReadonlySet<string>, most: number = MOST_CHARACTERS.sites): ReadLines {
  const fresh: { line: number; keyword: string }[] = [];
  const left = new Map<ReadLines['left'][number]['why'], number[]>();
  const seen = new Set<string>();
  let lines = 0;
  const leave = (why: ReadLines['left'][number]['why'], line: number): void => void left.set(why, [...(left.get(why) ?? []), line]);
  for (const [index, given] of text.split(/\r\n|\r|\n/).entries()) {
    const keyword = given.trim();
    if (keyword === '') continue;
    lines++;
    const [line, folded] = [index + 1, foldedOf(keyword)];
    if (keyword.length > most) leave('too long', line);
    else if (seen.has(folded)) leave('twice', line);
    else if (watched.has(folded)) leave('watched', line);
    else fresh.push({ line, keyword });
    seen.add(folded);
  }
  return { lines, fresh, left: [...left].map(([why, numbers]) => ({ why, lines: numbers })) };
}

const MOST_NUMBERS = 8;
const WORDS = { twice: 'twice', watched: 'already watched' } as const;
/** `42 lines: 40 new, 1 twice (line 5), 1 already watched (line 17).` */
export function linesInWords({ lines, fresh, left }: ReadLines, most: number = MOST_CHARACTERS.sites): string {
  const whyOf = (why: ReadLines['left'][number]['why']): string => (why === 'too long' ? `longer than ${most} characters` : WORDS[why]);
  const named = ({ lines: numbers }: ReadLines['left'][number]): string => {
    const more = numbers.length - MOST_NUMBERS;
    const shown = numbers.slice(0, MOST_NUMBERS).join(', ');
    return `${numbers.length === 1 ? 'line' : 'lines'} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
  };
  const parts = [`${fresh.length} new`, ...left.map((one) => `${one.lines.length} ${whyOf(one.why)} (${named(one)})`)];
  return `${lines} ${lines === 1 ? 'line' : 'lines'}: ${parts.join(', ')}.`;
}

/** The columns of a file: a list has one. The names are those of its first line where that names a column of keywords. */
export interface ReadFile {
  readonly columns: readonly string[];
  /** The column that is meant, as far as its name says it. */
  readonly guess: number;
  /** The texts of a column, one a line. A record that cannot be read is an empty line. */
  readonly textOf: (column: number) => string;
}

const NAMES = /^(?:keywords?|quer(?:y|ies)|top queries|search terms?|terms?|suchanfrage|suchbegriff|begriff)$/i;
const separatorOf = (head: string): Separator | null =>
  SEPARATORS.map((one) => [one, head.split(one).length] as const)
    .filter(([, fields]) => fields > 1)
    .sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;

/** Reads a list or a file of comma, semicolon or tab separated values. */
export function readFile(text: string, isTable: boolean): ReadFile {
  const [head = ''] = text.split(/\r\n|\r|\n/, 1);
  const separator = isTable ? separatorOf(head) : null;
  const records = [...recordsOf(text, separator)].map(({ fields }) => (fields.ok ? fields.value : []));
  const names = records[0] ?? [];
  const named = names.findIndex((name) => NAMES.test(name.trim()));
  const body = named < 0 ? records : records.slice(1);
  const width = Math.max(1, ...body.map((fields) => fields.length));
  return {
    columns: Array.from({ length: width }, (_, i) => (named < 0 ? `Column ${i + 1}` : names[i]) || `Column ${i + 1}`),
    guess: Math.max(0, named),
    textOf: (column) => body.map((fields) => (fields[column] ?? '').replace(/\s+/g, ' ')).join('\n'),
  };
}

/** The text of a file: UTF-8 or UTF-16 by its mark, else Windows-1252 where it is no UTF-8. */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
