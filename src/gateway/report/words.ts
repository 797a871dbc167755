import { domainToUnicode } from 'node:url';
import { VALUES } from '../../contract/in-words.ts';
import { readableBy } from '../../contract/readable-domain.ts';

const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const long = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const regions = new Intl.DisplayNames('en', { type: 'region' });

/** A site as people write it. */
export const readableSite = readableBy(domainToUnicode);
export const percent = (value: number): string => shares.format(value);
export const longDay = (day: string): string => long.format(new Date(day));
export const shortDay = (day: string): string => short.format(new Date(day));
/** The days from one to another, such as `January 2 to 31, 2026`. */
export const spanInWords = (from: string, to: string): string => long.formatRange(new Date(from), new Date(to)).replace(/\s*–\s*/, ' to ');
export const plural = (count: number, one: string): string => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** What the search was made with, as people say it. */
export const displayName = (value: string): string =>
  VALUES.get(value) ?? (/^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value);
