import { boundedJson } from '../upstream/json-limits.ts';

/** Readers of untyped JSON: each gives the typed value, or null where it is not stated in a usable form. None throws. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const recordsOf = (value: unknown): readonly Fields[] =>
  listOf(value).flatMap((v) => {
    const fields = fieldsOf(v);
    return fields ? [fields] : [];
  });

/** What stands at a path of keys and places; undefined where the path breaks off. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

/** Text in NFC; an empty text that is stated stays "". */
export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value.normalize('NFC') : null);
/** Text that says something. */
export const wordsIn = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.normalize('NFC') : null;
export const flagIn = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
/** An id as the digits that the platform writes. */
export const idIn = (value: unknown): string | null => {
  if (typeof value === 'string') return /^\d{1,20}$/.test(value) ? value : null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
};
/** A number, also where it is written as text. */
export const numberIn = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^-?\d{1,18}(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};
/** A count, also where it is written as text; a negative one is a counter that ran over, so it states nothing. */
export const countIn = (value: unknown): number | null => {
  const number = numberIn(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
};
/** The first of the values that is an http(s) address; one without scheme gets https. */
export const urlIn = (...values: readonly unknown[]): string | null => firstUrl(values);
/** The same for a list that the outside wrote: it may be longer than a call takes arguments. */
export function firstUrl(values: readonly unknown[]): string | null {
  for (const value of values) {
    if (typeof value !== 'string') continue;
    const url = value.startsWith('//') ? `https:${value}` : value;
    if (/^https?:\/\/[^\s]+$/i.test(url) && URL.canParse(url)) return asUri(url);
  }
  return null;
}
/** The address as RFC 3986 has it: what stands outside its characters is percent-encoded, all else stays as written. */
const asUri = (url: string): string => {
  const ascii = /^[\x21-\x7e]+$/.test(url) ? url : new URL(url).href;
  return ascii
    .replace(/["<>\\^`{|}[\]]/g, encodeURIComponent)
    .replace(/%(?![\da-f]{2})/gi, '%25')
    .replace(/(?<=#.*)#/g, '%23');
};
/** Epoch milliseconds as RFC 3339 in UTC; null where it is no moment after 2000. */
export const instantOf = (epochMs: number | null): string | null =>
  epochMs !== null && epochMs > 946_684_800_000 && epochMs < 4_102_444_800_000 ? new Date(epochMs).toISOString() : null;

const LONG_NUMBER = /[:[,]\s*\d{16,}\s*[,}\]]/;
const reviveLong = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '') ? context?.source : value;

/**
 * JSON with whole numbers beyond 2^53 as the digits that were written, so that an id never loses its end; undefined where it is
 * none, or one beyond the limits of depth and size.
 * `fast` leaves such numbers to JSON.parse: for documents of which it is known that ids are text.
 */
export const parseJson = (text: string, fast = false): unknown =>
  boundedJson(text, !fast && LONG_NUMBER.test(text) ? reviveLong : undefined);

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  nbsp: '\u00a0',
  mdash: '—',
  hellip: '…',
};
/** Character references of HTML decoded once; what is none stays as it is. */
export const decodeOnce = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000) ? String.fromCodePoint(point) : whole;
  });
