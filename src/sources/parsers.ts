import type { Answer } from '../upstream/answer.ts';
import type { NotFound } from './outcome.ts';
import type { Attempt, Ports } from './source.ts';

/**
 * The parsers of all connectors by name, so that a worker thread can be asked for one. Each is a pure function of a recorded answer and an
 * input; input and result are plain data (structured clone).
 */
const PARSERS = {
  'shortvideo/page': async () => {
    const { judgeVideoPage } = await import('./shortvideo/page/parse.ts');
    return (answer: Answer, { id }: { id: string }) => judgeVideoPage(answer, id);
  },
  'shortvideo/oembed': async () => (await import('./shortvideo/oembed/parse.ts')).readVideoOembed,
  'microblog/api': async () => (await import('./microblog/api/parse.ts')).readMicroblogApi,
  'microblog/syndication': async () => (await import('./microblog/syndication/parse.ts')).readSyndication,
  'microblog/oembed': async () => (await import('./microblog/oembed/parse.ts')).readMicroblogOembed,
  'forum/listing': async () => (await import('./forum/api/parse.ts')).readListing,
  'forum/search': async () => (await import('./forum/api/parse.ts')).readSearch,
  'forum/thread-page': async () => (await import('./forum/api/parse.ts')).readThreadPage,
  'forum/more-comments': async () => (await import('./forum/api/parse.ts')).readMoreComments,
  'appmarket/app': async () => (await import('./appmarket/page/app.ts')).readApp,
  'appmarket/reviews': async () => (await import('./appmarket/page/reviews.ts')).readReviews,
  'appmarket/search': async () => (await import('./appmarket/page/search.ts')).readSearch,
  'appmarket/category': async () => (await import('./appmarket/page/category.ts')).readCategory,
  'appmarket/developer-page': async () => {
    const { readDeveloperPage } = await import('./appmarket/page/developer.ts');
    return (answer: Answer, { handle, page }: { handle: string; page: number }) => readDeveloperPage(answer, handle, page);
  },
  'appmarket/lazy-frame': async () => {
    const { readLazyFrame } = await import('./appmarket/page/lazy-frame.ts');
    return (answer: Answer, { page }: { page: number }) => readLazyFrame(answer, page);
  },
  'registration/rdap': async () => (await import('./registration/rdap/parse.ts')).readRdap,
  'registration/rdap-link': async () => {
    const { registrarLink } = await import('./registration/rdap/parse.ts');
    return (answer: Answer, _: object) => registrarLink(answer);
  },
  'traffic/similarweb-part': async () => (await import('./traffic/similarweb/parse.ts')).readPanelPart,
  'traffic/tranco': async () => (await import('./traffic/model/parse.ts')).readTranco,
  'serp/google-page': async () => (await import('./searchengine/google/parse.ts')).openGooglePage,
  'serp/bing-page': async () => (await import('./searchengine/bing/parse.ts')).openBingPage,
  'serp/dataforseo': async () => (await import('./searchengine/dataforseo/parse.ts')).readDataforseo,
  'serp/dataforseo-bill': async () => {
    const { openEnvelope } = await import('./searchengine/dataforseo/envelope.ts');
    return (answer: Answer, _: object) => billOf(openEnvelope(answer));
  },
  'serp/dataforseo-pages': async () => {
    const { rawPages } = await import('./searchengine/dataforseo/parse.ts');
    return (answer: Answer, _: object) => rawPages(answer);
  },
  'serp/serpapi-page': async () => (await import('./searchengine/serpapi/parse.ts')).openSerpapiPage,
  'serp/searxng': async () => (await import('./searchengine/searxng/parse.ts')).readSearxng,
  relay: async () => (await import('./relay/payload.ts')).readPayload,
} as const;

/** What the provider charged for a call in USD, and why it refused the call; null where it states neither. */
export interface Bill {
  readonly cost: number | null;
  readonly refusal: string | null;
}
const billOf = (opened: { tag: string; cost?: unknown; detail?: string }): Bill => ({
  cost: typeof opened.cost === 'number' ? opened.cost : null,
  refusal: opened.tag === 'refused' ? (opened.detail ?? '') : null,
});

export type ParserName = keyof typeof PARSERS;
type ParserOf<N extends ParserName> = Awaited<ReturnType<(typeof PARSERS)[N]>>;
export type ParserInput<N extends ParserName> = Parameters<ParserOf<N>>[1];
export type Parsed<N extends ParserName> = Awaited<ReturnType<ParserOf<N>>>;

/** Runs a parser on the calling thread. Rejects on an unknown name: a defect. */
export async function runParser(name: string, answer: Answer, input: unknown): Promise<unknown> {
  if (!isParserName(name)) throw new Error(`no parser is registered as ${name}`);
  const parser = (await PARSERS[name]()) as (answer: Answer, input: unknown) => unknown;
  return parser(answer, input);
}
const isParserName = (name: string): name is ParserName => Object.hasOwn(PARSERS, name);

/**
 * Parses an answer for a connector, in a worker thread if it is large and `ports` has threads. Besides the parser's own result it may give
 * an outcome: the parser took too long, or the attempt ended.
 */
export const parse = async <N extends ParserName>(
  ports: Pick<Ports, 'parserThreads'>,
  name: N,
  answer: Answer,
  input: ParserInput<N>,
  attempt: Attempt,
): Promise<Parsed<N> | NotFound> => {
  const result = ports.parserThreads ? ports.parserThreads.parse(name, answer, input, attempt) : runParser(name, answer, input);
  return (await result) as Parsed<N> | NotFound;
};
