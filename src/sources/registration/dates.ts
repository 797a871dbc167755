/** Of numeric dates: day-first everywhere but at one registry. */
type DayOrder = 'dmy' | 'mdy';

const MONTHS = new Map('jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map((name, i) => [name, i + 1]));
const MONTH = '(?<mon>jan|feb|mar(?!ras)|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const TIME = '(?<h>\\d{1,2}):(?<mi>\\d{2})(?::(?<s>\\d{2})(?:[.,](?<f>\\d{1,9}))?)?';
const ZONE = '[ \\t]*\\(?(?<zn>[a-z]{1,5}(?![a-z]))?(?<zo>[+-]\\d{1,2}(?::?\\d{2})?(?!\\d))?';
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?\\s+)?';
const AFTER_DAY = `(?:(?:-?t|,? at |,?\\s+|,)${TIME}${ZONE})?`;

/** Year first with numbers: by far the most common, so it is tried first. */
const YMD = new RegExp(`^(?<y>\\d{4})(?<sep>[-./])\\s?(?<m>\\d{1,2})\\k<sep>\\s?(?<d>\\d{1,2})(?!\\d)\\.?${AFTER_DAY}`, 'i');
const OTHERS: readonly RegExp[] = [
  `(?<y>\\d{4})[- .]${MONTH}[- .](?<d>\\d{1,2})(?!\\d)\\.?`,
  '(?<y>(?:19|20)\\d{2})(?<m>\\d{2})(?<d>\\d{2})(?!\\d)',
  `(?<d>\\d{1,2})(?:st|nd|rd|th)?[-. /]\\s?${MONTH},?[-. /]\\s?(?<y>\\d{4})(?!\\d)`,
  '(?<a>\\d{1,2})(?<sep>[-./])\\s?(?<b>\\d{1,2})\\k<sep>\\s?(?<y>\\d{4})(?!\\d)\\.?',
  `${MONTH}\\s+(?<d>\\d{1,2}),?\\s+(?<y>\\d{4})(?!\\d)`,
].map((day) => new RegExp(`^${WEEKDAY}${day}${AFTER_DAY}`, 'i'));
/** The order of C's ctime: the year follows the time. */
const CTIME = new RegExp(`^${WEEKDAY}${MONTH}\\s+(?<d>\\d{1,2}),?\\s+${TIME}${ZONE}\\s+(?<y>\\d{4})(?!\\d)`, 'i');

/** What may follow a date: a bracket of its zone, or a remark apart ("#142485", "by HANDLE"). Digits or letters joined to it are damage. */
const REST = /^[).]?(?:\s*$|\s+[#(<[\p{L}-])/u;

/** Offsets east of UTC in hours, of time zone names with a single meaning. */
const ZONES = new Map(
  'z 0 utc 0 gmt 0 jst 9 kst 9 hkt 8 sgt 8 wat 1 cet 1 cest 2 eet 2 eest 3 msk 3 brt -3 clt -4 clst -3 nzst 12 nzdt 13'
    .split(/ (?=[a-z])/)
    .map((zone) => zone.split(' '))
    .map(([name = '', hours]) => [name, Number(hours) * 60]),
);

/** The form of most answers, an instant of RFC 3339 in UTC and in whole seconds. */
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
/** The date at the start of a text: an RFC 3339 instant with a stated zone, else `YYYY-MM-DD`; null without one between 1970 and 2150. */
export function readDate(text: string, order: DayOrder = 'dmy'): string | null {
  const value = text.trim();
  if (value.length < 8 || value.length > 80) return null;
  const [, y, m, d] = INSTANT.exec(value) ?? [];
  if (y !== undefined) return isDate(Number(y), Number(m), Number(d)) ? `${value.slice(0, -1)}.000Z` : null;
  let found = YMD.exec(value);
  for (let i = 0; !found && i < OTHERS.length; i++) found = OTHERS[i]?.exec(value) ?? null;
  found ??= CTIME.exec(value);
  return found?.groups && REST.test(value.slice(found[0].length)) ? fromGroups(found.groups, order) : null;
}

type Groups = Readonly<Record<string, string | undefined>>;

function fromGroups(g: Groups, order: DayOrder): string | null {
  const year = Number(g.y);
  const [month, day] = g.a !== undefined ? numeric(Number(g.a), Number(g.b), order) : [monthOf(g), Number(g.d)];
  if (!isDate(year, month, day)) return null;
  const date = `${year}-${two(month)}-${two(day)}`;
  if (g.h === undefined) return date;
  const offset = offsetOf(g);
  const [hours, minutes, seconds] = [Number(g.h), Number(g.mi), Number(g.s ?? 0)];
  if (offset === null || hours > 23 || minutes > 59 || seconds > 59) return date;
  const ms = g.f === undefined ? 0 : Math.floor(Number(`0.${g.f}`) * 1000);
  return new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds, ms) - offset * 60_000).toISOString();
}
const monthOf = (g: Groups): number => (g.mon === undefined ? Number(g.m) : (MONTHS.get(g.mon.toLowerCase()) ?? 0));
const numeric = (a: number, b: number, order: DayOrder): [number, number] =>
  order === 'mdy' ? (a > 12 ? [b, a] : [a, b]) : b > 12 ? [a, b] : [b, a];
const isDate = (y: number, m: number, d: number): boolean =>
  y >= 1970 && y <= 2150 && m >= 1 && m <= 12 && d >= 1 && (d <= 28 || d <= new Date(Date.UTC(y, m, 0)).getUTCDate());
const two = (n: number): string => String(n).padStart(2, '0');

/** The stated offset east of UTC in minutes; null if there is none or the zone name is unknown. */
function offsetOf(g: Groups): number | null {
  const named = g.zn === undefined ? undefined : ZONES.get(g.zn.toLowerCase());
  if (g.zo !== undefined && (g.zn === undefined || named !== undefined)) {
    const digits = g.zo.slice(1).replace(':', '');
    const minutes = digits.length > 2 ? Number(digits.slice(0, -2)) * 60 + Number(digits.slice(-2)) : Number(digits) * 60;
    return minutes > 14 * 60 ? null : g.zo[0] === '-' ? -minutes : minutes;
  }
  return named ?? null;
}
