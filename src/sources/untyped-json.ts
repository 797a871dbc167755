import { isObject, type JsonObject } from '../contract/json-object.ts';
import { boundedJson } from '../upstream/answer.ts';
import { asUri } from './web-address.ts';

/** The one place where untyped JSON becomes typed: the value, or null if it is missing or of another type. None throws. */
export const objectOf = (value: unknown): JsonObject | null => (isObject(value) ? value : null);
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** The objects of a list; other elements are left out. */
export const objectsOf = (value: unknown): readonly JsonObject[] => listOf(value).filter(isObject);

/** The value at a path of object keys and list indexes (own properties only); undefined if the path leads nowhere. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

/** In NFC, with U+FFFD in place of half of a pair of surrogates, which many readers of JSON refuse. */
export const readable = (text: string): string => text.toWellFormed().normalize('NFC');
/** Text that can be read; an empty string stays "". */
export const textIn = (value: unknown): string | null => (typeof value === 'string' ? readable(value) : null);
/** Text that can be read and is not blank. */
export const wordsIn = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? readable(value) : null);
/** Matches text that may not be in NFC or not well-formed: Latin letters and the usual punctuation always are. */
export const MAYBE_NOT_NFC = /[\u0300-\u200f\u2028-\u202f\u205f-\u209f\u20c0-\uffff]/;
/** Text that can be read, without white space at its ends; null if nothing is left. */
export function trimmedIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = (MAYBE_NOT_NFC.test(value) ? readable(value) : value).trim();
  return text === '' ? null : text;
}
/** A string that is not empty, as sent: a name, an id. */
export const nonEmptyIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
/** A flag, also where it is sent as 0 or 1, or as text. */
export const flagIn = (value: unknown): boolean | null =>
  typeof value === 'boolean' ? value : (FLAGS.get(typeof value === 'string' ? value.toLowerCase() : value) ?? null);
const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ['0', false],
  ['1', true],
  ['false', false],
  ['true', true],
]);
/** A numeric id as decimal digits, sent as a string or as a safe integer. */
export const idIn = (value: unknown): string | null =>
  typeof value === 'string' ? (/^\d{1,20}$/.test(value) ? value : null) : (strictCountIn(value)?.toString() ?? null);
/** A finite number sent as a number. */
export const strictNumberIn = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
/** A safe integer of either sign sent as a number. */
export const integerIn = (value: unknown): number | null => (typeof value === 'number' && Number.isSafeInteger(value) ? value : null);
/** A safe integer ≥ 0 sent as a number. */
export const strictCountIn = (value: unknown): number | null => ((integerIn(value) ?? -1) >= 0 ? integerIn(value) : null);
/** A number from 0 to 1. */
export const ratioIn = (value: unknown): number | null => (typeof value === 'number' && value >= 0 && value <= 1 ? value : null);
/** A finite number, also where it is sent as decimal text. */
export const numberIn = (value: unknown): number | null =>
  strictNumberIn(typeof value === 'string' && /^-?\d{1,18}(\.\d+)?$/.test(value) ? Number(value) : value);
/** A safe integer ≥ 0, also where it is sent as text. A negative one is a counter that overflowed: null. */
export const countIn = (value: unknown): number | null => strictCountIn(numberIn(value));
/** The first of the values that is an http(s) URL; a scheme-relative one gets https. */
export function urlIn(values: readonly unknown[]): string | null {
  for (const value of values) {
    if (typeof value !== 'string') continue;
    const url = value.startsWith('//') ? `https:${value}` : value;
    if (/^https?:\/\/[^\s]+$/i.test(url) && URL.canParse(url)) return asUri(url);
  }
  return null;
}
/** Epoch milliseconds as RFC 3339 in UTC; null before 2000 and from 2100 on. */
export const instantOf = (epochMs: number | null): string | null =>
  epochMs !== null && epochMs > 946_684_800_000 && epochMs < 4_102_444_800_000 ? new Date(epochMs).toISOString() : null;

/** Matches every document with an integer beyond 2^53, and some others. It has no loop: a number of megabytes must not exhaust the stack. */
const LONG_NUMBER = /[:[,\s]\d{16}/;
const reviveLong = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '') ? context?.source : value;

/** Parses JSON; integers beyond 2^53 become strings of their digits. undefined if it is not JSON or exceeds the limits of depth and size. */
export const parseJson = (text: string): unknown => boundedJson(text, LONG_NUMBER.test(text) ? reviveLong : undefined);
