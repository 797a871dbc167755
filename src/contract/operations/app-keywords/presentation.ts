import { type Presentation, top } from '../presentation.ts';
import type { AppKeywordRanking } from './operation.ts';

export const presentation: Presentation<AppKeywordRanking> = {
  name: 'App ranking',
  icon: 'ranking',
  guidance: {
    title: 'Apps ranked for a keyword',
    use: 'Use to find apps for a need, or the rank of an app for search terms. For a whole category use appstore_category; for web results serp.',
    fresh: 'Up to 6 h old.',
    limits:
      'one page; ads stand among the apps: the best organic app is the first with isSponsored false. NOT_IMPLEMENTED: not switched on by the operator. null: not in the list.',
  },
  lines: ({ apps }) => top(apps.map(({ name, isSponsored }) => `${name ?? ''}${isSponsored === true ? ' (ad)' : ''}`)),
};
