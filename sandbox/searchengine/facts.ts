import { COMPETITORS, type Competitor, DAY_MS, SANDBOX_NOW } from '../competitors.ts';
import { type Random, random } from '../random.ts';

export interface RatingFact {
  readonly value: number;
  readonly votes: number;
  readonly max: 5 | 10;
}
export interface ResultFact {
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  readonly description: string;
  readonly breadcrumb: string;
  readonly siteName: string;
  readonly rating: RatingFact | null;
  readonly featured: boolean;
}
export interface AdFact {
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  readonly description: string;
}
/** One element of a result page, in reading order. */
export type Block =
  | { readonly kind: 'ad'; readonly ad: AdFact; readonly place: 'top' | 'bottom' }
  | { readonly kind: 'overview' }
  | { readonly kind: 'result'; readonly result: ResultFact }
  | { readonly kind: 'relatedQuestions'; readonly relatedQuestions: readonly string[] }
  | { readonly kind: 'images' }
  | { readonly kind: 'related' };
export interface OverviewFact {
  readonly lines: readonly string[];
  readonly references: readonly { readonly title: string; readonly url: string; readonly domain: string; readonly source: string }[];
}
export interface SerpFact {
  readonly keyword: string;
  readonly engine: 'a' | 'b';
  /** 0: no results. */
  readonly total: number;
  readonly overview: OverviewFact | null;
  readonly related: readonly string[];
  /** Ten results per page. */
  readonly pages: readonly (readonly Block[])[];
  /** Creation time of the page, epoch ms. */
  readonly at: number;
}

/** Keywords with a special response; every other keyword has at least 34 results. */
export const KEYWORDS = {
  nothing: 'zqxjvkw nothing at all',
  few: 'only seven results',
  snippet: 'what is a linen sheet',
} as const;

const SITES: readonly (readonly [string, string])[] = [
  ['the-gearbook.example', 'The Gearbook'],
  ['www.daily-compare.example', 'Daily Compare'],
  ['forum.makers-corner.example', 'Makers Corner'],
  ['en.openpedia.example', 'Openpedia'],
  ['www.buyers-desk.example', 'Buyers Desk'],
  ['magazine.northlight.example', 'Northlight'],
];
const HEADS = ['Best', 'Guide to', 'Shop', 'All about', 'How to choose', 'Compare', 'Reviews of', 'New in'] as const;
const TAILS = ['for every budget', 'in 2026', '– official site', 'explained', 'tested & rated', 'compared'] as const;

const slug = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
const crumb = (domain: string, path: string): string => [`https://${domain}`, ...path.split('/').filter(Boolean)].join(' › ');
const ratingOf = (r: Random): RatingFact | null =>
  r.chance(0.25)
    ? r.chance(0.3)
      ? { value: r.int(60, 95) / 10, votes: r.int(20, 90_000), max: 10 }
      : { value: r.int(31, 49) / 10, votes: r.int(3, 9_000), max: 5 }
    : null;

function ofSite(r: Random, keyword: string, index: number, competitor: Competitor | null): ResultFact {
  const [host, siteName] = competitor ? [`www.${competitor.domain}`, competitor.name] : (r.pick(SITES) as readonly [string, string]);
  const head = r.pick(HEADS);
  const tail = r.pick(TAILS);
  const path = `/${slug(r.pick(['collections', 'blog', 'guides', 'products']))}/${slug(keyword)}-${index + 1}`;
  return {
    title: `${head} ${keyword} ${tail} | ${siteName}`,
    url: `https://${host}${encodeURI(path)}`,
    domain: host,
    description: `${siteName} on ${keyword}: ${tail.replace(/^– /, '')}, with prices, sizes and what ${r.int(12, 900)} people said about it.`,
    breadcrumb: crumb(host, path),
    siteName,
    rating: ratingOf(r),
    featured: false,
  };
}
/** The competitor whose product the keyword names; undefined if there is none. */
export const makerOf = (keyword: string): Competitor | undefined => COMPETITORS.find((c) => c.product === keyword.trim().toLowerCase());

