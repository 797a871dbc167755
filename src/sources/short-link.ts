import { LRUCache } from 'lru-cache';
import type { Address, Thing } from '../contract/parameters/address.ts';
import { atMost } from '../runtime/lru.ts';
import type { Answer, Reply } from '../upstream/answer.ts';
import type { HttpRequest, PaceRule } from '../upstream/ports.ts';
import { createRobots } from '../upstream/robots.ts';
import { absent, blocked, changed, failureOfStatus, type NotFound, refused } from './outcome.ts';
import type { Attempt, Ports } from './source.ts';

const AGENT = 'sightline';
const MAX_HOPS = 5;
const MAX_CACHED = 1_000;
const MAX_BYTES = 262_144;
/** Wait after a 429 without `Retry-After`. */
const LIMITED_MS = 30_000;

/** Sends requests that the host's robots.txt allows. */
type AllowedAsk = (request: HttpRequest) => Promise<Reply | NotFound>;
export function createAllowedAsk(
  { http, clock, settings }: Pick<Ports, 'http' | 'clock' | 'settings'>,
  robots = createRobots(http, clock, settings.SIGHTLINE_ROBOTS_EXEMPT),
): AllowedAsk {
  return async (request) => {
    const verdict = await robots.mayFetch(request.url, AGENT, request.attempt);
    if (verdict.tag === 'barred') return blocked(verdict.what, verdict.detail);
    return verdict.tag === 'allowed' ? http.ask(request) : verdict;
  };
}

export interface LinkRules {
  /** Whether a host may be requested; every hop and its target are checked. */
  readonly mayVisit: (host: string) => boolean;
  /** What a URL of the platform names; null for any other URL. */
  readonly addressOf: (url: string) => Address | null;
  readonly pace: PaceRule;
  /** Noun for error messages: "video", "post". */
  readonly thing: string;
}

function outcomeOf(answer: Answer): NotFound {
  const outcome = failureOfStatus(answer, {});
  if (outcome.tag === 'refused') return changed('The short link led to a page that is not known.', outcome.detail);
  // the limit applies to short links only, not to the source
  return outcome.tag === 'limited' ? { ...outcome, retryAfterMs: outcome.retryAfterMs ?? LIMITED_MS, counts: false } : outcome;
}

/** Finds what a URL names; a short link is followed over at most five redirects, and its target is cached because it never changes. */
export function createAddressFinder(ports: Pick<Ports, 'pace'>, ask: AllowedAsk, { mayVisit, addressOf, pace, thing }: LinkRules) {
  const cached = new LRUCache<string, Thing>(atMost(MAX_CACHED));

  async function hop(url: string, isFirst: boolean, attempt: Attempt): Promise<{ tag: 'next'; url: URL } | NotFound> {
    const reply = await ask({ url, redirects: 0, maxBytes: MAX_BYTES, pace, attempt });
    if (reply.tag !== 'answer') return reply;
    const { status, headers } = reply.answer;
    // a final page whose URL does not name a video or post will not change
    if (!isFirst && status === 200)
      return absent(`The short link leads to something that is no ${thing}.`, `led to ${new URL(url).pathname}`);
    if (status < 300 || status >= 400 || !headers.location) {
      const outcome = outcomeOf(reply.answer);
      if (outcome.tag === 'limited') await ports.pace.rest(pace.key, outcome.retryAfterMs ?? LIMITED_MS);
      return outcome;
    }
    const next = URL.parse(headers.location, url);
    return next ? { tag: 'next', url: next } : changed('The short link led nowhere.', `location ${headers.location.slice(0, 80)}`);
  }

  return async (given: string, attempt: Attempt): Promise<{ tag: 'address'; address: Thing } | NotFound> => {
    const own = addressOf(given);
    if (own === null) return refused(`The address names no ${thing}.`);
    if (own.kind === 'thing') return { tag: 'address', address: own };
    const known = cached.get(own.url);
    if (known) return { tag: 'address', address: known };
    let { url } = own;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const next = await hop(url, hops === 0, attempt);
      if (next.tag !== 'next') return next;
      const address = addressOf(next.url.href);
      if (address?.kind === 'thing') {
        cached.set(own.url, address);
        return { tag: 'address', address };
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
