import { childrenOf, closest, type Element, find, findAll, has, hasClass, type Test, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { planOf } from '../../html/selectors.ts';
import { isAside, isBlank, linesOf, longestLine, textOf, titleOf } from '../../html/text.ts';
import { domainOf, looksLikeAddress } from '../address.ts';
import { type Rating, readRating } from '../numbers.ts';
import { isStars, type Placed } from '../result.ts';
import { adTarget, ownTarget, resultTarget } from './link.ts';

/** Selectors of the page's parts: class names, unchanged since 2013, else ids, URLs and data attributes (recorded pages of 2021 to 2026). */
export const ANCHORS = {
  column: '#b_results',
  algo: '.b_algo',
  ad: '.b_ad, a[href*="/aclick?"], a[href*="/aclk?"]',
  nothing: '.b_no',
  count: '.sb_count',
  /** Contains the result count on pages where the class is missing. */
  countPlace: '#b_tween_searchResults',
  /** The line above the list, whatever its parts are called. */
  toolbar: '#b_tween',
  answer: '.b_ans',
  heading: 'h1, h2, h3, [role="heading"]',
  context: '#b_context',
  pole: '#b_pole',
  top: '#b_topw',
  question: '[data-tag^="RelatedQnA"], .df_alsoAsk, .df_alaskcr, .df_qntext, #relatedQnAListDisplay',
  generated:
    '.copans_container, .developer_answercard_wrapper, #b_sydConvCont, .rd_gencon_ttle, [data-dataurl*="RichDeveloper"], [class*="gencon"], .gs_main, #gs_main, [data-tag*="GenerativeAI"], [data-tag^="WholePageTemplate"]',
  snippet: '.b_top, .b_focusTextLarge, .df_c, .df_con',
  local:
    '#lMapContainer, .lm_maptop, .b_localRes, .dynMap, [data-tag="common.MapControl"], [etype="Business"], [data-partnertag="Local_list"], .lgb_lg',
  shopping: '.pa_carousel, #sh_, [data-tag^="Shopping"], .b_shoppingAns, .br-sp, a[href*="/shop?"], a[href*="/shop/"]',
  video: '.b_vidAns, .vsathm, [data-tag*="VideoTile"], a[href*="/videos/search"], a[href*="/videos/riverview"]',
  image: '.b_imgans, a[href*="/images/search"]',
  news: '.b_nwsAns, .na_cnt, .na_cl, a[href*="/news/search"], a[href*="/news/apiclick"]',
  entity: '.b_entityTP, .b_entityTitle, [data-feedbk-ids]',
  pageLink: 'a[href*="first="]',
  relatedLink: 'a[href*="/search?"]',
  related: '.b_rs, #brsv3, #inline_rs, .richrsrailsugwrapper, [data-tag^="RichRS"]',
  challenge: '.captcha, .captcha_header, [data-sitekey], #turnstile-widget, .cf-turnstile, iframe[src*="challenges.cloudflare.com"]',
  foot: '#b_footer, .b_pag',
} as const;
export type BingAnchor = keyof typeof ANCHORS;
export const PLAN = planOf(ANCHORS);

export type BingPage = Page<BingAnchor>;
const isLink: Test = (e) => e.name === 'a' && has(e, 'href');
const linkOf = (heading: Element): Element | null => find(heading, isLink) ?? closest(heading, isLink);
const isAdItem: Test = (item) =>
  hasClass(item, 'b_ad') || find(item, (e) => e.name === 'a' && /\/acli?c?k\?/.test(e.attribs.href ?? '')) !== null;
/** Answers are recognised by their log ids and data tags, with or without class names. */
const isAnswer: Test = (item) =>
  hasClass(item, 'b_ans') || (has(item, 'h') && !has(item, 'iid')) || has(item, 'data-partnertag') || Boolean(item.attribs['data-tag']);
/** An answer quoted from one page, above the list. */
const isSnippet: Test = (item) => find(item, (e) => /(^| )(df_c|df_con|rwrl|b_focusTextLarge)( |$)/.test(e.attribs.class ?? '')) !== null;

/** Entries of the list: items whose title links to another site, without answers, ads and the pager. */
export function readOrganic(page: BingPage, column: Element): Placed[] {
  const items = childrenOf(column).filter((child) => child.name === 'li');
  const marked = items.filter((item) => hasClass(item, 'b_algo'));
  const listed = marked.length ? marked : items.filter((item) => !isAnswer(item) && !isAdItem(item));
  const boxes = items.filter((item) => hasClass(item, 'b_top') && isSnippet(item) && !page.all('generated').some((e) => within(e, item)));
  const chosen = listed.length ? items.filter((item) => boxes.includes(item) || listed.includes(item)) : [];
  return chosen.flatMap((item) => readItem(page, item, boxes.includes(item)) ?? []);
}

function readItem({ unread }: BingPage, element: Element, isFeaturedSnippet: boolean): Placed | null {
  const heading = find(element, (e) => e.name === 'h2');
  const href = heading && linkOf(heading)?.attribs.href;
  const cite = find(element, (e) => e.name === 'cite');
  const shown = textOf(cite);
  const url = resultTarget(href) ?? (shown && /(^|[/.])bing\.com\b/i.test(shown) ? ownTarget(href) : null);
  const title = heading && href !== undefined ? titleOf(heading) : null;
  const domain = url && domainOf(url);
  unread.of('organic.title', title, url);
  if (!heading || !url || !title || !domain) return null;
  const head = cite && closest(cite, (e) => e.name === 'a');
  const isBeside = head !== null && !within(heading, head);
  return {
    feature: isFeaturedSnippet ? 'featured_snippet' : 'organic',
    order: heading.from,
    element: heading,
    entry: {
      domain,
      url,
      title,
      description: unread.of('organic.description', descriptionOf(element, heading), () =>
        find(element, (e) => (e.name === 'p' || e.name === 'div') && isBlank(e) && !within(e, heading)),
      ),
      breadcrumb: unread.of('organic.breadcrumb', shown && looksLikeAddress(shown) ? shown : null, cite !== null && shown === null),
      // the site name is in the link of the address line, above it
      websiteName: unread.of(
        'organic.websiteName',
        isBeside && within(head, element) ? (linesOf(head, (e) => isAside(e) || e.name === 'cite')[0]?.text ?? null) : null,
        () => isBeside && find(head, (e) => e.name === 'div' && isBlank(e)),
      ),
      isFeaturedSnippet,
      rating: unread.of('organic.rating', ratingOf(element), () => find(element, isStars)),
    },
  };
}

const isIcon: Test = (e) => isAside(e) || hasClass(e, 'algoSlug_icon') || hasClass(e, 'b_adSlug') || e.name === 'cite';
/** The snippet: the first paragraph; on page versions without paragraphs, the longest text below the title. */
function descriptionOf(item: Element, heading: Element): string | null {
  const paragraphs = findAll(item, (e) => e.name === 'p' && !within(e, heading)).filter((p) => (textOf(p, isIcon)?.length ?? 0) > 20);
  const beside = paragraphs.find((p) => closest(p, (e) => e.name === 'li' || e.name === 'table') === item) ?? paragraphs[0];
  return beside ? textOf(beside, isIcon) : longestLine(item, (e) => e === heading || isIcon(e), 39);
}

/** An image of stars is out of 5 whatever the site's scale: the text beside it ("8,7/10 (1,7M)") takes precedence. */
function ratingOf(item: Element): Rating | null {
  for (const stars of findAll(item, isStars)) {
    const text = textOf(stars.parent, (e) => e === stars || isAside(e));
    const stated = text && readRating(text);
    if (stated && (/[/%]/.test(text) || stated.max === 5)) return stated;
    const drawn = readRating((stars.attribs['aria-label'] ?? '').replace(/(\d)\s+\p{L}[\p{L} ]*\s+(5|10|100)\b.*/u, '$1/$2'));
    if (drawn) return drawn;
  }
  return null;
}

export function readAds({ all, unread }: BingPage, column: Element): Placed[] {
  const blocks = new Set(all('ad').flatMap((e) => closest(e, (a) => a.parent === column || hasClass(a, 'b_ad')) ?? []));
  const headings = [...blocks].flatMap((block) => findAll(block, (e) => e.name === 'h2'));
  return headings.flatMap((heading): Placed[] => {
    const url = adTarget(linkOf(heading)?.attribs.href);
    const title = titleOf(heading);
    const domain = url && domainOf(url);
    const item = closest(heading, (e) => e.name === 'li');
    if (item) unread.of('paid.title', title, url);
    if (!url || !title || !domain || !item) return [];
    const paragraph = find(item, (e) => e.name === 'p');
    const text = textOf(paragraph, isIcon) ?? longestLine(item, (e) => e === heading || isIcon(e), 19);
    const description = unread.of('paid.description', text, () => find(item, (e) => e.name === 'p' && isBlank(e)));
    return [{ feature: 'paid', order: heading.from, element: item, ad: { domain, url, title, description, advertiserId: null } }];
  });
}
