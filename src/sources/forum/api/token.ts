import type { Clock } from '../../../runtime/clock.ts';
import { jsonOf } from '../../../upstream/answer.ts';
import type { Http } from '../../../upstream/ports.ts';
import { changed, type NotFound, refused } from '../../outcome.ts';
import { isObject } from '../../untyped-json.ts';
import { readAnswer } from './failures.ts';

const TOKEN_URL = 'https://www.reddit.com/api/v1/access_token';
const TIMEOUT_MS = 10_000;
/** Renewed that long before it ends. */
const MARGIN_MS = 60_000;
/** Credentials that were refused are not tried again before. */
const COOLDOWN_MS = 30_000;

export type TokenResult = { ok: true; token: string } | { ok: false; outcome: NotFound };

export interface Tokens {
  /** The token in use, or a new one; all who ask at the same time share one request. */
  get(): Promise<TokenResult>;
  /** The platform did not accept this one. */
  drop(token: string): void;
}

/** Application-only OAuth (RFC 6749, 4.4): the application's own token, without a user and without a refresh token. */
export function createTokens(parts: { http: Http; clock: Clock; clientId: string; clientSecret: string; userAgent: string }): Tokens {
  const { http, clock } = parts;
  const credentials = Buffer.from(`${parts.clientId}:${parts.clientSecret}`).toString('base64');
  let kept: { token: string; untilMs: number } | null = null;
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
      // shared by many lookups: none of them may end it for the others
      signal: new AbortController().signal,
    });
    if (reply.tag !== 'answer') return { ok: false, outcome: reply };
    // errors come with status 200 too
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
    if (token === null || !isObject(json)) return { ok: false, outcome: changed('The platform gave no token.') };
    // an hour until 2021, a day since: the answer says
    const lifeMs = typeof json.expires_in === 'number' && json.expires_in > 0 ? json.expires_in * 1000 : 3_600_000;
    kept = { token, untilMs: clock.now() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
    return { ok: true, token };
  }

  return {
    async get() {
      const now = clock.now();
      if (kept && kept.untilMs > now) return { ok: true, token: kept.token };
      if (refusal && refusal.untilMs > now && refusal.untilMs <= now + COOLDOWN_MS) return { ok: false, outcome: refusal.outcome };
      flight ??= fetchToken().finally(() => {
        flight = null;
      });
      return flight;
    },
    drop(token) {
      if (kept?.token === token) kept = null;
    },
  };
}
