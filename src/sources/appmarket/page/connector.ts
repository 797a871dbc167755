import { LRUCache } from 'lru-cache';
import { CookieJar } from 'tough-cookie';
import type { DeveloperProfile } from '../../../contract/operations/app-developer/operation.ts';
import type { AppKeywordRanking } from '../../../contract/operations/app-keywords/operation.ts';
import type { CategoryDetail } from '../../../contract/operations/appstore-category/operation.ts';
import type { Input } from '../../../contract/operations/index.ts';
import { DAY_MS } from '../../../runtime/clock.ts';
import { atMost } from '../../../runtime/lru.ts';
import type { Answer, Reply } from '../../../upstream/answer.ts';
import type { HttpRequest, PaceRule } from '../../../upstream/ports.ts';
import { createRobots } from '../../../upstream/robots.ts';
import { attributeIn, endOfTag, pageText } from '../../html/markup.ts';
import {
  blocked,
  changed,
  type Found,
  foundNothing,
  limited,
  type Outcome,
  refusedInput,
  retryAfterMs,
  timeout,
  withUnread,
} from '../../outcome.ts';
import { type Asks, type Attempt, type Parser, type Ports, parse, parsersIn } from '../../source.ts';
import { address, ORIGIN } from './links.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/** More than any known developer has; ends a pagination that always names a next page. */
const MAX_DEVELOPER_PAGES = 50;

function requestOf(path: string, page: number, parameters: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({ ...parameters, ...(page > 1 && { page: String(page) }) }).toString();
  return { path: query === '' ? path : `${path}?${query}`, page };
}

export function open(ports: Ports): Asks {
  const client = clientOf(ports);
  const withDevelopers = developersOf(ports, client);
  const reviews = (input: { handle: string; page: number; sort: string }, attempt: Attempt) => {
    const sort: Record<string, string> = input.sort === 'relevance' ? {} : { sort_by: input.sort };
    return client.read(requestOf(`/${input.handle}/reviews`, input.page, sort), parser('readReviews'), input, attempt);
  };
  return {
    app: (input, attempt) => client.read({ path: `/${input.handle}` }, parser('readApp'), input, attempt),
    'app-reviews': reviews,
    'appstore-reviews': reviews,
    'app-developer': ({ handle }, attempt) => developer(ports, client, handle, attempt),
    'appstore-category': (input, attempt) => category(client, input, attempt),
    async 'app-keywords'(input, attempt) {
      const request = { ...requestOf('/search', input.page, { q: input.keyword }), allowed: true } as const;
      const outcome = await client.read(request, parser('readSearch'), input, attempt);
      return outcome.tag === 'found' && ports.settings.SIGHTLINE_APPMARKET_SEARCH_DEVELOPERS ? withDevelopers(outcome, attempt) : outcome;
    },
  };
}

/** All pages of a developer. A failed or missing page fails the lookup; a list that ends before the number that it states is unread. */
async function developer(ports: Ports, client: Client, handle: string, attempt: Attempt): Promise<Outcome<DeveloperProfile>> {
  const apps = new Map<string, DeveloperProfile['apps'][number]>();
  let name: string | null = null;
  let announced: number | null = null;
  const unread: string[] = [];
  for (let page = 1; page <= MAX_DEVELOPER_PAGES; page++) {
    if (page > 1 && ports.clock.now() + client.everyMs >= attempt.deadlineMs)
      return timeout('The developer has more apps than could be fetched in time.', `${apps.size} apps after ${page - 1} pages`);
    const outcome = await client.read(requestOf(`/partners/${handle}`, page), parser('readDeveloperPage'), { handle, page }, attempt);
    if (outcome.tag !== 'found') return page > 1 && outcome.tag === 'absent' ? incomplete(`page ${page} is missing`) : outcome;
    const { profile, pagination } = outcome.resource;
    const before = apps.size;
    unread.push(...(outcome.unread ?? []));
    for (const app of profile.apps) apps.set(app.handle ?? `${page} ${apps.size}`, app);
    name ??= profile.name;
    announced ??= outcome.resource.announced;
    if (!pagination.hasNextPage) {
      const isCut = announced !== null && apps.size < announced;
      return { ...withUnread(outcome, isCut ? [...unread, 'apps'] : unread), resource: { name, apps: [...apps.values()] } };
    }
    if (apps.size === before) return incomplete(`page ${page} names a next page but adds no app`);
  }
  return refusedInput('The developer has more apps than one lookup fetches.', `more than ${MAX_DEVELOPER_PAGES} pages`);
}
const incomplete = (detail: string) => changed('The list of the apps of the developer is incomplete.', detail);

