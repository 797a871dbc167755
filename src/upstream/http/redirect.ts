import type { HttpRequest } from '../ports.ts';

/** The request of one hop. Header names in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: NonNullable<HttpRequest['method']>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const FOLLOWED = new Set([301, 302, 303, 307, 308]);
/** Headers that are sent to another origin. Any other header may be a credential, which is sent to its own origin only. */
const CARRIED_ELSEWHERE = /^(accept|accept-encoding|accept-language|user-agent|cache-control|if-none-match|if-modified-since)$/;
const OF_BODY = /^content-/;

const only = (headers: Hop['headers'], keep: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));

/** The next hop of a redirect (RFC 9110, 15.4), the reason why it is not followed, or null if the answer is not a redirect. */
export function nextHop(
  hop: Hop,
  status: number,
  location: string | undefined,
  mayFollow: ((url: URL) => boolean) | undefined,
): Hop | { refused: string } | null {
  if (!location || !FOLLOWED.has(status) || !URL.canParse(location, hop.url.href)) return null;
  const url = new URL(location, hop.url);
  url.hash = '';
  const elsewhere = url.origin !== hop.url.origin;
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') return { refused: 'a redirect from https to http' };
  if (mayFollow && !mayFollow(url)) return { refused: `a redirect to ${url.origin}` };
  let { method, body, headers } = hop;
  if ((status === 303 && method !== 'HEAD') || (method === 'POST' && status <= 302)) {
    method = 'GET';
    body = undefined;
    headers = only(headers, (name) => !OF_BODY.test(name));
  }
  if (elsewhere && body !== undefined) return { refused: `a redirect of a body to ${url.origin}` };
  if (elsewhere) headers = only(headers, (name) => CARRIED_ELSEWHERE.test(name));
  return { url, method, headers, body };
}
