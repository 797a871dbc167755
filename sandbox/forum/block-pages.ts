import { html, json, redirect, type SandboxResponse } from '../host.ts';

/** The block page of the network policy. */
export const BLOCK_PAGE =
  '<!doctype html>\n<html>\n  <head>\n    <title>Blocked</title>\n  </head>\n  <body>\n    <h1>whoa there, pardner!</h1>\n<p>Your request has been blocked due to a network policy.</p>\n<p>Try logging in or creating an account to get back to browsing.</p>\n  </body>\n</html>\n';
const SLOW_PAGE =
  '<!doctype html>\n<html>\n  <head>\n    <title>Too Many Requests</title>\n  </head>\n  <body>\n    <h1>whoa there, pardner!</h1>\n<p>we have seen too many requests from you lately. please wait 7 second(s) and try again.</p>\n  </body>\n</html>\n';
const CHALLENGE_PAGE =
  '<!DOCTYPE html>\n<html lang="en">\n<head><title>Reddit - Please wait for verification</title><script>document.addEventListener("DOMContentLoaded",()=>document.forms[0].requestSubmit(),{once:true})</script></head>\n<body><main><form method="GET"><input type="hidden" name="solution"/></form></main></body>\n</html>\n';

export const forbidden = (reason?: string, more: object = {}): SandboxResponse =>
  json({ ...(reason && { reason }), ...more, message: 'Forbidden', error: 403 }, 403);
export const notFound = (reason?: string): SandboxResponse => json({ ...(reason && { reason }), message: 'Not Found', error: 404 }, 404);
export const unauthorized = (): SandboxResponse =>
  json({ message: 'Unauthorized', error: 401 }, 401, { 'www-authenticate': 'Bearer realm="reddit", error="invalid_token"' });
export const blockedPage = (): SandboxResponse => html(BLOCK_PAGE, 403);
export const noSuchCommunity = (name: string): SandboxResponse =>
  redirect(`https://oauth.reddit.com/subreddits/search?q=${encodeURIComponent(name)}`);

/** Communities and posts with a response other than data: by name, and by the id of a post in them. */
export const BLOCK_PAGES: Readonly<Record<string, { readonly post: string; readonly answer: () => SandboxResponse }>> = {
  private_club: { post: '1wall01', answer: () => forbidden('private') },
  banned_shop: { post: '1wall02', answer: () => notFound('banned') },
  quarantined_talk: {
    post: '1wall03',
    answer: () => forbidden('quarantined', { quarantine_message_html: '<p>Think twice.</p>', quarantine_message: 'Think twice.' }),
  },
  gated_talk: { post: '1wall04', answer: () => forbidden('gated') },
  members_lounge: { post: '1wall05', answer: () => forbidden('gold_only') },
  forbidden_talk: { post: '1wall06', answer: () => forbidden() },
  slow_down: { post: '1wall07', answer: () => html(SLOW_PAGE, 429, { 'retry-after': '7' }) },
  slow_403: { post: '1wall08', answer: () => html('<html><title>Forbidden</title></html>', 403, { 'retry-after': '7' }) },
  empty_answer: { post: '1wall09', answer: () => ({ status: 200, body: '' }) },
  block_page: { post: '1wall10', answer: blockedPage },
  challenge_page: { post: '1wall11', answer: () => html(CHALLENGE_PAGE) },
  legal_hold: { post: '1wall12', answer: () => ({ status: 451, body: '' }) },
  broken_down: { post: '1wall13', answer: () => ({ status: 503, body: '' }) },
  error_in_200: { post: '1wall14', answer: () => json({ message: 'Not Found', error: 404 }) },
  cut_off: {
    post: '1wall15',
    answer: () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"kind": "Listing", "data": {"after": null, "children": [',
    }),
  },
};
export const blockPageOfPost = (postId: string): SandboxResponse | null =>
  Object.values(BLOCK_PAGES)
    .find((w) => w.post === postId)
    ?.answer() ?? null;
