import type { JsonObject } from '../../untyped-json.ts';

/** The platform opened in 2005; an earlier time is invalid. */
const FIRST_SECONDS = 1_104_537_600;
const LATEST_SECONDS = 253_402_300_799;
const DAY = 86_400;
const TWO: readonly string[] = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
let known = { day: -1, text: '' };

/**
 * Epoch seconds as RFC 3339. (`created_utc`; `created` was shifted by hours before 2023 and is not used.) The last day's text is cached:
 * the comments of a discussion share few days, and `Date` is the slowest part of parsing one.
 */
export function instantOf(value: unknown): string | null {
  if (typeof value !== 'number' || !(value >= FIRST_SECONDS && value <= LATEST_SECONDS)) return null;
  if (!Number.isInteger(value)) return new Date(value * 1000).toISOString();
  const day = Math.floor(value / DAY);
  if (day !== known.day) known = { day, text: new Date(day * DAY * 1000).toISOString().slice(0, 11) };
  const seconds = value - day * DAY;
  return `${known.text}${TWO[Math.floor(seconds / 3600)]}:${TWO[Math.floor(seconds / 60) % 60]}:${TWO[seconds % 60]}.000Z`;
}

/** Decodes the strings of one answer, or leaves them unchanged. */
export type Text = (value: unknown) => string | null;

const asSent: Text = (value) => (typeof value === 'string' ? value : null);
/** Without `raw_json=1` the platform escapes these three characters. */
const decoded: Text = (value) =>
  typeof value !== 'string'
    ? null
    : value.includes('&')
      ? value.replace(/&(lt|gt|amp);/g, (_, name: string) => (name === 'lt' ? '<' : name === 'gt' ? '>' : '&'))
      : value;

/** Strings are escaped if the answer comes from the platform without `raw_json=1`; answers of data providers are left unchanged. */
export const textFor = (url: string): Text =>
  /^https?:\/\/([a-z]+\.)?reddit\.com\//i.test(url) && !/[?&]raw_json=1\b/.test(url) ? decoded : asSent;

/** Base-36 id of a thing, stated as `id` and in its full name (`t1_abc`); null if both are missing, or if they differ. */
export function idOf(data: JsonObject, kind: 't1' | 't3'): string | null {
  const named = bareOf(data.name, kind);
  if (typeof data.id !== 'string' || !/^[a-z0-9]{1,13}$/.test(data.id)) return named;
  return named === null || named === data.id ? data.id : null;
}
/** `t3_abc` → `abc`. */
export const bareOf = (name: unknown, kind: 't1' | 't3'): string | null =>
  typeof name === 'string' && name.startsWith(`${kind}_`) && /^[a-z0-9]{1,13}$/.test(name.slice(3)) ? name.slice(3) : null;
