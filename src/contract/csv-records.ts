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
  for (let offset = start; ; offset++) {
    let value = '';
    if (text[offset] === '"') {
      const openQuote = offset;
      do {
        const close = text.indexOf('"', offset + 1);
        if (close < 0 || close - start > MAX_QUOTED)
          return { ...to(openQuote, bad('opens a quote that is not closed: close it, or quote the whole field')), openQuote };
        // with its quote, which stays where another one follows
        value += text.slice(offset + 1, close + 1);
        offset = close + 1;
      } while (text[offset] === '"');
      value = value.slice(0, -1);
      if (text[offset] !== separator && !/^(?:\r?\n|\r?$)/.test(text.slice(offset, offset + 2)))
        return to(offset, bad(`has text after the closing quote of field ${fields.length + 1}: write "" for a quote inside`));
    } else {
      const unquoted = UNQUOTED[separator];
      unquoted.lastIndex = offset;
      value = unquoted.exec(text)?.[0] ?? '';
      offset += value.length;
      if (value.includes('"'))
        return to(offset, bad(`has a quote inside field ${fields.length + 1}: quote the whole field, and write "" for the quote`));
      if (text[offset] !== separator) value = value.replace(/\r$/, '');
    }
    fields.push(value);
    if (text[offset] !== separator) return to(offset, good(fields));
  }
}

/** The records of a text with the numbers of their first lines, from 1; of one with an open quote that of the quote. */
export function* recordsOf(text: string, separator: Separator | null): Generator<TextRecord & { readonly line: number }, void, undefined> {
  let line = 1;
  const lineFeeds = (from: number, to: number): number => {
    let count = 0;
    for (let offset = text.indexOf('\n', from); offset >= 0 && offset < to; offset = text.indexOf('\n', offset + 1)) count++;
    return count;
  };
  for (let start = 0; start < text.length; ) {
    const record = recordAt(text, start, separator);
    yield { ...record, line: line + lineFeeds(start, record.openQuote ?? start) };
    line += lineFeeds(start, record.end) + 1;
    start = record.end + 1;
  }
}
