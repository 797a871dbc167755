import type { Clock } from '../../../runtime/clock.ts';
import { jsonOf } from '../../../upstream/answer.ts';
import type { Http } from '../../../upstream/ports.ts';
import { changed, type NotFound, refused } from '../../outcome.ts';
import { isObject } from '../../untyped-json.ts';
import { readAnswer } from './failures.ts';

const TOKEN_URL = 'https://www.reddit.com/api/v1/access_token';
const TIMEOUT_MS = 10_000;
/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000;
/** Rejected credentials are not retried for this long. */
const COOLDOWN_MS = 30_000;

export type TokenResult = { ok: true; token: string } | { ok: false; outcome: NotFound };

export interface Tokens {
  /** The current token, or a new one; simultaneous calls share one request. */
  get(): Promise<TokenResult>;
  /** Discards a token that the platform rejected. */
  drop(token: string): void;
}

/** Client credentials grant (RFC 6749, 4.4): a token of the application, without a user and without a refresh token. */
export function createTokens(parts: { http: Http; clock: Clock; clientId: string; clientSecret: string; userAgent: string }): Tokens {
  const { http, clock } = parts;
  const credentials = Buffer.from(`${parts.clientId}:${parts.clientSecret}`).toString('base64');
  let cached: { token: string; untilMs: number } | null = null;
  let refusal: { outcome: NotFound; untilMs: number } | null = null;
  let flight: Promise<TokenResult> | null = null;

  async function fetchToken(): Promise<TokenResult> {
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
      signal: new AbortController().signal,
    });
    if (reply.tag !== 'answer') return { ok: false, outcome: reply };
    // the endpoint also sends errors with status 200
    const reading = readAnswer(reply.answer, 'The token');
    if (!reading.ok) {
      const outcome =
        reading.outcome.tag === 'absent' || reading.outcome.tag === 'refused'
          ? refused("The platform does not accept this service's credentials.", `token: ${reading.outcome.detail ?? reply.answer.status}`)
          : reading.outcome;
      if (outcome.tag === 'refused') refusal = { outcome, untilMs: clock.now() + COOLDOWN_MS };
      return { ok: false, outcome };
    }
    const json = jsonOf(reply.answer);
    const token =
      isObject(json) && typeof json.access_token === 'string' && /^[\w.~+/=-]+$/.test(json.access_token) ? json.access_token : null;
    if (token === null || !isObject(json)) return { ok: false, outcome: changed('The platform returned no token.') };
    // one hour until 2021, one day since; the answer states it
    const lifeMs = typeof json.expires_in === 'number' && json.expires_in > 0 ? json.expires_in * 1000 : 3_600_000;
    cached = { token, untilMs: clock.now() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
    return { ok: true, token };
  }

  return {
    async get() {
      const now = clock.now();
      if (cached && cached.untilMs > now) return { ok: true, token: cached.token };
      if (refusal && refusal.untilMs > now && refusal.untilMs <= now + COOLDOWN_MS) return { ok: false, outcome: refusal.outcome };
      flight ??= fetchToken().finally(() => {
        flight = null;
      });
      return flight;
    },
    drop(token) {
      if (cached?.token === token) cached = null;
    },
  };
}
