const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const regions = new Intl.DisplayNames('en', { type: 'region' });
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });
const dayInYear = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const dayInYearFormat = new Intl.DateTimeFormat('en', dayInYear);
const minuteFormat = new Intl.DateTimeFormat('en', { ...dayInYear, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
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

/** An instant for a list, UTC: the time of today, `Nov 20, 09:02` of this year, else the date. */
export function shortTime(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  const today = new Date().toISOString().slice(0, 10);
  if (text.startsWith(today)) return timeFormat.format(at);
  return text.slice(0, 4) === today.slice(0, 4) ? minuteFormat.format(at) : day(text);
}
/** `Nov 20` for a day or an instant, UTC. */
export const shortDay = (text: string): string => dayInYearFormat.format(new Date(text));

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

/** An age or a deadline: 90 s, 41 min, 3 h. */
export const span = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;

/** camelCase or kebab-case as words: `clientTransferProhibited` → `client transfer prohibited`. */
export const words = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A request in a few words: `running shoes · US · 50`. */
export const inWords = (values: object): string => Object.values(values).filter(Boolean).join(' · ');
