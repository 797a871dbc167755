import { type AppFacts, type PlanFacts, reviewCountOf } from './apps.ts';
import { badge, esc, ORIGIN, star, thousands, whole, wordsOf } from './layout.ts';
import { card } from './list-pages.ts';
import { factsOf, metrics, reviewBlock } from './review-pages.ts';
import { reviewsOf } from './reviews.ts';

const partner = (app: AppFacts): string =>
  `<a class="tw-underline" href="${ORIGIN}/partners/${app.developer.handle}">\n${esc(app.developer.name)}\n</a>`;

function hero(app: AppFacts): string {
  const count = reviewCountOf(app);
  return `<section id="adp-hero" data-waypoint-app-grouping-handle="AppDetailsController" data-waypoint-surface-detail="hero"><div>
<figure class="tw-overflow-hidden"><img alt="${esc(app.name)}" class="tw-block" src="${app.logo}" /></figure>
<div><h1 class="tw-text-heading-lg">\n${esc(app.name)}\n</h1>${app.hasBadge ? badge(app.handle) : ''}</div>
<dl class="tw-flex">
<div><dt class="tw-text-heading-sm">Pricing</dt><dd class="tw-text-body-sm"><div class="tw-hidden sm:tw-block">\n${esc(app.priceLine)}\n</div>
<div class="sm:tw-hidden" aria-hidden="true">\n${esc(app.priceLine.split('.')[0] ?? '')}\n</div></dd></div>
<dl class="tw-grid"><dt>Popular with stores like yours</dt><div><dd><span>\nBased in Spain\n</span></dd></div></dl>
${
  app.rating === null
    ? ''
    : `<div><dt class="tw-text-heading-sm">Rating</dt><dd class="tw-flex"><span class="tw-text-fg-secondary">${app.rating}</span><span>${star}</span>
<span><a aria-label="${count} Reviews" id="reviews-link" href="/${app.handle}/reviews">\n(${thousands(count)})\n</a></span></dd></div>`
}
<div><dt class="tw-text-heading-sm">Developer</dt><dd class="tw-text-body-sm">${partner(app)}</dd></div>
</dl></div></section>`;
}

const row = (label: string, value: string, tag = 'p'): string =>
  `<div class="tw-grid tw-grid-cols-4"><${tag} class="tw-col-span-full">\n${label}\n</${tag}>\n${value}</div>`;
const listed = (names: readonly string[]): string =>
  names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;

function details(app: AppFacts): string {
  const description = esc(app.description);
  const languages = `<div class="tw-col-span-full"><p class="tw-text-fg-secondary">${esc(listed(app.languages))}</p>
${app.isTranslated ? '' : '<p class="tw-text-notifications-alert-primary">\nThis app is not translated into English\n</p>'}</div>`;
  const worksWith = app.worksWith.map(
    (name, i) => `<li class="tw-inline-flex">\n${i === 1 ? `<a href="/built-in-features/x">${esc(name)}</a>` : esc(name)}\n</li>`,
  );
  const categories = app.categories.map((c) => {
    const link = `${ORIGIN}/categories/${c.handle}?surface_detail=${app.handle}&amp;surface_type=app_details`;
    return `<div class="tw-group"><div><a class="tw-underline" href="${link}">\n${esc(c.name)}\n</a></div>
<ul><li><a href="${link}&amp;feature_handles%5B%5D=cf.${c.handle}.rules">Rules</a></li></ul></div>`;
  });
  return `<section id="adp-details-section" data-waypoint-surface-detail="details-section"><div>
<div id="app-details" class="tw-flex"><h2 class="tw-text-heading-lg">\n${esc(app.tagline)}\n</h2>
<p class="tw-hidden lg:tw-block">\n${description}\n</p>
<div class="lg:tw-hidden" data-truncate-app-details><span data-truncate-content-copy>\n${description}\n</span><span data-truncate-content-toggle>\nmore\n</span></div>
<ul class="tw-list-disc">${app.points.map((point) => `<li class="tw-text-body-md">\n${esc(point)}\n</li>`).join('\n')}</ul></div></div>
${row('Languages', languages)}
${worksWith.length > 0 ? row('Works with', `<ul class="tw-col-span-full">${worksWith.join('\n')}</ul>`) : ''}
<div data-controller="accordion">${row('Categories', `<div>${categories.join('\n')}</div>`)}</div>
</section>`;
}

