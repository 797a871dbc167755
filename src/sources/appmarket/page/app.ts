import type { AppProfile } from '../../../contract/operations/appmarket.ts';
import { absent, found, type Outcome } from '../../outcome.ts';
import { unknownPage } from './failures.ts';
import type { Element, Page } from './html-page.ts';
import { type StatedFacts, statedFacts } from './json-ld.ts';
import { appHandleIn, categoryHandleIn, categoryUrl, cleanUrl, hasParameter, pathOf } from './links.ts';
import { readPlans } from './plans.ts';
import { attributeOf, besideLabel, dayIn, fold, hasBadge, isBlank, labelledPlace, lines, textOf, wholeNumber } from './text.ts';

const GONE = /\bthis app (?:is|has been|was)\b[^.]{0,40}\b(?:no longer|not currently|unavailable|removed|delisted)\b/i;

/** Lines that pages of earlier years show beside the address: numbers about the developer, e-mail address, telephone number. */
const NO_ADDRESS = /^$|\b(?:average rating|building apps|apps? published)\b|@|^[+()\d\s.-]+$/i;

/** Elements that may be a label of a section. */
const LABELS = ['p', 'dt', 'h3'] as const;
const MAKER_LABELS = ['h3', 'h2', 'p', 'dt'] as const;

/** "English, French, and German": the name of a language may contain brackets, but no comma. */
const splitNames = (list: string): string[] => list.split(/,\s*(?:and\s+)?|\s+and\s+/).flatMap((name) => fold(name) ?? []);

function languages(page: Page, details: Element | null): string[] {
  const value = besideLabel(page, 'Languages', LABELS, details);
  if (!value) return [];
  const paragraphs = page.all('p', value);
  const texts = (paragraphs.length > 0 ? paragraphs : [value]).map((p) => textOf(page, p));
  // a second paragraph may say that the app is not translated
  return splitNames(texts.find((text) => text !== null && !/\bnot translated\b/i.test(text)) ?? '');
}

function worksWith(page: Page, details: Element | null): string[] {
  const value = besideLabel(page, 'Works with', LABELS, details);
  const items = value ? page.all('li', value) : [];
  if (items.some((item) => isBlank(page, item))) page.unread.note('worksWith');
  return items.flatMap((item) => textOf(page, item) ?? []);
}

function categories(page: Page, details: Element | null): AppProfile['categories'] {
  const found = new Map<string, AppProfile['categories'][number]>();
  for (const link of details ? page.all('link', details) : []) {
    const href = page.attribute(link, 'href');
    if (!href?.includes('/categories/')) continue;
    const handle = categoryHandleIn(href);
    // links with a feature describe features of the app, not its categories
    if (!handle || found.has(handle) || hasParameter(href, 'feature_handles')) continue;
    found.set(handle, { name: page.unread.of('categories.name', textOf(page, link), link), url: categoryUrl(handle), handle });
  }
  return [...found.values()];
}

/** The description: from the desktop copy, else from the shortened copy, which holds the same text. */
function description(page: Page, stated: StatedFacts | null): string | null {
  const about = page.first('about');
  const short = about && page.first('aboutShort', about);
  const copy = about ? page.all('p', about).find((p) => !short || !page.contains(short, p)) : undefined;
  const shown = copy ?? (short && (page.first('copy', short) ?? short));
  return lines((shown ? page.raw(shown) : stated?.description) ?? '') || null;
}

function developer(page: Page, hero: Element | null, stated: StatedFacts | null): AppProfile['developer'] {
  const section = page.first('maker');
  const partner = [section, hero]
    .flatMap((part) => (part ? page.all('link', part) : []))
    .find((link) => pathOf(page.attribute(link, 'href'))?.[0] === 'partners');
  const website = section && page.all('link', section).find((link) => textOf(page, link) === 'Website');
  const row = besideLabel(page, 'Developer', MAKER_LABELS, section);
  const paragraphs = row ? page.all('p', row).filter((p) => !page.first('link', p)) : [];
  const address = paragraphs.find((p) => !NO_ADDRESS.test(textOf(page, p) ?? ''));
  const { unread } = page;
  return {
    name: unread.of('developer.name', textOf(page, partner ?? null) ?? stated?.brand ?? null, partner ?? section),
    address: unread.of('developer.address', textOf(page, address ?? null), () =>
      row ? paragraphs.find((p) => isBlank(page, p)) : labelledPlace(page, 'Developer', MAKER_LABELS, section),
    ),
    url: unread.of('developer.url', cleanUrl(attributeOf(page, partner ?? null, 'href')), partner),
    website: unread.of(
      'developer.website',
      cleanUrl(attributeOf(page, website ?? null, 'href')),
      () => website ?? (section && page.all('link', section).find((link) => isBlank(page, link))),
    ),
  };
}

