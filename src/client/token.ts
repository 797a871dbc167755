import { mayRetry } from '../contract/retryable.ts';
import { parseBody, responseFacts, SightlineError, unexpected } from './error.ts';
import type { FetchAnswer, Timing } from './fetch.ts';
import type { OAuthClient } from './options.ts';

/** A token is renewed this long before it ends, or after 9/10 of a shorter life. */
const MARGIN_MS = 30_000;
/** One token request serves many calls, so that none of their deadlines ends it. */
const TOKEN_DEADLINE_MS = 20_000;

/** Codes of the service for the errors of its token endpoint (RFC 6749, 5.2). */
const CODES = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  413: 'REQUEST_TOO_LARGE',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'OVERLOADED',
} as const;
const isKnown = (status: number): status is keyof typeof CODES => status in CODES;

export type TokenSource = ReturnType<typeof createTokenSource>;

type Post = (form: string, signal: AbortSignal) => Promise<{ answer: FetchAnswer; body: string }>;

export function createTokenSource(client: OAuthClient, timing: Timing, post: Post) {
  let current: { token: string; until: number } | null = null;
  let running: Promise<string> | null = null;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    ...(client.scope && { scope: client.scope }),
  }).toString();

  async function renew(): Promise<string> {
    const late = new AbortController();
    const cancel = timing.after(TOKEN_DEADLINE_MS, () => late.abort());
    const { answer, body } = await post(form, late.signal).finally(cancel);
    const { access_token: token, expires_in: seconds, error_description: why } = parseBody(body) ?? {};
    if (answer.status === 200 && typeof token === 'string') {
      const lifeMs = typeof seconds === 'number' ? seconds * 1000 : 0;
      current = { token, until: timing.now() + Math.max(lifeMs - MARGIN_MS, lifeMs * 0.9) };
      return token;
    }
    if (typeof why !== 'string' || !isKnown(answer.status)) throw unexpected(answer, timing, 'the token endpoint gave no token');
    const facts = responseFacts(answer, timing);
    const retryable = mayRetry(answer.status === 429 || answer.status >= 500, facts.retryAfterMs);
    throw new SightlineError(CODES[answer.status], why, { ...facts, retryable, charged: 0 });
  }
  return {
    async token(): Promise<string> {
      if (current && timing.now() < current.until) return current.token;
      running ??= renew().finally(() => {
        running = null;
      });
      return running;
    },
    /** The service refused this token: the next call fetches another one. */
    refused(token: string): void {
      if (current?.token === token) current = null;
    },
  };
}
