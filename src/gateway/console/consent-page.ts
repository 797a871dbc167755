import { hash } from 'node:crypto';
import { isLoopback } from '../../accounts/oauth/apps.ts';
import type { Authorization } from '../../accounts/oauth/authorize.ts';
import { SCOPES } from '../../contract/scopes.ts';

const STYLE = `:root{color-scheme:light dark;--page:light-dark(#f5f6f8,#0d0f13);--surface:light-dark(#fff,#14171d);--ink:light-dark(#14161d,#eceef3);
--soft:light-dark(#565d6d,#9ca4b4);--line:light-dark(#e3e5ea,#272c36);--edge:light-dark(#868d9c,#717a8b);--fill:light-dark(#4547c9,#5a5ee0);
--bad:light-dark(#b3261e,#ff9d95)}
body{margin:0;padding:24px 16px;background:var(--page);color:var(--ink);font:400 14px/20px Inter,system-ui,sans-serif}
main{max-width:440px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
h1{margin:0 0 16px;font-size:16px;line-height:24px;font-weight:600}p{margin:0 0 12px;overflow-wrap:anywhere}
.soft{color:var(--soft)}.bad{color:var(--bad)}fieldset{margin:0 0 16px;padding:0;border:0}legend{padding:0 0 8px;font-weight:500}
.pick{display:flex;gap:8px;padding:4px 0}.field{display:block;margin:0 0 16px;font-weight:500}
.field input,.field select{display:block;box-sizing:border-box;width:100%;height:40px;margin-top:4px;padding:0 12px;font:inherit;font-size:16px;color:inherit;
background:var(--surface);border:1px solid var(--edge);border-radius:6px}
button{height:40px;margin-right:8px;padding:0 16px;font:inherit;font-weight:500;border:1px solid var(--edge);border-radius:6px;background:var(--surface);color:inherit}
button.main{background:var(--fill);border-color:var(--fill);color:#fff}`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const document = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${head}<style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** Headers of every page: no script, no frame, no other origin. Browsers apply `form-action` to the `redirect` that answers a form too. */
export function pageHeaders(redirect: string | null): readonly string[] {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
    `form-action 'self'${redirect === null ? '' : ` ${sourceOf(new URL(redirect))}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const headers = { 'Content-Security-Policy': policy, 'X-Frame-Options': 'DENY', 'Cross-Origin-Opener-Policy': 'same-origin' };
  return [...Object.entries(headers).flat(), 'Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store'];
}
/** A source of a policy has no IPv6 address and needs an origin, which schemes of installed apps do not have. */
const sourceOf = (url: URL): string =>
  url.protocol === 'https:' || (isLoopback(url) && !url.hostname.startsWith('[')) ? url.origin : url.protocol;

/** Opens the consent page from this origin: the cookie of the session is not sent with a request that another site caused. */
export const hopPage = (path: string): string =>
  document(
    'Sign in to Sightline',
    `<p><a href="${escaped(path)}">Continue</a></p>`,
    `<meta http-equiv="refresh" content="0; url=${escaped(path)}">`,
  );

export const messagePage = (title: string, message: string): string => document(escaped(title), `<p>${escaped(message)}</p>`);

export const signInPage = (query: string, isWrong: boolean): string =>
  document(
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

/** What the app is, where its answer goes, what it may do, spend, and for how long. */
export function consentPage({ app, redirectUri, scopes }: Authorization, query: string, account: string, fault: string | null): string {
  const url = new URL(redirectUri);
  const target = isLoopback(url)
    ? `a program on your own computer (${url.hostname})`
    : url.protocol === 'https:'
      ? url.host
      : `the installed app that opens ${url.protocol} links`;
  const identity =
    app.host === null
      ? `The app registered itself, and its name is not verified. Go on only if you have just connected it yourself.`
      : `The app is identified by ${app.host}.`;
  const picks = scopes.map(
    (scope) =>
      `<label class="pick"><input type="checkbox" name="scope" value="${scope}" checked><span>${escaped(SCOPES.get(scope) ?? scope)}</span></label>`,
  );
  const durations = [...DURATIONS].map(
    ([days, words]) => `<option value="${days}"${days === DEFAULT_DAYS ? ' selected' : ''}>${words}</option>`,
  );
  return document(
    'Let this app use your account?',
    `<p><strong>${escaped(app.name)}</strong> asks for access to the account <strong>${escaped(account)}</strong>. The answer goes to <strong>${escaped(target)}</strong>.</p>
<p class="soft">${escaped(identity)}</p>
${fault === null ? '' : `<p class="bad" role="alert">${escaped(fault)}</p>`}
<form method="post" action="/console/consent"><input type="hidden" name="request" value="${escaped(query)}">
<fieldset><legend>It may read</legend>${picks.join('')}</fieldset>
<label class="field">Credits that it may spend a day<input name="creditsPerDay" inputmode="numeric" value="${DEFAULT_CREDITS}" required></label>
<label class="field">For how long<select name="days">${durations.join('')}</select></label>
<p class="soft">You can end it at any time in the console under Keys.</p>
<button class="main" name="decision" value="allow">Allow</button><button name="decision" value="deny">Refuse</button></form>`,
  );
}
