import type { Answer } from '../../../upstream/answer.ts';
import { evidenceIn } from '../../evidence.ts';
import { failsForNow } from '../../failure-words.ts';
import { withoutScripts } from '../../html/markup.ts';
import type { Page } from '../../html/page.ts';
import { absent, blocked, changed, failureOfStatus, foreign, type NotFound, unreachable } from '../../outcome.ts';
import { pathOf } from './links.ts';

export const evidence = evidenceIn(new URL('./evidence.tsv', import.meta.url));
const NOT_FOUND = evidence('own page not found');
const FRONT_PAGE = evidence('redirect to the front page');

const OWN_PAGE =
  /<title>[^<]{0,80}\bShopify App Store\b|\bdata-section-name=["']global-nav|<link rel=["']canonical["'] href=["']https:\/\/apps\.shopify\.com\//i;
const APOSTROPHE = /’|&#0?39;|&#x0?27;|&(?:rsquo|apos);/gi;
const SAYS_MISSING =
  /<(?:title|h1)\b[^<>]{0,300}>[^<]{0,300}(?:\b404\b|(?:couldn't|could not|can't|cannot) (?:be )?f(?:ind|ound)|not found|no longer (?:exists|available)|does(?:n't| not) exist|unavailable)|>\s*(?:sorry, )?this app is(?:n't| not| no longer) (?:currently )?(?:available|listed)\b/i;

const HEADLINE = /<(?:title|h1)\b[^<>]{0,300}>([^<]{0,300})/gi;
const textIn = (html: string): string =>
  withoutScripts(Buffer.from(html))
    .toString()
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ');
/** The store says that it fails for now. Dialogs around the main part hold texts for failures that did not happen. */
function saysFailed(html: string): boolean {
  if ([...html.matchAll(HEADLINE)].some(([, text = '']) => failsForNow(text, 'message')) || failsForNow(textIn(html), 'page')) return true;
  const from = html.indexOf('<main');
  return from >= 0 && failsForNow(textIn(html.slice(from, html.lastIndexOf('</main'))), 'main');
}

/** null if the page can be parsed. A 404 is `absent` only with the marketplace's own page. `thing`: `app "acme-reviews"`. */
export function failureOf(answer: Answer, html: string, thing: string): NotFound | null {
  const { status, headers } = answer;
  if (status === 200) return null;
  if (status === 404 || status === 410 || status === 451) {
    if (!OWN_PAGE.test(html) || !SAYS_MISSING.test(html.replace(APOSTROPHE, "'")))
      return foreign('The app marketplace answered with a page that is not its own.', `status ${status}`);
    if (saysFailed(html)) return unreachable('The app marketplace failed on its side.', `status ${status}`);
    return absent(NOT_FOUND, `The app marketplace has no ${thing}.`);
  }
  if (status >= 300 && status < 400) return moved(headers.location ?? null, thing);
  if (status < 300) return changed('The app marketplace answered in an unknown way.', `status ${status}`);
  return failureOfStatus(answer, { who: 'The app marketplace' });
}

/** A redirect that the client did not follow: to the front page means that the resource was removed; a second one says nothing. */
function moved(location: string | null, thing: string): NotFound {
  const path = pathOf(location);
  if (path === null) return changed('The app marketplace redirects to an unknown page.', `redirect to ${location}`);
  if (path.length === 0) return absent(FRONT_PAGE, `The app marketplace no longer has the ${thing}.`, `redirect to ${location}`);
  if (path[0] === 'login') return blocked(`The ${thing} is shown to signed-in users only.`);
  return changed('The app marketplace redirects to an unknown page.', `redirect to ${location}`);
}

export function unknownPage({ source }: Page, thing: string, detail: string): NotFound {
  if (/\bclass=["'][^"']*\b(?:h-captcha|g-recaptcha|cf-turnstile)\b/i.test(source.bytes.toString()))
    return blocked('The app marketplace shows a captcha, which this service does not solve.', 'captcha');
  return changed(`The page of the ${thing} has an unknown format.`, detail);
}
