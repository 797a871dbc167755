import { PRIVATE_REGISTRIES } from '../../../contract/parameters/domain-name.ts';
import { jsonOf } from '../../../upstream/answer.ts';
import type { Ports } from '../../source.ts';
import { longestMatch, registries } from '../registries.ts';
import { readBootstrap } from './bootstrap.ts';

export interface Base {
  readonly url: string;
  readonly suffix: string;
  /** Whether its 404 means that the domain is not registered. */
  readonly authoritative: boolean;
}

/** Registries below a top-level domain. */
const BELOW: ReadonlyMap<string, string> = new Map(
  PRIVATE_REGISTRIES.map((suffix) => [suffix, `https://rdap.centralnic.com/${suffix}/`] as const),
);

export const BOOTSTRAP = 'https://data.iana.org/rdap/dns.json';
const DAY_MS = 24 * 3_600_000;
/** After a failure the old copy is used this long before the next request to IANA. */
const COOLDOWN_MS = 10 * 60_000;
/** How long the first lookup of a process waits for a fresh list before it uses the bundled one. */
const PATIENCE_MS = 4_000;

interface CachedFile {
  readonly bases: ReadonlyMap<string, string>;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Finds the RDAP base of a domain by IANA's bootstrap, which is revalidated daily (ETag, Last-Modified), one request at a time. */
export function createBases(ports: Ports) {
  let cached: CachedFile | null = null;
  let dueAt = 0;
  let running: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    const reply = await ports.http.ask({
      url: BOOTSTRAP,
      headers: {
        accept: 'application/json',
        ...(cached?.etag && { 'if-none-match': cached.etag }),
        ...(cached?.lastModified && { 'if-modified-since': cached.lastModified }),
      },
      timeoutMs: PATIENCE_MS,
      shared: true,
      signal: new AbortController().signal, // shared by many lookups, so it ends by its own time limit alone
    });
    const now = ports.clock.now();
    dueAt = now + COOLDOWN_MS;
    if (reply.tag !== 'answer')
      return ports.log('warn', 'the RDAP bootstrap could not be fetched', { tag: reply.tag, detail: reply.detail });
    const { status, headers } = reply.answer;
    if (status === 304 && cached) {
      dueAt = now + DAY_MS;
      return;
    }
    const bases = status === 200 ? readBootstrap(jsonOf(reply.answer)) : null;
    if (!bases) return ports.log('warn', 'the RDAP bootstrap is malformed: the older copy stays in use', { status });
    cached = { bases, etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null };
    dueAt = now + DAY_MS;
  }
  function refreshed(): Promise<void> {
    running ??= refresh().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    /** null if no RDAP service is known. The first lookup waits for the list; later ones use the current copy. */
    async find(domain: string): Promise<Base | null> {
      if (ports.clock.now() >= dueAt || (running && !cached)) {
        const run = refreshed();
        if (!cached) await run;
      }
      return baseOf(domain, cached?.bases ?? null);
    },
  };
}

/** The bootstrap first, then the bundled table; the longest suffix wins within each. */
export function baseOf(domain: string, bootstrap: ReadonlyMap<string, string> | null): Base | null {
  const known = registries();
  const order: readonly (readonly [ReadonlyMap<string, string> | null, boolean])[] = [
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
