import type { OrganicEntry, PaidEntry } from '../../../contract/operations/searchengine.ts';
import { attribute, type Element } from '../../html.ts';
import { domainOf, looksLikeAddress } from '../address.ts';
import { closest, find, findAll, has, hasClass, type Page, parentOf, unseen, within } from '../dom/page.ts';
import { isAside, isBlank, linesOf, textOf, titleOf } from '../dom/text.ts';
import { readRating } from '../numbers.ts';
import type { BingAnchor } from './anchors.ts';
import { adTarget, ownTarget, resultTarget } from './link.ts';

export type BingPage = Page<BingAnchor>;
export interface Item {
  readonly element: Element;
  readonly heading: Element;
  readonly order: number;
}
export interface Organic extends Item {
  readonly entry: Omit<OrganicEntry, 'rank' | 'absoluteRank'>;
}
export interface Ad extends Item {
  readonly entry: Omit<PaidEntry, 'rank'>;
}

const childrenOf = (column: Element): Element[] => column.children.filter((c): c is Element => c.type === 'tag' && !unseen(c as Element));
const titleLink = (item: Element): { heading: Element; link: Element } | null => {
  const heading = find(item, (e) => e.name === 'h2');
  const link =
    heading && (find(heading, (e) => e.name === 'a' && has(e, 'href')) ?? closest(heading, (e) => e.name === 'a' && has(e, 'href')));
  return heading && link ? { heading, link } : null;
};
const isAdItem = (item: Element): boolean =>
  hasClass(item, 'b_ad') || find(item, (e) => e.name === 'a' && /\/acli?c?k\?/.test(e.attribs.href ?? '')) !== null;
/** Answers are recognised by their log ids and data tags, with or without class names. */
const isAnswer = (item: Element): boolean =>
  hasClass(item, 'b_ans') ||
  (has(item, 'h') && !has(item, 'iid')) ||
  has(item, 'data-partnertag') ||
  (item.attribs['data-tag'] ?? '') !== '';

/** An answer quoted from one page, above the list. */
const isSnippet = (item: Element): boolean =>
  find(item, (e) => ['df_c', 'df_con', 'rwrl', 'b_focusTextLarge'].some((name) => hasClass(e, name))) !== null;

/** Entries of the list: items whose title links to another site, without answers, ads and the pager. */
export function readOrganic(page: BingPage, column: Element): Organic[] {
  const items = childrenOf(column).filter((c) => c.name === 'li');
  const marked = items.filter((item) => hasClass(item, 'b_algo'));
  const listed = marked.length ? marked : items.filter((item) => !isAnswer(item) && !isAdItem(item));
  const boxes = items.filter((item) => hasClass(item, 'b_top') && isSnippet(item) && !page.all('generated').some((e) => within(e, item)));
  const chosen = listed.length ? items.filter((item) => boxes.includes(item) || listed.includes(item)) : [];
  return chosen.flatMap((element) => {
    const found = titleLink(element);
    const cite = find(element, (e) => e.name === 'cite');
    const shown = cite && textOf(cite);
    const href = found && attribute(found.link, 'href');
    const url = resultTarget(href) ?? (shown && /(^|[/.])bing\.com\b/i.test(shown) ? ownTarget(href) : null);
    const title = found && titleOf(found.heading);
    const domain = url && domainOf(url);
    const { unread } = page;
    unread.of('organic.title', title, url);
    if (!found || !url || !title || !domain) return [];
    return [
      {
        element,
        heading: found.heading,
        order: page.order(found.heading),
        entry: {
          domain,
          url,
          title,
          description: unread.of('organic.description', descriptionOf(element, found.heading), () =>
            find(element, (e) => (e.name === 'p' || e.name === 'div') && isBlank(e) && !within(e, found.heading)),
          ),
          breadcrumb: unread.of('organic.breadcrumb', shown && looksLikeAddress(shown) ? shown : null, () => cite && shown === null),
          websiteName: unread.of('organic.websiteName', nameOf(element, found.heading, cite), () => {
            const link = cite && closest(cite, (e) => e.name === 'a');
            return link && !within(found.heading, link) && find(link, (e) => e.name === 'div' && isBlank(e));
          }),
          isFeaturedSnippet: boxes.includes(element),
          rating: unread.of('organic.rating', ratingOf(element), () => findAll(element, isStars)),
        },
      },
    ];
  });
}

