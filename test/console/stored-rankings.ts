/** Watches with stored checks of many days, written into the store as checks write them: no lookup is made. */
import { Sightline } from '../../src/client/index.ts';
import type { Running } from '../end-to-end/service.ts';

export const SITES = ['acme-widgets.com', 'ibisoptics.org', 'harbourroast.io', 'bluebirdlooms.com', 'stellamaris.it', 'tundra.ca'] as const;
const OTHERS = ['shoes.example', 'reviews.example', 'forum.example', 'blog.example'];
const DAY_MS = 86_400_000;

/** The same numbers whenever they are asked for. */
function draw(seed: string): number {
  let hash = 2166136261;
  for (const character of seed) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return (hash >>> 0) / 2 ** 32;
}

interface Stored {
  readonly days: number;
  readonly keywords: readonly string[];
  /** Parameters of a watch beside its keyword, and its tags. */
  readonly of?: (
    keyword: string,
    nth: number,
  ) => { readonly parameters?: Readonly<Record<string, string>>; readonly tags?: readonly string[] };
  /** Source of the answers of a day, from 0. */
  readonly sourceOn?: (day: number) => string;
}
/** Keywords whose last check failed. */
export const isFailing = (nth: number): boolean => nth % 9 === 6;

export async function storeRankings(
  service: Running,
  { days, keywords, of = () => ({}), sourceOn = () => 'searchengine/dataforseo' }: Stored,
): Promise<readonly string[]> {
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  const { db } = service.accounts.store;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const bodyOf = (keyword: string, nth: number) => {
    const { parameters = {}, tags = [] } = of(keyword, nth);
    return {
      operation: 'serp' as const,
      parameters: { keyword, depth: '20', ...parameters },
      every: '1d' as const,
      creditsPerMonth: 62,
      tags: [...tags],
      // no check of its own comes between
      paused: true,
    };
  };
  // the first is made by the service, the others are rows like its own
  const { watchId } = await client.watches.create(bodyOf(keywords[0] ?? '', 0));
  const { n: first, ...row } = await db.selectFrom('watches').selectAll().where('id', '=', watchId).executeTakeFirstOrThrow();
  const ids = keywords.map((_, nth) => (nth === 0 ? watchId : `${watchId}${nth}`));
  const numbers = [first];
  for (const [nth, keyword] of keywords.entries()) {
    if (nth === 0) continue;
    const { parameters, tags } = bodyOf(keyword, nth);
    const values = { ...row, id: ids[nth] ?? '', parameters: JSON.stringify(parameters), tags: JSON.stringify(tags) };
    const { n } = await db.insertInto('watches').values(values).returning('n').executeTakeFirstOrThrow();
    numbers.push(n);
  }
  for (const [nth, keyword] of keywords.entries()) {
    const n = numbers[nth] ?? first;
    const bodies = [];
    const checks = [];
    for (let day = 0; day < days; day++) {
      const at = today - (days - 1 - day) * DAY_MS + 60_000 + nth * 1000;
      const isGap = day === Math.floor(days / 2) || (day === days - 1 && isFailing(nth)) || draw(`${keyword} ${day} gap`) < 0.02;
      const hash = `${nth}-${day}`;
      const hosts = [...SITES, ...OTHERS].map((host, i) => {
        const usual = 1 + ((i * 5 + Math.floor(draw(`${keyword} ${host}`) * 9)) % 24);
        const drift = Math.round(
          ((i === 0 ? -1 : 1) * day * draw(`${keyword} ${host} drift`) * 6) / days + draw(`${keyword} ${host} ${day}`),
        );
        return [i === 0 ? `www.${host}` : host, Math.max(1, usual + 3 + drift)] as const;
      });
      const inDepth = hosts.filter(([, rank]) => rank <= 20).sort((a, b) => a[1] - b[1]);
      const ranked = inDepth.map(([host, rank], i) => [host, Math.max(rank, i + 1)] as const);
      const shows = draw(`${keyword} overview`) < 0.7;
      const places = {
        hosts: ranked,
        snippet: draw(`${keyword} snippet`) < 0.5 ? (ranked[0]?.[0] ?? null) : null,
        cited: shows ? ranked.filter(([host]) => draw(`${keyword} ${host} cited`) < 0.35).map(([host]) => host) : null,
      };
      if (!isGap) bodies.push({ watch: n, hash, operation: 'serp', body: '{}', read_at: at, places: JSON.stringify(places), stripped: 1 });
      checks.push({
        ...{ watch: n, slot: at - 60_000, at, credits: isGap ? 0 : 2, source: isGap ? null : sourceOn(day), value: null },
        ...(isGap ? { outcome: 'failed', code: 'UPSTREAM_TIMEOUT', body: null } : { outcome: 'same', code: null, body: hash }),
      });
    }
    if (bodies.length > 0) await db.insertInto('watch_bodies').values(bodies).execute();
    if (checks.length > 0) await db.insertInto('watch_checks').values(checks).execute();
  }
  return ids;
}
