import { type AppFacts, type DeveloperFacts, reviewCountOf } from './apps.ts';
import { below, type CategoryFacts, pathTo } from './categories.ts';
import { badge, esc, ORIGIN, pager, star, thousands, whole } from './layout.ts';
import { categoryList, developerList, type ListFacts, searchList } from './lists.ts';

interface Place {
  /** The list that contains the card. */
  readonly surface: string;
  readonly detail: string;
  readonly place: number | null;
}

export function card(app: AppFacts, { surface, detail, place }: Place): string {
  const isAd = surface.endsWith('_ad');
  const tracking = `${isAd ? 'ot=0000-1&amp;' : ''}surface_detail=${encodeURIComponent(detail)}&amp;surface_inter_position=1${place === null ? '' : `&amp;surface_intra_position=${place}`}&amp;surface_type=${surface}`;
  const link = `${ORIGIN}/${app.handle}?${tracking}`;
  const count = reviewCountOf(app);
  const figures = `<span>\n${app.rating}\n<span class="tw-sr-only"> out of 5 stars</span>\n</span>\n<span>${star}</span>
<span aria-hidden="true">(${thousands(count)})</span>\n<span class="tw-sr-only">${count} total reviews</span>\n<span class="">•</span>`;
  return `<div class="tw-w-full" data-controller="app-card" data-app-card-handle-value="${app.handle}" data-app-card-name-value="${esc(app.name)}" data-app-card-icon-url-value="${app.logo}" data-app-card-app-link-value="${link}" data-app-card-offer-token-value="${isAd ? 'tok1' : ''}" data-app-card-intra-position-value="${place ?? ''}">
<div class="tw-relative" data-app-card-target="wrapper" role="button"><figure><img alt="" src="${app.logo}" /></figure><div class="tw-w-full"><div class="tw-w-full">
<div class="tw-text-body-sm">\n<a href="${link}" class="">\n${esc(app.name)}\n</a>\n</div>
<div class="tw-relative tw-flex">
${isAd ? '<div data-controller="popover-modal"><button>Ad</button><div role="dialog" class="tw-hidden"><p>The app developer paid to promote this app.</p></div></div>' : ''}
${app.rating === null ? '' : figures}
<span class="tw-overflow-hidden tw-text-ellipsis">${esc(app.cardPrice)}</span>
</div>
<div class="tw-text-fg-secondary tw-text-body-xs"> ${esc(app.tagline)} </div>
${app.hasBadge ? `<div class="tw-pt-xs">${badge(detail)}</div>` : ''}
</div></div></div></div>`;
}

const feature = (
  slug: string,
): string => `<div class="tw-w-full" data-controller="app-card" data-app-card-handle-value="bif:${slug}" data-app-card-name-value="Forms" data-app-card-icon-url-value="https://cdn.shopify.com/a.png" data-app-card-app-link-value="${ORIGIN}/built-in-features/${slug}?surface_type=search" data-app-card-offer-token-value="" data-app-card-intra-position-value="0">
<div><a href="${ORIGIN}/built-in-features/${slug}">Forms</a><span class="tw-text-ellipsis">Included</span></div></div>`;

const grid = (list: ListFacts, surface: string, detail: string): string =>
  [
    ...list.ads.map((app, i) => card(app, { surface: `${surface}_ad`, detail, place: i + 1 })),
    ...list.features.map(feature),
    ...list.apps.map((app, i) => card(app, { surface, detail, place: list.from + i })),
  ].join('\n');

export function searchFrame(keyword: string, page: number): string {
  const list = searchList(keyword, page);
  const address = (n: number): string => `${ORIGIN}/search?page=${n}&q=${encodeURIComponent(keyword)}`;
  return `<turbo-frame id="search_page" target="_top"><div class="tw-container"><h1 class="tw-text-heading-xl">${thousands(list.total)} result${list.total === 1 ? '' : 's'} for “${esc(keyword)}”</h1>
<div class="tw-grid">${grid(list, 'search', keyword)}</div>
${pager(address, page, list.pages)}</div></turbo-frame>`;
}
const canonicalSearch = `${ORIGIN}/search`;
export const searchPage = (keyword: string, page: number): string =>
  whole({ title: 'Search', canonical: canonicalSearch, main: searchFrame(keyword, page) });
