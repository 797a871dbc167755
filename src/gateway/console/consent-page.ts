import { isOfThisComputer } from '../../accounts/oauth/apps.ts';
import type { Authorization } from '../../accounts/oauth/authorize.ts';
import { isArea, SCOPES, type Scope } from '../../contract/scopes.ts';
import { escaped, htmlPage, policyOf } from '../http/html-page.ts';

/** Headers of every page. Browsers apply `form-action` to the `redirect` that answers a form too. */
export function pageHeaders(redirect: string | null): readonly string[] {
  const policy = policyOf(`'self'${redirect === null ? '' : ` ${sourceOf(new URL(redirect))}`}`);
  const headers = { 'Content-Security-Policy': policy, 'X-Frame-Options': 'DENY', 'Cross-Origin-Opener-Policy': 'same-origin' };
  return [...Object.entries(headers).flat(), 'Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store'];
}
/** A source of a policy has no IPv6 address and needs an origin, which schemes of installed apps do not have. */
const sourceOf = (url: URL): string =>
  (url.protocol === 'https:' || isOfThisComputer(url)) && !url.hostname.startsWith('[') ? url.origin : url.protocol;

/** Opens the consent page from this origin: the cookie of the session is not sent with a request that another site caused. */
export const hopPage = (path: string): string =>
  htmlPage(
    'Sign in to Sightline',
    `<p><a href="${escaped(path)}">Continue</a></p>`,
    `<meta http-equiv="refresh" content="0; url=${escaped(path)}">`,
  );

/** `link`: address of the app, to which a person may go on. */
export function messagePage(title: string, message: string, link: string | null = null): string {
  if (link === null) return htmlPage(title, `<p>${escaped(message)}</p>`);
  const goOn = `<a href="${escaped(link)}">Return to ${escaped(recipientOf(new URL(link)))}</a>`;
  return htmlPage(title, `<p>${escaped(message)}</p><p>${goOn}, if you know this app: anybody can register one here.</p>`);
}

export const signInPage = (query: string, isWrong: boolean): string =>
  htmlPage(
    'Sign in to Sightline',
    `<p>An app asks for access to your account. Sign in first, to see which app and to what.</p>
${isWrong ? '<p class="bad" role="alert">This is not valid. A link works once, within 60 seconds.</p>' : ''}
<form method="post" action="/console/consent/sign-in"><input type="hidden" name="request" value="${escaped(query)}">
<label class="field">API key that manages keys, or a link of "sightline console"<input name="credential" type="password" autocomplete="off" required maxlength="500" autofocus></label>
<button class="main">Sign in</button></form>`,
  );

export const DURATIONS: ReadonlyMap<number, string> = new Map([
  [1, '1 day'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
]);
const DEFAULT_DAYS = 30;
const DEFAULT_CREDITS = 200;

const wordsOf = (scope: Scope): string => `${isArea(scope) ? 'Look up: ' : ''}${SCOPES.get(scope) ?? scope}`;
/** Who gets the answer of a redirect, in words. */
function recipientOf(url: URL): string {
  if (isOfThisComputer(url)) return `a program on your own computer (${url.hostname})`;
  return url.protocol === 'https:' ? url.host : `the installed app that opens ${url.protocol} links`;
}

/** What the app is, where its answer goes, what it may do, spend, and for how long. */
export function consentPage({ app, redirectUri, scopes }: Authorization, query: string, account: string, fault: string | null): string {
  const target = recipientOf(new URL(redirectUri));
  const identity =
    app.host === null
      ? `The app registered itself, and its name is not verified. Go on only if you have just connected it yourself.`
      : `The app is identified by ${app.host}.`;
  const picks = scopes.map(
    (scope) =>
      `<label class="pick"><input type="checkbox" name="scope" value="${scope}" checked><span>${escaped(wordsOf(scope))}</span></label>`,
  );
  const durations = [...DURATIONS].map(
    ([days, words]) => `<option value="${days}"${days === DEFAULT_DAYS ? ' selected' : ''}>${words}</option>`,
  );
  return htmlPage(
    'Let this app use your account?',
    `<p><strong>${escaped(app.name)}</strong> asks for access to the account <strong>${escaped(account)}</strong>. The answer goes to <strong>${escaped(target)}</strong>.</p>
<p class="soft">${escaped(identity)}</p>
${fault === null ? '' : `<p class="bad" role="alert">${escaped(fault)}</p>`}
<form method="post" action="/console/consent"><input type="hidden" name="request" value="${escaped(query)}">
<fieldset><legend>It may</legend>${picks.join('')}</fieldset>
<label class="field">Credits that it may spend a day<input name="creditsPerDay" inputmode="numeric" value="${DEFAULT_CREDITS}" required></label>
<label class="field">For how long<select name="days">${durations.join('')}</select></label>
<p class="soft">You can end it at any time in the console under Keys.</p>
<button class="main" name="decision" value="allow">Allow</button><button name="decision" value="deny">Refuse</button></form>`,
  );
}
