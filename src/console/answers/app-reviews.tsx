import type { AppReviewPage, Pagination } from '../../contract/operations/appmarket.ts';
import { place, setQuery } from '../app/place.ts';
import { Meter } from '../parts/card.tsx';
import { day, number, plural } from '../parts/format.ts';
import { OutLink } from '../parts/links.tsx';
import { NotStatedLine } from '../parts/stated.tsx';
import { NextLookups } from '../workbench/next-links.tsx';
import { stated, TwoColumns } from './shared.tsx';

export const PageOf = ({ pagination: { currentPage, totalPages } }: { pagination: Pagination }) => (
  <>
    page {stated(currentPage, number)} of {stated(totalPages, number)}
  </>
);

const Stars = ({ rating }: { rating: number }) => (
  <span class="stars" role="img" aria-label={plural(rating, 'star')}>
    {[1, 2, 3, 4, 5].map((star) => (star <= rating ? '★' : '☆')).join('')}
  </span>
);

/** How many reviews have each rating; a click shows those of this page. */
function Distribution({ resource: { summary }, chosen }: { resource: AppReviewPage; chosen: string }) {
  const most = Math.max(1, ...summary.map((s) => s.count ?? 0));
  return (
    <ul class="distribution" aria-label="Reviews by stars">
      {summary.map(({ label, count }, index) => (
        <li key={`${index}${label}`}>
          <button type="button" aria-pressed={chosen === label} onClick={() => setQuery({ _stars: chosen === label ? null : label })}>
            <span>{stated(label)}</span>
            <Meter share={(count ?? 0) / most} />
            <span>{stated(count, number)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Fields that some reviews lack, as the line of nulls calls them. */
const LACKING = {
  reviewerLocation: 'some places',
  reviewerLatestUsedDate: 'some times of use',
  reviewId: 'some ids',
  appName: 'some names of the app',
} as const;

const Review = ({ review: r }: { review: AppReviewPage['reviews'][number] }) => (
  <li>
    <div class="grow">
      <p>
        {r.rating === null ? stated(r.rating) : <Stars rating={r.rating} />} <strong>{stated(r.reviewer)}</strong>{' '}
        <span class="about">
          {[r.reviewCreatedDate && day(r.reviewCreatedDate), r.reviewerLocation, r.reviewerLatestUsedDate].filter(Boolean).join(' · ')}
        </span>
      </p>
      <p class="text">{r.reviewContent === '' ? <span class="about">stars alone</span> : stated(r.reviewContent)}</p>
      <p class="about">
        <OutLink href={r.appUrl}>{r.appName}</OutLink> {r.reviewId !== null && <code>{r.reviewId}</code>}
      </p>
    </div>
  </li>
);

export function AppReviewPageView({ resource }: { resource: AppReviewPage }) {
  const { reviews } = resource;
  const chosen = place.value.query.get('_stars') ?? '';
  const matching = reviews.filter((r) => chosen === '' || r.rating === Number.parseInt(chosen, 10));
  const handle = reviews.map((r) => /\/([\w-]+)\/?$/.exec(r.appUrl ?? '')?.[1]).find(Boolean);
  const lacking = Object.entries(LACKING).filter(([field]) => reviews.some((r) => r[field as keyof typeof LACKING] === null));
  return (
    <TwoColumns
      about="About the reviews"
      aside={
        <>
          {resource.summary.length > 0 && (
            <>
              <h2>Reviews by stars</h2>
              <Distribution resource={resource} chosen={chosen} />
            </>
          )}
          {handle && <NextLookups lookups={[['app', { handle }, `The app ${handle}`]]} />}
          <NotStatedLine names={lacking.map(([, name]) => name)} />
        </>
      }
    >
      <p class="about">
        {plural(matching.length, 'review')}
        {chosen !== '' && ` of ${reviews.length} on this page`} · <PageOf pagination={resource.pagination} />
      </p>
      <ul class="rows reviews">
        {matching.map((review, index) => (
          <Review key={review.reviewId ?? index} review={review} />
        ))}
      </ul>
      {matching.length === 0 && <p class="none">No reviews {chosen === '' ? 'on this page' : `with ${chosen} on this page`}.</p>}
    </TwoColumns>
  );
}
