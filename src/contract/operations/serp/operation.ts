import type { Static } from 'typebox';
import { country, language } from '../../parameters/iso.ts';
import { integerOf, oneOfTexts, required, textUpTo, withDefault } from '../../parameters/parameter.ts';
import { amount, count, flag, instant, list, nullable, oneOf, orNull, record, text, url, words } from '../../schema.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, hours } from '../define.ts';

export const ENGINES = ['engine_a', 'engine_b'] as const;
export const DEVICES = ['desktop', 'mobile'] as const;
export const FEATURES = [
  'organic',
  'paid',
  'featured_snippet',
  'people_also_ask',
  'ai_overview',
  'local_pack',
  'shopping',
  'video',
  'image',
  'news',
  'knowledge_panel',
  'other',
] as const;
export type Feature = (typeof FEATURES)[number];

const Rating = record(
  {
    value: amount('The rating as shown.'),
    votesCount: orNull.count('Number of votes.'),
    max: amount('The top of the scale: as stated, else 5, 10 ("/10") or 100 (a percentage).'),
  },
  'A rating shown with the entry.',
);

export const OrganicEntry = record({
  rank: count('1-based place among organic entries; runs on over result pages.'),
  absoluteRank: count('1-based place among all elements of the page in reading order; runs on over result pages.'),
  domain: text('Host of `url`, lower case, as written.'),
  url: url('Address of the result without tracking parameters.'),
  title: text('Title as shown.'),
  description: orNull.text('Snippet as shown.'),
  breadcrumb: orNull.text('Address line as shown above the title.'),
  websiteName: orNull.text('Name of the site as shown.'),
  isFeaturedSnippet: flag('True for the answer box that stands above the list.'),
  rating: nullable(Rating),
});

export const PaidEntry = record({
  rank: count('1-based place among paid entries.'),
  domain: text('Host of `url`.'),
  url: url('Destination where the ad states it, else the click address.'),
  title: text('Headline of the ad.'),
  description: orNull.text('Text of the ad.'),
  advertiserId: orNull.text("The engine's id of the advertiser, where stated."),
});

export const AiOverview = record(
  {
    text: text('The generated text.'),
    references: list(
      record({ domain: text('Host of the cited page.'), url: url('Cited page.'), title: text('Title of the cited page.') }),
      'Cited pages, each once.',
    ),
  },
  'The generated answer above the results.',
);

export const SearchResult = record({
  keyword: text('The keyword asked for.'),
  searchEngine: oneOf(ENGINES, 'Which engine answered.'),
  location: text('ISO 3166-1 alpha-2 country, upper case.'),
  language: text('ISO 639-1 language, lower case.'),
  device: oneOf(DEVICES, 'Device the page was made for.'),
  totalResults: orNull.count('Number of results as stated; 0 only where the engine says that nothing was found.'),
  checkedAt: instant('When the source saw the page.'),
  features: list(
    oneOf(FEATURES, 'A section of the result page.'),
    'Sections that are on the page, each once, in order of first appearance.',
  ),
  organic: list(OrganicEntry, 'Organic entries by rank.'),
  paid: list(PaidEntry, 'Ads by rank.'),
  aiOverview: nullable(AiOverview),
  relatedSearches: words('Related searches as shown.'),
});

export type SearchResult = Static<typeof SearchResult>;
export type OrganicEntry = Static<typeof OrganicEntry>;
export type PaidEntry = Static<typeof PaidEntry>;
export type AiOverview = Static<typeof AiOverview>;

export const serp = defineOperation({
  id: 'serp',
  method: 'serp',
  area: AREAS.searchengine,
  path: '/v1/searchengine/serp',
  summary: 'Rankings and features of the result page for one keyword',
  waysToAnswer:
    "Licensed data providers (DataForSEO, SerpApi) answer it with an account there. Without one the operator's own SearXNG or own browser can, but the engines' robots.txt and terms exclude their result pages.",
  parameters: [
    required('keyword', textUpTo(700), 'Search terms, 1 to 700 characters.', 'running shoes'),
    withDefault('location', country, 'US', 'ISO 3166-1 alpha-2 country.'),
    withDefault('language', language, 'en', 'ISO 639-1 language.'),
    withDefault('device', oneOfTexts(DEVICES), 'desktop', 'Device the page is made for.'),
    withDefault('depth', integerOf(1, 200), 10, 'Number of results, 1 to 200.'),
    withDefault(
      'engine',
      oneOfTexts(ENGINES),
      'engine_a',
      'Search engine: `engine_a` is Google, `engine_b` Bing; never switched silently.',
    ),
  ],
  resource: { SearchResult },
  parts: { OrganicEntry, PaidEntry, AiOverview },
  rows: { entries: 'organic', paid: 'paid' },
  watch: {
    lists: {
      organic: { key: ['url'], rank: 'rank' },
      paid: { key: ['url'], rank: 'rank' },
      'aiOverview.references': { key: ['url'] },
    },
    // not `features`: a block that the reader does not recognise any more looks like one that is gone
    fields: ['organic.url', 'organic.rank', 'organic.title', 'paid?', 'aiOverview?'],
    never: ['checkedAt'],
    series: ['totalResults', 'organic.rank'],
  },
  firstColumns: ['rank', 'domain', 'url', 'title'],
  price: {
    words: '1 credit per 10 results of `depth`, rounded up; results that the engine does not have are refunded',
    of: (input, delivered) => Math.max(1, Math.ceil(Math.min(input.depth, delivered ?? input.depth) / 10)),
  },
  deadline: { setting: 'SIGHTLINE_DEADLINE_SERP_MS', ms: 120_000 },
  freshForMs: () => hours(1),
});
