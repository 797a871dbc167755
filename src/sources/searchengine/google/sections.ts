import type { Feature } from '../../../contract/operations/serp/operation.ts';
import { closest, type Element, find, has, holdsOnly, type Test, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { isAside, isBlank, linesOf, longestLine, textOf, titleOf } from '../../html/text.ts';
import { adAddressOf, looksLikeAddress } from '../address.ts';
import { HOMES } from '../links.ts';
import { relatedSearches } from '../page-links.ts';
import type { Placed } from '../result.ts';
import { isNewsHeading, isVideoHeading } from '../words.ts';
import { isBelow, type Spot } from './organic.ts';

const isPlace: Test = ({ attribs }) =>
  attribs['data-lat'] !== undefined
    ? attribs['data-lng'] !== undefined
    : attribs['data-cid'] === undefined || /^\d{10,}$/.test(attribs['data-cid']) || /ludocid=/.test(attribs.href ?? '');
const isImageLink: Test = (e) => e.name !== 'a' || /[?&](tbm=isch|udm=2)(&|$)/.test(e.attribs.href ?? '');
/** Whether the element contains readable text: an empty frame is not a block. */
const hasText: Test = (e) => find(e, (c) => c.children.some((child) => typeof child === 'string' && child.trim() !== '')) !== null;

/** The blocks of the page by type, recognised by URLs, roles and data attributes that are the same in every language. */
export function readSections(page: Page, column: Element | null, spots: readonly Spot[], taken: readonly Element[]): Placed[] {
  const mixed = new Set<Element>();
  for (const one of [...spots.map((s) => s.heading), ...taken]) for (let e: Element | null = one; e; e = e.parent) mixed.add(e);
  const entries = new Set(spots.map((s) => s.container));
  const byBlock = new Map<Element, Placed>();
  const around = new Set<Element>();
  const add = (feature: Feature, signal: Element): void => {
    if (page.isIn('navigation', signal) || closest(signal, (e) => entries.has(e))) return;
    const block = blockOf(page, signal, mixed);
    if (byBlock.has(block)) return;
    byBlock.set(block, { feature, order: signal.from, element: block });
    for (let e = block.parent; e && !around.has(e); e = e.parent) around.add(e);
  };
  const isInColumn: Test = (e) => (column !== null && within(e, column)) || page.isIn('continuation', e);
  const isWide: Test = (e) => isInColumn(e) || page.isIn('above', e);
  const isInSideColumn: Test = (e) => page.isIn('sideColumn', e);
  const isInPeopleAlsoAsk: Test = (e) => page.isIn('peopleAlsoAsk', e);
  const isPanelTitle: Test = (e) => page.all('panelTitle').includes(e);

  /** Signals of blocks. The first one that a block has decides, so that their order matters. */
  const signals: readonly (readonly [anchor: string, feature: Feature, test: Test])[] = [
    ['question', 'people_also_ask', (e) => isInPeopleAlsoAsk(e) && hasText(e)],
    ['peopleAlsoAskOld', 'people_also_ask', (e) => hasText(e) && !isBelow(page, e) && (isInColumn(e) || column === null)],
    ['panel', 'knowledge_panel', (e) => hasText(e) && (isInSideColumn(e) || (isInColumn(e) && isPanelTitle(e))) && !isInPeopleAlsoAsk(e)],
    ['shopping', 'shopping', (e) => isWide(e) && !isInSideColumn(e)],
    ['local', 'local_pack', (e) => isPlace(e) && !isInSideColumn(e) && !isInPeopleAlsoAsk(e)],
    ['productViewer', 'shopping', (e) => isWide(e) && !isInSideColumn(e)],
    ['posts', 'other', (e) => isWide(e) && isOfPosts(page, blockOf(page, e, mixed))],
    ['news', 'news', isWide],
    ['video', 'video', isWide],
    ['image', 'image', (e) => isWide(e) && isImageLink(e) && !isInPeopleAlsoAsk(e)],
  ];
  for (const [anchor, feature, test] of signals) for (const e of page.all(anchor)) if (test(e)) add(feature, e);
  const films = page.all('videoLink').filter((v) => isInColumn(v) && !isInPeopleAlsoAsk(v) && !page.isIn('fact', v));
  for (const e of several(page, films, mixed)) add('video', e);
  for (const e of page.all('heading')) {
    const words = (column === null || isWide(e)) && !isInSideColumn(e) ? textOf(e) : null;
    if (words && isNewsHeading(words)) add('news', e);
    else if (words && isVideoHeading(words)) add('video', e);
  }
  for (const e of page.all('heading')) {
    if (!isInColumn(e) || isInPeopleAlsoAsk(e) || page.isIn('component', e)) continue;
    const block = blockOf(page, e, mixed);
    if (!mixed.has(block) && !around.has(block) && !closest(block, (a) => byBlock.has(a)) && !holdsOnly(block, e)) add('other', e);
  }
  return [...byBlock.values()].filter(({ element }) => !closest(element, (a) => taken.includes(a)));
}

/** A block of posts: most of its cards are none of a story, and it is not headed as news. */
const isOfPosts = (page: Page, block: Element): boolean =>
  page.all('posts', block).length * 2 > page.all('clustered', block).length &&
  !page.all('heading', block).some((e) => isNewsHeading(textOf(e) ?? ''));

/** The largest element around a signal that contains no entry. */
function blockOf(page: Page, signal: Element, mixed: ReadonlySet<Element>): Element {
  let block = signal;
  for (let ancestor = signal.parent; ancestor && !mixed.has(ancestor) && !page.all('frame').includes(ancestor); ancestor = ancestor.parent)
    block = ancestor;
  return block;
}
/** The first of two or more signals in one block: a single film is an entry, several are a block. */
function several(page: Page, signals: readonly Element[], mixed: ReadonlySet<Element>): Element[] {
  const byBlock = [...Map.groupBy(signals, (signal) => blockOf(page, signal, mixed)).values()];
  const hrefOf = ({ attribs }: Element): string => (attribs.href ?? '').replace(/[&#?]t=.*$/, '');
  return byBlock.filter((ones) => new Set(ones.map(hrefOf)).size > 1).flatMap(([first]) => first ?? []);
}

/** Search links that are not text searches: further pages, other verticals, and known entities (`stick`, `si`). */
const OTHER_SEARCH = /[?&](start|tbm|udm|tbs|stick|si|ludocid|ibp|uds|filter|nfpr)=/;
/** What every link of a page carries on from its own request: no filter of repeated results, and a restriction to a country or language. */
const CARRIED_ON = /[?&](?:(?:filter|nfpr)=[01]|tbs=(?:ctr|lr)(?::|%3A)[\w:%-]*)(?=&|$)/gi;
export function readRelated(page: Page, spots: readonly Spot[], keyword: string): ReturnType<typeof relatedSearches> {
  const last = spots.at(-1)?.heading.from ?? 0;
  const links = page.all('searchLink').filter(
    (link) =>
      !page.isIn('noRelated', link) &&
      !page.isIn('continuation', link) &&
      (page.isIn('relatedPlace', link) ||
        // pages without scripts mark them with the search icon; on pages whose column is in a panel they follow the last entry
        find(link, (e) => e.name === 'accordion-entry-search-icon') ||
        (link.from > last && page.isIn('overviewTab', link))) &&
      !OTHER_SEARCH.test((link.attribs.href ?? '').replace(CARRIED_ON, '')) &&
      !spots.some((s) => within(link, s.container)),
  );
  return relatedSearches(links, HOMES.engine_a, keyword);
}

/** Text ads above and below the list, in order of appearance. Product cards are `shopping`, not entries. */
export function readAds({ all, isIn, unread }: Page): Placed[] {
  return all('adHeading').flatMap((heading): Placed[] => {
    const link = closest(heading, (e) => e.name === 'a' && has(e, 'href'));
    const frame = closest(heading, (e) => has(e, 'data-text-ad'));
    if (!link || isIn('productCard', heading)) return [];
    if (!frame && !/\/aclk\?/.test(link.attribs.href ?? '') && !has(link, 'data-pcu')) return [];
    const title = titleOf(heading);
    // beside the click address an ad may name its site
    const links = [link.attribs.href, ...(link.attribs['data-pcu']?.split(',') ?? [])];
    const around = frame ?? alone(heading, all('adHeading'));
    const shown = linesOf(around).flatMap(({ text }) => (looksLikeAddress(text) ? text : []));
    const address = adAddressOf({ engine: 'engine_a', links, shown });
    unread.of('paid.title', title, address);
    unread.of('paid.url', address, title);
    if (!title || !address) return [{ feature: 'paid', order: heading.from, element: heading, ad: null }];
    const isNoText: Test = (e) => e === link || isAside(e) || e.name === 'w-ad-seller-rating' || e.attribs.role === 'list';
    const description = unread.of('paid.description', longestLine(around, isNoText, 0), () =>
      find(around, (e) => e.name === 'div' && isBlank(e) && !within(e, link)),
    );
    return [{ feature: 'paid', order: heading.from, element: heading, ad: { address, title, description, advertiserId: null } }];
  });
}

function alone(heading: Element, headings: readonly Element[]): Element {
  let frame = heading;
  for (let ancestor = heading.parent, climbed = 0; ancestor && climbed < 12; ancestor = ancestor.parent, climbed++) {
    const wider: Element = ancestor;
    if (headings.some((h) => h !== heading && within(h, wider)) || wider.attribs.id === 'main' || wider.name === 'body') break;
    frame = wider;
  }
  return frame;
}
