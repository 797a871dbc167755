import type { Answer } from '../../../upstream/answer.ts';
import { absent, blocked, changed, limited, type NotFound, refused, retryAfterMs, unreachable } from '../../outcome.ts';
import { appHandleIn, categoryHandleIn, pathOf } from './links.ts';

const CHALLENGE = 'The app marketplace asks for proof that a person is browsing, which is not given; ask again later';

/** A page of the marketplace itself, by its title, its navigation or its own address. */
const OWN_PAGE =
  /<title>[^<]{0,80}\bShopify App Store\b|\bdata-section-name=["']global-nav|<link rel=["']canonical["'] href=["']https:\/\/apps\.shopify\.com\//i;
const SAYS_MISSING =
  /<(?:title|h1)\b[^<>]{0,300}>[^<]{0,300}(?:\b404\b|couldn(?:['’]|&#39;|&rsquo;)t (?:be )?f(?:ind|ound)|could not (?:be )?f(?:ind|ound)|not found|no longer (?:exists|available)|does(?:n['’]t| not) exist|unavailable)/i;
const saysMissing = (html: string): boolean => OWN_PAGE.test(html) && SAYS_MISSING.test(html);

/**
 * What an answer says before its page is read. Null: the page may be read. A 404 counts where it is the marketplace's own page.
 * `thing` is what was asked for, in the client's words: `app "acme-reviews"`.
 */
export function failureOf(answer: Answer, html: string, thing: string): NotFound | null {
  const { status, headers } = answer;
  if (status === 200) return null;
  if (status === 404 || status === 410 || status === 451) {
    if (!saysMissing(html)) return changed('The app marketplace answered with a page that is not its own.', `status ${status}`);
    return absent(status === 451 ? `The ${thing} is withheld by law.` : `The app marketplace knows no ${thing}.`);
  }
  if (status === 429) return limited('The app marketplace asks for fewer requests.', retryAfterMs(headers, answer.at));
  if (status === 401 || status === 403) return blocked('The app marketplace refused the request.', `status ${status}`);
  if (status >= 500) return unreachable('The app marketplace failed to answer.', `status ${status}`);
  if (status === 400 || status === 414) return refused('The app marketplace did not accept the request.', `status ${status}`);
  if (status >= 300 && status < 400) return moved(headers.location ?? null, thing);
  return changed('The app marketplace answered in an unknown way.', `status ${status}`);
}

/** A redirect that nobody follows any more: to the front page or another thing means that this one is gone. */
function moved(location: string | null, thing: string): NotFound {
  const path = pathOf(location);
  if (path === null) return changed('The app marketplace leads elsewhere.', `redirect to ${location}`);
  if (path.length === 0 || appHandleIn(location) || categoryHandleIn(location) || path[0] === 'partners')
    return absent(`The app marketplace knows no ${thing} any more.`, `redirect to ${location}`);
  if (path[0] === 'login') return blocked(`The ${thing} is shown to signed-in visitors only.`);
  return changed('The app marketplace leads elsewhere.', `redirect to ${location}`);
}

/** A page without the marks that we know. */
export function unknownPage(html: string, thing: string, detail: string): NotFound {
  if (/\bclass=["'][^"']*\b(?:h-captcha|g-recaptcha|cf-turnstile)\b/i.test(html)) return blocked(`${CHALLENGE}.`, 'captcha');
  return changed(`The page of the ${thing} has a shape that is not known.`, detail);
}
