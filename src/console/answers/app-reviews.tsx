import type { AppReviewPage, Pagination } from '../../contract/operations/appmarket.ts';
import { Bars } from '../charts/bars.tsx';
import { day, number, plural } from '../parts/format.ts';
import { OutLink } from '../parts/links.tsx';
import { NotStated, Stated } from '../parts/stated.tsx';

export function PageOf({ pagination }: { pagination: Pagination }) {
  return (
    <p class="small">
      Page <Stated value={pagination.currentPage}>{number}</Stated> of <Stated value={pagination.totalPages}>{number}</Stated>;{' '}
      {pagination.hasNextPage ? 'more follow' : 'the last one'}.
    </p>
  );
}

const Stars = ({ rating }: { rating: number | null }) =>
  rating === null ? (
    <NotStated />
  ) : (
    <span class="stars" role="img" aria-label={plural(rating, 'star')}>
      {'★'.repeat(Math.max(0, Math.min(5, rating)))}
      {'☆'.repeat(5 - Math.max(0, Math.min(5, rating)))}
    </span>
  );

/** A page of reviews with a histogram of the stars. */
export function AppReviewPageView({ resource }: { resource: AppReviewPage }) {
  return (
    <article class="card">
      {resource.summary.length > 0 && (
        <Bars
          title="Reviews by stars"
          bars={resource.summary.map((s) => ({ name: s.label ?? 'not stated', value: s.count }))}
          format={number}
          heads={['Stars', 'Reviews']}
        />
      )}
      <PageOf pagination={resource.pagination} />
      <ul class="reviews">
        {resource.reviews.map((r, at) => (
          <li key={r.reviewId ?? at}>
            <p>
              <Stars rating={r.rating} /> <strong>{r.reviewer ?? <NotStated />}</strong>
            </p>
            <p class="small">
              <Stated value={r.reviewCreatedDate}>{day}</Stated> · <Stated value={r.reviewerLocation} /> ·{' '}
              <Stated value={r.reviewerLatestUsedDate} /> · of <OutLink href={r.appUrl}>{r.appName ?? <NotStated />}</OutLink>
            </p>
            <p class="text">{r.reviewContent === '' ? <span class="unstated">stars alone</span> : <Stated value={r.reviewContent} />}</p>
            <p class="small">
              Review <Stated value={r.reviewId} />
            </p>
          </li>
        ))}
      </ul>
      {resource.reviews.length === 0 && <p class="none">No reviews on this page.</p>}
    </article>
  );
}
