import type { PaidEntry } from '../../../contract/operations/searchengine.ts';
import { attribute, type Element } from '../../html.ts';
import { domainOf } from '../address.ts';
import { closest, find, has, parentOf, within } from '../dom/page.ts';
import { isAside, isBlank, linesOf, titleOf } from '../dom/text.ts';
import { adTarget } from './link.ts';
import type { GooglePage } from './organic.ts';

export interface Ad {
  readonly entry: Omit<PaidEntry, 'rank'>;
  readonly heading: Element;
  readonly order: number;
}

const isCard = (e: Element): boolean =>
  e.name === 'g-scrolling-carousel' || e.attribs.role === 'dialog' || has(e, 'data-offer-id') || has(e, 'data-merchant-id');

/** Text ads above and below the list, in order of appearance. Product cards are `shopping`, not entries. */
export function readAds(page: GooglePage): Ad[] {
  const ads: Ad[] = [];
  for (const heading of page.all('adHeading')) {
    const link = closest(heading, (e) => e.name === 'a' && has(e, 'href'));
    if (!link || closest(heading, isCard)) continue;
    const frame = closest(heading, (e) => has(e, 'data-text-ad'));
    if (!frame && !/\/aclk\?/.test(link.attribs.href ?? '') && !has(link, 'data-pcu')) continue;
    const title = titleOf(heading);
    const url = adTarget(attribute(link, 'href'), attribute(link, 'data-pcu'));
    const domain = url && domainOf(url);
    page.unread.of('paid.title', title, url);
    page.unread.of('paid.url', url, title);
    if (!title || !url || !domain) continue;
    const around = frame ?? alone(heading, page);
    const description = page.unread.of('paid.description', descriptionOf(around, link), () =>
      find(around, (e) => e.name === 'div' && isBlank(e) && !within(e, link)),
    );
    ads.push({
      heading,
      order: page.order(heading),
      entry: { domain, url, title, description, advertiserId: null },
    });
  }
  return ads;
}

/** The largest element around an ad that contains no other heading. */
function alone(heading: Element, page: GooglePage): Element {
  const others = page.all('adHeading').filter((h) => h !== heading);
  let frame = heading;
  for (let at = parentOf(heading), climbed = 0; at && climbed < 12; at = parentOf(at), climbed++) {
    const wider: Element = at;
    if (others.some((h) => within(h, wider)) || wider.attribs.id === 'main' || wider.name === 'body') break;
    frame = wider;
  }
  return frame;
}

/** The longest line that is neither link nor control. */
function descriptionOf(frame: Element, link: Element): string | null {
  let best: string | null = null;
  for (const { text, linked } of linesOf(
    frame,
    (e) => e === link || isAside(e) || e.name === 'w-ad-seller-rating' || e.attribs.role === 'list',
  )) {
    if (!linked && text.length > (best?.length ?? 0)) best = text;
  }
  return best;
}
