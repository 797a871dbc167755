import type { OrganicEntry } from '../../contract/operations/serp/operation.ts';
import { readTable } from '../../runtime/table.ts';
import type { UnreadFields } from '../unread-fields.ts';

/** Digits, decimal signs, thousands signs and signs of a share in any script as ASCII has them. */
const ascii = (text: string): string =>
  text
    .replace(/[٫．]/g, '.')
    .replace(/[٬，]/g, ',')
    .replace(/[／⁄]/g, '/')
    .replace(/[٪％]/g, '%')
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      if (code < 128) return digit;
      let zero = code;
      while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--;
      return String(code - zero);
    });

const digitsOf = (text: string): number => Number(text.replace(/\D/g, ''));

export type Rating = NonNullable<OrganicEntry['rating']>;

const WORDS = readTable(new URL('./numbers.tsv', import.meta.url));
const wordsOf = (kind: string): string => WORDS.flatMap(([of, words = '']) => (of === kind ? words : [])).join('|');
/** A word of a script without spaces may go on with the next one; a word of letters ends with the word. */
const SPACELESS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}';
const END = `(?:(?<=[${SPACELESS}])|(?![\\p{L}\\p{M}\\d]))`;
const TIMES: readonly (readonly [word: RegExp, times: number])[] = WORDS.flatMap(([kind, words = '', times]) =>
  kind === 'times' ? [[new RegExp(`^(?:${words})$`, 'iu'), Number(times)] as const] : [],
);
/** In capitals alone; the second is Vietnamese. */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ['M', 1e6],
  ['N', 1e3],
]);
const timesOf = (word: string): number | null =>
  LETTERS.get(word) ?? TIMES.find(([pattern]) => pattern.test(word.replace(/(?<!mil)\.$/i, '')))?.[1] ?? null;

/** Text further right on a line is prose; the limit is needed because the expressions below take quadratic time. */
const MAX_LINE = 500;
/** The first number of the line: a damaged one ("4.e5", "1e9") is no value, and the number after it is another. */
const VALUE = new RegExp(
  `^\\D*(\\d{1,3}(?:[.,]\\d{1,2})?)(?![\\da-z]|[.,][\\da-z])\\s*(?:(?:/|(?:${wordsOf('of')})(?=\\s))\\s*(\\d{1,3})(?![\\da-z]|[.,]\\d)|(%))?`,
  'iu',
);
/** What may follow the value: nothing, a sign, what it is, or a count. A unit ("5 mins") says that it is no rating. */
const AFTER = new RegExp(`^\\s*(?:$|[^\\p{L}\\p{M}\\d\\s]|(?:${wordsOf('stars')}|${wordsOf('before')})${END})`, 'iu');
const NUMBER = "(?<n>\\d{1,3}(?:[.,'’\\u00a0\\u202f\\u2009 ]\\d{2,3})+(?!\\d)|\\d+(?:[.,]\\d{1,2})?(?!\\d))";
const TIMES_WORD = `(?:\\s*(?<t>(?:${wordsOf('times')})\\.?${END}|[MN](?![\\p{L}\\p{M}])))?`;
/** A noun of a script without spaces ends with its phrase: "3개월" is a time, "12人前" a helping. */
const NOUN = `(?:(?:${wordsOf('votes')})|(?:${wordsOf('counter')})\\s*(?:${wordsOf('counted')}))(?![\\p{L}\\p{M}\\d])`;
/** Directly after the value: a count in brackets, before or after the word for what is counted, or alone up to the next part of the line. */
const COUNTS: readonly RegExp[] = [
  `[(（]\\s*${NUMBER}${TIMES_WORD}\\+?\\s*(?:${NOUN}|${wordsOf('counter')})?\\s*[)）]`,
  `(?:${wordsOf('before')})\\s*:?\\s*${NUMBER}${TIMES_WORD}\\+?\\s*(?:${wordsOf('counter')})?(?![\\p{L}\\p{M}\\d])`,
  `${NUMBER}${TIMES_WORD}\\+?\\s*(?:de\\s+)?${NOUN}`,
  // a bare number of this form may be a year
  `(?!(?:19|20)\\d\\d(?!\\d))${NUMBER}\\s*(?:$|·)`,
].map((count) => new RegExp(`^[^\\p{L}\\p{M}\\d(（]*?(?:(?:${wordsOf('stars')})${END}[^\\p{L}\\p{M}\\d(（]*)?${count}`, 'iu'));
const MONEY = /(?:[$€£¥₹₽]|US\$|USD|EUR|GBP|kr|zł)\s*\d[\d.,]*|\d[\d.,]*\s*(?:€|zł|kr|₽|USD|EUR|GBP)(?!\w)/gi;

