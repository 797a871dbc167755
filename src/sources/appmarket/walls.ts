import type { Answer } from '../../outside/answer.ts';
import { absent, blocked, changed, limited, type NotFound, refused, retryAfterMs, unreachable } from '../outcome.ts';
import { appHandleIn, categoryHandleIn, pathOf } from './links.ts';

const TITLE =
  /^<title[^>]*>\s*(?:just a moment|verifying your connection|checking your browser|attention required![^<]*|access denied)[.…\s]*<\/title>/i;
const PARTS = /<[a-z]+\s[^<>]*\bid=["']?challenge-(?:error-text|form|running|stage)\b/i;
const OPTIONS = '_cf_chl_opt';

/** Whether a script of the page sets up a challenge; the same words in a review are text. */
function scriptChallenges(html: string): boolean {
  for (let at = html.indexOf(OPTIONS); at >= 0; at = html.indexOf(OPTIONS, at + 1)) {
    const open = html.lastIndexOf('<script', at);
    if (open >= 0 && html.lastIndexOf('</script', at) < open) return true;
  }
  return false;
}
function titleOf(html: string): string {
  const at = html.search(/<title\b/i);
  return at < 0 ? '' : html.slice(at, at + 300);
}
export const isChallenge = (html: string, headers: Answer['headers']): boolean =>
  /challenge/i.test(headers['cf-mitigated'] ?? '') ||
  TITLE.test(titleOf(html)) ||
  scriptChallenges(html) ||
  (html.includes('challenge-') && PARTS.test(html));

const CHALLENGE = 'The app marketplace asks for proof that a person is browsing, which is not given; ask again later';

/**
 * What an answer says before its page is read: a challenge outranks the status. Null: the page may be read.
 * `thing` is what was asked for, in the client's words: `app "acme-reviews"`.
 */
export function judge(answer: Answer, html: string, thing: string): NotFound | null {
  const { status, headers } = answer;
  if (isChallenge(html, headers)) return blocked(`${CHALLENGE}.`, `challenge, status ${status}`);
  if (status === 200) return null;
  if (status === 404 || status === 410) return absent(`The app marketplace knows no ${thing}.`);
  if (status === 451) return absent(`The ${thing} is withheld by law.`);
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
export function shapeless(html: string, thing: string, detail: string): NotFound {
  if (/\bclass=["'][^"']*\b(?:h-captcha|g-recaptcha|cf-turnstile)\b/i.test(html)) return blocked(`${CHALLENGE}.`, 'captcha');
  return changed(`The page of the ${thing} has a shape that is not known.`, detail);
}
