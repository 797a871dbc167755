import type { Clock } from '../../../runtime/clock.ts';
import type { Attempt, Http } from '../../../upstream/ports.ts';
import { changed, type NotFound, refused } from '../../outcome.ts';
import { objectOf } from '../../untyped-json.ts';
import { readAnswer } from './failures.ts';

const TOKEN_URL = 'https://www.reddit.com/api/v1/access_token';
const TIMEOUT_MS = 10_000;
/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000;
/** Rejected credentials are not retried for this long. */
const COOLDOWN_MS = 30_000;

type TokenResult = { readonly tag: 'token'; readonly token: string } | NotFound;

/** Client credentials grant (RFC 6749, 4.4): a token of the application, without a user and without a refresh token. */
export function createTokens(parts: { http: Http; clock: Clock; clientId: string; clientSecret: string; userAgent: string }) {
  const { http, clock } = parts;
  const credentials = Buffer.from(`${parts.clientId}:${parts.clientSecret}`).toString('base64');
  let cached: { token: string; untilMs: number } | null = null;
  let refusal: { outcome: NotFound; untilMs: number } | null = null;
  let flight: Promise<TokenResult> | null = null;

  async function fetchToken(attempt: Attempt): Promise<TokenResult> {
    const reply = await http.ask({
      method: 'POST',
      url: TOKEN_URL,
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': parts.userAgent,
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
      redirects: 0,
      maxBytes: 1_000_000,
      timeoutMs: TIMEOUT_MS,
      credentials: true,
      // shared by several lookups, so none of them may abort it
      attempt: { ...attempt, signal: new AbortController().signal },
    });
    if (reply.tag !== 'answer') return reply;
    // the endpoint also sends errors with status 200
    const reading = readAnswer(reply.answer, 'The token');
    if (reading.tag !== 'json') {
      if (reading.tag !== 'absent' && reading.tag !== 'refused') return reading;
      const what = "The platform does not accept this service's credentials.";
      const outcome = refused(what, `token: ${reading.detail ?? reply.answer.status}`);
      refusal = { outcome, untilMs: clock.now() + COOLDOWN_MS };
      return outcome;
    }
    const { access_token: token, expires_in: seconds } = objectOf(reading.json) ?? {};
    if (typeof token !== 'string' || !/^[\w.~+/=-]+$/.test(token)) return changed('The platform returned no token.');
    // one hour until 2021, one day since; the answer states it
    const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 3_600_000;
    cached = { token, untilMs: clock.now() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
    return { tag: 'token', token };
  }

  return {
    /** The current token, or a new one; simultaneous calls share one request. */
    async get(attempt: Attempt): Promise<TokenResult> {
      const now = clock.now();
      if (cached && cached.untilMs > now) return { tag: 'token', token: cached.token };
      if (refusal && refusal.untilMs > now && refusal.untilMs <= now + COOLDOWN_MS) return refusal.outcome;
      flight ??= fetchToken(attempt).finally(() => {
        flight = null;
      });
      return flight;
    },
    drop(token: string): void {
      if (cached?.token === token) cached = null;
    },
  };
}