/** A leaf category has a list; topics and intermediate categories have a landing page only. */
async function category(client: Client, input: Input<'appstore-category'>, attempt: Attempt): Promise<Outcome<CategoryDetail>> {
  const { handle, page } = input;
  const path = `/categories/${handle}`;
  const list = await client.read(requestOf(`${path}/all`, page), parser('readCategory'), input, attempt);
  if (list.tag !== 'absent') return list;
  const landing = await client.read({ path }, parser('readCategory'), input, attempt);
  if (landing.tag !== 'found' || landing.resource.level !== 'tertiary') return landing;
  if (page === 1) return changed('The list of the category could not be found.', `${handle} is a leaf category without a list`);
  // a page past the end of the list
  const pagination = { hasNextPage: false, totalPages: null, currentPage: page };
  return foundNothing(list.evidence, { ...landing.resource, apps: [], pagination }, undefined, landing.unread);
}

/** Adds the developer of each app, a request each. Names are cached for a day, so that the next lookup continues one that timed out. */
function developersOf({ clock }: Ports, client: Client) {
  const known = new LRUCache<string, { name: string | null }>({ ...atMost(10_000), ttl: DAY_MS, ttlResolution: 0, perf: clock });
  return async (outcome: Found<AppKeywordRanking>, attempt: Attempt): Promise<Outcome<AppKeywordRanking>> => {
    const ranking = outcome.resource;
    const apps: AppKeywordRanking['apps'] = [];
    const unread: string[] = [];
    for (const app of ranking.apps) {
      const { handle } = app;
      let developer = handle === null ? { name: null } : known.get(handle);
      if (!developer && handle !== null) {
        const what = 'The developers of the ranked apps could not all be fetched in time.';
        if (clock.now() + client.everyMs >= attempt.deadlineMs) return timeout(what, 'raise SIGHTLINE_DEADLINE_MS or repeat the lookup');
        const app = await client.read({ path: `/${handle}` }, parser('readApp'), { handle }, attempt);
        if (app.tag !== 'found' && app.tag !== 'absent') return app;
        developer = { name: app.tag === 'found' ? app.resource.developer.name : null };
        if (app.tag === 'found' && app.unread?.includes('developer.name')) unread.push('apps.developer');
        else known.set(handle, developer);
      }
      apps.push({ ...app, developer: developer?.name ?? null });
    }
    return { ...withUnread(outcome, unread), resource: { ...ranking, apps } };
  };
}

const HOST = new URL(ORIGIN).host;
const HEADERS = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en-US,en;q=0.9' };
const REST_MS = 900_000;
const MIN_REST_MS = 60_000;

interface PageRequest {
  readonly path: string;
  readonly page?: number;
  /** The operator allows this request although robots.txt disallows it. */
  readonly allowed?: boolean;
}
type Client = ReturnType<typeof createClient>;

