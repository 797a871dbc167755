import { planOf } from '../../html/selectors.ts';

/**
 * Selectors of the page's parts, named by their meaning. Ids, roles, data attributes and URLs take precedence: class names change every few
 * months and only add elements to what the others find. (Sources: recorded pages of 2019 to 2026.)
 */
export const ANCHORS = {
  /** The results column of rendered pages. */
  column: '#rso',
  main: '#main',
  body: 'body',
  /** Titles of entries, and other headings. */
  heading3: 'h3, [aria-level="3"], [role="heading"]:not([aria-level])',
  /** Any heading: a block without one may be an empty frame. */
  heading: 'h2, h3, [role="heading"]',
  /** Links of pages served without scripts. */
  wrapped: 'a[href^="/url?"], a[href^="https://www.google.com/url?"], a[href^="http://www.google.com/url?"]',
  adHeading: '[role="heading"]',
  textAd: '[data-text-ad]',
  adClick: 'a[href*="/aclk?"]',
  answerBox: '[data-attrid^="wa:/"]',
  stats: '#result-stats, #resultStats',
  searchLink: 'a[href*="/search?"]',
  /** The frame of the overview; `data-mcpr` and the id have been the same in several layouts. */
  overview: '#m-x-content, [data-mcpr], [data-subtree="aimc"], [data-async-type="folsrch"]',
  question: '[data-q]',
  peopleAlsoAskOld: 'g-accordion-expander, [data-async-type="rq"], .related-question-pair, [jsname="yEVEwb"]',
  /** Controls that expand a part of the page: each names the part by its id. */
  unfolding: '[role="button"][aria-expanded][aria-controls]',
  local:
    'a[href*="ludocid="], [data-lat], img[src*="/maps/vt"], [data-src*="/maps/vt/"], .rllt__link, #lu_map, .lu_map_section, a[href*="/maps/dir/"], a[href*="/travel/hotels/"], a[data-cid]',
  shopping:
    '[data-offer-id], [data-merchant-id], [data-pla], .pla-unit, .commercial-unit-desktop-top, product-viewer-group, a[href*="/shopping/product/"], a[href*="tbm=shop"], a[href*="udm=28"]',
  video: 'video-voyager, [data-vid], .RzdJxc, a[href*="tbm=vid"], a[href*="udm=7"], a[href*="udm=39"]',
  videoLink:
    'a[href*="youtube.com/watch"], a[href*="youtube.com/shorts/"], a[href*="tiktok.com/@"], a[href*="vimeo.com/"], a[href*="dailymotion.com/video"]',
  image: '#imagebox_bigimages, #iur, a[href*="tbm=isch"], a[href*="udm=2"]',
  news: '[data-news-cluster-id], a[href*="tbm=nws"]',
  panel: '[data-attrid], #kp-wp-tab-overview, .kp-wholepage, .knowledge-panel',
  emptyNotice: '#topstuff, #botstuff',
  /** Below the results: a page that contains it was not truncated within them. */
  foot: '#sfooter, #bfoot, [role="contentinfo"]',
  captcha: '#captcha-form, .g-recaptcha, [data-sitekey]',
  consent: 'form[action*="consent.google."], form[action*="consent.youtube."]',
} as const;
export type GoogleAnchor = keyof typeof ANCHORS;
export const PLAN = planOf(ANCHORS);
