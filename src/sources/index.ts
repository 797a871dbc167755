import { appmarketPage, appmarketSearch } from './appmarket/page/source.ts';
import { forumApi } from './forum/api/source.ts';
import { microblogApi, microblogOembed, microblogSyndication } from './microblog/sources.ts';
import { registrationRdap, registrationWhois } from './registration/sources.ts';
import { dataforseo, dataforseoHtml, searxng, serpapi, serpBrowser, serpPage } from './searchengine/sources.ts';
import { shortVideoOembed, shortVideoPage } from './shortvideo/sources.ts';
import type { Source } from './source.ts';
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
  dataforseoHtml,
  serpapi,
  serpBrowser,
  serpPage,
  searxng,
];
