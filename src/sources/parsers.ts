import type { Answer } from '../upstream/answer.ts';
import type { NotFound } from './outcome.ts';
import type { Attempt, Ports } from './source.ts';

/**
 * Everything that connectors have read, by name: pure functions of a recorded answer and an input. They are named so that a thread can be
 * asked for one; input and result are plain data.
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
    const { readLazyFrame } = await import('./appmarket/page/frames.ts');
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

/** What was charged for a call, and why it was not accepted. */
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

/** Reads on the thread at hand. */
export async function parseHere<N extends ParserName>(name: N, answer: Answer, input: ParserInput<N>): Promise<Parsed<N>> {
  const parse = (await PARSERS[name]()) as (answer: Answer, input: ParserInput<N>) => Parsed<N> | Promise<Parsed<N>>;
  return parse(answer, input);
}

/** Where large answers are read: beside the event loop. */
export interface ParserThreads {
  parse<N extends ParserName>(name: N, answer: Answer, input: ParserInput<N>, attempt: Attempt): Promise<Parsed<N> | NotFound>;
  close(): Promise<void>;
}

/** The one way in which a connector has an answer read. An outcome that the parser does not give says that it took too long. */
export const parse = <N extends ParserName>(
  ports: Pick<Ports, 'parserThreads'>,
  name: N,
  answer: Answer,
  input: ParserInput<N>,
  attempt: Attempt,
): Promise<Parsed<N> | NotFound> =>
  ports.parserThreads ? ports.parserThreads.parse(name, answer, input, attempt) : parseHere(name, answer, input);
