import { appmarketPage, appmarketSearch } from './appmarket/page/source.ts';
import { forumApi } from './forum/api/source.ts';
import { microblogApi } from './microblog/api/source.ts';
import { microblogOembed } from './microblog/oembed/source.ts';
import { microblogSyndication } from './microblog/syndication/source.ts';
import { registrationRdap } from './registration/rdap/source.ts';
import { registrationWhois } from './registration/whois/source.ts';
import { dataforseo } from './searchengine/dataforseo/source.ts';
import { serpBrowser } from './searchengine/page/source.ts';
import { searxng } from './searchengine/searxng/source.ts';
import { serpapi } from './searchengine/serpapi/source.ts';
import { shortVideoOembed } from './shortvideo/oembed/source.ts';
import { shortVideoPage } from './shortvideo/page/source.ts';
import { lazyReader, type ReaderEntries, type ReaderEntry, type Source } from './source.ts';
import { trafficModel } from './traffic/model/source.ts';
import { similarweb } from './traffic/similarweb/source.ts';

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
