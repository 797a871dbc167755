import { changed, found } from '../src/sources/outcome.ts';
import { parse, parsersIn, type Source } from '../src/sources/source.ts';
import { jsonOf } from '../src/upstream/answer.ts';
import { resource } from './resource.ts';

/** The reader of a result page, for domains that begin with `page-`. */
const PAGE = parsersIn<typeof import('../src/sources/searchengine/google/parse.ts')>(
  new URL('../src/sources/searchengine/google/parse.ts', import.meta.url),
)('readGooglePage');
const PAGE_INPUT = { keyword: 'running shoes', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' } as const;

/** Answers 10 kB at once, or requests it from the upstream in BENCH_UPSTREAM. */
export const benchSource: Source = {
  id: 'registration/rdap',
  operations: ['registration'],
  needs: [],
  knowsAbsence: true,
  about: 'answers at once, or asks the upstream of the bench',
  open: ({ http, parserThreads }) => ({
    async registration({ domain }, attempt) {
      const upstream = process.env.BENCH_UPSTREAM;
      if (!upstream) return found(resource(domain));
      const isPage = domain.startsWith('page-');
      const reply = await http.ask({
        url: `${upstream}/${domain}`,
        attempt,
        named: true,
        pace: { key: 'bench', everyMs: 0.01, burst: 10_000 },
        ...(isPage && { decodedByParser: true }),
      });
      if (reply.tag !== 'answer') return reply;
      if (isPage) {
        await parse(parserThreads ? { parserThreads } : {}, PAGE, reply, PAGE_INPUT, attempt);
        return found(resource(domain, 1));
      }
      const body = jsonOf(reply.answer) as ReturnType<typeof resource> | undefined;
      return body ? found(body) : changed('no JSON');
    },
  }),
};

/** Limits that no bench reaches. */
export const BENCH_SETTINGS = {
  PORT: '0',
  SIGHTLINE_FREE_CREDITS: '900000000',
  SIGHTLINE_RATE_PER_SECOND: '100000',
  SIGHTLINE_RATE_BURST: '100000',
  SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 100000, burst: 100000 } }),
  SIGHTLINE_PACE_PER_SECOND: '1000',
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
} as const;
