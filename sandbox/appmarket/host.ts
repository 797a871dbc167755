import { html, type SandboxArea, type SandboxHost, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { appPage } from './app-page.ts';
import { APPS, appOf, developerOf } from './apps.ts';
import { EDGES, notFound, ROBOTS } from './block-pages.ts';
import { categoryOf } from './categories.ts';
import { ORIGIN, whole } from './layout.ts';
import { categoryPage, developerPage, landingPage, lazySearchPage, searchFrame, searchPage } from './list-pages.ts';
import { reviewsPage } from './review-pages.ts';

/** Its list is loaded through a frame. */
export const LAZY_KEYWORD = 'page builder';

function search(keyword: string, page: number, frame: string | undefined): string {
  if (frame === undefined && keyword === LAZY_KEYWORD) return lazySearchPage(keyword);
  return frame === undefined ? searchPage(keyword, page) : searchFrame(keyword, page);
}

function answer({ url, headers, day }: SandboxRequest): SandboxResponse {
  const [first = '', second, third] = url.pathname.split('/').filter(Boolean);
  const page = Number(url.searchParams.get('page') ?? 1) || 1;
  if (first === 'robots.txt') return { status: 200, headers: { 'content-type': 'text/plain' }, body: ROBOTS };
  if (first === '') return html(whole({ title: 'Shopify App Store', canonical: `${ORIGIN}/`, main: '<h1>Apps that fit</h1>' }));
  if (first === 'search') return html(search(url.searchParams.get('q') ?? '', page, headers['turbo-frame']));
  if (first === 'partners') {
    const developer = developerOf(second ?? '');
    return developer ? html(developerPage(developer, page)) : notFound();
  }
  if (first === 'categories') {
    const category = categoryOf(second ?? '');
    // only leaf categories have a list
    if (!category || (third !== undefined && (third !== 'all' || category.level !== 'tertiary'))) return notFound();
    return html(third === 'all' ? categoryPage(category, page) : landingPage(category, APPS.filter((app) => !app.hasBadge).slice(0, 3)));
  }
  const edge = Object.hasOwn(EDGES, first) ? EDGES[first] : undefined;
  if (edge) return edge();
  const app = appOf(first, day);
  if (!app || third || (second && second !== 'reviews')) return notFound();
  if (second === 'reviews') return html(reviewsPage(app, page, url.searchParams.get('sort_by') ?? 'relevance'));
  return html(appPage(app, APPS.filter((other) => other.handle !== first && other.categories[0] === app.categories[0]).slice(0, 4)));
}

/** The simulated app marketplace, in its markup of October 2026. */
export const appmarket: SandboxHost = {
  origins: [ORIGIN],
  answer(request) {
    const response = answer(request);
    const own = { server: 'envoy', 'set-cookie': '_shopify-app_store_session5=sandbox; Path=/; Secure; HttpOnly' };
    return { ...response, headers: { ...own, ...response.headers } };
  },
};
export const appmarketArea: SandboxArea = {
  hosts: [appmarket],
  settings: { SIGHTLINE_APPMARKET_SEARCH: '1', SIGHTLINE_APPMARKET_PACE_MS: '100' },
};