function resultsOf(r: Random, keyword: string, count: number): ResultFact[] {
  const maker = makerOf(keyword);
  const results = Array.from({ length: count }, (_, i) => ofSite(r, keyword, i, r.chance(0.45) ? r.pick(COMPETITORS) : null));
  if (maker) {
    const at = r.int(0, 2);
    const url = `https://www.${maker.domain}/${slug(maker.product)}`;
    const title = `${maker.name}: ${maker.product}`;
    const description = `${maker.name} has made ${maker.product} since ${maker.founded}. See the whole range, sizes and prices.`;
    const own = {
      title,
      url,
      domain: `www.${maker.domain}`,
      description,
      breadcrumb: crumb(`www.${maker.domain}`, slug(maker.product)),
      siteName: maker.name,
    };
    results[at] = { ...own, rating: { value: 4.7, votes: 1_284, max: 5 }, featured: false };
  }
  return results;
}

function overviewOf(r: Random, keyword: string, results: readonly ResultFact[]): OverviewFact {
  const cited = results.filter((x) => !x.featured).slice(0, r.int(2, 4));
  return {
    lines: [
      `Good ${keyword} depend on what you need them for; comfort, price and durability decide.`,
      'What to look at',
      `Fit: try before you buy, and compare at least ${r.int(2, 5)} makers.`,
      'Price: the middle of the range is usually enough.',
    ],
    references: cited.map((c) => ({ title: c.title, url: c.url, domain: c.domain, source: c.siteName })),
  };
}

/** The page of the keyword's maker falls by two places a day, and is back on the third day. */
function onDay(keyword: string, results: ResultFact[], day: number): void {
  const maker = makerOf(keyword);
  const at = results.findIndex(({ url }) => url === `https://www.${maker?.domain}/${slug(keyword)}`);
  if (at >= 0) results.splice(at + 2 * (day % 3), 0, ...results.splice(at, 1));
}

/** The results that the simulated engine returns for a keyword on a day: deterministic, the same on every machine. */
export function serpOf(keyword: string, engine: 'a' | 'b', country = 'US', language = 'en', day = 0): SerpFact {
  const r = random(`serp ${engine} ${keyword} ${country} ${language}`);
  const at = SANDBOX_NOW + day * DAY_MS;
  if (keyword === KEYWORDS.nothing) return { keyword, engine, total: 0, overview: null, related: [], pages: [], at };
  const few = keyword === KEYWORDS.few;
  const results = resultsOf(r, keyword, few ? 7 : r.int(34, 58));
  if (keyword === KEYWORDS.snippet && results[0]) results[0] = { ...results[0], featured: true, rating: null };
  const overview = engine === 'a' && !few ? overviewOf(r, keyword, results) : null;
  onDay(keyword, results, day);
  const advertisers = [r.pick(COMPETITORS), r.pick(COMPETITORS), r.pick(COMPETITORS)];
  const ads: AdFact[] = advertisers.map((c, i) => ({
    title: `${c.name} - ${['Free delivery', 'Official shop', 'Sale now on'][i]}`,
    url: `https://www.${c.domain}/offers/${encodeURI(slug(keyword))}`,
    domain: `www.${c.domain}`,
    description: `Find ${keyword} and more at ${c.name}. Order today, sent back free of charge within 30 days.`,
  }));
  const related = few
    ? []
    : [
        `${keyword} sale`,
        `best ${keyword} 2026`,
        `${keyword} near me`,
        `cheap ${keyword}`,
        `${keyword} for beginners`,
        `${keyword} brands`,
      ];
  const relatedQuestions = [`What are the best ${keyword}?`, `How much do ${keyword} cost?`, `Are ${keyword} worth it?`];

  const pages: Block[][] = [];
  for (let from = 0; from < results.length; from += 10) {
    const blocks: Block[] = results.slice(from, from + 10).map((result) => ({ kind: 'result', result }));
    if (from === 0 && !few) {
      blocks.splice(6, 0, { kind: 'images' });
      blocks.splice(3, 0, { kind: 'relatedQuestions', relatedQuestions });
      const top: Block[] = ads.slice(0, 2).map((ad) => ({ kind: 'ad', ad, place: 'top' }));
      blocks.unshift(...top, ...(overview ? [{ kind: 'overview' } as const] : []));
      blocks.push({ kind: 'ad', ad: ads[2] as AdFact, place: 'bottom' }, { kind: 'related' });
    }
    pages.push(blocks);
  }
  return { keyword, engine, total: few ? 7 : r.int(1_000, 90_000_000), overview, related, pages, at };
}

/** Text escaped for markup. */
export const esc = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
