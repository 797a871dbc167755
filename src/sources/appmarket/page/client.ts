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
/** Shortest pause after a 429. */
const MIN_PAUSE_MS = 60_000;

export interface PageRequest {
  /** Path and query. */
  readonly path: string;
  /** Requests this frame alone. */
  readonly frame?: string;
  /** The operator allows this request although robots.txt disallows it. */
  readonly allowed?: true;
}
export type PageReply = { tag: 'answer'; answer: Answer } | NotFound;
export interface Client {
  ask(request: PageRequest, attempt: Attempt): Promise<PageReply>;
  /** Milliseconds between two requests. */
  readonly everyMs: number;
}

const clients = new WeakMap<Ports, Client>();
/** The client of a process: pace, cookie jar, robots.txt and pauses are shared by all operations. */
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
  /** Reason of the current pause: a block page (true) or a rate limit (false). */
  let blockPageSeen = false;

  /** Pauses all requests, also those of other processes where the pace is shared. */
  async function pause(ms: number, why: 'a block page' | 'a block page in place of robots.txt' | 'status 429'): Promise<void> {
    blockPageSeen = why !== 'status 429';
    ports.log('warn', `requests to the app marketplace are paused for ${Math.round(ms / 1000)} s after ${why}`);
    await ports.pace.rest(HOST, ms);
  }

  /** A block page in place of robots.txt does not state which requests are allowed. */
  async function askRobots(request: HttpRequest): Promise<Reply> {
    const reply = await ports.http.ask({ ...request, pace });
    if (!isBlockPage(reply)) return reply;
    await pause(settings.SIGHTLINE_APPMARKET_REST_MS, 'a block page in place of robots.txt');
    return { tag: 'unreachable', what: 'The app marketplace answered with a block page.' };
  }

  async function once({ path, frame }: PageRequest, attempt: Attempt): Promise<PageReply> {
    const url = `${ORIGIN}${path}`;
    const cookie = jar.getCookieStringSync(url);
    const headers = { ...HEADERS, ...(cookie && { cookie }), ...(frame && { 'turbo-frame': frame }) };
    const timeoutMs = Math.max(1, attempt.deadlineMs - clock.now());
    const reply = await ports.http.ask({ url, headers, pace, timeoutMs, redirects: 0, signal: attempt.signal });
    if (isBlockPage(reply)) await pause(settings.SIGHTLINE_APPMARKET_REST_MS, 'a block page');
    if (reply.tag !== 'answer') return reply;
    const { answer } = reply;
    for (const line of answer.headers['set-cookie']?.split('\n') ?? []) jar.setCookieSync(line, url, { ignoreError: true });
    if (answer.status === 429) await pause(Math.max(MIN_PAUSE_MS, retryAfterMs(answer.headers, clock.now()) ?? 0), 'status 429');
    return reply;
  }

  const paused = (leftMs: number): NotFound =>
    blockPageSeen
      ? blocked('The app marketplace answered with a block page, and requests to it are paused.', `paused for ${leftMs} ms more`)
      : limited('The app marketplace limits the number of requests.', Math.ceil(leftMs), `paused for ${leftMs} ms more`);

  return {
    everyMs,
    async ask(request, attempt) {
      let path = request.path;
      for (let followed = 0; ; followed++) {
        const restMs = await ports.pace.resting(HOST);
        if (restMs > 0) return paused(restMs);
        const verdict = request.allowed ? null : await robots.mayFetch(`${ORIGIN}${path}`, AGENT_TOKEN, attempt.signal);
        if (verdict?.tag === 'barred') return blocked(verdict.what, verdict.detail);
        if (verdict && verdict.tag !== 'allowed') {
          const leftMs = await ports.pace.resting(HOST);
          return leftMs > 0 ? paused(leftMs) : verdict;
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

/** The new address of a renamed page; null for a redirect to another site, to the front page or to a login. */
function redirectOf({ status, headers }: Answer): string | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const url = address(headers.location ?? null);
  if (url?.host !== HOST || url.pathname === '/' || url.pathname.startsWith('/login')) return null;
  return url.pathname + url.search;
}