/** The site name is in the head's link, above the address line. */
function nameOf(item: Element, heading: Element, cite: Element | null): string | null {
  const link = cite && closest(cite, (e) => e.name === 'a');
  if (!link || within(heading, link) || !within(link, item)) return null;
  return linesOf(link, (e) => e === cite || isAside(e) || e.name === 'cite')[0]?.text ?? null;
}

const isIcon = (e: Element): boolean => isAside(e) || hasClass(e, 'algoSlug_icon') || hasClass(e, 'b_adSlug') || e.name === 'cite';
/** The snippet: the first paragraph; on page versions without paragraphs, the longest text below the title. */
function descriptionOf(item: Element, heading: Element): string | null {
  const paragraphs = findAll(item, (e) => e.name === 'p' && !within(e, heading)).map((p) => ({ p, text: textOf(p, isIcon) }));
  const inList = (p: Element): boolean => closest(p, (e) => e.name === 'li' || e.name === 'table') !== item;
  const first =
    paragraphs.find(({ p, text }) => text !== null && text.length > 20 && !inList(p)) ??
    paragraphs.find(({ text }) => text !== null && text.length > 20);
  if (first?.text) return first.text;
  let best: string | null = null;
  for (const { text, linked } of linesOf(item, (e) => e === heading || isIcon(e)))
    if (!linked && text.length > (best?.length ?? 39)) best = text;
  return best;
}

const isStars = (e: Element): boolean => e.attribs.role === 'img' && /\p{Nd}/u.test(e.attribs['aria-label'] ?? '');
/**
 * Ratings are images of stars with a label. The image is out of 5 whatever the site's scale: the text beside it ("8,7/10 (1,7M)") takes
 * precedence.
 */
function ratingOf(item: Element): OrganicEntry['rating'] {
  for (const stars of findAll(item, isStars)) {
    const beside = parentOf(stars);
    const text = beside && textOf(beside, (e) => e === stars || isAside(e));
    const label = (attribute(stars, 'aria-label') ?? '').replace(/(\d)\s+\p{L}[\p{L} ]*\s+(5|10|100)\b.*/u, '$1/$2');
    const stated = text && readRating(text);
    if (stated && (/[/%]/.test(text) || stated.max === 5)) return stated;
    const drawn = readRating(label);
    if (drawn) return drawn;
  }
  return null;
}

/** Ads of both blocks, each with its position. */
export function readAds(page: BingPage, column: Element): Ad[] {
  const blocks = new Set(page.all('ad').flatMap((e) => closest(e, (a) => parentOf(a) === column || hasClass(a, 'b_ad')) ?? []));
  const ads: Ad[] = [];
  for (const block of blocks) {
    for (const heading of findAll(block, (e) => e.name === 'h2')) {
      const link = find(heading, (e) => e.name === 'a' && has(e, 'href')) ?? closest(heading, (e) => e.name === 'a' && has(e, 'href'));
      const url = link && adTarget(attribute(link, 'href'));
      const title = titleOf(heading);
      const domain = url && domainOf(url);
      const item = closest(heading, (e) => e.name === 'li');
      if (item) page.unread.of('paid.title', title, url);
      if (!url || !title || !domain || !item) continue;
      const description = page.unread.of('paid.description', adText(item, heading), () => find(item, (e) => e.name === 'p' && isBlank(e)));
      ads.push({
        element: item,
        heading,
        order: page.order(heading),
        entry: { domain, url, title, description, advertiserId: null },
      });
    }
  }
  return ads.sort((a, b) => a.order - b.order);
}
function adText(item: Element, heading: Element): string | null {
  const paragraph = findAll(item, (e) => e.name === 'p').map((p) => textOf(p, isIcon))[0];
  if (paragraph) return paragraph;
  return linesOf(item, (e) => e === heading || isIcon(e)).reduce<string | null>(
    (best, l) => (!l.linked && l.text.length > (best?.length ?? 19) ? l.text : best),
    null,
  );
}
