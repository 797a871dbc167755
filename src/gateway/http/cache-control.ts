import { bad, good, type Read } from '../../contract/parameters/parameter.ts';
import { type CachedAnswer, type CacheStatus, type Freshness, ORDINARY } from '../../orchestrator/types.ts';

/** RFC 9111, 1.2.2: a greater number counts as this one. */
const GREATEST_SECONDS = 2_147_483_648;
/** One list element (RFC 9111, 5.2), or none. White space is matched in one place only, so that a long run of it takes linear time. */
const ELEMENT = /[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~0-9A-Za-z-]*)))?[ \t]*)?(,|$)/sy;

/** The directives in the order sent, names in lower case; null where the field is malformed. */
export function directivesOf(field: string): readonly (readonly [name: string, argument: string | null])[] | null {
  const found: [string, string | null][] = [];
  ELEMENT.lastIndex = 0;
  for (;;) {
    const match = ELEMENT.exec(field);
    if (!match) return null;
    const [, name, quoted, token, end] = match;
    if (name) found.push([name.toLowerCase(), token ?? quoted?.replace(/\\(.)/gs, '$1') ?? null]);
    if (end === '') return found;
  }
}

const secondsOf = (text: string | null | undefined): number | null =>
  text && /^\d+$/.test(text) ? Math.min(Number(text), GREATEST_SECONDS) * 1000 : null;

/**
 * Whether `no-cache` was added by the client's HTTP layer. The Fetch standard (HTTP-network-or-cache fetch, steps 16 and 18) puts exactly
 * these two fields on every request that carries `If-None-Match`. Such a request revalidates a known response; it must not cause a charged
 * lookup. A client that wants one sends `max-age=0`.
 */
const addedByFetch = (conditional: boolean, cacheControl: string | undefined, pragma: string | undefined): boolean =>
  conditional && cacheControl === 'no-cache' && pragma === 'no-cache';

const UNASKED = good(ORDINARY);

/**
 * The freshness that a request asks for: `Cache-Control` by RFC 9111, 5.2.1 and RFC 5861, 4; `Pragma: no-cache` only where there is no
 * `Cache-Control` (5.4). Unknown directives are ignored, as the standard demands; a known one with invalid seconds is refused, because
 * ignoring it would serve something other than requested. `conditional`: the request carries `If-None-Match`.
 */
export function readFreshness(cacheControl: string | undefined, pragma: string | undefined, conditional = false): Read<Freshness> {
  if (addedByFetch(conditional, cacheControl, pragma)) return UNASKED;
  if (cacheControl === undefined) {
    if (pragma === undefined) return UNASKED;
    return good(directivesOf(pragma)?.some(([name]) => name === 'no-cache') ? { ...ORDINARY, noCache: true } : ORDINARY);
  }
  const directives = directivesOf(cacheControl);
  if (!directives) return bad('Header Cache-Control is malformed: give directives as in RFC 9111, such as max-age=60.');
  const wrong = directives.find(
    ([name, argument]) => WITH_SECONDS.has(name) && !isBareMaxStale(name, argument) && secondsOf(argument) === null,
  );
  if (wrong) return bad(`Directive ${wrong[0]} of Cache-Control must have whole seconds, such as ${wrong[0]}=60.`);
  // the first of a repeated directive counts
  const first = new Map([...directives].reverse());
  return good({
    noCache: first.has('no-cache'),
    noStore: first.has('no-store'),
    onlyIfCached: first.has('only-if-cached'),
    maxAgeMs: secondsOf(first.get('max-age')),
    maxStaleMs: first.get('max-stale') === null ? Number.POSITIVE_INFINITY : secondsOf(first.get('max-stale')),
    minFreshMs: secondsOf(first.get('min-fresh')),
    staleIfErrorMs: secondsOf(first.get('stale-if-error')),
  });
}

/** Whether `Cache-Control` of a request forbids to ask a source. */
export const asksCacheAlone = (cacheControl: string | undefined): boolean =>
  directivesOf(cacheControl ?? '')?.some(([name]) => name === 'only-if-cached') ?? false;

const WITH_SECONDS: ReadonlySet<string> = new Set(['max-age', 'max-stale', 'min-fresh', 'stale-if-error']);
const isBareMaxStale = (name: string, argument: string | null): boolean => name === 'max-stale' && argument === null;

const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

/** `max-age` counts from the time at which the source was read, like `Age` (RFC 9111, 4.2). */
export const lifetimeOf = (cached: Pick<CachedAnswer, 'freshForMs'>): number => seconds(cached.freshForMs);
export const ageOf = (atMs: number, nowMs: number): number => seconds(nowMs - atMs);

/** `Cache-Status` (RFC 9211). `ttl`: seconds that the answer is still fresh, negative once it is stale. */
export function cacheStatusField(cacheStatus: CacheStatus, ttl: number): string {
  if (cacheStatus.how === 'hit') return `sightline; hit; ttl=${ttl}`;
  if (cacheStatus.how === 'stale') {
    // `max-stale` allowed the stale answer without an upstream request: a hit. A fresh copy was forwarded because the request forced it.
    return cacheStatus.fwdStatus === null
      ? `sightline; hit; ttl=${ttl}`
      : `sightline; fwd=${ttl > 0 ? 'request' : 'stale'}; fwd-status=${cacheStatus.fwdStatus}; ttl=${ttl}`;
  }
  return `sightline; fwd=${cacheStatus.fwd}${cacheStatus.stored ? '; stored' : ''}${cacheStatus.collapsed ? '; collapsed' : ''}`;
}

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Whether `If-None-Match` names this ETag: weak comparison (RFC 9110, 13.1.2), lists, `*`. */
export function matches(field: string | undefined, etag: string): boolean {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  for (const [, tag] of field.matchAll(TAG)) if (tag === opaque) return true;
  return false;
}
