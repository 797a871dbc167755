import { facts, number, type Presentation, top } from '../presentation.ts';
import type { CategoryDetail } from './operation.ts';

export const presentation: Presentation<CategoryDetail> = {
  name: 'App category',
  icon: 'tag',
  guidance: {
    title: 'Category of the marketplace',
    use: 'Use to see a category: description, subcategories, apps in order. For free search terms use app_keywords.',
    fresh: 'Up to 6 h old.',
    limits: 'one page of apps; isSponsored true is an ad, no rank. Unknown handle: NOT_FOUND. appCount null: a topic.',
  },
  lines: ({ apps, appCount }) => [
    facts(number(appCount, 'apps')),
    ...top(apps.map(({ name, isSponsored }) => `${name ?? ''}${isSponsored === true ? ' (ad)' : ''}`)),
  ],
};
