import type { AppProfile } from '../../../contract/operations/app/operation.ts';
import { type Element, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { rawText } from '../../html/text.ts';
import { found, type Outcome } from '../../outcome.ts';
import {
  dayIn,
  type Facts,
  fold,
  foldedText,
  hasBadge,
  isBlank,
  itemsOf,
  lines,
  numberIn,
  reviewsIn,
  saysNoReviews,
  statedFacts,
} from './elements.ts';
import { unknownPage } from './failures.ts';
import { labelled } from './labels.ts';
import { appHandleIn, categoryHandleIn, categoryUrl, cleanUrl, hasParameter, pathOf } from './links.ts';
import { noticeOf } from './notice.ts';

/** Lines that pages of earlier years show beside the address: numbers about the developer, e-mail address, telephone number. */
const NO_ADDRESS = /^$|\b(?:average rating|building apps|apps? published)\b|@|^[+()\d\s.-]+$/i;

/** A number, as in "12 more", or another separator: no name of one language. */
const NO_LANGUAGE = /\p{Nd}|[·•;/&|、，،]/u;
/** "+12 integrations": how many are not listed. */
const NO_NAME = /^(?:and )?\+? ?\d+\+? (?:more|others?|(?:more |other )?(?:integrations|apps))$/i;
const LABELS = ['p', 'dt', 'h3'] as const;
const HERO_LABELS: ReadonlySet<string> = new Set(['Pricing', 'Rating', 'Developer']);

function languages(page: Page, details: Element | null): string[] {
  const { value, place } = labelled(page, 'Languages', LABELS, details);
  const items = value ? itemsOf(page, value) : [];
  const paragraphs = value ? page.all('p', value) : [];
  const texts = items.length > 0 ? [items.join(', ')] : (paragraphs.length > 0 ? paragraphs : [value]).map(foldedText);
  // a second paragraph may say that the app is not translated
  const list = texts.find((text) => text !== null && !/\b(?:not|isn['’]t) translated\b/i.test(text)) ?? '';
  // "English, French, and German": the name of a language may contain brackets, but no comma
  const names = list.split(/,\s*(?:and\s+)?|\s+and\s+/).flatMap((name) => fold(name) ?? []);
  const known = names.filter((name) => !NO_LANGUAGE.test(name));
  if (known.length < names.length) page.unread.note('languages');
  return page.unread.of('languages', known, place);
}

function worksWith(page: Page, details: Element | null): string[] {
  const { value, place } = labelled(page, 'Works with', LABELS, details);
  if (value && page.all('li', value).some(isBlank)) page.unread.note('worksWith');
  const texts = value ? itemsOf(page, value).flatMap((text) => text ?? []) : [];
  const names = texts.filter((text) => !NO_NAME.test(text));
  if (names.length < texts.length) page.unread.note('worksWith');
  return page.unread.of('worksWith', names, place);
}

function categories(page: Page, details: Element | null): AppProfile['categories'] {
  const found = new Map<string, AppProfile['categories'][number]>();
  for (const link of details ? page.all('link', details) : []) {
    const handle = categoryHandleIn(link.attribs.href);
    // links with a feature describe features of the app, not its categories
    if (!handle || found.has(handle) || hasParameter(link.attribs.href, 'feature_handles')) continue;
    found.set(handle, { name: page.unread.of('categories.name', foldedText(link), link), url: categoryUrl(handle), handle });
  }
  return page.unread.of('categories', [...found.values()], labelled(page, 'Categories', LABELS, details).place);
}

/** The description: from the desktop copy, else from the shortened copy, which holds the same text. */
function description(page: Page, stated: Facts | null): string | null {
  const about = page.first('about');
  const short = about && page.first('aboutShort', about);
  const copy = about ? page.all('p', about).find((p) => !short || !within(p, short)) : undefined;
  const shown = copy ?? (short && (page.first('copy', short) ?? short));
  const text = lines((shown ? rawText(shown) : stated?.description) ?? '') || null;
  // of another name, it is the long text among the details
  const longText = () => page.all('p', page.first('details')).find((p) => (foldedText(p) ?? '').length > 60);
  return page.unread.of('description', text, () => about ?? page.first('aboutShort') ?? (page.first('details') && longText()));
}

function developer(page: Page, hero: Element | null, stated: Facts | null): AppProfile['developer'] {
  const { unread } = page;
  const section = page.first('maker');
  const [links, heroLinks] = [section, hero].map((part) => (part ? page.all('link', part) : []));
  const isPartner = (link: Element) => pathOf(link.attribs.href)?.[0] === 'partners';
  const partner = [...(links ?? []), ...(heroLinks ?? [])].find(isPartner);
  const elsewhere = () => (section ? null : page.all('link', page.first('main')).find(isPartner));
  const website = links?.find((link) => /^(?:developer )?website$/i.test(foldedText(link) ?? ''));
  // the hero has the label too, as a term
  const { value: row, place } = labelled(page, 'Developer', section ? ['h3', 'h2', 'p', 'dt'] : ['h3', 'h2'], section);
  const paragraphs = row ? page.all('p', row).filter((p) => !page.first('link', p)) : [];
  const heroRow = labelled(page, 'Developer', ['dt'], hero).value;
  const ofStore = [row, heroRow].flatMap((part) => (part ? page.all('link', part) : [])).find((link) => pathOf(link.attribs.href)?.length);
  // beside the developer's name a link elsewhere is the website, by whatever name
  const other = (row ? page.all('link', row) : []).find(
    (link) =>
      /^https?:/.test(link.attribs.href ?? '') &&
      pathOf(link.attribs.href) === null &&
      !/\b(?:privacy|support|faq|help|tutorials?|changelog|contact|e-?mail|docs|documentation)\b/i.test(foldedText(link) ?? ''),
  );
  const address = paragraphs.find((p) => !NO_ADDRESS.test(foldedText(p) ?? ''));
  return {
    name: unread.of('developer.name', foldedText(partner) ?? stated?.brand ?? null, () => partner ?? section ?? elsewhere()),
    address: unread.of('developer.address', foldedText(address), () => (row ? paragraphs.find(isBlank) : place())),
    url: unread.of('developer.url', cleanUrl(fold(partner?.attribs.href)), () => partner ?? elsewhere() ?? ofStore),
    website: unread.of('developer.website', cleanUrl(fold(website?.attribs.href)), () => website ?? links?.find(isBlank) ?? other),
  };
}

/** A row of the hero. Where no row is known and the hero says more than the name, what the rows state is in other markup. */
function heroRow(page: Page, label: string, hero: Element | null): ReturnType<typeof labelled> {
  const { value, place } = labelled(page, label, ['dt'], hero);
  const isOther = () => hero && page.first('dt', hero) === null && foldedText(hero) !== foldedText(page.first('h1', hero));
  return { value, place: () => place() ?? (isOther() ? hero : null) };
}

/** A hidden box repeats the price line in a short form for small screens. */
function pricing(page: Page, hero: Element | null): string | null {
  const { value, place } = heroRow(page, 'Pricing', hero);
  const shown = value && page.all('div', value).find((box) => box.attribs['aria-hidden'] !== 'true' && foldedText(box) !== null);
  return page.unread.of('pricing', foldedText(shown ?? value), place);
}

function rating(page: Page, hero: Element | null, stated: Facts | null): Pick<AppProfile, 'rating' | 'reviewCount'> {
  const link = page.first('reviewsLink', hero);
  const section = page.first('reviews');
  const shownCount =
    numberIn(fold(link?.attribs['aria-label']), /^([\d,]+) reviews?$/i) ??
    numberIn(foldedText(link), /^\(?([\d,]+)\)?$/) ??
    reviewsIn(section && page.first('h2', section));
  const { value: row, place } = heroRow(page, 'Rating', hero);
  const saysNone = row !== null && [row, ...page.all('span', row), ...page.all('p', row)].some(saysNoReviews);
  const reviewCount = stated?.reviewCount || (shownCount ?? stated?.reviewCount ?? (saysNone ? 0 : null));
  const figures = row ? page.all('span', row).map(foldedText) : [];
  const shown = figures.flatMap((figure) => /^([0-5](?:\.\d)?)(?: ?out of 5 stars)?$/.exec(figure ?? '')?.[1] ?? [])[0] ?? null;
  // 0 means that there is none
  const isUnrated = reviewCount === 0 || (reviewCount === null && Number(shown ?? Number.NaN) === 0);
  const value = stated?.rating ?? (shown !== null && Number(shown) > 0 ? shown : null);
  page.unread.of('reviewCount', reviewCount, () => link ?? row ?? stated?.reviewCountPlace);
  if (!isUnrated) page.unread.of('rating', value, () => row ?? stated?.ratingPlace ?? place());
  return { rating: reviewCount === 0 ? null : value, reviewCount };
}

export function appOf(page: Page, url: string, handle: string): Outcome<AppProfile> {
  const { unread } = page;
  const hero = page.first('hero');
  const details = page.first('details');
  const stated = statedFacts(page);
  const name = stated?.name ?? foldedText(hero && page.first('h1', hero));
  const notice = noticeOf(page);
  if (notice) return notice;
  if ((!hero && !details) || name === null) return unknownPage(page, 'app', 'no hero and no details, or no name');
  const labels = (hero ? page.all('dt', hero) : []).flatMap((label) => foldedText(label) ?? []);
  if (labels.length > 0 && !labels.some((label) => HERO_LABELS.has(label))) return unknownPage(page, 'app', 'labels in another language');
  const figure = hero && page.first('img', hero);
  const plans = page.first('plans');
  const cards = plans ? page.all('plan', plans) : [];
  // pages of earlier years have it among the details
  const [ofMaker, ofDetails] = [page.first('maker'), details].map((part) => labelled(page, 'Launched', LABELS, part));
  const launched = ofDetails?.value ? ofDetails : ofMaker;
  return found({
    name,
    description: description(page, stated),
    handle: appHandleIn(url) ?? handle,
    ...rating(page, hero, stated),
    developer: developer(page, hero, stated),
    languages: languages(page, details),
    categories: categories(page, details),
    worksWith: worksWith(page, details),
    pricing: pricing(page, hero),
    pricings: unread.of(
      'pricings',
      cards.map((card) => readPlan(page, card)),
      () => (plans ? page.first('p', plans) : page.first('plan')),
    ),
    launchedDate: unread.of('launchedDate', dayIn(foldedText(launched?.value)), launched?.place),
    builtForPlatform: hero ? (hasBadge(page, hero) ? 'TRUE' : 'FALSE') : null,
    logo: unread.of('logo', cleanUrl(stated?.image) ?? cleanUrl(fold(figure?.attribs.src)), figure),
  });
}

/** "$19/month" as amount and period, both as shown; "Free to install" has no period. Formats since 2019; "$239 one-time" since 2026. */
export function splitPrice(label: string | null): { price: string | null; period: string | null } {
  const text = fold(label);
  if (text === null) return { price: null, period: null };
  const [, amount, rest = ''] = /^(.*?\S)\s*\/\s*(\S.*)$/.exec(text) ?? [];
  if (amount !== undefined) return { price: amount, period: PAID_ONCE.exec(rest)?.[0] ?? UNIT.exec(rest)?.[0] ?? rest };
  const [, price = null, once = null, every = null] = WITH_PERIOD.exec(text) ?? [];
  return price === null ? { price: text, period: null } : { price, period: once ?? every };
}
const ONCE = '(?:one[ ‐‑-](?:time|off)(?: (?:set-?up )?(?:charge|fee|payment|purchase))?|once|lifetime)';
const PAID_ONCE = new RegExp(`^${ONCE}\\b`, 'iu');
/** The unit behind the stroke, without what follows it: another price, a trial, how it is billed. */
const UNIT = /(?<=^(?:every |each |per )?)(?!(?:every|each|per)\b)(?:\d+ )?\p{L}[\p{L}-]*(?=$|[\s,.;+(*])/u;
/** An amount, then how often it is paid: "one-time", "monthly", "per month", "every 30 days"; after a comma how it is billed. */
const WITH_PERIOD = new RegExp(
  `^(\\D{0,14}\\d[\\d.,'’\\s]*?(?:\\s?(?:(?!for|one)[A-Z]{3}|\\p{Sc}))?)[\\s,–—-]*\\(?(?:(?:for )?(${ONCE}|(?:bi)?weekly|monthly|quarterly|yearly|annually)|(?:per|an?|each|every) ((?:\\d+ )?(?:day|week|month|quarter|year)s?))\\)?(?:\\s?[,;.+*(].*| or .*)?$`,
  'iu',
);

function headLines(page: Page, card: Element, features: Element | null): string[] {
  const head = page.first('planHead', card);
  return page.all('p', head ?? card).flatMap((p) => {
    if (p.attribs['data-test-id'] !== undefined) return [];
    if (!head && features && (within(p, features) || p.next === features)) return [];
    const line = foldedText(p);
    return line !== null && /\d|\bfree\b|\btrial\b/i.test(line) ? line : []; // not a ribbon such as "Most popular"
  });
}

/** The trial period below the card, inside the box that holds this card alone. */
function trialBelow(page: Page, card: Element): string | null {
  for (let box: Element | null = card; box; box = box.parent) {
    if (box.attribs['data-test-id'] === 'pricing-cards-track' || page.all('plan', box).length > 1) return null;
    for (let { next } = box; next; next = next.next) {
      const text = foldedText(next);
      const isLine = next.name === 'p' || foldedText(page.first('p', next)) === text;
      if (text !== null && isLine && /\btrial\b/i.test(text)) return text;
    }
    if (box.attribs.id === 'adp-pricing') return null;
  }
  return null;
}

function readPlan(page: Page, card: Element): AppProfile['pricings'][number] {
  const { unread } = page;
  const price = page.first('planPrice', card);
  const features = page.first('planFeatures', card);
  const charges = page.first('planCharges', card);
  const text = page.first('planText', card);
  // if it contains paragraphs, headLines reads them one by one
  const description = text && !page.first('p', text) ? foldedText(text) : null;
  const words = [description, foldedText(charges), ...headLines(page, card, features), trialBelow(page, card)].filter(
    (line) => line !== null,
  );
  const label = splitPrice(fold(price?.attribs['aria-label']) ?? foldedText(price));
  const said = [...new Set(words)].join('\n') || null;
  // the markup closes an item with another opening tag, so that every second item is empty
  const items = features ? itemsOf(page, features).flatMap((text) => text ?? []) : [];
  return {
    name: unread.of('pricings.name', foldedText(page.first('planName', card)), card),
    price: unread.of('pricings.price', label.price, card),
    period: label.period,
    description: unread.of('pricings.description', said, () => text ?? charges ?? page.all('p', card).find(isBlank)),
    features: unread.of('pricings.features', items, () => foldedText(features) ?? page.first('li', card)),
  };
}
