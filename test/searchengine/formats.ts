import type { SearchResult } from '../../src/contract/operations/serp/operation.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { readBingPage } from '../../src/sources/searchengine/bing/parse.ts';
import { readDataforseo } from '../../src/sources/searchengine/dataforseo/parse.ts';
import { readGooglePage } from '../../src/sources/searchengine/google/parse.ts';
import { readSearxng } from '../../src/sources/searchengine/searxng/parse.ts';
import { readSerpapi } from '../../src/sources/searchengine/serpapi/parse.ts';
import { asked, type Input } from './fixture.ts';
import { column } from './google-page.ts';

export type Engine = Input['engine'];
/** One entry of the page: how its link is written, and what is shown as its address. */
export interface Entry {
  readonly name: string;
  readonly link: (engine: Engine) => string;
  readonly shown: string | null;
}
const attribute = (text: string) => text.replace(/&/g, '&amp;');
const google = (entries: readonly Entry[]): string =>
  `<!doctype html><html><body>${column(
    ...entries.map(
      ({ name, link, shown }) =>
        `<div><div data-snc="1"><a href="${attribute(link('engine_a'))}"><h3>About ${name}</h3><div><span>Site</span>${shown ? `<cite>${shown}</cite>` : ''}</div></a><div data-sncf="1"><span>What the page says about ${name}.</span></div></div></div>`,
    ),
  )}</body></html>`;
const bing = (entries: readonly Entry[]): string =>
  `<!doctype html><html><body><ol id="b_results">${entries
    .map(
      ({ name, link, shown }) =>
        `<li class="b_algo"><h2><a href="${attribute(link('engine_b'))}">About ${name}</a></h2>${shown ? `<cite>${shown}</cite>` : ''}<p>What the page says about ${name}.</p></li>`,
    )
    .join('')}</ol></body></html>`;
const dataforseo = (entries: readonly Entry[]): string => {
  const items = entries.map(({ name, link, shown }, i) => ({
    type: 'organic',
    rank_group: i + 1,
    rank_absolute: i + 1,
    title: `About ${name}`,
    url: link('engine_a'),
    domain: new URL(link('engine_a')).hostname,
    breadcrumb: shown,
  }));
  const result = [{ type: 'organic', items }];
  return JSON.stringify({ status_code: 20000, tasks: [{ status_code: 20000, path: ['v3', 'serp', 'google'], result }] });
};
const serpapi = (entries: readonly Entry[]): string =>
  JSON.stringify({
    search_metadata: { status: 'Success' },
    search_parameters: { engine: 'google' },
    organic_results: entries.map(({ name, link, shown }, i) => ({
      position: i + 1,
      title: `About ${name}`,
      link: link('engine_a'),
      displayed_link: shown,
    })),
  });
const searxng = (entries: readonly Entry[]): string =>
  JSON.stringify({
    query: 'x',
    results: entries
      .map(({ name, link }, i) => ({ url: link('engine_a'), title: `About ${name}`, engines: ['google'], positions: [i + 1] }))
      // the instance's own order
      .toReversed(),
  });

/** One page of results in the format of each reader, read. */
export const READERS: Readonly<Record<string, (entries: readonly Entry[]) => Outcome<SearchResult>>> = {
  google: (entries: readonly Entry[]) => readGooglePage(answerOf(google(entries)), asked('x')),
  bing: (entries: readonly Entry[]) => readBingPage(answerOf(bing(entries)), asked('x', { engine: 'engine_b' })),
  dataforseo: (entries: readonly Entry[]) => readDataforseo(answerOf(dataforseo(entries)), asked('x')),
  serpapi: (entries: readonly Entry[]) => readSerpapi(answerOf(serpapi(entries)), asked('x')),
  searxng: (entries: readonly Entry[]) => readSearxng(answerOf(searxng(entries)), asked('x')),
};
const answerOf = (body: string) => ({ status: 200, headers: {}, body: Buffer.from(body), url: '', atMs: 0 });
