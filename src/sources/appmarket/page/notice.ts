import { failsForNow } from '../../failure-words.ts';
import { closest, type Element, findAll, within } from '../../html/element.ts';
import { isHidden, type Page } from '../../html/page.ts';
import { textOf } from '../../html/text.ts';
import { absent, type NotFound, unreachable } from '../../outcome.ts';
import { evidence } from './failures.ts';

const NOTICE = evidence('notice of the app');
const STATES =
  '(?:(?:not currently|currently not|temporarily not|no longer|not) (?:available|offered|listed)|(?:currently |temporarily )?unavailable|removed|delisted)';
const GONE = new RegExp(`\\bthis app (?:(?:is|has been|was)\\b[^.]{0,40}\\b${STATES}|isn['’]t (?:currently )?available)\\b`, 'i');
/** The whole sentence of the store, wherever it stands beside the texts that developers and merchants write. */
const SENTENCE = new RegExp(
  `^(?:sorry,? )?this app (?:(?:is|was|has been) ${STATES}|isn['’]t (?:currently )?available)(?: by (?:its|the) developer| (?:on|in|from) the shopify app store| at (?:the|this) moment| right now| temporarily){0,2}[.!]?(?: learn more\\.?)?$`,
  'i',
);
/** What follows it: whom to ask. The name of the developer may hold any words. */
const CONTACT =
  /\s*\b(?:if you have [^.]{0,30}\bquestions?|for (?:support|help|questions)\b[^.,]{0,30}),? (?:please )?contact .{1,100}?(?:\bdirectly\b\.?|$)/i;
const INLINE = new Set(['a', 'b', 'br', 'em', 'i', 'small', 'span', 'strong', 'svg', 'u']);
/** Text alone, in which words may be links or emphasised. */
const isSentence = ({ children }: Element): boolean =>
  children.every((child) => typeof child === 'string' || (INLINE.has(child.name) && isSentence(child)));
/** An app that is closed for some visitors is on offer for others. */
const FOR_SOME =
  /\b(?:region|countr(?:y|ies)|location|market|currency|your (?:store|shop|plan)|new (?:merchants|users|customers|stores|installs))\b/i;
/** Parts that developers and merchants write. */
const WRITTEN = ['about', 'aboutShort', 'reviews', 'plans', 'review'] as const;

/** A page holds notices for cases that did not come about. */
const isShown = (element: Element): boolean => closest(element, ({ name, attribs }) => name === 'template' || isHidden(attribs)) === null;

/** What the store says of an app that is not on offer; null if it says nothing of that kind. */
function noticeIn(page: Page): string | null {
  // most pages have no such words, and reading all elements of one takes time
  if (!/\bthis app\b/i.test(page.source.bytes.toString())) return null;
  const banners = page.all('banners');
  const apart = [...WRITTEN.flatMap((part) => page.all(part)), ...banners];
  const around = page.first('main') ?? page.first('h1')?.parent;
  const sentences = around ? findAll(around, (element) => isSentence(element) && !apart.some((part) => within(element, part))) : [];
  const said = [...banners.map((element) => [element, GONE] as const), ...sentences.map((element) => [element, SENTENCE] as const)].flatMap(
    ([element, form]) => {
      const text = (textOf(element, () => false) ?? '').replace(CONTACT, '').trim();
      return form.test(text) && isShown(element) ? text : [];
    },
  );
  return said.find((text) => !FOR_SOME.test(text)) ?? null;
}

/** The store's own notice that the app is not on offer, which outranks what is left of the page; null if there is none. */
export function noticeOf(page: Page): NotFound | null {
  const notice = noticeIn(page)?.slice(0, 200);
  if (notice === undefined) return null;
  // an app that is not on offer for now is not gone
  return failsForNow(notice, 'message')
    ? unreachable('The app is not offered in the app marketplace for now.', notice)
    : absent(NOTICE, 'The app is no longer offered in the app marketplace.', notice);
}
