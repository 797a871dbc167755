const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const regions = new Intl.DisplayNames('en', { type: 'region' });
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const momentFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

export const number = (value: number): string => whole.format(value);
export const short = (value: number): string => compact.format(value);
export const share = (value: number): string => percent.format(value);
export const plural = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** The day of an RFC 3339 instant or `YYYY-MM-DD`, UTC. What is no date is shown as it is. */
export const day = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : dayFormat.format(new Date(text)));
/** A moment in UTC; a day alone stays a day. */
export const moment = (text: string): string =>
  !text.includes('T') ? day(text) : Number.isNaN(Date.parse(text)) ? text : `${momentFormat.format(new Date(text))} UTC`;

export function country(code: string): string {
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Milliseconds as 340 ms, 1.2 s or 3:05 min. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  return `${clock(Math.round(ms / 1000))} min`;
}
export const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** camelCase or kebab-case as words: `clientTransferProhibited` → `client transfer prohibited`. */
export const words = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A request in a few words: `running shoes · US · 50`. */
export const inWords = (values: Readonly<Record<string, unknown>>): string => Object.values(values).filter(Boolean).join(' · ');
