import { PRIVATE_REGISTRIES } from '../../../contract/parameters/domain-name.ts';
import { DAY_MS } from '../../../runtime/clock.ts';
import { singleFlight } from '../../../runtime/single-flight.ts';
import { jsonOf } from '../../../upstream/answer.ts';
import type { Attempt, Ports } from '../../source.ts';
import { listOf, nonEmptyIn, objectOf, valueAt } from '../../untyped-json.ts';
import { longestMatch, registries } from '../registries.ts';

type Bases = ReadonlyMap<string, string>;
const BELOW: Bases = new Map(PRIVATE_REGISTRIES.map((suffix) => [suffix, `https://rdap.centralnic.com/${suffix}/`]));

export const BOOTSTRAP = 'https://data.iana.org/rdap/dns.json';
/** After a failure the old copy is used this long before the next request to IANA. */
const COOLDOWN_MS = 10 * 60_000;
/** How long the first lookup of a process waits for a fresh list before it uses the bundled one. */
const PATIENCE_MS = 4_000;

/** Finds the RDAP base of a domain by IANA's bootstrap, which is revalidated daily (ETag, Last-Modified), one request at a time. */
export function createBases(ports: Ports) {
  let cached: { bases: Bases; etag: string; lastModified: string } | null = null;
  let dueAt = 0;

  const refresh = singleFlight(async (attempt: Attempt): Promise<void> => {
    const reply = await ports.http.ask({
      url: BOOTSTRAP,
      headers: {
        accept: 'application/json',
        ...(cached?.etag && { 'if-none-match': cached.etag }),
        ...(cached?.lastModified && { 'if-modified-since': cached.lastModified }),
      },
      timeoutMs: PATIENCE_MS,
      shared: true,
      attempt,
    });
    const now = ports.clock.now();
    dueAt = now + COOLDOWN_MS;
    if (reply.tag !== 'answer')
      return ports.log('warn', 'the RDAP bootstrap could not be fetched', { tag: reply.tag, detail: reply.detail });
    const { status, headers } = reply.answer;
    const bases = status === 200 ? readBootstrap(jsonOf(reply.answer)) : null;
    if (!bases && (status !== 304 || !cached))
      return ports.log('warn', 'the RDAP bootstrap is malformed: the older copy stays in use', { status });
    if (bases) cached = { bases, etag: headers.etag ?? '', lastModified: headers['last-modified'] ?? '' };
    dueAt = now + DAY_MS;
  });

  return {
    /** null if no RDAP service is known. The first lookup waits for the list; later ones use the current copy. */
    async find(domain: string, attempt: Attempt) {
      const refreshed = ports.clock.now() >= dueAt ? refresh(attempt) : null;
      if (!cached) await refreshed;
      return baseOf(domain, cached?.bases ?? null);
    },
  };
}

/** The bootstrap, then the bundled table; the longest suffix wins within each. `authoritative`: its 404 means "not registered". */
export function baseOf(domain: string, bootstrap: Bases | null) {
  const known = registries();
  const order: readonly (readonly [Bases | null, boolean])[] = [
    [BELOW, true],
    [bootstrap, true],
    [known.proven, true],
    [known.rdap, bootstrap === null],
    [known.unlisted, false],
  ];
  for (const [table, authoritative] of order) {
    const found = table && longestMatch(table, domain);
    if (found) return { url: found.value, suffix: found.suffix, authoritative };
  }
  return null;
}

/** IANA's bootstrap file (RFC 9224): the base of each top-level domain, https before http. null if malformed; a bad entry is left out. */
export function readBootstrap(file: unknown): Bases | null {
  const services = objectOf(file)?.services;
  if (!Array.isArray(services)) return null;
  const bases = new Map<string, string>();
  for (const service of services) {
    const base = bestBase(listOf(valueAt(service, 1)));
    if (base === null) continue;
    const tlds = listOf(valueAt(service, 0)).flatMap((tld) => nonEmptyIn(tld)?.toLowerCase() ?? []);
    for (const tld of tlds) bases.set(tld.replace(/^\.|\.$/g, ''), base);
  }
  return bases.size ? bases : null;
}

function bestBase(urls: readonly unknown[]): string | null {
  const usable = urls.flatMap((url) => {
    if (typeof url !== 'string' || /%(?![0-9a-f]{2})/i.test(url) || !URL.canParse(url)) return [];
    const { protocol, search, hash, username } = new URL(url);
    return (protocol === 'https:' || protocol === 'http:') && search === '' && hash === '' && username === '' ? url : [];
  });
  const best = usable.find((url) => url.toLowerCase().startsWith('https:')) ?? usable[0];
  return best === undefined ? null : best.endsWith('/') ? best : `${best}/`;
}
