import { lookupsOf } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import type { AccountInput } from '../contract/account/endpoints.ts';
import type { AppRankings, Rankings } from '../contract/account/ranking-schemas.ts';
import { type Input, OPERATIONS } from '../contract/operations/index.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { matrixOf } from './matrix.ts';
import { isCitedBy, isOf, RANKED, type RankedOperation } from './places.ts';
import type { ScheduleParts } from './schedule.ts';
import { createSites } from './sites.ts';

interface Span {
  readonly from: string;
  readonly to: string;
}
type Without = 'rest' | 'format' | 'from' | 'to' | 'title' | 'client' | 'sender';
export type RankingsQuery = Omit<AccountInput<'account-rankings'>, Without> & Span;
export type AppRankingsQuery = Omit<AccountInput<'account-app-rankings'>, Without> & Span;

const spanOf = ({ from, to }: Span) => ({ fromMs: Date.parse(from), untilMs: Date.parse(to) + DAY_MS });
const valuesOf = <T>(all: readonly T[], of: (one: T) => string | readonly string[]) => [...new Set(all.flatMap(of))].sort();

/** Places of sites and apps of an account in the stored checks of its watches. */
export function createRankings(parts: Pick<ScheduleParts, 'store' | 'now'>) {
  const { db } = parts.store;
  const sites = createSites(parts);
  /** The watches of an operation that the caller may see, with their inputs. */
  async function watchedBy<Id extends RankedOperation>(caller: Caller, operation: Id) {
    if (!(lookupsOf(caller)?.includes(operation) ?? true)) return [];
    const watches = await db
      .selectFrom('watches')
      .select(['n', 'id', 'parameters', 'tags'])
      .where('account_id', '=', caller.accountId)
      .where('operation', '=', operation)
      .orderBy('n')
      .execute();
    return watches.flatMap(({ n, id, parameters, tags }) => {
      const input = OPERATIONS[operation].readInput(Object.entries(JSON.parse(parameters) as Record<string, string>));
      // a cast, because TypeScript does not narrow the table by the generic key
      return input.ok ? [{ n, id, input: input.value as Input<Id>, tags: tags === null ? [] : (JSON.parse(tags) as string[]) }] : [];
    });
  }
  return {
    sites: sites.read,
    setSites: sites.set,

    async rankings(caller: Caller, query: RankingsQuery): Promise<Rankings> {
      const { location, device, engine, tag } = query;
      const { own, rivals } = await sites.read(caller);
      const names = own === null ? rivals : [own, ...rivals];
      const all = await watchedBy(caller, 'serp');
      const asked = all.filter(
        ({ input, tags }) =>
          (location === undefined || input.location === location) &&
          (device === undefined || input.device === device) &&
          (engine === undefined || input.engine === engine) &&
          (tag === undefined || tags.includes(tag)),
      );
      const watches = asked.map(({ n }) => n);
      const matrix = await matrixOf({
        ...{ store: parts.store, ranked: RANKED.serp, names, watches, depths: asked.map(({ input }) => input.depth) },
        ...spanOf(query),
      });
      const keywords = asked.map(({ id, input, tags }, nth): Rankings['keywords'] => {
        const row = matrix.keywords[nth];
        if (!row) return [];
        const { checkedAt, failedAt, last, courses, days } = row;
        const { keyword, location, language, device, engine, depth } = input;
        return [
          {
            ...{ watchId: id, keyword, location, language, device, engine, depth, tags, checkedAt, failedAt },
            snippet: last?.snippet ?? null,
            cited: last?.cited ? [...last.cited] : null,
            sites: courses.map(({ name, places }) => ({
              site: name,
              ...places,
              hasSnippet: last ? isOf(last.snippet ?? '', name) : null,
              isCited: last ? isCitedBy(last, name) : null,
            })),
            days,
          },
        ];
      });
      return {
        ...{ from: query.from, to: query.to, sites: names, keywords: keywords.flat(), visibility: matrix.visibility },
        ...{ standing: matrix.standing, seen: matrix.seen },
        choices: {
          locations: valuesOf(all, ({ input }) => input.location),
          devices: valuesOf(all, ({ input }) => input.device),
          engines: valuesOf(all, ({ input }) => input.engine),
          tags: valuesOf(all, ({ tags }) => tags),
        },
      };
    },

    async appRankings(caller: Caller, query: AppRankingsQuery): Promise<AppRankings> {
      const { own, rivals } = (await sites.read(caller)).apps;
      const names = own === null ? rivals : [own, ...rivals];
      // an app that is not on a later page may be on an earlier one
      const all = (await watchedBy(caller, 'app-keywords')).filter(({ input }) => input.page === 1);
      const asked = all.filter(({ tags }) => query.tag === undefined || tags.includes(query.tag));
      const watches = asked.map(({ n }) => n);
      const { keywords, visibility, standing, seen } = await matrixOf({
        ...{ store: parts.store, ranked: RANKED['app-keywords'], names, watches, depths: [] },
        ...spanOf(query),
      });
      return {
        ...{ from: query.from, to: query.to, apps: names },
        keywords: asked.flatMap(({ id, input: { keyword }, tags }, nth) => {
          const row = keywords[nth];
          if (!row) return [];
          const { checkedAt, failedAt, last, courses, days } = row;
          const depth = last ? Math.max(0, ...last.hosts.map(([, rank]) => rank)) : null;
          const apps = courses.map(({ name, places }) => ({ app: name, ...places }));
          return [{ watchId: id, keyword, depth, tags, checkedAt, failedAt, apps, days }];
        }),
        visibility: visibility.map(({ sites: values, depths: _, ...day }) => ({ ...day, apps: values })),
        standing: {
          keywords: standing.keywords,
          apps: standing.sites.map(({ site, cited: _, firstPage, ...figures }) => ({ app: site, ...figures, firstTen: firstPage })),
        },
        seen: seen.map(({ site, keywords: count }) => ({ app: site, keywords: count })),
        choices: { tags: valuesOf(all, ({ tags }) => tags) },
      };
    },
  };
}
