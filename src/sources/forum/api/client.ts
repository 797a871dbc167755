import { VERSION } from '../../../runtime/installation.ts';
import { singleFlight } from '../../../runtime/single-flight.ts';
import type { Answer, Reply } from '../../../upstream/answer.ts';
import type { Attempt, PaceRule } from '../../../upstream/ports.ts';
import { unlessCutJson } from '../../cut-answers.ts';
import { changed, type NotFound, refused, retryAfterMs } from '../../outcome.ts';
import type { Ports } from '../../source.ts';
import { objectOf } from '../../untyped-json.ts';
import { readAnswer } from './failures.ts';

const API = 'https://oauth.reddit.com';
const REST_MS = 5_000;

type Query = Readonly<Record<string, string>>;

/** One key, because the whole service shares one client id. */
const PACE_KEY = 'forum/api';
const WINDOW_MS = 600_000;
/** Allowance of one client: 1,000 requests in 10 minutes (Data API wiki, recordings of 2026). */
const ALLOWANCE = 1_000;
const MAX_BURST = 100;
/** Requests of a window that are left unused, because other processes may be about to use them. */
const RESERVE = 2;

/** Derives the pace from x-ratelimit-*: remaining requests over the window (`-reset` in seconds), burst 1/5 of the remaining. */
export function createRate() {
  let everyMs = WINDOW_MS / ALLOWANCE;
  let burst = MAX_BURST;
  return {
    rule: (): PaceRule => ({ key: PACE_KEY, everyMs, burst }),
    /** Updates the pace from an answer. Returns the time until which the application rests (epoch ms), or null. */
    note(headers: Query, nowMs: number): number | null {
      const amount = (name: string): number => {
        const value = Number(headers[`x-ratelimit-${name}`]?.trim() || Number.NaN);
        return value >= 0 && Number.isFinite(value) ? value : -1;
      };
      const [used, left, reset] = [amount('used'), amount('remaining'), amount('reset')];
      if (left < 0 || reset < 0) return null;
      const leftMs = Math.min(reset * 1000, WINDOW_MS);
      if (left < RESERVE) return nowMs + leftMs;
      everyMs = Math.ceil(Math.max(WINDOW_MS / Math.max(left + Math.max(used, 0), 1), leftMs / left));
      burst = Math.max(1, Math.min(MAX_BURST, Math.floor(left / 5)));
      return null;
    },
  };
}

export function createClient(ports: Ports) {
  const { settings, http, pace } = ports;
  const userAgent = userAgentOf(settings);
  const tokens = createTokens(ports, userAgent);
  const rate = createRate();

  function send(url: string, token: string, attempt: Attempt, form?: Query): Promise<Reply> {
    return http.ask({
      method: form ? 'POST' : 'GET',
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'user-agent': userAgent,
        accept: 'application/json',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
      redirects: 0,
      pace: rate.rule(),
      attempt,
    });
  }

  async function applyRateLimit({ status, headers, atMs, body }: Answer): Promise<void> {
    const untilMs = rate.note(headers, atMs);
    if (untilMs !== null) await pace.rest(PACE_KEY, untilMs - atMs);
    const wait = retryAfterMs(headers, atMs);
    const slowed = status === 429 || (status === 403 && (wait ?? 0) > 0) || (status === 200 && body.length === 0);
    if (slowed && untilMs === null) await pace.rest(PACE_KEY, wait ?? REST_MS);
  }

  return {
    /** Sends one request with the application's token. Any HTTP answer is returned unchanged; a failed request returns an outcome. */
    async ask(path: string, query: Query, attempt: Attempt, form?: Query): Promise<Reply | NotFound> {
      let url = `${API}${path}?${new URLSearchParams({ ...query, raw_json: '1' })}`;
      let renewed = false;
      let moved = false;
      for (;;) {
        const current = await tokens.get(attempt);
        if (current.tag !== 'token') return current;
        const reply = await send(url, current.token, attempt, form);
        if (reply.tag !== 'answer') return reply;
        const { answer } = reply;
        await applyRateLimit(answer);
        if (answer.status === 401) {
          tokens.drop(current.token);
          if (renewed) return refused("The platform does not accept this service's credentials.", '401 with a fresh token');
          renewed = true;
          continue;
        }
        const canonical = moved || form ? null : canonicalOf(answer);
        if (canonical === null) return reply;
        moved = true;
        url = canonical;
      }
    },
  };
}
export type Client = ReturnType<typeof createClient>;

/** `<platform>:<app id>:<version> (<contact>)`, as the platform's API rules require; printable ASCII only. */
function userAgentOf({ REDDIT_USER_AGENT, REDDIT_CLIENT_ID, SIGHTLINE_CONTACT }: Ports['settings']): string {
  const own = REDDIT_USER_AGENT ?? `node:${REDDIT_CLIENT_ID}:${VERSION} (Sightline${SIGHTLINE_CONTACT ? `; ${SIGHTLINE_CONTACT}` : ''})`;
  return own.replace(/[^\x20-\x7e]/g, '').trim();
}

/** The canonical URL to which a 301 redirects, on the same host; followed once. */
function canonicalOf(answer: Answer): string | null {
  if (answer.status !== 301 || !answer.headers.location) return null;
  const to = URL.parse(answer.headers.location, answer.url);
  if (to?.origin !== API || /^\/(subreddits|submit|login|over18)/.test(to.pathname)) return null;
  to.search = URL.parse(answer.url)?.search ?? '?raw_json=1';
  return to.href;
}

const TOKEN_URL = 'https://www.reddit.com/api/v1/access_token';
const TIMEOUT_MS = 10_000;
const MARGIN_MS = 60_000;
const COOLDOWN_MS = 30_000;

type TokenResult = { readonly tag: 'token'; readonly token: string } | NotFound;

/** Client credentials grant (RFC 6749, 4.4): a token of the application, without a user and without a refresh token. */
export function createTokens({ http, clock, settings }: Pick<Ports, 'http' | 'clock' | 'settings'>, userAgent: string) {
  const credentials = Buffer.from(`${settings.REDDIT_CLIENT_ID}:${settings.REDDIT_CLIENT_SECRET}`).toString('base64');
  let cached: { token: string; untilMs: number } | null = null;
  let refusal: { outcome: NotFound; untilMs: number } | null = null;
  const fetchToken = singleFlight(async (attempt: Attempt): Promise<TokenResult> => {
    const reply = await http.ask({
      method: 'POST',
      url: TOKEN_URL,
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': userAgent,
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
      redirects: 0,
      maxBytes: 1_000_000,
      timeoutMs: TIMEOUT_MS,
      credentials: true,
      shared: true,
      attempt,
    });
    if (reply.tag !== 'answer') return reply;
    // the endpoint also sends errors with status 200
    const reading = unlessCutJson(readAnswer(reply.answer, 'The token'), reply.answer);
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
  });

  return {
    async get(attempt: Attempt): Promise<TokenResult> {
      const now = clock.now();
      if (cached && cached.untilMs > now) return { tag: 'token', token: cached.token };
      if (refusal && refusal.untilMs > now && refusal.untilMs <= now + COOLDOWN_MS) return refusal.outcome;
      return fetchToken(attempt);
    },
    drop(token: string): void {
      if (cached?.token === token) cached = null;
    },
  };
}
