import { appmarketPage, appmarketSearch } from './appmarket/page/source.ts';
import { forumApi } from './forum/api/source.ts';
import { microblogApi, microblogOembed, microblogSyndication } from './microblog/sources.ts';
import { registrationRdap, registrationWhois } from './registration/sources.ts';
import { dataforseo, searxng, serpapi, serpBrowser } from './searchengine/serp-source.ts';
import { shortVideoOembed, shortVideoPage } from './shortvideo/sources.ts';
import { lazyReader, type ReaderEntries, type ReaderEntry, type Source } from './source.ts';
import { similarweb, trafficModel } from './traffic/sources.ts';

/** Every source, in the order in which an operation tries them. */
export const SOURCES: readonly Source[] = [
  registrationRdap,
  registrationWhois,
  forumApi,
  similarweb,
  trafficModel,
  shortVideoPage,
  shortVideoOembed,
  microblogApi,
  microblogSyndication,
  microblogOembed,
  appmarketPage,
  appmarketSearch,
  dataforseo,
  serpapi,
  serpBrowser,
  searxng,
];

/** Every reader by its public name: those of the sources, and one of a format that only data providers return. */
export const READERS: ReaderEntries = Object.assign({}, ...SOURCES.map((source) => source.readers), {
  'microblog/graphql': lazyReader('microblog-post', async () => (await import('./microblog/graphql.ts')).readMicroblogGraphql),
});

export const readerOf = (name: string): ReaderEntry | undefined => (Object.hasOwn(READERS, name) ? READERS[name] : undefined);