const clients = new WeakMap<Ports, Client>();
/** The client of a process: pace, cookie jar, robots.txt and rests are shared by all operations. */
function clientOf(ports: Ports): Client {
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
  /** Reason of the current rest: a block page (true) or a rate limit (false). */
  let blockPageSeen = false;

  async function rest(ms: number, why: 'a block page' | 'a block page in place of robots.txt' | 'status 429'): Promise<void> {
    blockPageSeen = why !== 'status 429';
    ports.log('warn', `requests to the app marketplace are paused for ${Math.round(ms / 1000)} s after ${why}`);
    await ports.pace.rest(HOST, ms);
  }
  async function restingReply(): Promise<Reply | null> {
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
    await rest(REST_MS, 'a block page in place of robots.txt');
    return { tag: 'unreachable', what: 'The app marketplace answered with a block page.' };
  }

  async function ask(path: string, frame: string | null, allowed: boolean, attempt: Attempt, mayFollow = true): Promise<Reply> {
    const resting = await restingReply();
    if (resting) return resting;
    const url = `${ORIGIN}${path}`;
    const verdict = allowed ? null : await robots.mayFetch(url, 'Sightline', attempt);
    if (verdict?.tag === 'barred') return blocked(verdict.what, verdict.detail);
    if (verdict && verdict.tag !== 'allowed') return (await restingReply()) ?? verdict;
    const cookie = jar.getCookieStringSync(url);
    const headers = { ...HEADERS, ...(cookie && { cookie }), ...(frame && { 'turbo-frame': frame }) };
    const reply = await ports.http.ask({ url, headers, pace, redirects: 0, signed: true, attempt });
    if (isBlockPage(reply)) await rest(REST_MS, 'a block page');
    if (reply.tag !== 'answer') return reply;
    const { answer } = reply;
    for (const line of answer.headers['set-cookie']?.split('\n') ?? []) jar.setCookieSync(line, url, { ignoreError: true });
    if (answer.status === 429) await rest(Math.max(MIN_REST_MS, retryAfterMs(answer.headers, clock.now()) ?? 0), 'status 429');
    const next = mayFollow ? redirectOf(answer, path) : null;
    return next === null ? reply : ask(next, frame, allowed, attempt, false);
  }

  return {
    everyMs,
    /** A list in a lazy frame is fetched once and parsed alone or inserted into the page. A failure of the frame fails the page. */
    async read<Input, R>(request: PageRequest, reader: Parser<Input, Outcome<R>>, input: Input, attempt: Attempt): Promise<Outcome<R>> {
      const { path, page = 1, allowed = false } = request;
      const reply = await ask(path, null, allowed, attempt);
      const outcome = await parse(ports, reader, reply, input, attempt);
      if (reply.tag !== 'answer' || outcome.tag !== 'changed') return outcome;
      const frame = await parse(ports, parser('readLazyFrame'), reply, { page }, attempt);
      if (frame === null) return outcome;
      if ('tag' in frame) return frame;
      const inner = await ask(frame.path, frame.id ?? 'frame', allowed, attempt);
      const alone = await parse(ports, reader, inner, input, attempt);
      if (inner.tag !== 'answer' || alone.tag !== 'changed') return alone;
      const body = Buffer.from(withFrame(pageText(reply.answer), frame.id, pageText(inner.answer)));
      const headers = { ...reply.answer.headers, 'content-type': 'text/html; charset=utf-8' };
      return parse(ports, reader, { ...reply, answer: { ...reply.answer, headers, body } }, input, attempt);
    },
  };
}

const FRAME = /<turbo-frame(?=[\s/>])/gi;
const END_OF_FRAME = /<\/turbo-frame\s*>/gi;
/** The page with the content of the frame of this id that names an address; null: without an id. */
export function withFrame(html: string, id: string | null, content: string): string {
  const codeAt = (place: number): number => html.charCodeAt(place);
  FRAME.lastIndex = 0;
  for (let frame = FRAME.exec(html); frame; frame = FRAME.exec(html)) {
    const from = endOfTag(codeAt, FRAME.lastIndex);
    if (from === 0) return html;
    FRAME.lastIndex = from;
    const tag = html.slice(frame.index, from);
    if (attributeIn(tag, 'src') === null || attributeIn(tag, 'id') !== id) continue;
    END_OF_FRAME.lastIndex = from;
    return END_OF_FRAME.test(html) ? html.slice(0, frame.index) + content + html.slice(END_OF_FRAME.lastIndex) : html;
  }
  return html;
}

const isBlockPage = (reply: Reply): boolean => reply.tag === 'blocked' || (reply.tag === 'answer' && reply.answer.status === 403);

/** The new address of a renamed page; null for a redirect to another site, to the front page, to a login, and from a page to the search. */
function redirectOf({ status, headers }: Answer, path: string): string | null {
  const url = [301, 302, 303, 307, 308].includes(status) ? address(headers.location) : null;
  const isElsewhere = url?.host !== HOST || url.pathname === '/' || url.pathname.startsWith('/login');
  const isSearch = (one: string): boolean => /^\/search\b/.test(one);
  return isElsewhere || (isSearch(url.pathname) && !isSearch(path)) ? null : url.pathname + url.search;
}