function plan(facts: PlanFacts): string {
  const price = facts.period
    ? `<span class="tw-text-heading-2xl">\n${facts.price}\n</span>\n<span class="tw-text-body-sm">\n / ${facts.period}\n</span>`
    : `<span data-test-id="price" class="tw-text-heading-2xl">\n${facts.price}\n</span>`;
  const label = facts.period ? `${facts.price}/${facts.period}` : facts.price;
  // each item ends with a start tag instead of an end tag, as in the platform's markup
  const features = facts.features.map(
    (f) => `<li class="tw-text-body-xs">\n<span class="tw-flex"><span role="img"><svg></svg></span> ${esc(f)} </span>\n<li>`,
  );
  return `<div class="tw-snap-center"><div class="app-details-pricing-plan-card tw-flex">
<div data-pricing-component-target="cardHeading" class="tw-px-lg"><p data-test-id="name" class="tw-pb-sm">\n${esc(facts.name)}\n</p>
<div data-pricing-component-target="cardHeadingPrice"><h3 class="app-details-pricing-format-group tw-flex" aria-label="${label}">\n${price}\n</h3>
${facts.yearly ? `<p class="tw-text-body-xs">\n${esc(facts.yearly)}\n</p>` : ''}</div>
${facts.charges ? `<p data-test-id="additional-charges" class="tw-text-body-xs"> ${esc(facts.charges)} </p>` : ''}</div>
<div class="tw-pt-lg"><p class="tw-text-heading-sm">\nFeatures\n</p><ul data-test-id="features" class="tw-pt-sm">\n${features.join('\n')}\n</ul></div></div>
${facts.trial ? `<p class="tw-text-body-xs">${esc(facts.trial)}</p>` : ''}</div>`;
}

export function appPage(app: AppFacts, similar: readonly AppFacts[]): string {
  const { address, website } = app.developer;
  const developer = `<div>${partner(app)}
${website ? `<div><a target="_blank" rel="noopener noreferrer" href="${website}?utm_source=appstore">\nWebsite\n</a></div>` : ''}
${address ? `<p class="tw-text-fg-tertiary">${esc(address)}</p>` : ''}</div>`;
  const launched = `<p class="tw-text-fg-secondary">\n${wordsOf(app.launched)}${app.hasChangelog ? ' · <a href="#changelog">Changelog</a>' : ''}\n</p>`;
  const plans = `<section id="adp-pricing"><div data-controller="pricing-component"><h2>\nPricing\n</h2>
<div data-pricing-component-target="track" data-test-id="pricing-cards-track" class="tw-flex">${app.plans.map(plan).join('\n')}</div>
<p class="tw-text-body-sm">\nAll charges are billed in USD. Free trials end by themselves.\n</p></div></section>`;
  const main = `<section id="adp-banners"></section>
${hero(app)}
${details(app)}
${app.plans.length > 0 ? plans : ''}
<section id="adp-reviews"><h2><span>\nReviews\n</span><span>(${thousands(reviewCountOf(app))})</span></h2>
${metrics(app)}
${reviewsOf(app)
  .slice(0, 3)
  .map((review) => reviewBlock(app, review))
  .join('\n')}</section>
<section id="adp-developer">${row('Developer', developer, 'h3')}${row('Launched', launched)}</section>
<section id="adp-similar-apps"><h2>More apps like this</h2>${similar.map((other) => card(other, { surface: 'app_details', detail: app.handle, place: null })).join('\n')}</section>`;
  return whole({ title: app.name, canonical: `${ORIGIN}/${app.handle}`, main, facts: factsOf(app) });
}
