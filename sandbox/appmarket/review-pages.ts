import { type AppFacts, reviewCountOf } from './apps.ts';
import { esc, ORIGIN, pager, star, thousands, whole, wordsOf } from './layout.ts';
import { type ReviewFacts, reviewPageOf } from './reviews.ts';

/** The JSON-LD of app, review and permalink pages. */
export const factsOf = (app: AppFacts): object => ({
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: app.name,
  description: '',
  image: [app.logo],
  operatingSystem: 'Shopify',
  applicationCategory: 'DeveloperApplication',
  brand: app.developer.name,
  ...(app.rating !== null && {
    aggregateRating: { '@type': 'AggregateRating', ratingValue: Number(app.rating), ratingCount: reviewCountOf(app) },
  }),
});

/** Number of reviews by stars. */
export const metrics = (
  app: AppFacts,
): string => `<div class="app-reviews-metrics"><div aria-label="${app.rating ?? '0.0'} out of 5 stars">\n${app.rating ?? '0.0'}\n</div>
<ul>${app.stars
  .map(
    (
      count,
      i,
    ) => `<li class="tw-flex"><div aria-hidden="true">${5 - i}</div><span class="tw-hidden">\n${Math.round((100 * count) / Math.max(1, reviewCountOf(app)))}% of ratings are ${5 - i} stars\n</span>
<a class="tw-body-md" aria-label="${count} total reviews" href="/${app.handle}/reviews?ratings%5B%5D=${5 - i}"><span class="link-block--underline">\n${count > 999 ? `${(count / 1000).toFixed(1)}K` : count}\n</span></a></li>`,
  )
  .join('\n')}</ul></div>`;

const paragraph = (text: string): string => `<p class="tw-break-words">${esc(text).replaceAll('\n', '\n<br>')}</p>`;

function replyOf(app: AppFacts, review: ReviewFacts): string {
  if (!review.reply) return '';
  return `<div id="review-reply-${review.id}" class="tw-border-l"><div class="tw-text-body-xs">\n${esc(app.developer.name)} replied\n${wordsOf(review.reply.day)}\n</div>
<div data-reply-id="${review.id}" data-truncate-review="175"><div data-truncate-content-copy><p>${esc(review.reply.text)}</p></div></div></div>`;
}

/** The markup of one review on app, review and permalink pages. */
export const reviewBlock = (app: AppFacts, review: ReviewFacts): string => `<div id="review-${review.id}" class="tw-relative tw-pb-md">
<div data-merchant-review="" data-review-content-id="${review.id}" class="tw-flex">
<div class="tw-order-2"><div class="tw-flex"><div class="tw-flex tw-w-[88px]" aria-label="${review.stars} out of 5 stars" role="img">\n${star.repeat(5)}\n</div>
<div class="tw-text-body-xs">\n${review.isEdited ? 'Edited ' : ''}${wordsOf(review.day)}\n</div></div>
<div class="tw-text-body-md" data-truncate-review><div data-truncate-content-copy class="tw-mb-xs">${review.paragraphs.length > 0 ? review.paragraphs.map(paragraph).join('\n\n') : '<p></p>'}</div>
<button name="button" type="submit" data-truncate-content-toggle="" class="tw-hidden">Show more</button></div></div>
<div class="tw-order-1"><div class="tw-text-heading-xs"><span class="tw-overflow-hidden" title="${esc(review.reviewer)}">\n${esc(review.reviewer)}\n</span>
<button type="button" data-review-share-link="/reviews/${review.id}" data-review-id="${review.id}" aria-label="Copy link to review" title="Copy link to review"><span role="img"><svg></svg></span></button></div>
${review.country ? `<div>${review.country}</div>` : ''}
${review.tenure ? `<div>${review.tenure}</div>` : ''}</div>
<div class="tw-order-last" data-merchant-review-reply><div class="tw-self-start">\n</div>${replyOf(app, review)}</div>
</div></div>`;

export function reviewsPage(app: AppFacts, page: number, sort: string): string {
  const reviews = reviewPageOf(app, page, sort);
  const address = (n: number): string => `${ORIGIN}/${app.handle}/reviews?${sort === 'newest' ? 'sort_by=newest&' : ''}page=${n}`;
  const option = (value: string, text: string): string =>
    `<option value="${value}" ${value === sort ? 'selected' : ''}>\n${text}\n</option>`;
  const main = `<section id="arp-reviews"><div class="tw-container">
<div class="tw-invisible" data-waypoint-app-grouping-handle="ReviewsController" data-waypoint-surface="app_reviews"></div>
<figure class="tw-overflow-hidden"><img alt="${esc(app.name)}" src="${app.logo}" /></figure><h1 class="tw-text-heading-lg">\n<a href="/${app.handle}">\n${esc(app.name)}\n</a>      </h1>
<h2><span>\nReviews\n</span><span>\n(${thousands(reviewCountOf(app))})\n</span></h2>
${metrics(app)}
<div class="tw-hidden" data-filter-target="error">We are having trouble loading your results</div>
<select data-sort-by-target="selector" name="sort_by">${option('relevance', 'Most relevant')}${option('newest', 'Date: Newest to oldest')}</select>
<div>${reviews.map((review) => reviewBlock(app, review)).join('\n')}</div>
${pager(address, page, Math.ceil(reviewCountOf(app) / 10))}
</div></section>`;
  return whole({ title: `Reviews: ${app.name}`, canonical: `${ORIGIN}/${app.handle}/reviews`, main, facts: factsOf(app) });
}
