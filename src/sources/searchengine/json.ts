/** Untyped JSON becomes typed here: each gives the value, or null where it is of another type. */
export type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter((v): v is Fields => fieldsOf(v) !== null) : [];
export const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
export const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
/** What may not be in NFC: Latin letters and common marks always are. */
export const LOOSE = /[\u0300-\u200f\u2028-\u202f\u205f-\u209f\u20c0-\uffff]/;
/** Text as a person reads it: NFC, blanks at the ends cut; null where there is none. */
export function wordsOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = (LOOSE.test(value) ? value.normalize('NFC') : value).trim();
  return text === '' ? null : text;
}
/** "2019-11-15 12:57:46 +00:00" and "2025-09-30 17:40:43 UTC" as epoch ms; null where the text is neither. */
export function instantOf(value: unknown): number | null {
  const match = typeof value === 'string' && /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?\s*(UTC|Z|[+-]\d\d:\d\d)$/.exec(value.trim());
  if (!match) return null;
  const ms = Date.parse(`${match[1]}T${match[2]}${match[3] === 'UTC' ? 'Z' : match[3]}`);
  return Number.isNaN(ms) ? null : ms;
}
