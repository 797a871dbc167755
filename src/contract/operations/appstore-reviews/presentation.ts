import type { AppReviewPage } from '../app-reviews/operation.ts';
import { reviewLines } from '../app-reviews/presentation.ts';
import type { Presentation } from '../presentation.ts';

export const presentation: Presentation<AppReviewPage> = {
  name: 'Store reviews',
  icon: 'star',
  guidance: {
    title: 'Reviews of an app, by app store path',
    use: 'Use in place of app_reviews only where you hold an app store path and its `sort_by`. Do not call both: each is charged.',
    fresh: 'Up to 6 h old.',
    limits: 'one page of reviews. NOT_FOUND: no such handle. null: not printed there.',
  },
  lines: reviewLines,
};