/** The rating in a line of text ("8.7/10 · 1,947,320 votes", "88% · 161 votes", "4.6(76)"); null if there is none. */
export function readRating(line: string): Rating | null {
  const text = ascii(line.length > MAX_LINE ? line.slice(0, line.lastIndexOf(' ', MAX_LINE)) : line)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(MONEY, '¤');
  const found = VALUE.exec(text);
  if (!found?.[1]) return null;
  const value = Number(found[1].replace(',', '.'));
  const isShare = found[3] !== undefined || /^\D*%\s*\d/.test(found[0]);
  const max = found[2] ? Number(found[2]) : isShare ? 100 : scaleOf(value);
  const rest = text.slice(found[0].length);
  // "4·5" is a decimal or two numbers, "4:30" a time, "4-5" a range, "4-star hotel" a class
  if (
    max === null ||
    value > max ||
    !AFTER.test(rest) ||
    /^(?:[:–-]\s*\d|[-‐‑]\p{L})/u.test(rest) ||
    (Number.isInteger(value) && /^·\d/.test(rest))
  )
    return null;
  return { value, votesCount: votesIn(rest, COUNTS), max };
}
/** A number, and in the same part of the line the word for what is counted. */
const OF_VOTES = new RegExp(`\\d[^·|\\d]{0,20}?(?<![\\p{L}\\p{M}])${NOUN}`, 'iu');
/** Notes votes that a line of a rating states in a form that is not understood. */
export function noteVotes(rating: Rating | null, lines: readonly string[], unread: UnreadFields): void {
  const isStated = (line: string): boolean => OF_VOTES.test(ascii(line.slice(0, MAX_LINE)));
  if (rating?.votesCount === null && lines.some(isStated)) unread.note('organic.rating.votesCount');
}
const LABEL = new RegExp(`^(?:${wordsOf('label')})\\s*:?\\s*\\d`, 'iu');
/** Whether a line is that of a rating and nothing else: it names the rating, its votes or its scale. */
export function isRatingLine(line: string): boolean {
  const rating = readRating(line);
  return rating !== null && (rating.votesCount !== null || rating.max !== 5 || /\d\s*\/\s*\d/.test(line) || LABEL.test(ascii(line)));
}
/** The scale if none is stated: 5 for a value up to 5; a larger value without a scale has none. */
export const scaleOf = (value: number): number | null => (value >= 0 && value <= 5 ? 5 : null);

/** The votes that a line states beside a rating, or with the word for them ("29,015 votes", "2 mil votos"); null if it states none. */
export const readVotes = (line: string): number | null =>
  readRating(line)?.votesCount ?? votesIn(ascii(line.slice(0, MAX_LINE)), COUNTS.slice(1, 3));
/** Whether a line counts the number, in digits with or without groups, beside its rating: alone or with the word for what is counted. */
export function showsCount(line: string, count: number): boolean {
  const text = ascii(line.slice(0, MAX_LINE));
  const rating = readRating(line) && VALUE.exec(text)?.[0];
  const rest = text.slice(rating?.length ?? 0);
  return [...rest.matchAll(STATED)].some(
    ({ 0: found, index, groups }) => countOf(groups?.n ?? '', groups?.t) === count && ENDS.test(rest.slice(index + found.length)),
  );
}
/** After a count: the end of its part of the line, or what is counted; a unit makes the number something else. */
const ENDS = new RegExp(`^\\+?\\s*(?:$|[)）·|]|(?:de\\s+)?${NOUN}|(?:${wordsOf('counter')})\\s*(?:$|[)）·|]))`, 'iu');

function votesIn(text: string, counts: readonly RegExp[]): number | null {
  for (const count of counts) {
    const { n, t } = count.exec(text)?.groups ?? {};
    if (n === undefined) continue;
    return countOf(n, t);
  }
  return null;
}
/** A number with the word that multiplies it; null where decimals or the word are not understood. */
function countOf(number: string, word: string | undefined): number | null {
  const times = word === undefined ? 1 : timesOf(word);
  if (times === null) return null;
  const isDecimal = times > 1 && /^\d+([.,]\d{1,2})?$/.test(number);
  const count = isDecimal ? Math.round(Number(number.replace(',', '.')) * times) : times === 1 ? wholeIn(number) : null;
  return Number.isSafeInteger(count) ? count : null;
}
/** A number without decimals, its digits in groups or not. */
const wholeIn = (number: string): number | null => (/^\d+$|^\d{1,3}(?:\D\d{2,3})*\D\d{3}$/.test(number) ? digitsOf(number) : null);

const YEAR = /^(?:19|20)\d\d$/;
const STATED = new RegExp(`(?<![\\d.,])${NUMBER}${TIMES_WORD}`, 'giu');
/**
 * The largest number before the time in brackets: "Page 3 of about 4,550,000 results", in any language. Null if one is not understood, or if the
 * largest of several may be a year ("12 results in 2024").
 */
export function readTotal(line: string | null): number | null {
  if (!line) return null;
  const stated = ascii(line.slice(0, MAX_LINE)).split(/[（(]/, 1)[0] ?? '';
  if (/\d[a-z]|[a-z]\d/i.test(stated)) return null;
  const numbers = [...stated.matchAll(STATED)].map(({ groups }) => countOf(groups?.n ?? '', groups?.t));
  const total = Math.max(...numbers.map(Number));
  const isYear = numbers.length > 1 && YEAR.test(String(total)) && new RegExp(`(?<!\\d)${total}(?!\\d)`).test(stated);
  return numbers.length === 0 || numbers.includes(null) || isYear ? null : total;
}
