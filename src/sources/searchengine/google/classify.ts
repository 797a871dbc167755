import type { Answer } from '../../../upstream/answer.ts';
import { blocked, changed, limited, type NotFound, refused, retryAfterMs, unreachable } from '../../outcome.ts';
import { parseUrl } from '../address.ts';
import { textOf } from '../dom/text.ts';
import { readTotal } from '../numbers.ts';
import type { GooglePage } from './organic.ts';
import { statsLine } from './stats.ts';
import { saysNothingFound } from './words.ts';

const at = (address: string | undefined): { host: string; path: string } => {
  const url = parseUrl(address, 'https://www.google.com');
  return { host: url?.hostname ?? '', path: url?.pathname ?? '' };
};
const isBlockPage = (address: string | undefined): boolean => {
  const { host, path } = at(address);
  return host === 'sorry.google.com' || (/(^|\.)google\./.test(host) && path.startsWith('/sorry'));
};
const isConsent = (address: string | undefined): boolean => /^consent\.(google|youtube)\./.test(at(address).host);

/** The outcome of a page without entries: a block page, no results stated by the engine, or an unknown page format. */
export function classify(answer: Answer, page: GooglePage): NotFound | { tag: 'nothing-found' } {
  const { status, headers } = answer;
  const source = page.source.whole();
  if (isBlockPage(answer.url) || isBlockPage(headers.location) || page.all('captcha').length > 0)
    return blocked('The search engine asks to solve a challenge.', 'captcha');
  if (source.length < 2048 && /\/sorry\/(index\?|image)/.test(source))
    return blocked('The search engine asks to solve a challenge.', 'forward to the captcha');
  if (
    isConsent(answer.url) ||
    isConsent(headers.location) ||
    (page.all('consent').length > 0 && page.all('column').length === 0 && !isEmpty(page))
  )
    return blocked('The search engine asks for consent to its conditions first.', 'consent page');
  if (/our systems have detected unusual traffic/i.test(source) && page.all('column').length === 0)
    return blocked('The search engine asks to solve a challenge.', 'unusual traffic notice');
  if (status === 429) return limited('The search engine asks to slow down.', retryAfterMs(headers, answer.at));
  if (status >= 500) return unreachable(`The search engine answered ${status}.`);
  if (status === 403 || status === 401) return blocked(`The search engine refused the request with ${status}.`);
  if (status === 400 || status === 414) return refused(`The search engine did not accept the request (${status}).`);
  if (status >= 300) return changed(`The search engine answered ${status}.`, headers.location?.slice(0, 200));
  if (isEmpty(page)) return { tag: 'nothing-found' };
  if (/\/httpservice\/retry\/enablejs/.test(source) && page.all('column').length === 0)
    return blocked('The search engine shows its page to browsers with scripts only.', 'script shell');
  return changed('The result page has a shape that we do not know.');
}

/** The engine's own notice in its dedicated element, or a stated count of zero. */
function isEmpty(page: GooglePage): boolean {
  if (readTotal(statsLine(page)) === 0) return true;
  for (const place of page.all('emptyNotice')) {
    const text = textOf(place);
    if (text && text.length < 2000 && saysNothingFound(text)) return true;
  }
  // pages without scripts have no ids for it: there the notice is nearly all of the main element's text
  const text = page.all('column').length === 0 ? textOf(page.all('main')[0] ?? null) : null;
  return text !== null && text.length < 2500 && saysNothingFound(text);
}
