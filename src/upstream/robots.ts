import { LRUCache } from 'lru-cache';
import { type Clock, DAY_MS } from '../runtime/clock.ts';
import { type Answer, bodyText, type Failure } from './answer.ts';
import type { Attempt, Http } from './ports.ts';

interface Rule {
  readonly allow: boolean;
  /** Percent-encoded path pattern; `*` is any run of characters, a final `$` the end. */
  readonly pattern: string;
}
/** Rules by product token in lower case; `*` for all other agents. */
export type Robots = ReadonlyMap<string, readonly Rule[]>;

/** Longest part of a robots.txt that is read (RFC 9309, 2.5). */
export const MAX_ROBOTS_BYTES = 512_000;

/** Normalises percent-encoding (RFC 9309, 2.2.2): `%7e` and `~` are the same path, `%2F` and `/` are not. */
const spelling = (path: string): string =>
  path
    .replace(/[^\x21-\x7e]+/g, (other) => {
      try {
        return encodeURIComponent(other);
      } catch {
        return '%EF%BF%BD'; // a lone surrogate
      }
    })
    .replace(/%[\da-f]{2}/gi, (octet) => {
      const char = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
      return /[\w.~-]/.test(char) ? char : octet.toUpperCase();
    });

/** Parses a robots.txt (RFC 9309). Groups of the same agent are merged; lines that are not rules are skipped. */
export function parseRobots(text: string): Robots {
  const groups = new Map<string, Rule[]>();
  let agents: string[] = [];
  let inRules = false;
  for (const raw of text.replace(/^\ufeff/, '').split(/\r\n?|\n/)) {
    const m = /^\s*([a-z-]+)\s*:\s*(.*?)\s*$/i.exec(raw.replace(/#.*$/, ''));
    const name = m?.[1]?.toLowerCase();
    const value = m?.[2] ?? '';
    if (name === 'user-agent') {
      if (inRules) agents = [];
      inRules = false;
      // "Bot/1.2" has the product token "Bot"
      const token = value === '*' ? '*' : (/^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? '');
      if (token === '') continue;
      agents.push(token);
      if (!groups.has(token)) groups.set(token, []);
    } else if (name === 'allow' || name === 'disallow') {
      inRules = true;
      if (value === '') continue;
      const pattern = spelling(value.startsWith('/') || value.startsWith('*') ? value : `/${value}`);
      for (const agent of agents) groups.get(agent)?.push({ allow: name === 'allow', pattern });
    }
  }
  return groups;
}

/** Whether a pattern matches the beginning of a path. Linear in the path for each `*`: no regular expression comes from a site's text. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const [first = '', ...rest] = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let from = first.length;
  const last = anchored ? rest.pop() : undefined;
  for (const part of rest) {
    const place = path.indexOf(part, from);
    if (place < 0) return false;
    from = place + part.length;
  }
  if (last === undefined) return anchored ? from === path.length : true;
  return path.length - last.length >= from && path.endsWith(last);
}

/** Whether an agent may fetch a path (with its query): the longest matching rule applies; on a tie, or without a rule, it is allowed. */
export function allows(robots: Robots, agentToken: string, path: string): boolean {
  const rules = robots.get(agentToken.toLowerCase()) ?? robots.get('*') ?? [];
  const asked = spelling(path);
  if (asked === '/robots.txt') return true;
  let best: Rule | null = null;
  for (const rule of rules) {
    if (!matches(rule.pattern, asked)) continue;
    const longer = best === null || rule.pattern.length > best.pattern.length;
    if (longer || (rule.pattern.length === best?.pattern.length && rule.allow)) best = rule;
  }
  return best?.allow ?? true;
}

/** Allowed, disallowed by the site, or unknown: the robots.txt could not be fetched, which disallows all paths (RFC 9309, 2.3.1.4). */
export type RobotsVerdict = { tag: 'allowed' } | { tag: 'barred'; what: string; detail: string } | Failure;

const LEAST_MS = 600_000;
const AFTER_FAILURE_MS = 60_000;
const MAX_HOSTS = 1_000;
const TIMEOUT_MS = 10_000;

type CachedRobots = { robots: Robots; until: number } | { failure: Failure; until: number };

/** `Cache-Control: max-age`, limited to 10 minutes to one day (RFC 9309's maximum); one day if none is stated. */
function freshFor(answer: Answer): number {
  const seconds = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(answer.headers['cache-control'] ?? '')?.[1];
  return seconds === undefined ? DAY_MS : Math.min(DAY_MS, Math.max(LEAST_MS, Number(seconds) * 1000));
}

/** Caches each host's robots.txt: concurrent requests share one fetch. The expired copy is used while a fetch fails. */
export function createRobots(http: Http, clock: Clock, exempt: readonly string[] = []) {
  const cached = new LRUCache<string, CachedRobots>({ max: MAX_HOSTS });
  const flights = new Map<string, Promise<CachedRobots>>();
  const passed = new Set(exempt.map((host) => host.toLowerCase()));

  async function fetchRobots(origin: string, attempt: Attempt): Promise<CachedRobots> {
    const limits = { maxBytes: 4 * MAX_ROBOTS_BYTES, timeoutMs: TIMEOUT_MS };
    const reply = await http.ask({ url: `${origin}/robots.txt`, ...limits, shared: true, signed: true, attempt });
    const now = clock.now();
    if (reply.tag !== 'answer') return { failure: reply, until: now + AFTER_FAILURE_MS };
    const { answer } = reply;
    const what = "The platform's robots.txt could not be read.";
    if (answer.status === 429 || answer.status >= 500 || answer.status < 200)
      return { failure: { tag: 'unreachable', what, detail: `HTTP ${answer.status}` }, until: now + AFTER_FAILURE_MS };
    const text = answer.status < 300 ? bodyText({ ...answer, body: answer.body.subarray(0, MAX_ROBOTS_BYTES) }) : '';
    return { robots: parseRobots(text), until: now + freshFor(answer) };
  }
  async function robotsOf(origin: string, attempt: Attempt): Promise<CachedRobots> {
    const old = cached.get(origin);
    const leftMs = old ? old.until - clock.now() : 0;
    // more than a day: the clock was set back
    if (old && leftMs > 0 && leftMs <= DAY_MS) return old;
    const flight =
      flights.get(origin) ??
      fetchRobots(origin, attempt)
        .then((fresh) => {
          const keep = 'failure' in fresh && old && 'robots' in old ? { ...old, until: fresh.until } : fresh;
          cached.set(origin, keep);
          return keep;
        })
        .finally(() => flights.delete(origin));
    flights.set(origin, flight);
    return flight;
  }
  return {
    async mayFetch(url: string, agentToken: string, attempt: Attempt): Promise<RobotsVerdict> {
      const { origin, host, pathname, search } = new URL(url);
      if (passed.has(host.toLowerCase())) return { tag: 'allowed' };
      if (attempt.signal.aborted) return { tag: 'timeout', what: 'There was no time left to ask.' };
      const found = await robotsOf(origin, attempt);
      if ('failure' in found) return found.failure;
      if (allows(found.robots, agentToken, `${pathname}${search}`)) return { tag: 'allowed' };
      const what = "The platform's robots.txt does not allow this page to be fetched.";
      return { tag: 'barred', what, detail: `${host}/robots.txt bars ${pathname}` };
    },
  };
}