/** The price line of the hero; a hidden box repeats it in a short form for small screens. */
function pricing(page: Page, hero: Element | null): string | null {
  const value = besideLabel(page, 'Pricing', ['dt'], hero);
  if (!value) return page.unread.of('pricing', null, () => labelledPlace(page, 'Pricing', ['dt'], hero));
  const boxes = page.all('div', value).filter((box) => page.attribute(box, 'aria-hidden') !== 'true');
  return page.unread.of('pricing', textOf(page, boxes.find((box) => textOf(page, box) !== null) ?? value), value);
}

function rating(page: Page, hero: Element | null, stated: StatedFacts | null): Pick<AppProfile, 'rating' | 'reviewCount'> {
  const link = page.first('reviewsLink', hero ?? undefined);
  const label = /^([\d,]+) reviews?$/i.exec(attributeOf(page, link, 'aria-label') ?? '')?.[1];
  const text = /^\(?([\d,]+)\)?$/.exec(textOf(page, link) ?? '')?.[1];
  const section = page.first('reviews');
  const headline = /^Reviews ?\(([\d,]+)\)$/.exec(textOf(page, section && page.first('h2', section)) ?? '')?.[1];
  const reviewCount = stated?.reviewCount ?? wholeNumber(label) ?? wholeNumber(text) ?? wholeNumber(headline);
  const row = besideLabel(page, 'Rating', ['dt'], hero);
  const numbers = row ? page.all('span', row).map((span) => textOf(page, span)) : [];
  const shown = numbers.find((figure) => figure !== null && /^[0-5](?:\.\d)?$/.test(figure)) ?? null;
  const value = stated?.rating ?? (shown !== null && Number(shown) > 0 ? shown : null);
  page.unread.of('reviewCount', reviewCount, () => link ?? row);
  if (reviewCount !== 0) page.unread.of('rating', value, () => row ?? stated?.ratingPlace ?? labelledPlace(page, 'Rating', ['dt'], hero));
  return { rating: reviewCount === 0 ? null : value, reviewCount };
}

/** The profile of an app page. `url`: the address after redirects. */
export function appOf(page: Page, html: string, url: string, handle: string): Outcome<AppProfile> {
  const hero = page.first('hero');
  const details = page.first('details');
  const stated = statedFacts(page);
  const name = stated?.name ?? textOf(page, hero && page.first('h1', hero));
  if ((!hero && !details) || name === null) {
    const notice = textOf(page, page.first('banners'));
    if (notice && GONE.test(notice)) return absent('The app is no longer offered in the app marketplace.', notice.slice(0, 200));
    return unknownPage(html, 'app', 'no hero and no details, or no name');
  }
  const figure = hero && page.first('img', hero);
  const maker = page.first('maker');
  const { unread } = page;
  const launched = maker ?? details;
  const plans = page.first('plans');
  return found({
    name,
    description: unread.of('description', description(page, stated), () => page.first('about') ?? page.first('aboutShort')),
    handle: appHandleIn(url) ?? handle,
    ...rating(page, hero, stated),
    developer: developer(page, hero, stated),
    languages: unread.of('languages', languages(page, details), () => labelledPlace(page, 'Languages', LABELS, details)),
    categories: unread.of('categories', categories(page, details), () => labelledPlace(page, 'Categories', LABELS, details)),
    worksWith: unread.of('worksWith', worksWith(page, details), () => labelledPlace(page, 'Works with', LABELS, details)),
    pricing: pricing(page, hero),
    pricings: unread.of('pricings', readPlans(page), () => plans && page.first('p', plans)),
    launchedDate: unread.of('launchedDate', dayIn(textOf(page, besideLabel(page, 'Launched', LABELS, launched))), () =>
      labelledPlace(page, 'Launched', LABELS, launched),
    ),
    builtForPlatform: hero ? (hasBadge(page, hero) ? 'TRUE' : 'FALSE') : null,
    logo: unread.of('logo', cleanUrl(stated?.image ?? attributeOf(page, figure, 'src')), figure),
  });
}
