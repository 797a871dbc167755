import { bad, good, type Read } from './parameters/parameter.ts';

/** Longest record with quotes: a quote that is never closed would take the rest of the file. */
const MAX_QUOTED = 1024 * 1024;

const UNQUOTED = { ',': /[^,\n]*/y, ';': /[^;\n]*/y, '\t': /[^\t\n]*/y };
export type Separator = keyof typeof UNQUOTED;
export const SEPARATORS = Object.keys(UNQUOTED) as Separator[];

/** One record of a text: a line, or a CSV record, which may hold line ends inside quotes. */
export interface TextRecord {
  readonly start: number;
  readonly end: number;
  readonly fields: Read<string[]>;
  /** Place of a quote that is not closed: the record ends with its line. */
  readonly openQuote?: number;
}

/** The record that begins at a place. Without separator a line is one field; with one a quote at the start of a field opens it (RFC 4180). */
export function recordAt(text: string, start: number, separator: Separator | null): TextRecord {
  const to = (place: number, fields: Read<string[]>): TextRecord => {
    const end = text.indexOf('\n', place);
    return { start, end: end < 0 ? text.length : end, fields };
  };
  if (separator === null) {
    const { end } = to(start, good([]));
    return { start, end, fields: good([text.slice(start, end).replace(/\r$/, '')]) };
  }
  const fields: string[] = [];
  for (let at = start; ; at++) {
    let value = '';
    if (text[at] === '"') {
      const openQuote = at;
      do {
        const close = text.indexOf('"', at + 1);
        if (close < 0 || close - start > MAX_QUOTED)
          return { ...to(openQuote, bad('opens a quote that is not closed: close it, or quote the whole field')), openQuote };
        // with its quote, which stays where another one follows
        value += text.slice(at + 1, close + 1);
        at = close + 1;
      } while (text[at] === '"');
      value = value.slice(0, -1);
      if (text[at] !== separator && !/^(?:\r?\n|\r?$)/.test(text.slice(at, at + 2)))
        return to(at, bad(`has text after the closing quote of field ${fields.length + 1}: write "" for a quote inside`));
    } else {
      const unquoted = UNQUOTED[separator];
      unquoted.lastIndex = at;
      value = unquoted.exec(text)?.[0] ?? '';
      at += value.length;
      if (value.includes('"'))
        return to(at, bad(`has a quote inside field ${fields.length + 1}: quote the whole field, and write "" for the quote`));
      if (text[at] !== separator) value = value.replace(/\r$/, '');
    }
    fields.push(value);
    if (text[at] !== separator) return to(at, good(fields));
  }
}

/** The records of a text with the numbers of their first lines, from 1; of one with an open quote that of the quote. */
export function* recordsOf(text: string, separator: Separator | null): Generator<TextRecord & { readonly line: number }, void, undefined> {
  let line = 1;
  const lineFeeds = (from: number, to: number): number => {
    let count = 0;
    for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
    return count;
  };
  for (let start = 0; start < text.length; ) {
    const record = recordAt(text, start, separator);
    yield { ...record, line: line + lineFeeds(start, record.openQuote ?? start) };
    line += lineFeeds(start, record.end) + 1;
    start = record.end + 1;
  }
}
