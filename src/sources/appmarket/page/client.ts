import { CookieJar } from 'tough-cookie';
import { type Answer, type Reply, textOf } from '../../../upstream/answer.ts';
import type { HttpRequest, PaceRule } from '../../../upstream/ports.ts';
import { createRobots } from '../../../upstream/robots.ts';
import { blocked, limited, type Outcome, retryAfterMs } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Attempt, Parser, Ports } from '../../source.ts';
import { address, ORIGIN } from './links.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const HOST = new URL(ORIGIN).host;
const HEADERS = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en-US,en;q=0.9' };
/** Pause after a block page. */
const REST_MS = 900_000;
/** Shortest pause after a 429. */
const MIN_PAUSE_MS = 60_000;

interface PageRequest {
  /** Path and query. */
  readonly path: string;
  readonly page?: number;
  /** The operator allows this request although robots.txt disallows it. */
  readonly allowed?: boolean;
}
export type Client = ReturnType<typeof createClient>;

const clients = new WeakMap<Ports, Client>();
/** The client of a process: pace, cookie jar, robots.txt and pauses are shared by all operations. */
export function clientOf(ports: Ports): Client {
  const client = clients.get(ports) ?? createClient(ports);
  clients.set(ports, client);
  return client;
}

function createClient(ports: Ports) {
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
  async function paused(): Promise<Reply | null> {
    const leftMs = await ports.pace.resting(HOST);
    if (leftMs <= 0) return null;
    const detail = `paused for ${leftMs} ms more`;
    return blockPageSeen
      ? blocked('The app marketplace answered with a block page, and requests to it are paused.', detail)
      : limited('The app marketplace limits the number of requests.', Math.ceil(leftMs), detail);
  }

  /** A block page in place of robots.txt does not state which requests are allowed. */
  async function askRobots(request: HttpRequest): Promise<Reply> {
    const reply = await ports.http.ask({ ...request, pace });
    if (!isBlockPage(reply)) return reply;
    await pause(REST_MS, 'a block page in place of robots.txt');
    return { tag: 'unreachable', what: 'The app marketplace answered with a block page.' };
  }

  async function ask(path: string, frame: string | null, allowed: boolean, attempt: Attempt, mayFollow = true): Promise<Reply> {
    const resting = await paused();
    if (resting) return resting;
    const url = `${ORIGIN}${path}`;
    const verdict = allowed ? null : await robots.mayFetch(url, 'Sightline', attempt);
    if (verdict?.tag === 'barred') return blocked(verdict.what, verdict.detail);
    if (verdict && verdict.tag !== 'allowed') return (await paused()) ?? verdict;
    const cookie = jar.getCookieStringSync(url);
    const headers = { ...HEADERS, ...(cookie && { cookie }), ...(frame && { 'turbo-frame': frame }) };
    const timeoutMs = Math.max(1, attempt.deadlineMs - clock.now());
    const reply = await ports.http.ask({ url, headers, pace, timeoutMs, redirects: 0, attempt });
    if (isBlockPage(reply)) await pause(REST_MS, 'a block page');
    if (reply.tag !== 'answer') return reply;
    const { answer } = reply;
    for (const line of answer.headers['set-cookie']?.split('\n') ?? []) jar.setCookieSync(line, url, { ignoreError: true });
    if (answer.status === 429) await pause(Math.max(MIN_PAUSE_MS, retryAfterMs(answer.headers, clock.now()) ?? 0), 'status 429');
    const next = mayFollow ? redirectOf(answer) : null;
    return next === null ? reply : ask(next, frame, allowed, attempt, false);
  }

  return {
    everyMs,
    /** A list in a lazy frame is fetched once and parsed alone or inserted into the page. A failure of the frame fails the page. */
    async read<Input, R>(request: PageRequest, reader: Parser<Input, Outcome<R>>, input: Input, attempt: Attempt): Promise<Outcome<R>> {
      const { path, page = 1, allowed = false } = request;
      const reply = await ask(path, null, allowed, attempt);
      if (reply.tag !== 'answer') return reply;
      const outcome = await parse(ports, reader, reply.answer, input, attempt);
      if (outcome.tag !== 'changed') return outcome;
      const frame = await parse(ports, parser('readLazyFrame'), reply.answer, { page }, attempt);
      if (frame === null) return outcome;
      if ('tag' in frame) return frame;
      const inner = await ask(frame.path, frame.id, allowed, attempt);
      if (inner.tag !== 'answer') return inner;
      const alone = await parse(ports, reader, inner.answer, input, attempt);
      if (alone.tag !== 'changed') return alone;
      const joined = withFrame(textOf(reply.answer), textOf(inner.answer));
      return parse(ports, reader, { ...reply.answer, body: Buffer.from(joined) }, input, attempt);
    },
  };
}

function withFrame(html: string, content: string): string {
  for (const { 0: tag, index } of html.matchAll(/<turbo-frame\b[^<>]*>/gi)) {
    if (!/\ssrc=/i.test(tag)) continue;
    const end = html.slice(index).search(/<\/turbo-frame\s*>/i);
    return end < 0 ? html : html.slice(0, index) + content + html.slice(html.indexOf('>', index + end) + 1);
  }
  return html;
}

const isBlockPage = (reply: Reply): boolean => reply.tag === 'blocked' || (reply.tag === 'answer' && reply.answer.status === 403);

/** The new address of a renamed page; null for a redirect to another site, to the front page or to a login. */
function redirectOf({ status, headers }: Answer): string | null {
  const url = [301, 302, 303, 307, 308].includes(status) ? address(headers.location) : null;
  return url?.host !== HOST || url.pathname === '/' || url.pathname.startsWith('/login') ? null : url.pathname + url.search;
}
