import { hostOf } from '../../sandbox/http-server.ts';
import { type Block, type SerpFact, serpOf } from '../../sandbox/searchengine/facts.ts';
import { SEARCH_HOSTS } from '../../sandbox/searchengine/host.ts';
import type { Input as OperationInput } from '../../src/contract/operations/index.ts';
import type { Feature, SearchResult } from '../../src/contract/operations/serp/operation.ts';
import { readSettings } from '../../src/settings.ts';
import type { Ports, Source } from '../../src/sources/source.ts';
import { createSpending } from '../../src/spending/spending.ts';
import type { HttpRequest } from '../../src/upstream/ports.ts';
import { createManualClock } from '../support/manual-clock.ts';

export type Input = OperationInput<'serp'>;
export const asked = (keyword: string, more: Partial<Input> = {}): Input => ({
  keyword,
  location: 'US',
  language: 'en',
  device: 'desktop',
  depth: 10,
  engine: 'engine_a',
  ...more,
});

/** Ports whose HTTP requests are answered by the simulated platforms without sockets; `change` may modify a request or answer it itself. */
export function sandboxPorts(
  environment: Record<string, string> = {},
  change?: (request: HttpRequest) => { status: number; body: string } | null,
) {
  const clock = createManualClock();
  const requests: HttpRequest[] = [];
  const logged: string[] = [];
  const find = hostOf(SEARCH_HOSTS);
  const ports: Ports = {
    settings: readSettings(environment),
    clock,
    random: () => 0.5,
    spending: createSpending(clock),
    log: (level, message, facts) => logged.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`),
    pace: { take: async () => 0, rest: async () => undefined, resting: async () => 0 },
    whois: { ask: async () => ({ tag: 'unreachable', what: 'no WHOIS here' }) },
    http: {
      async ask(request) {
        requests.push(request);
        const spoiled = change?.(request);
        if (spoiled)
          return {
            tag: 'answer',
            answer: { status: spoiled.status, headers: {}, body: Buffer.from(spoiled.body), url: request.url, atMs: clock.now() },
          };
        let url = new URL(request.url);
        for (let hops = 0; ; hops++) {
          const host = find(url);
          if (!host) return { tag: 'unreachable', what: `nobody answers for ${url.origin}` };
          const headers = { 'user-agent': 'Sightline/0', ...request.headers };
          const r = await host.answer({ method: request.method ?? 'GET', url, headers, body: request.body ?? '', at: clock.now() });
          const location = r.headers?.location;
          if (location && r.status >= 300 && r.status < 400 && hops < (request.redirects ?? 5)) {
            url = new URL(location, url);
            continue;
          }
          return {
            tag: 'answer',
            answer: { status: r.status, headers: r.headers ?? {}, body: Buffer.from(r.body), url: url.href, atMs: clock.now() },
          };
        }
      },
    },
  };
  return { ports, clock, requests, logged };
}

export async function lookup(source: Source, ports: Ports, input: Input, leftMs = 120_000) {
  const serp = source.open(ports).serp;
  if (!serp) throw new Error('no search results here');
  return serp(input, { signal: new AbortController().signal, deadlineMs: ports.clock.now() + leftMs });
}

const FEATURE: Record<Block['kind'], Feature> = {
  ad: 'paid',
  overview: 'ai_overview',
  result: 'organic',
  relatedQuestions: 'people_also_ask',
  images: 'image',
  related: 'other',
};

export interface Says {
  /** Kinds of blocks that the source does not return. */
  readonly lacks?: readonly Block['kind'][];
  readonly overview?: boolean;
  readonly total?: boolean;
}

/** The expected result of a lookup of whole pages, built from the facts of the simulated engine. */
export function expectedOf(input: Input, says: Says = {}): Omit<SearchResult, 'checkedAt'> {
  const fact: SerpFact = serpOf(input.keyword, input.engine === 'engine_a' ? 'a' : 'b', input.location, input.language);
  const pages = fact.pages.slice(0, Math.ceil(input.depth / 10));
  const blocks = pages.flat().filter((b) => !says.lacks?.includes(b.kind));
  const organic = blocks.flatMap((b, i) => (b.kind === 'result' ? [{ ...b.result, absoluteRank: i + 1 }] : []));
  return {
    keyword: input.keyword,
    searchEngine: input.engine,
    location: input.location,
    language: input.language,
    device: input.device,
    totalResults: says.total === false ? null : fact.total,
    features: [
      ...new Set(
        blocks.flatMap((b): Feature[] => (b.kind === 'result' && b.result.featured ? ['featured_snippet', 'organic'] : [FEATURE[b.kind]])),
      ),
    ],
    organic: organic.slice(0, input.depth).map((r, i) => ({
      rank: i + 1,
      absoluteRank: r.absoluteRank,
      domain: r.domain,
      url: r.url,
      title: r.title,
      description: r.description,
      breadcrumb: r.breadcrumb,
      websiteName: r.siteName,
      isFeaturedSnippet: r.featured,
      rating: r.rating && { value: r.rating.value, votesCount: r.rating.votes, max: r.rating.max },
    })),
    paid: says.lacks?.includes('ad')
      ? []
      : blocks
          .flatMap((b) => (b.kind === 'ad' ? [b.ad] : []))
          .map((ad, i) => ({
            rank: i + 1,
            domain: ad.domain,
            url: ad.url,
            title: ad.title,
            description: ad.description,
            advertiserId: null,
          })),
    aiOverview:
      fact.overview && says.overview !== false
        ? {
            text: fact.overview.lines.join('\n'),
            references: fact.overview.references.map(({ domain, url, title }) => ({ domain, url, title })),
          }
        : null,
    relatedSearches: [...fact.related],
  };
}
