import type { Answer, Reply } from '../../../upstream/answer.ts';
import { VERSION } from '../../../upstream/http/user-agent.ts';
import { type NotFound, refused, retryAfterMs } from '../../outcome.ts';
import type { Attempt, Ports } from '../../source.ts';
import { createRate, PACE_KEY } from './rate-limit.ts';
import { createTokens } from './token.ts';

export const API = 'https://oauth.reddit.com';
/** Pause after a rate limit without a stated time. */
const PAUSE_MS = 5_000;

export type Got = { ok: true; answer: Answer } | { ok: false; outcome: NotFound };
export interface Client {
  /** Sends one API request with the application's token. Any HTTP answer is returned unchanged; a failed request returns an outcome. */
  ask(path: string, query: Readonly<Record<string, string>>, attempt: Attempt, form?: Readonly<Record<string, string>>): Promise<Got>;
}

/** API client for the operator's application: token, User-Agent, `raw_json=1`, and the pace derived from the platform's rate headers. */
export function createClient(ports: Ports): Client {
  const { settings, http, clock, pace } = ports;
  const clientId = settings.REDDIT_CLIENT_ID ?? '';
  const userAgent = userAgentOf(settings);
  const tokens = createTokens({ http, clock, clientId, clientSecret: settings.REDDIT_CLIENT_SECRET ?? '', userAgent });
  const rate = createRate();

  function send(url: string, token: string, attempt: Attempt, form?: Readonly<Record<string, string>>): Promise<Reply> {
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
      // if the pace allows the request only after the deadline, the outcome is `limited` with that time, without waiting
      timeoutMs: Math.max(1, attempt.deadlineMs - clock.now()),
      signal: attempt.signal,
    });
  }

  async function applyRateLimit({ status, headers, at, body }: Answer): Promise<void> {
    const untilMs = rate.note(headers, at);
    if (untilMs !== null) await pace.rest(PACE_KEY, untilMs - at);
    const wait = retryAfterMs(headers, at);
    const slowed = status === 429 || (status === 403 && (wait ?? 0) > 0) || (status === 200 && body.length === 0);
    if (slowed && untilMs === null) await pace.rest(PACE_KEY, wait ?? PAUSE_MS);
  }

  return {
    async ask(path, query, attempt, form) {
      let url = `${API}${path}?${new URLSearchParams({ ...query, raw_json: '1' })}`;
      let renewed = false;
      let moved = false;
      for (;;) {
        const current = await tokens.get();
        if (!current.ok) return current;
        const reply = await send(url, current.token, attempt, form);
        if (reply.tag !== 'answer') return { ok: false, outcome: reply };
        const { answer } = reply;
        await applyRateLimit(answer);
        if (answer.status === 401) {
          tokens.drop(current.token);
          if (renewed)
            return { ok: false, outcome: refused("The platform does not accept this service's credentials.", '401 with a fresh token') };
          renewed = true;
          continue;
        }
        const canonical = moved || form ? null : canonicalOf(answer);
        if (canonical === null) return { ok: true, answer };
        moved = true;
        url = canonical;
      }
    },
  };
}

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
