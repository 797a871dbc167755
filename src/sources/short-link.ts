import { LRUCache } from 'lru-cache';
import type { Address, Thing } from '../contract/parameters/address.ts';
import { atMost } from '../runtime/lru.ts';
import { type Answer, bodyText, type Reply } from '../upstream/answer.ts';
import type { HttpRequest, PaceRule } from '../upstream/ports.ts';
import { createRobots } from '../upstream/robots.ts';
import { blocked, changed, failureOfStatus, type NotFound, refusedInput } from './outcome.ts';
import type { Attempt, Ports } from './source.ts';

const AGENT = 'sightline';
const MAX_HOPS = 5;
const MAX_CACHED = 1_000;
const MAX_BYTES = 262_144;
/** Wait after a 429 without `Retry-After`. */
const LIMITED_MS = 30_000;

/** Sends requests that the host's robots.txt allows, signed where the operator has switched that on. */
type AllowedAsk = (request: HttpRequest) => Promise<Reply | NotFound>;
export function createAllowedAsk(
  { http, clock, settings }: Pick<Ports, 'http' | 'clock' | 'settings'>,
  robots = createRobots(http, clock, settings.SIGHTLINE_ROBOTS_EXEMPT),
): AllowedAsk {
  return async (request) => {
    const verdict = await robots.mayFetch(request.url, AGENT, request.attempt);
    if (verdict.tag === 'barred') return blocked(verdict.what, verdict.detail);
    return verdict.tag === 'allowed' ? http.ask({ ...request, signed: true }) : verdict;
  };
}

export interface LinkRules {
  /** Whether a host may be requested; every hop and its target are checked. */
  readonly mayVisit: (host: string) => boolean;
  /** What a URL of the platform names; null for any other URL. */
  readonly addressOf: (url: string) => Address | null;
  readonly pace: PaceRule;
  /** What it means that a link leads to this URL, which `addressOf` does not know; null: the URL is asked for, if its host may be visited. */
  readonly outcomeOf: (target: URL) => NotFound | null;
}

/** The body of a redirect, which states its target where the header is missing (imputnet/cobalt#1192, okdargy/fxTikTok#53). */
const REDIRECT_BODY =
  /^\s*<a href="(https?:\/\/[^"<>\s]+)">(?:Moved Permanently|Found|See Other|Temporary Redirect|Permanent Redirect)<\/a>\.?\s*$/i;
function locationOf(answer: Answer): string | null {
  const { status, headers } = answer;
  if (status >= 400) return null;
  if (status >= 300 && headers.location) return headers.location;
  return REDIRECT_BODY.exec(bodyText(answer))?.[1]?.replaceAll('&amp;', '&') ?? null;
}

function outcomeOfAnswer(answer: Answer): NotFound {
  const gone = 'The short link led to a page that is not known.';
  const outcome = failureOfStatus(answer, { gone });
  if (outcome.tag === 'refused') return changed(gone, outcome.detail);
  // the limit applies to short links only, not to the source
  return outcome.tag === 'limited' ? { ...outcome, retryAfterMs: outcome.retryAfterMs ?? LIMITED_MS, counts: false } : outcome;
}

/** Finds what a URL names; a short link is followed over at most five redirects, and its target is cached because it never changes. */
export function createAddressFinder(
  ports: Pick<Ports, 'pace'>,
  ask: AllowedAsk,
  { mayVisit, addressOf, pace, outcomeOf: outcomeOfTarget }: LinkRules,
) {
  const cached = new LRUCache<string, Thing>(atMost(MAX_CACHED));

  async function hop(url: string, attempt: Attempt): Promise<{ tag: 'next'; url: URL } | NotFound> {
    const reply = await ask({ url, redirects: 0, maxBytes: MAX_BYTES, pace, attempt });
    if (reply.tag !== 'answer') return reply;
    const target = locationOf(reply.answer);
    if (target === null) {
      const outcome = outcomeOfAnswer(reply.answer);
      if (outcome.tag === 'limited') await ports.pace.rest(pace.key, outcome.retryAfterMs ?? LIMITED_MS);
      return outcome;
    }
    const next = URL.parse(target, url);
    return next ? { tag: 'next', url: next } : changed('The short link led nowhere.', `location ${target.slice(0, 80)}`);
  }

  return async (given: string, attempt: Attempt): Promise<{ tag: 'address'; address: Thing } | NotFound> => {
    const own = addressOf(given);
    if (own === null) return refusedInput('The address is not one that the platform hands out.');
    if (own.kind === 'thing') return { tag: 'address', address: own };
    const known = cached.get(own.url);
    if (known) return { tag: 'address', address: known };
    let { url } = own;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const next = await hop(url, attempt);
      if (next.tag !== 'next') return next;
      const address = addressOf(next.url.href);
      if (address?.kind === 'thing') {
        cached.set(own.url, address);
        return { tag: 'address', address };
      }
      if (/^\/(?:i\/flow\/)?login\b/.test(next.url.pathname))
        return blocked('The platform asked for a sign-in.', 'short link led to /login');
      // another short link of the platform is followed, whatever it leads to
      const end = address === null ? outcomeOfTarget(next.url) : null;
      if (end) return end;
      if (!mayVisit(next.url.hostname)) return changed('The short link leads to a host that is not of the platform.', next.url.origin);
      next.url.protocol = 'https:';
      url = next.url.href;
    }
    return changed('The short link led on and on.', `${MAX_HOPS} hops`);
  };
}
