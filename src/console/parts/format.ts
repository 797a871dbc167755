import { VALUES } from '../../contract/in-words.ts';

export { nameInWords as words, VALUES } from '../../contract/in-words.ts';

const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const NAMES = { region: new Intl.DisplayNames('en', { type: 'region' }), language: new Intl.DisplayNames('en', { type: 'language' }) };
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayInYear = { month: 'short', day: 'numeric' } as const;
const dayInYearFormat = new Intl.DateTimeFormat('en', { ...dayInYear, timeZone: 'UTC' });
// instants are shown in the reader's own zone
const minutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const ownDayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const timeFormat = new Intl.DateTimeFormat('en', { ...minutes, second: '2-digit' });
const minuteFormat = new Intl.DateTimeFormat('en', { ...dayInYear, ...minutes });
const momentFormat = new Intl.DateTimeFormat('en', { ...dayInYear, year: 'numeric', ...minutes, timeZoneName: 'short' });
const exactFormat = new Intl.DateTimeFormat('en', { ...dayInYear, year: 'numeric', ...minutes, second: '2-digit', timeZoneName: 'short' });
const agoFormat = new Intl.RelativeTimeFormat('en');

export const number = (value: number): string => whole.format(value);
/** A mean of a day; less than one is not none. */
export const perDay = (mean: number): string => (mean > 0 && mean < 1 ? 'less than 1' : number(Math.round(mean)));
export const short = (value: number): string => compact.format(value);
export const share = (value: number): string => (value > 0 && value < 0.001 ? '< 0.1%' : percent.format(value));
const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
/** US dollars; a request may cost parts of a cent. */
export const dollars = (usd: number): string => money.format(usd);
export const plural = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** How long something lasts: `12 days`; what is longer than a year is no forecast. */
export const lasting = (days: number): string => (days > 365 ? 'more than a year' : plural(days, 'day'));

/** No line ends within a date or within a time; between them one may. */
export const unbroken = (text: string): string => text.replaceAll(/ (?!\d\d:)/g, '\u00a0');
/** The day of an RFC 3339 instant or `YYYY-MM-DD`, UTC. What is no date is shown as it is. */
export const day = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : unbroken(dayFormat.format(new Date(text))));
/** `2026-11` → November 2026; what is no month is shown as it is. */
export const month = (text: string): string => (/^\d{4}-\d\d$/.test(text) ? monthFormat.format(new Date(text)) : text);

const isInstant = (text: string): boolean => text.includes('T') && !Number.isNaN(Date.parse(text));
/** An instant in the reader's own zone, to the minute; a day alone stays a day. */
export const moment = (text: string): string => (isInstant(text) ? unbroken(momentFormat.format(new Date(text))) : day(text));
/** A message of the service with its instants and days as people read them. */
export const withMoments = (text: string): string => text.replace(/(?<![\w/"=-])\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?(?![\w/-])/g, moment);
/** An instant to the second, in the reader's own zone and in UTC. */
export function exactTime(text: string): string {
  if (!isInstant(text)) return day(text);
  const date = new Date(text);
  const own = exactFormat.format(date);
  return date.getTimezoneOffset() === 0 ? own : `${own} · ${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** An instant for a list, in the reader's own zone: the time of today, `Nov 20, 09:02` of this year, else the date. */
export function shortTime(text: string): string {
  if (!isInstant(text)) return day(text);
  const [date, now] = [new Date(text), new Date()];
  if (date.toDateString() === now.toDateString()) return timeFormat.format(date);
  return unbroken((date.getFullYear() === now.getFullYear() ? minuteFormat : ownDayFormat).format(date));
}

const UNITS = { year: 365 * 86_400, month: 30 * 86_400, day: 86_400, hour: 3600, minute: 60 } as const;
/** `3 hours ago`, `in 2 days`; what is no instant is a day. */
export function ago(text: string): string {
  if (!isInstant(text)) return day(text);
  const seconds = (Date.parse(text) - Date.now()) / 1000;
  const [unit, length] = Object.entries(UNITS).find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return agoFormat.format(Math.trunc(seconds / length), unit as Intl.RelativeTimeFormatUnit);
}
/** `Nov 20` for a day or an instant, UTC. */
export const shortDay = (text: string): string => dayInYearFormat.format(new Date(text));

/** The name of a country or a language; what is no code stays as it is. */
export function nameOfCode(code: string, of: 'region' | 'language'): string {
  try {
    return NAMES[of].of(code) ?? code;
  } catch {
    return code;
  }
}
export const country = (code: string): string => nameOfCode(code, 'region');

/** Milliseconds as 340 ms, 1.2 s or 3:05 min. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  return `${clock(Math.round(ms / 1000))} min`;
}
export const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** An age or a deadline: 90 s, 41 min, 3 h. */
export const span = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A request in a few words: `running shoes · US · 50`. */
export const inWords = (values: object): string =>
  Object.values(values)
    .filter(Boolean)
    .map((value) => VALUES.get(value) ?? value)
    .join(' · ');
