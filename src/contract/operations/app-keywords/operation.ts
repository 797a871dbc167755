import type { Static } from 'typebox';
import { required, textUpTo } from '../../parameters/parameter.ts';
import { flag, list, orNull, record, text } from '../../schema.ts';
import { LISTED_APP, LISTED_PLACE, Pagination, page } from '../appmarket.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, hours } from '../define.ts';

export const AppKeywordRanking = record({
  keyword: text('The keyword asked for.'),
  totalCount: orNull.count('Number of apps as stated.'),
  apps: list(
    record({
      ...LISTED_APP,
      developer: orNull.text('Name of the developer.'),
      ...LISTED_PLACE,
      rating: orNull.amount('Rating.'),
    }),
    'Apps in the order shown.',
  ),
  pagination: Pagination,
  hasResults: flag('The keyword has results: true where `totalCount` is above 0, past the last page, too.'),
});
export type AppKeywordRanking = Static<typeof AppKeywordRanking>;

export const appKeywords = defineOperation({
  id: 'app-keywords',
  method: 'keywords',
  pages: 'page',
  area: AREAS.appmarket,
  path: '/v1/appmarket/apps/keywords',
  summary: 'One page of the apps ranked for a keyword',
  parameters: [required('keyword', textUpTo(200), 'Search terms, 1 to 200 characters.', 'product reviews'), page],
  resource: { AppKeywordRanking },
  parts: { Pagination },
  rows: { entries: 'apps' },
  watch: {
    lists: { apps: { key: ['handle', 'isSponsored'], rank: 'position' } },
    fields: ['apps.handle', 'apps.position', 'hasResults'],
    never: ['pagination'],
    series: ['totalCount', 'apps.position'],
    more: 'pagination.hasNextPage',
  },
  freshForMs: () => hours(6),
});
