import { sql } from 'kysely';
import type { Rankings } from '../contract/account/ranking-schemas.ts';
import { DAY_MS, dayOf, instant } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { bestPlacesOf, type Places, type Ranked } from './places.ts';
import { type Compared, seenIn, standingOf } from './standing.ts';

/** What a place is worth: 1 / place to place 20, else nothing. */
const LAST_PLACE = 20;
export const weightOf = (place: number | null): number => (place !== null && place <= LAST_PLACE ? 1 / place : 0);

interface Asked {
  readonly store: Pick<Store, 'db' | 'kind'>;
  readonly ranked: Ranked;
  /** Sites or apps. */
  readonly names: readonly string[];
  /** Numbers of the watches, each of a keyword. */
  readonly watches: readonly number[];
  /** Results that each of them asks for; empty: none says how many. */
  readonly depths: readonly number[];
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The places of sites or apps for watched keywords by day, from stored checks. */
export async function matrixOf({ store, ranked, names, watches, depths, fromMs, untilMs }: Asked) {
  const answers = await answersOf({ store, ranked, names, watches, fromMs, untilMs });
  const failures = await failuresOf(store.db, watches, fromMs, untilMs);
  const weights = new Map<string, Weighed>();
  const keywords = watches.map((watch, nth) => {
    const depth = depths[nth];
    const days = [...(answers.get(watch) ?? [])].map(([day, answer]) => ({ day, answer, places: answer.of.best }));
    for (const { day, answer, places } of days) {
      const sum = weights.get(day) ?? { keywords: 0, sums: names.map(() => 0), sources: new Set(), depths: new Set() };
      sum.keywords++;
      if (answer.source !== null) sum.sources.add(answer.source);
      if (depth !== undefined) sum.depths.add(depth);
      for (const [i, place] of places.entries()) sum.sums[i] = (sum.sums[i] ?? 0) + weightOf(place);
      weights.set(day, sum);
    }
    const [first, last, before] = [days[0], days.at(-1), days.at(-2)];
    const failedAt = failures.get(watch);
    return {
      checkedAt: last ? instant(last.answer.atMs) : null,
      failedAt: failedAt !== undefined && failedAt > (last?.answer.atMs ?? 0) ? instant(failedAt) : null,
      /** Of the last answered check. */
      last: last?.answer.of.places,
      courses: names.map((name, i) => {
        const found = days.flatMap(({ places }) => places[i] ?? []);
        const [place, then] = [last?.places[i] ?? null, first?.places[i] ?? null];
        return {
          name,
          places: {
            ...{ place, before: before?.places[i] ?? null },
            best: found.length > 0 ? Math.min(...found) : null,
            first: then,
            change: days.length > 1 && place !== null && then !== null ? then - place : null,
          },
        };
      }),
      days: days.map(({ day, places }) => ({ day, places })),
    };
  });
  const visibility: Rankings['visibility'] = [];
  for (let ms = fromMs; ms < untilMs; ms += DAY_MS) {
    const sum = weights.get(dayOf(ms));
    const count = sum?.keywords ?? 0;
    visibility.push({
      day: dayOf(ms),
      keywords: count,
      sources: [...(sum?.sources ?? [])].sort(),
      depths: [...(sum?.depths ?? [])].sort((a, b) => a - b),
      sites: names.map((_, i) => (sum && count > 0 ? (sum.sums[i] ?? 0) / count : null)),
    });
  }
  const ends = watches.flatMap((watch) => {
    const days = [...(answers.get(watch)?.values() ?? [])].map((answer) => answer.of);
    const [first, last] = [days[0], days.at(-1)];
    return first && last ? [{ first, last, isOneDay: days.length === 1 }] : [];
  });
  return {
    keywords,
    visibility,
    standing: standingOf({ sites: names, ends, visibility }),
    seen: seenIn(ends, names, ranked.nameOf),
  };
}

/** Of a day. */
interface Weighed {
  keywords: number;
  readonly sums: number[];
  readonly sources: Set<string>;
  readonly depths: Set<number>;
}
interface Answered {
  readonly atMs: number;
  readonly source: string | null;
  readonly of: Compared;
}
/** The last answered check of each day (UTC) of these watches, by watch and day, oldest first. */
async function answersOf({ store: { db, kind }, ranked, names, watches, fromMs, untilMs }: Omit<Asked, 'depths'>) {
  const byWatch = new Map<number, Map<string, Answered>>();
  if (watches.length === 0) return byWatch;
  // SQLite prefers the key of the table, and walks through each answer to what stands behind it
  const alias = kind === 'embedded' ? sql`b indexed by watch_bodies_places` : sql`b`;
  const bodies = sql<Pick<Tables['watch_bodies'], 'watch' | 'hash'> & { places: string | null }>`watch_bodies`.as<'b'>(alias);
  const rows = await db
    .selectFrom('watch_checks as c')
    .innerJoin(bodies, (on) => on.onRef('b.watch', '=', 'c.watch').onRef('b.hash', '=', 'c.body'))
    .select(['c.watch', 'c.slot', 'c.at', 'c.source', 'c.body as hash', 'b.places'])
    .where('c.watch', 'in', watches)
    .where(({ eb, fn }) => eb(fn.coalesce('c.at', 'c.slot'), '>=', fromMs))
    .where(({ eb, fn }) => eb(fn.coalesce('c.at', 'c.slot'), '<', untilMs))
    .orderBy(({ fn }) => fn.coalesce('c.at', 'c.slot'))
    .execute();
  const bestOf = bestPlacesOf(names, ranked);
  const read = new Map<string, Compared>();
  const dayNames = new Map<number, string>();
  for (const { watch, slot, at, source, hash, places } of rows) {
    const key = `${watch} ${hash}`;
    let found = read.get(key);
    if (!found) {
      const said = places === null ? ranked.placesOf(await bodyOf(db, watch, hash ?? '')) : (JSON.parse(places) as Places);
      found = { places: said, best: bestOf(said) };
      read.set(key, found);
    }
    const days = byWatch.get(watch) ?? new Map<string, Answered>();
    byWatch.set(watch, days);
    const readAt = at ?? slot;
    const dayNumber = Math.floor(readAt / DAY_MS);
    const day = dayNames.get(dayNumber) ?? dayOf(readAt);
    dayNames.set(dayNumber, day);
    days.set(day, { atMs: readAt, source, of: found });
  }
  return byWatch;
}
/** When the last failed check of each of these watches ended. */
async function failuresOf(db: Store['db'], watches: readonly number[], fromMs: number, untilMs: number) {
  if (watches.length === 0) return new Map<number, number>();
  const rows = await db
    .selectFrom('watch_checks as c')
    .select(['c.watch', ({ fn }) => fn.max<number>(fn.coalesce('c.at', 'c.slot')).as('failed')])
    .where('c.watch', 'in', watches)
    .where('c.outcome', '=', 'failed')
    .where(({ eb, fn }) => eb(fn.coalesce('c.at', 'c.slot'), '>=', fromMs))
    .where(({ eb, fn }) => eb(fn.coalesce('c.at', 'c.slot'), '<', untilMs))
    .groupBy('c.watch')
    .execute();
  return new Map(rows.map(({ watch, failed }) => [watch, Number(failed)]));
}
/** Of an answer that was stored before places were. */
async function bodyOf(db: Store['db'], watch: number, hash: string): Promise<Readonly<Record<string, unknown>>> {
  const row = await db.selectFrom('watch_bodies').select('body').where('watch', '=', watch).where('hash', '=', hash).executeTakeFirst();
  return row ? (JSON.parse(row.body) as Record<string, unknown>) : {};
}
