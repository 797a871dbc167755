import { appmarketPage, appmarketSearch } from './appmarket/page/source.ts';
import { forumApi } from './forum/api/source.ts';
import { microblogApi } from './microblog/api/source.ts';
import { microblogOembed } from './microblog/oembed/source.ts';
import { microblogSyndication } from './microblog/syndication/source.ts';
import { registrationRdap } from './registration/rdap/source.ts';
import { registrationWhois } from './registration/whois/source.ts';
import { dataforseo, dataforseoHtml } from './searchengine/dataforseo/source.ts';
import { serpBrowser } from './searchengine/page/browser-source.ts';
import { serpPage } from './searchengine/page/source.ts';
import { searxng } from './searchengine/searxng/source.ts';
import { serpapi } from './searchengine/serpapi/source.ts';
import { shortVideoOembed } from './shortvideo/oembed/source.ts';
import { shortVideoPage } from './shortvideo/page/source.ts';
import type { Source } from './source.ts';
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
  dataforseoHtml,
  serpapi,
  serpBrowser,
  serpPage,
  searxng,
];