/** A page whose list is loaded by a separate request. */
export const lazySearchPage = (keyword: string): string =>
  whole({
    title: 'Search',
    canonical: canonicalSearch,
    main: `<turbo-frame id="search_page" src="/search?q=${encodeURIComponent(keyword)}&amp;st_source=&amp;page=1" loading="eager"></turbo-frame>`,
  });

export function developerPage(developer: DeveloperFacts, page: number): string {
  const list = developerList(developer.handle, page);
  const main = `<section><h1 class="tw-text-heading-xl">\n${esc(developer.name)}\n</h1><p>${list.total} app${list.total === 1 ? '' : 's'}</p></section>
<div class="tw-grid">${grid(list, 'partners', developer.handle)}</div>
${pager((n) => `${ORIGIN}/partners/${developer.handle}?page=${n}`, page, list.pages)}`;
  return whole({ title: `${developer.name} apps`, canonical: `${ORIGIN}/partners/${developer.handle}`, main });
}

function breadcrumb(category: CategoryFacts): string {
  const items = pathTo(category).map((c, i) => {
    const name = esc(c.name);
    const inner =
      c === category
        ? `<span itemprop="name" class="tw-text-body-sm" aria-current="page">${name}</span>`
        : `<a data-element="breadcrumb" href="${ORIGIN}/categories/${c.handle}"><span itemprop="name"> ${name}</span></a>`;
    return `<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem" class="tw-whitespace-nowrap">${inner}<meta itemprop="position" content="${i + 1}"></li>`;
  });
  return `<section><nav aria-label="breadcrumb"><ol itemscope itemtype="https://schema.org/BreadcrumbList">${items.join('\n')}</ol></nav></section>
<section><div><h1 class="tw-text-heading-xl">\n${esc(category.name)} apps\n</h1><h4 class="tw-text-body-xl">\n${esc(category.sentence)}\n</h4></div></section>`;
}

/** The list of a leaf category. */
export function categoryPage(category: CategoryFacts, page: number): string {
  const list = categoryList(category, page);
  const canonical = `${ORIGIN}/categories/${category.handle}/all`;
  const count = `<div id="app-count" class="tw-flex"><span class="tw-inline">\n${thousands(list.total)} apps\n</span></div>`;
  const main = `${breadcrumb(category)}<div data-controller="filter-reload">${count}
<a class="tw-group" href="/categories/${category.handle}/all?programs%5B%5D=built_for_shopify"><div class="built-for-shopify-badge-container"><span class="built-for-shopify-badge">Built for Shopify</span></div></a>
<div id="app_grid-loading" class="hide"><section class="app-card-skeleton-component"></section></div>
<turbo-frame id="app_grid"><div class="tw-grid">${grid(list, 'category', category.handle)}</div>${pager((n) => `${canonical}?page=${n}`, page, list.pages)}</turbo-frame>
<div class="tw-hidden" data-filter-reload-target="appCount">${count}</div></div>`;
  return whole({ title: `Best ${category.name} Apps For 2026`, canonical, main });
}
/** The landing page of a topic or an intermediate category: its featured apps are not a ranking. */
export function landingPage(category: CategoryFacts, featured: readonly AppFacts[]): string {
  const children = below(category.handle).map(
    (c) =>
      `<a class="tw-block" href="${ORIGIN}/categories/${c.handle}?surface_detail=${category.handle}&amp;surface_type=category"><span>${esc(c.name)}</span></a>`,
  );
  const main = `${breadcrumb(category)}<div class="tw-grid">${children.join('\n')}</div>
<div data-waypoint-app-grouping-handle="popular-${category.handle}"><h2>Popular with stores like yours</h2>
${featured.map((app, i) => card(app, { surface: 'category', detail: category.handle, place: i + 1 })).join('\n')}</div>`;
  return whole({ title: `${category.name} apps`, canonical: `${ORIGIN}/categories/${category.handle}`, main });
}
