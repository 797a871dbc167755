import type { Answer } from '../upstream/answer.ts';
import type { PaceRule } from '../upstream/ports.ts';
import type { RobotsKeeper } from '../upstream/robots.ts';
import { absent, blocked, changed, limited, type NotFound, refused, retryAfterMs, unreachable } from './outcome.ts';
import type { Ports } from './source.ts';

/** The product token of the User-Agent, as used in robots.txt rules. */
export const AGENT = 'sightline';
const MAX_HOPS = 5;
const MAX_CACHED = 1_000;
const MAX_BYTES = 262_144;
/** Wait after a 429 without `Retry-After`. */
const LIMITED_MS = 30_000;

export interface ShortLinks {
  readonly ports: Ports;
  readonly robots: RobotsKeeper;
  /** Whether a host may be requested; every hop and its target are checked. */
  readonly mayVisit: (host: string) => boolean;
  /** The canonical URL of the video or post that a URL names; null for any other URL. */
  readonly nameOf: (url: string) => string | null;
  readonly pace: PaceRule;
  /** Noun for error messages: "video", "post". */
  readonly thing: string;
}
export type Resolved = { tag: 'leads'; url: string } | NotFound;

function outcomeOf(answer: Answer): NotFound {
  const detail = `HTTP ${answer.status} of a short link`;
  const { status } = answer;
  if (status === 429) {
    const waitMs = retryAfterMs(answer.headers, answer.at) ?? LIMITED_MS;
    // the limit applies to short links only, not to the source
    return { ...limited('The platform limits the number of requests.', waitMs, detail), counts: false };
  }
  if (status === 401 || status === 403) return blocked('The platform refused the request.', detail);
  if (status >= 500) return unreachable('The platform failed on its side.', detail);
  return changed('The short link led to a page that is not known.', detail);
}

/**
 * Follows the redirects of short links: at most five, each to a host of the platform. The target of a short link never changes, so it is
 * cached.
 */
export function createShortLinks({ ports, robots, mayVisit, nameOf, pace, thing }: ShortLinks) {
  const cached = new Map<string, string>();

  async function hop(url: string, isFirst: boolean, signal: AbortSignal): Promise<{ tag: 'next'; url: URL } | NotFound> {
    const leave = await robots.mayFetch(url, AGENT, signal);
    if (leave.tag === 'barred') return blocked(leave.what, leave.detail);
    if (leave.tag !== 'allowed') return leave;
    const reply = await ports.http.ask({ url, redirects: 0, maxBytes: MAX_BYTES, pace, signal });
    if (reply.tag !== 'answer') return reply;
    const location = reply.answer.headers.location;
    // a final page whose URL does not name a video or post will not change
    if (!isFirst && reply.answer.status === 200)
      return absent(`The short link leads to something that is no ${thing}.`, `led to ${new URL(url).pathname}`);
    if (reply.answer.status < 300 || reply.answer.status >= 400 || !location) {
      const outcome = outcomeOf(reply.answer);
      if (outcome.tag === 'limited') await ports.pace.rest(pace.key, outcome.retryAfterMs ?? LIMITED_MS);
      return outcome;
    }
    if (!URL.canParse(location, url)) return changed('The short link led nowhere.', `location ${location.slice(0, 80)}`);
    return { tag: 'next', url: new URL(location, url) };
  }

  return async function follow(short: string, signal: AbortSignal): Promise<Resolved> {
    const known = cached.get(short);
    if (known) return { tag: 'leads', url: known };
    let url = short;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const next = await hop(url, hops === 0, signal);
      if (next.tag !== 'next') return next;
      const named = nameOf(next.url.href);
      if (named) {
        if (cached.size >= MAX_CACHED) cached.clear();
        cached.set(short, named);
        return { tag: 'leads', url: named };
      }
      if (/^\/login\b/.test(next.url.pathname)) return blocked('The platform asked for a sign-in.', 'short link led to /login');
      // dead links redirect to the front page; other hosts do not belong to the platform
      if (!mayVisit(next.url.hostname) || /^\/?$/.test(next.url.pathname))
        return absent(`The short link leads to no ${thing}.`, `led to ${next.url.origin}`);
      if (!/^https?:$/.test(next.url.protocol)) return refused('The short link led nowhere.', next.url.protocol);
      next.url.protocol = 'https:';
      url = next.url.href;
    }
    return changed('The short link led on and on.', `${MAX_HOPS} hops`);
  };
}
