import { CookieJar } from 'tough-cookie';
import type { Answer, Reply } from '../../../upstream/answer.ts';
import type { HttpRequest, PaceRule } from '../../../upstream/ports.ts';
import { createRobots } from '../../../upstream/robots.ts';
import { blocked, limited, type NotFound, retryAfterMs } from '../../outcome.ts';
import type { Attempt, Ports } from '../../source.ts';
import { address, ORIGIN } from './links.ts';

const HOST = new URL(ORIGIN).host;
const AGENT_TOKEN = 'Sightline';
const HEADERS = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en-US,en;q=0.9' };
/** A page that asks for fewer requests without saying for how long. */
const LEAST_REST_MS = 60_000;

export interface PageRequest {
  /** Path and query. */
  readonly path: string;
  /** Ask for this frame alone. */
  readonly frame?: string;
  /** The operator has switched on what robots.txt bars. */
  readonly allowed?: true;
}
export type PageReply = { tag: 'answer'; answer: Answer } | NotFound;
export interface Client {
  ask(request: PageRequest, attempt: Attempt): Promise<PageReply>;
  /** Ms between two requests. */
  readonly everyMs: number;
}

const clients = new WeakMap<Ports, Client>();
/** The one polite client of a process: one pace, one cookie jar, one robots.txt, one rest for all operations. */
export function clientOf(ports: Ports): Client {
  const client = clients.get(ports) ?? createClient(ports);
  clients.set(ports, client);
  return client;
}

function createClient(ports: Ports): Client {
  const { clock, settings } = ports;
  const everyMs = settings.SIGHTLINE_APPMARKET_PACE_MS;
  const pace: PaceRule = { key: HOST, everyMs, burst: 1 };
  const robots = createRobots({ ask: askRobots }, clock, settings.SIGHTLINE_ROBOTS_EXEMPT);
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false });
  /** Why it rests: a wall, or a limit that the marketplace stated. */
  let walled = false;

  /** Nobody asks for a while: neither here nor, where the pace is shared, elsewhere. */
  async function rest(ms: number, why: 'a wall' | 'a wall before robots.txt' | 'too many requests'): Promise<void> {
    walled = why !== 'too many requests';
    ports.log('warn', `the app marketplace rests for ${Math.round(ms / 1000)} s: ${why}`);
    await ports.pace.rest(HOST, ms);
  }

  /** A wall in the place of robots.txt says nothing about what is allowed. */
  async function askRobots(request: HttpRequest): Promise<Reply> {
    const reply = await ports.http.ask({ ...request, pace });
    if (!isBlockPage(reply)) return reply;
    await rest(settings.SIGHTLINE_APPMARKET_REST_MS, 'a wall before robots.txt');
    return { tag: 'unreachable', what: 'The app marketplace put up a wall.' };
  }

  async function once({ path, frame }: PageRequest, attempt: Attempt): Promise<PageReply> {
    const url = `${ORIGIN}${path}`;
    const cookie = jar.getCookieStringSync(url);
    const headers = { ...HEADERS, ...(cookie && { cookie }), ...(frame && { 'turbo-frame': frame }) };
    const timeoutMs = Math.max(1, attempt.deadlineMs - clock.now());
    const reply = await ports.http.ask({ url, headers, pace, timeoutMs, redirects: 0, signal: attempt.signal });
    if (isBlockPage(reply)) await rest(settings.SIGHTLINE_APPMARKET_REST_MS, 'a wall');
    if (reply.tag !== 'answer') return reply;
    const { answer } = reply;
    for (const line of answer.headers['set-cookie']?.split('\n') ?? []) jar.setCookieSync(line, url, { ignoreError: true });
    if (answer.status === 429) await rest(Math.max(LEAST_REST_MS, retryAfterMs(answer.headers, clock.now()) ?? 0), 'too many requests');
    return reply;
  }

  const resting = (leftMs: number): NotFound =>
    walled
      ? blocked(
          `The app marketplace put up a wall a short while ago and is left alone: ask again in ${Math.ceil(leftMs / 60_000)} minutes.`,
          `rests ${leftMs} ms more`,
        )
      : limited('The app marketplace limits how often it may be asked.', Math.ceil(leftMs), `rests ${leftMs} ms more`);

  return {
    everyMs,
    async ask(request, attempt) {
      let path = request.path;
      for (let followed = 0; ; followed++) {
        const restMs = await ports.pace.resting(HOST);
        if (restMs > 0) return resting(restMs);
        const verdict = request.allowed ? null : await robots.mayFetch(`${ORIGIN}${path}`, AGENT_TOKEN, attempt.signal);
        if (verdict?.tag === 'barred') return blocked(verdict.what, verdict.detail);
        if (verdict && verdict.tag !== 'allowed') {
          const leftMs = await ports.pace.resting(HOST);
          return leftMs > 0 ? resting(leftMs) : verdict;
        }
        const reply = await once({ ...request, path }, attempt);
        const next = reply.tag === 'answer' && followed === 0 ? redirectOf(reply.answer) : null;
        if (next === null) return reply;
        path = next;
      }
    },
  };
}

const isBlockPage = (reply: Reply): boolean => reply.tag === 'blocked' || (reply.tag === 'answer' && reply.answer.status === 403);

/** Where a renamed page went: within the marketplace, and not to its front page or a login. */
function redirectOf({ status, headers }: Answer): string | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const url = address(headers.location ?? null);
  if (url?.host !== HOST || url.pathname === '/' || url.pathname.startsWith('/login')) return null;
  return url.pathname + url.search;
}
