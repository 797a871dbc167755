import { DAY_MS } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Source, Sunset } from './source.ts';

const orderOf = (source: Source, settings: Settings): number => {
  const names: unknown = source.listed && settings[source.listed.setting];
  return Array.isArray(names) ? names.indexOf(source.listed?.as) : 0;
};

/** Settings, and keys of a recipe, that keep a source from being used: not set, empty, switched off, a list without it, or the list of those that are off. */
export const missingSettings = (source: Source, settings: Settings): readonly string[] => [
  ...(settings.SIGHTLINE_SOURCES_OFF.includes(source.id) ? (['SIGHTLINE_SOURCES_OFF'] as const) : []),
  ...(source.listed && orderOf(source, settings) < 0 ? [source.listed.setting] : []),
  ...source.needs.filter((name) => {
    const value: unknown = settings[name];
    return value === null || value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0);
  }),
  ...(source.keys ?? []).filter(({ value }) => !value()).map(({ variable }) => variable),
];

/** Sources in their default order. Those listed in the ordering setting are permuted among their own slots. */
export function inOrder(sources: readonly Source[], settings: Settings): readonly Source[] {
  const listed = sources.filter((s) => s.listed).sort((a, b) => orderOf(a, settings) - orderOf(b, settings));
  return sources.map((s) => {
    const index = s.listed ? listed.findIndex((l) => l.listed?.setting === s.listed?.setting) : -1;
    return index < 0 ? s : (listed.splice(index, 1)[0] ?? s);
  });
}

const ANNOUNCED_DAYS = 180;

type WithSunset = Pick<Source, 'sunset'>;

/** Null where no day is announced. */
export const daysUntil = ({ date }: Sunset, nowMs: number): number | null =>
  date === null ? null : (Date.parse(date) - (nowMs - (nowMs % DAY_MS))) / DAY_MS;

/** An end without a day is announced at any time. */
export const announcedSunset = ({ sunset }: WithSunset, nowMs: number): Sunset | null =>
  sunset && (daysUntil(sunset, nowMs) ?? 0) <= ANNOUNCED_DAYS ? sunset : null;

/** For the operator: when the interface ends, what that means, and what remains. */
export function sunsetText(sunset: Sunset, nowMs: number): string {
  const { date, what, instead, reference } = sunset;
  const days = daysUntil(sunset, nowMs);
  const coming = days === null ? 'is announced to end, on no day yet' : `ends on ${date} (in ${days} days)`;
  return `${days !== null && days < 0 ? `ended on ${date}` : coming}: ${what} What remains: ${instead}. ${reference}`;
}

/** For clients: the sentence that a failure has after the date; empty before it, and where no day is announced. */
export const closedText = ({ sunset }: WithSunset, nowMs: number): string =>
  sunset && (daysUntil(sunset, nowMs) ?? 0) < 0
    ? ` The platform closed this interface on ${sunset.date}. What remains: ${sunset.instead}.`
    : '';
