import { type Presentation, text } from '../presentation.ts';
import type { AppReviewPage } from './operation.ts';

export const presentation: Presentation<AppReviewPage> = {
  name: 'App reviews',
  icon: 'star',
  guidance: {
    title: 'Reviews of an app',
    use: 'Use for what merchants write about an app, and the number by stars. For the mean rating use app. Not beside appstore_reviews: same data.',
    fresh: 'Up to 6 h old.',
    limits:
      'one page; raise `page` while hasNextPage. Unlisted app: NOT_FOUND. Past the last page the list is empty. null: the review lacks it.',
  },
  lines: reviewLines,
};

export function reviewLines({ reviews, pagination }: AppReviewPage): readonly string[] {
  const { currentPage, totalPages } = pagination;
  const [first] = reviews;
  return [
    `page ${currentPage ?? '-'} of ${totalPages ?? '-'}, ${reviews.length} reviews`,
    ...text(first ? `${first.rating ?? '-'} of 5: ${first.reviewContent}` : null),
  ];
}
