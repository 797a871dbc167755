import { checksInMonth, EVERY_MS, type Every } from '../../contract/account/constants.ts';
import { plural, unbroken } from '../parts/format.ts';
import type { Stat } from '../parts/stats.tsx';
import type { Check } from './course.tsx';
import { baseOf, isRank, linesOf } from './moves.ts';

const DAY_MS = EVERY_MS['1d'];
/** Days that the figures of a watch are of. */
export const MOST_DAYS = 30;
const [LEAST_CHECKS, MOST_CHECKS] = [100, 1000];
/** How many of its newest checks a watch needs for them; some more where they are few. */
export const checksNeeded = (every: Every): number => Math.min(MOST_CHECKS, Math.max(LEAST_CHECKS, checksInMonth(EVERY_MS[every])));
export const isRecent = ({ at }: Pick<Check, 'at'>, nowMs: number): boolean => nowMs - Date.parse(at) < (MOST_DAYS + 0.5) * DAY_MS;

const dayFormat = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
/** In the reader's own zone, as other instants are. */
function dayInWords(at: string, nowMs: number): string {
  const day = new Date(at).toDateString();
  if (day === new Date(nowMs).toDateString()) return 'today';
  return day === new Date(nowMs - DAY_MS).toDateString() ? 'yesterday' : unbroken(dayFormat.format(new Date(at)));
}
const isSameSite = (host: string, site: string): boolean => host === site || host.endsWith(`.${site}`);

interface PlaceRead {
  readonly at: string;
  /** Null: not in the results. */
  readonly place: number | null;
}
/** The places of the site, or the app, that a watch is about, newest first; null: it is about none. */
export function placesOf(checks: readonly Check[]): { readonly name: string; readonly places: readonly PlaceRead[] } | null {
  const named = checks.flatMap(({ series }) => series.flatMap(({ field }) => (isRank(field) && baseOf(field) !== field ? [field] : [])));
  const [field] = named;
  if (field === undefined) return null;
  const own = linesOf(checks, baseOf(field)).filter(({ isOwn }) => isOwn);
  // of `example.com` and `www.example.com` the shorter is the name of both
  const names = own.flatMap(({ name }) => name ?? []);
  const name = names.reduce((shortest, one) => (isSameSite(shortest, one) ? one : shortest));
  const lines = own.filter((line) => isSameSite(line.name ?? '', name));
  const places = checks.flatMap(({ at, series }, index): PlaceRead[] => {
    if (!series.some((point) => named.includes(point.field))) return [];
    const found = lines.flatMap(({ values }) => values[index] ?? []);
    return [{ at, place: found.length > 0 ? Math.min(...found) : null }];
  });
  return { name: name.replace(/^www\./, ''), places };
}

/** What became of a place since. */
function movedBy(then: number | null, now: number | null): string {
  if (then === null || now === null)
    return then === now ? 'not in the results either' : `not in the results ${then === null ? 'then' : 'now'}`;
  if (then === now) return 'the same place';
  return `${plural(Math.abs(then - now), 'place')} ${now < then ? 'up' : 'down'}`;
}
const figureOf = (place: number | null): string => (place === null ? '–' : String(place));

/** Where the site stands, where it stood up to 30 days ago, and its best place since. */
export function placeFigures(checks: readonly Check[], nowMs: number): readonly Stat[] {
  const found = placesOf(checks);
  const [now, before] = found?.places ?? [];
  if (!found || !now) return [];
  const within = found.places.filter((read) => isRecent(read, nowMs));
  const first = within.at(-1);
  const last = `${now.place === null ? 'not in the results' : 'place'} ${dayInWords(now.at, nowMs)}`;
  const earlier = before && dayInWords(before.at, nowMs);
  const when = earlier === dayInWords(now.at, nowMs) ? 'before' : earlier;
  const figures: Stat[] = [
    [found.name, figureOf(now.place), before ? `${last}, ${before.place === null ? 'none' : before.place} ${when}` : last],
  ];
  if (!first || within.length < 2) return figures;
  const days = Math.round((nowMs - Date.parse(first.at)) / DAY_MS);
  figures.push([days === 0 ? 'First check here' : `${plural(days, 'day')} ago`, figureOf(first.place), movedBy(first.place, now.place)]);
  const known = within.filter(({ place }) => place !== null);
  const best = known.find(({ place }) => place === Math.min(...known.map((one) => Number(one.place))));
  figures.push(['Best', figureOf(best?.place ?? null), best ? dayInWords(best.at, nowMs) : 'not in the results']);
  return figures;
}
