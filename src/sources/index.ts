import { appmarketPage, appmarketSearch } from './appmarket/connector.ts';
import { forumApi } from './forum/api/connector.ts';
import { microblogApi } from './microblog/api/connector.ts';
import { microblogOembed } from './microblog/oembed/connector.ts';
import { microblogSyndication } from './microblog/syndication/connector.ts';
import { registrationRdap } from './registration/rdap/connector.ts';
import { registrationWhois } from './registration/whois/connector.ts';
import { dataforseo, dataforseoHtml } from './searchengine/dataforseo/connector.ts';
import { serpBrowser } from './searchengine/page/browser-source.ts';
import { serpPage } from './searchengine/page/connector.ts';
import { searxng } from './searchengine/searxng/connector.ts';
import { serpapi } from './searchengine/serpapi/connector.ts';
import { shortVideoOembed } from './shortvideo/oembed/connector.ts';
import { shortVideoPage } from './shortvideo/page/connector.ts';
import type { Source } from './source.ts';
import { trafficModel } from './traffic/model/connector.ts';
import { similarweb } from './traffic/similarweb/connector.ts';

/** Every source, in the order in which an operation asks them; one line each. */
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
