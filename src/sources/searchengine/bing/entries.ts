import { childrenOf, closest, type Element, find, findAll, has, hasClass, type Test, within } from '../../html/element.ts';
import { type Page, planOf, selectorsIn } from '../../html/page.ts';
import { isAside, isBlank, linesOf, longestLine, textOf, titleOf } from '../../html/text.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { adAddressOf, addressOf, looksLikeAddress, showsForeign } from '../address.ts';
import { linkTarget } from '../links.ts';
import { noteVotes, type Rating, readRating } from '../numbers.ts';
import { isStars } from '../page-links.ts';
import type { Placed } from '../result.ts';

export const ANCHORS = selectorsIn(new URL('./layout.tsv', import.meta.url));
export const PLAN = planOf(ANCHORS);

const isLink: Test = (e) => e.name === 'a' && has(e, 'href');
const linkOf = (heading: Element): Element | null => find(heading, isLink) ?? closest(heading, isLink);
/** Answers are recognised by their log ids and data tags, with or without class names. */
const isAnswer: Test = (item) =>
  hasClass(item, 'b_ans') || (has(item, 'h') && !has(item, 'iid')) || has(item, 'data-partnertag') || Boolean(item.attribs['data-tag']);

const hasAddressLine: Test = (item) =>
  find(item, (e) => e.name === 'h2') !== null && looksLikeAddress(textOf(find(item, (e) => e.name === 'cite')) ?? '');

/** Entries of the list: items whose title links to another site, without answers, ads and the pager. */
export function readOrganic(page: Page, column: Element): Placed[] {
  const items = childrenOf(column).filter((child) => child.name === 'li');
  const isMarked: Test = (item) => hasClass(item, 'b_algo');
  const isMarkedPage = items.some(isMarked);
  // beside marked entries, an unmarked one has the address line of a result
  const isUnmarked: Test = (item) =>
    !isAnswer(item) && !hasClass(item, 'b_ad') && !page.first('ad', item) && (!isMarkedPage || hasAddressLine(item));
  const listed = items.filter((item) => isMarked(item) || isUnmarked(item));
  // an answer quoted from one page, above the list
  const isBox: Test = (item) => hasClass(item, 'b_top') && page.first('quoted', item) !== null;
  const boxes = items.filter((item) => isBox(item) && !page.all('generated').some((e) => within(e, item)));
  const chosen = listed.length ? items.filter((item) => boxes.includes(item) || listed.includes(item)) : [];
  return chosen.flatMap((item) => readItem(page, item, boxes.includes(item)) ?? []);
}

function readItem({ unread }: Page, element: Element, isFeaturedSnippet: boolean): Placed | null {
  const cite = find(element, (e) => e.name === 'cite');
  const shown = textOf(cite);
  const title = find(element, (e) => e.name === 'h2');
  // an entry whose title has markup that is not known keeps its place
  const heading = title ?? (hasClass(element, 'b_algo') && looksLikeAddress(shown ?? '') ? find(element, isLink) : null);
  const href = heading && linkOf(heading)?.attribs.href;
  const { kind } = linkTarget(href, 'engine_b');
  // one of the engine's own pages is an entry only if the page shows its address
  const isNavigation = kind === 'control' || (kind === 'own' && !/(^|[/.])bing\.com\b/i.test(shown ?? ''));
  if (!heading || href === undefined || (isNavigation && !showsForeign(shown, 'engine_b'))) return null;
  const head = cite && closest(cite, (e) => e.name === 'a');
  const isBeside = head !== null && !within(heading, head);
  return {
    feature: isFeaturedSnippet ? 'featured_snippet' : 'organic',
    order: heading.from,
    element: heading,
    entry: {
      address: addressOf({ engine: 'engine_b', links: [href], shown: [shown] }),
      link: href,
      title: title && titleOf(title),
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
      rating: unread.of('organic.rating', ratingOf(element, unread), () => find(element, isStars)),
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
function ratingOf(item: Element, unread: UnreadFields): Rating | null {
  for (const stars of findAll(item, isStars)) {
    const besides = (box: Element | null): string | null => textOf(box, (e) => e === stars || isAside(e));
    // the stars may stand in wrappers of their own
    const text = besides(closest(stars.parent, (box) => box === item || besides(box) !== null));
    const stated = text && readRating(text);
    if (stated && (/[/%]/.test(text) || stated.max === 5)) {
      noteVotes(stated, [text], unread);
      return stated;
    }
    const drawn = readRating((stars.attribs['aria-label'] ?? '').replace(/(\d)\s+\p{L}[\p{L} ]*\s+(5|10|100)\b.*/u, '$1/$2'));
    if (drawn) return drawn;
  }
  return null;
}

export function readAds({ all, unread }: Page, column: Element): Placed[] {
  const blocks = new Set(all('ad').flatMap((e) => closest(e, (a) => a.parent === column || hasClass(a, 'b_ad')) ?? []));
  const headings = [...blocks].flatMap((block) => findAll(block, (e) => e.name === 'h2'));
  return headings.flatMap((heading): Placed[] => {
    const item = closest(heading, (e) => e.name === 'li');
    if (!item) return [];
    const address = adAddressOf({
      engine: 'engine_b',
      links: [linkOf(heading)?.attribs.href],
      shown: [textOf(find(item, (e) => e.name === 'cite'))],
    });
    const title = titleOf(heading);
    unread.of('paid.title', title, address);
    if (!address || !title) return [{ feature: 'paid', order: heading.from, element: item, ad: null }];
    const paragraph = find(item, (e) => e.name === 'p');
    const text = textOf(paragraph, isIcon) ?? longestLine(item, (e) => e === heading || isIcon(e), 19);
    const description = unread.of('paid.description', text, () => find(item, (e) => e.name === 'p' && isBlank(e)));
    return [{ feature: 'paid', order: heading.from, element: item, ad: { address, title, description, advertiserId: null } }];
  });
}
