import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../src/sources/outcome.ts';
import { readBingPage } from '../../src/sources/searchengine/bing/parse.ts';
import { readDataforseo } from '../../src/sources/searchengine/dataforseo/parse.ts';
import { readGooglePage } from '../../src/sources/searchengine/google/parse.ts';
import { readSearxng } from '../../src/sources/searchengine/searxng/parse.ts';
import { readSerpapi } from '../../src/sources/searchengine/serpapi/parse.ts';
import { asked, type Input } from './fixture.ts';
import { column } from './google-page.ts';

type Engine = Input['engine'];
/** One entry of the page: how its link is written, and what is shown as its address. */
interface Entry {
  readonly name: string;
  readonly link: (engine: Engine) => string;
  readonly shown: string | null;
}
const at = (name: string) => `https://${name}.example/guide`;
const shownAs = (name: string) => `https://${name}.example › guide`;
const sealed = (engine: Engine, n: number) =>
  engine === 'engine_a' ? `https://www.google.com/goto?url=CAESegHr${n}` : `https://www.bing.com/ck/a?!&&p=${n}&ptn=3`;
const wrapped = (engine: Engine, url: string) =>
  engine === 'engine_a'
    ? `https://www.google.com/url?sa=t&url=${encodeURIComponent(url)}`
    : `https://www.bing.com/ck/a?!&&p=1&u=a1${Buffer.from(url).toString('base64url')}`;
/** Links in every form, one entry that shows no address, and one listed twice. */
const PAGE: readonly Entry[] = [
  { name: 'hill', link: () => at('hill'), shown: shownAs('hill') },
  { name: 'forum', link: (engine) => sealed(engine, 2), shown: '570+ comments · 5 years ago' },
  { name: 'lake', link: (engine) => sealed(engine, 3), shown: shownAs('lake') },
  { name: 'moor', link: (engine) => wrapped(engine, at('moor')), shown: shownAs('moor') },
  { name: 'reef', link: () => 'https://reef-example.translate.goog/guide?_x_tr_sl=en', shown: shownAs('reef') },
  { name: 'thread', link: (engine) => sealed(engine, 6), shown: '12 answers' },
  { name: 'dune', link: () => at('dune'), shown: shownAs('dune') },
];

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

const READERS = {
  google: (entries: readonly Entry[]) => readGooglePage(answerOf(google(entries)), asked('x')),
  bing: (entries: readonly Entry[]) => readBingPage(answerOf(bing(entries)), asked('x', { engine: 'engine_b' })),
  dataforseo: (entries: readonly Entry[]) => readDataforseo(answerOf(dataforseo(entries)), asked('x')),
  serpapi: (entries: readonly Entry[]) => readSerpapi(answerOf(serpapi(entries)), asked('x')),
  searxng: (entries: readonly Entry[]) => readSearxng(answerOf(searxng(entries)), asked('x')),
} as const;
const answerOf = (body: string) => ({ status: 200, headers: {}, body: Buffer.from(body), url: '', at: 0 });

function ranksIn(outcome: Outcome<import('../../src/contract/operations/serp/operation.ts').SearchResult>) {
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return {
    ranks: outcome.resource.organic.map(({ rank, absoluteRank, domain }) => `${rank} ${absoluteRank} ${domain}`),
    unread: outcome.unread ?? [],
  };
}
const WITHOUT_ADDRESS_LINES = /lake/;

for (const [format, read] of Object.entries(READERS)) {
  test(`${format}: entries whose links are hidden keep their places, and no host of an engine is an address`, () => {
    const want = ['1 1 hill.example', '3 3 lake.example', '4 4 moor.example', '5 5 reef.example', '7 7 dune.example'];
    const { ranks, unread } = ranksIn(read(PAGE));
    // the JSON of an instance has no address lines: what is sealed is hidden there
    assert.deepEqual(ranks, format === 'searxng' ? want.filter((rank) => !WITHOUT_ADDRESS_LINES.test(rank)) : want);
    assert.ok(unread.includes('organic.url'), `${unread}`);
  });
  test(`${format}: a page of which every address is hidden is no answer`, () => {
    assert.equal(read(PAGE.filter(({ shown }) => !shown?.startsWith('https:'))).tag, 'changed');
  });
  test(`${format}: an entry that is listed twice has one place`, () => {
    const [hill, , , , , , dune] = PAGE;
    assert.ok(hill && dune);
    assert.deepEqual(
      ranksIn(read([hill, hill, dune])).ranks.map((rank) => rank.replace(/ \d+ /, ' ')),
      ['1 hill.example', '2 dune.example'],
    );
  });
}
