/**
 * The elements that the parsers use, selected by id, data attribute, label and tag, not by layout classes. Each selector is defined once,
 * for the index of html-page.ts and as CSS (`cssOf`). Source: pages of 2024 to 2026.
 */
export interface Selector {
  readonly tag?: string;
  readonly attribute?: string;
  /** Equal to the value of the attribute. */
  readonly is?: string;
  /** One of the words of the attribute. */
  readonly word?: string;
  /** End of the value of the attribute. */
  readonly ends?: string;
}
const id = (name: string): Selector => ({ attribute: 'id', is: name });
const tag = (name: string): Selector => ({ tag: name });

export const SELECTORS = {
  main: tag('main'),
  h1: tag('h1'),
  h2: tag('h2'),
  h3: tag('h3'),
  h4: tag('h4'),
  p: tag('p'),
  dt: tag('dt'),
  dd: tag('dd'),
  li: tag('li'),
  div: tag('div'),
  span: tag('span'),
  nav: tag('nav'),
  img: tag('img'),
  button: tag('button'),
  frame: tag('turbo-frame'),
  link: { tag: 'a', attribute: 'href' },
  canonical: { tag: 'link', attribute: 'rel', word: 'canonical' },
  facts: { tag: 'script', attribute: 'type', is: 'application/ld+json' },
  // app page
  hero: id('adp-hero'),
  details: id('adp-details-section'),
  about: id('app-details'),
  aboutShort: { attribute: 'data-truncate-app-details' },
  plans: id('adp-pricing'),
  maker: id('adp-developer'),
  banners: id('adp-banners'),
  reviewsLink: id('reviews-link'),
  reviews: id('adp-reviews'),
  plan: { attribute: 'class', word: 'app-details-pricing-plan-card' },
  planTrack: { attribute: 'data-test-id', is: 'pricing-cards-track' },
  planHead: { attribute: 'data-pricing-component-target', is: 'cardHeading' },
  planName: { attribute: 'data-test-id', is: 'name' },
  planPrice: { attribute: 'class', word: 'app-details-pricing-format-group' },
  planText: { attribute: 'data-pricing-component-target', is: 'description' },
  planCharges: { attribute: 'data-test-id', is: 'additional-charges' },
  planFeatures: { attribute: 'data-test-id', is: 'features' },
  // reviews page
  reviewsPage: id('arp-reviews'),
  review: { attribute: 'data-merchant-review' },
  reply: { attribute: 'data-merchant-review-reply' },
  copy: { attribute: 'data-truncate-content-copy' },
  titled: { attribute: 'title' },
  stars: { attribute: 'aria-label', ends: 'out of 5 stars' },
  totals: { attribute: 'aria-label', ends: 'total reviews' },
  total: { attribute: 'aria-label', ends: 'total review' },
  // lists
  card: { attribute: 'data-controller', word: 'app-card' },
  badge: { attribute: 'class', word: 'built-for-shopify-badge' },
  badgeBox: { attribute: 'class', word: 'built-for-shopify-badge-container' },
  searchFrame: id('search_page'),
  appCount: id('app-count'),
  crumb: { tag: 'li', attribute: 'itemprop', is: 'itemListElement' },
  crumbName: { attribute: 'itemprop', is: 'name' },
  grouping: { attribute: 'data-waypoint-app-grouping-handle' },
  pager: { attribute: 'data-pagination-controls' },
  labelled: { attribute: 'aria-label' },
  related: { attribute: 'rel', word: 'next' },
} as const satisfies Record<string, Selector>;
export type SelectorName = keyof typeof SELECTORS;
export const SELECTOR_NAMES = Object.keys(SELECTORS) as SelectorName[];

/** The same selector in CSS. */
export function cssOf(name: SelectorName): string {
  const selector: Selector = SELECTORS[name];
  if (!selector.attribute) return selector.tag ?? '*';
  const test =
    selector.is !== undefined
      ? `="${selector.is}"`
      : selector.word !== undefined
        ? `~="${selector.word}"`
        : selector.ends !== undefined
          ? `$="${selector.ends}"`
          : '';
  return `${selector.tag ?? ''}[${selector.attribute}${test}]`;
}
