import type { AccountApps, AccountSites, AppRankings, Rankings } from '../../contract/account/ranking-schemas.ts';
import { api, received } from '../app/session.ts';
import { filterOf, rangeOf } from '../parts/filters.tsx';
import { country, VALUES } from '../parts/format.ts';

export type Keyword = Rankings['keywords'][number];
export interface ShownRankings {
  readonly ranked: Ranked;
  readonly rankings: Rankings;
  readonly account: AccountSites;
  /** Of the account, what is ranked. */
  readonly sites: AccountApps;
}

export const USUAL = '30d';
/** Parameters of the address that choose keywords; they have the API's names. */
const CHOOSING = ['location', 'device', 'engine', 'tag'] as const;
/** What the address asks of the API. */
export function queryHere(): Readonly<Record<string, string>> {
  const { from, to } = rangeOf(USUAL);
  return { from, to, ...Object.fromEntries(CHOOSING.map((name) => [name, filterOf(name)])) };
}

const [RANKINGS, APP_RANKINGS, SITES] = ['/v1/account/rankings', '/v1/account/app-rankings', '/v1/account/sites'];

/** What is ranked: sites in search results, or apps in the app marketplace. */
export type Ranked = 'sites' | 'apps';
export const rankedHere = (): Ranked => (filterOf('_of') === 'apps' ? 'apps' : 'sites');
/** The words of the page for what is ranked. */
export const WORDS = {
  sites: {
    one: 'site',
    title: 'Sites',
    own: 'Your site',
    example: 'example.com',
    first: 'Your site and up to five rivals',
    about:
      'Their places for your keywords stand beside each other here, with their course, and who has the snippet and is cited by the AI overview.',
    hint: 'A site is a registrable domain; its hosts below count too.',
    keywords: 'Add the keywords that people search for: each becomes a watch, whose checks are drawn here.',
  },
  apps: {
    one: 'app',
    title: 'Apps',
    own: 'Your app',
    example: 'acme-reviews',
    first: 'Your app and up to five rivals',
    about: 'Their places on the first page of the Shopify App Store for your keywords stand beside each other here, with their course.',
    hint: 'An app is named by its handle, the last part of its address in the Shopify App Store. Ads have no place.',
    keywords: 'Add the keywords that people search the Shopify App Store for: each becomes a watch, whose checks are drawn here.',
  },
} as const;

/** App rankings in the form of those of sites: what a search alone has is left empty. */
function asSites({ apps, keywords, visibility, standing, seen, choices, ...span }: AppRankings): Rankings {
  const none = { now: 0, before: null };
  return {
    ...span,
    sites: apps,
    keywords: keywords.map(({ apps: courses, depth, ...keyword }) => ({
      ...keyword,
      ...{ location: '', language: '', device: 'desktop', engine: 'engine_a', depth: depth ?? 0, snippet: null, cited: null },
      sites: courses.map(({ app, ...places }) => ({ site: app, ...places, hasSnippet: false, isCited: false })),
    })),
    visibility: visibility.map(({ apps: values, ...day }) => ({ ...day, depths: [], sites: values })),
    standing: {
      keywords: standing.keywords,
      overviews: none,
      sites: standing.apps.map(({ app, firstTen, ...figures }) => ({ site: app, ...figures, firstPage: firstTen, cited: none })),
    },
    seen: seen.map(({ app, keywords: count }) => ({ site: app, keywords: count })),
    choices: { locations: [], devices: [], engines: [], tags: choices.tags },
  };
}

export async function readRankings(signal: AbortSignal): Promise<ShownRankings> {
  const ranked = rankedHere();
  const { from, to, tag = '' } = queryHere();
  const [rankings, account] = await Promise.all([
    ranked === 'apps'
      ? api<AppRankings>(APP_RANKINGS, { query: { from, to, tag }, signal }).then(asSites)
      : api<Rankings>(RANKINGS, { query: queryHere(), signal }),
    api<AccountSites>(SITES, { signal }),
  ]);
  return { ranked, rankings, account, sites: ranked === 'apps' ? account.apps : account };
}
/** Sets the sites or the apps; the others stay. */
export const setCompared = (
  { ranked, account: { own, rivals } }: Pick<ShownRankings, 'ranked' | 'account'>,
  compared: AccountApps,
): Promise<AccountSites> => api(SITES, { method: 'PUT', body: ranked === 'apps' ? { own, rivals, apps: compared } : compared });
export async function readAs(format: 'csv' | 'html', more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { from, to, tag = '' } = queryHere();
  const [path, query] = rankedHere() === 'apps' ? ([APP_RANKINGS, { from, to, tag }] as const) : ([RANKINGS, queryHere()] as const);
  return (await received(path, { query: { ...query, ...more, format } })).text();
}

/** Name of a file of them. */
export const fileName = ({ ranked, rankings: { from, to } }: ShownRankings): string =>
  `${ranked === 'apps' ? 'app-' : ''}rankings-${from}-${to}`;

/** What the service calls a choice, in words. */
export const choiceOf = (name: (typeof CHOOSING)[number], value: string): string =>
  name === 'location' ? country(value) : (VALUES.get(value) ?? value);

/** What the place of a site says: `unasked` and `failed` have no place of the last check. */
export type PlaceState = 'unasked' | 'failed' | 'beyond' | 'found';
export function stateOfPlace({ days, failedAt, sites }: Keyword, site: number): PlaceState {
  if (failedAt !== null) return 'failed';
  if (days.length === 0) return 'unasked';
  return sites[site]?.place == null ? 'beyond' : 'found';
}

/** How many rivals have a better place than the first site. */
export const isAbove = (keyword: Keyword, site: number): boolean => {
  const [own, other] = [keyword.sites[0]?.place ?? null, keyword.sites[site]?.place ?? null];
  return site > 0 && keyword.failedAt === null && other !== null && (own === null || other < own);
};
