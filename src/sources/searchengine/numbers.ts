import type { OrganicEntry } from '../../contract/operations/searchengine.ts';

const ascii = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    if (code < 128) return digit;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--;
    return String(code - zero);
  });

/** Digits in groups: "21,700,000", "114.000.000", "1 600 000", "12’345", "1,23,45,678". */
const GROUPED = /\d+(?:[.,’'٬\u00a0\u202f\u2009 ]\d{2,3})*(?!\d)/g;
const whole = (text: string): number => Number(text.replace(/\D/g, ''));

/** The largest number before the time in brackets: "Page 3 of about 4,550,000 results", in any language. Null if there is none. */
export function readTotal(line: string | null): number | null {
  if (!line) return null;
  const stated = ascii(line).split(/[（(]/, 1)[0] ?? '';
  const numbers = /\d[a-z]|[a-z]\d/i.test(stated) ? null : stated.match(GROUPED);
  if (!numbers) return null;
  const total = numbers.reduce((most, number) => Math.max(most, whole(number)), 0);
  return Number.isSafeInteger(total) ? total : null;
}

export type Rating = NonNullable<OrganicEntry['rating']>;
const THOUSANDS: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({ k: 1e3, m: 1e6, tsd: 1e3, mil: 1e3, mio: 1e6, 万: 1e4, 만: 1e4, 千: 1e3 }),
);
/** Text further right on a line is prose; the limit is needed because the expressions below take quadratic time. */
const MAX_LINE = 500;
/** The first number of the line: a damaged one ("4.e5", "1e9") is no value, and the number after it is another. */
const VALUE = /^\D*(\d{1,3}(?:[.,]\d{1,2})?)(?![\da-z]|[.,][\da-z])\s*(?:(\/)\s*(\d{1,3})(?![\da-z]|[.,]\d)|(%))?/i;
/** Directly after the value: a count in brackets, or after a dot and before one or two words ("· 1,947,320 votes"). */
const VOTES =
  /^[^\p{L}\d]*?(?:(?:리뷰|후기|평점|口コミ|レビュー|评论|評論)\s*(?<c>\d[\d.,]*)|[(（]\s*(?<a>[\d.,\u00a0\u202f ]*\d)\s*(?<ak>k|m|tsd|mil|mio|万|만|千)?\.?\+?\s*[)）]|(?<b>\d(?:[\d.,\u00a0\u202f ]*\d)?)\s*(?<bk>k|m|tsd|mil|mio|万|만|千)?\.?\+?\s*[\p{L}\p{M}]+(?: [\p{L}\p{M}]+){0,2}\s*(?:$|·|\())/iu;
const MONEY = /(?:[$€£¥₹₽]|US\$|USD|EUR|GBP|kr|zł)\s*\d[\d.,]*|\d[\d.,]*\s*(?:€|zł|kr|₽|USD|EUR|GBP)(?!\w)/gi;

/** The rating in a line of text ("8.7/10 · 1,947,320 votes", "88% · 161 votes", "4.6(76)"); null if there is none. */
export function readRating(line: string): Rating | null {
  const text = ascii(line.length > MAX_LINE ? line.slice(0, line.lastIndexOf(' ', MAX_LINE)) : line)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(MONEY, '¤');
  const found = VALUE.exec(text);
  if (!found?.[1]) return null;
  const value = Number(found[1].replace(',', '.'));
  const max = found[3] ? Number(found[3]) : found[4] ? 100 : scaleOf(value);
  if (max === null || value > max) return null;
  return { value, votesCount: votesIn(text.slice(found.index + found[0].length)), max };
}
/** The scale if none is stated: 5 for a value up to 5; a larger value without a scale has none. */
export const scaleOf = (value: number): number | null => (value >= 0 && value <= 5 ? 5 : null);

function votesIn(text: string): number | null {
  const groups = VOTES.exec(text)?.groups;
  const digits = groups?.a ?? groups?.b ?? groups?.c;
  if (!digits) return null;
  const unit = THOUSANDS.get((groups?.ak ?? groups?.bk ?? '').toLowerCase());
  if (unit) return Math.round(Number(digits.trim().replace(',', '.')) * unit);
  const count = Number(digits.replace(/\D/g, ''));
  return Number.isSafeInteger(count) ? count : null;
}
