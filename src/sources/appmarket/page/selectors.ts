import type { Page } from '../../html/page.ts';
import { planOf } from '../../html/selectors.ts';

/** The elements that the parsers use, selected by id, data attribute, label and tag, not by layout classes. Source: pages of 2024 to 2026. */
export const SELECTORS = {
  main: 'main',
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  h4: 'h4',
  p: 'p',
  dt: 'dt',
  li: 'li',
  div: 'div',
  span: 'span',
  nav: 'nav',
  img: 'img',
  frame: 'turbo-frame',
  link: 'a[href]',
  canonical: 'link[rel~="canonical"]',
  facts: 'script[type="application/ld+json"]',
  // app page
  hero: '#adp-hero',
  details: '#adp-details-section',
  about: '#app-details',
  aboutShort: '[data-truncate-app-details]',
  plans: '#adp-pricing',
  maker: '#adp-developer',
  banners: '#adp-banners',
  reviewsLink: '#reviews-link',
  reviews: '#adp-reviews',
  plan: '.app-details-pricing-plan-card',
  planHead: '[data-pricing-component-target="cardHeading"]',
  planName: '[data-test-id="name"]',
  planPrice: '.app-details-pricing-format-group',
  planText: '[data-pricing-component-target="description"]',
  planCharges: '[data-test-id="additional-charges"]',
  planFeatures: '[data-test-id="features"]',
  // reviews page
  reviewsPage: '#arp-reviews',
  review: '[data-merchant-review]',
  reply: '[data-merchant-review-reply]',
  copy: '[data-truncate-content-copy]',
  titled: '[title]',
  stars: '[aria-label$="out of 5 stars"]',
  totals: '[aria-label$="total reviews"], [aria-label$="total review"]',
  // lists
  card: '[data-controller~="app-card"]',
  badge: '.built-for-shopify-badge, .built-for-shopify-badge-container',
  searchFrame: '#search_page',
  appCount: '#app-count',
  crumb: 'li[itemprop="itemListElement"]',
  crumbName: '[itemprop="name"]',
  grouping: '[data-waypoint-app-grouping-handle]',
  pager: '[data-pagination-controls]',
  labelled: '[aria-label]',
  related: '[rel~="next"]',
} as const;
export type SelectorName = keyof typeof SELECTORS;
export type AppPage = Page<SelectorName>;
export const PLAN = planOf(SELECTORS);
