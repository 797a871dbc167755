import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SearchResult } from '../../src/contract/operations/serp/operation.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { type Engine, type Entry, READERS } from './formats.ts';

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

function ranksIn(outcome: Outcome<SearchResult>) {
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

const HOSTS_OF: Readonly<Record<Engine, readonly string[]>> = {
  engine_a: ['google.com', 'google.de', 'google.co.uk', 'google.com.br', 'google.co.jp', 'google.cat', 'google.com.'].flatMap((host) => [
    `www.${host}`,
    host,
    `news.${host}`,
    `ipv4.${host}`,
  ]),
  engine_b: ['www.bing.com', 'bing.com', 'cn.bing.com', 'r.bing.com'],
};
const PATHS = [
  '/url',
  '/goto',
  '/goto/',
  '/aclk',
  '/pagead/aclk',
  '/interstitial',
  '/imgres',
  '/search',
  '/link',
  '/r',
  '/ck/a',
  '/news/apiclick.aspx',
  '/aclick',
  '/maps',
  '/',
];
const isOf = (engine: Engine, domain: string): boolean =>
  engine === 'engine_a' ? /(^|\.)google\.[a-z]{2,3}(\.[a-z]{2})?\.?$/.test(domain) : /(^|\.)bing\.com\.?$/.test(domain);

for (const [format, read] of Object.entries(READERS))
  test(`${format}: no link of the engine makes its host the domain of somebody else's entry`, () => {
    const engine: Engine = format === 'bing' ? 'engine_b' : 'engine_a';
    const token = fc.string({ unit: fc.constantFrom(...'CAESegHr0129-_='), minLength: 8, maxLength: 40 }).map((text) => `CA1${text}`);
    const link = fc
      .record({
        host: fc.constantFrom(...HOSTS_OF[engine]),
        path: fc.constantFrom(...PATHS),
        name: fc.constantFrom('url', 'q', 'u', 'x', 'opi', 'amp;url'),
        token,
        isPath: fc.boolean(),
      })
      .map(({ host, path, name, token: text, isPath }) => `https://${host}${isPath ? `${path}/${text}` : `${path}?${name}=${text}`}`);
    fc.assert(
      fc.property(fc.array(link, { minLength: 1, maxLength: 4 }), fc.boolean(), (links, isShown) => {
        const entries = links.map((href, i) => ({ name: `n${i}`, link: () => href, shown: isShown ? shownAs(`n${i}`) : null }));
        const open = { name: 'hill', link: () => at('hill'), shown: shownAs('hill') };
        const outcome = read([...entries, open]);
        assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
        const { organic } = outcome.resource;
        assert.deepEqual(
          organic.filter(({ domain }) => isOf(engine, domain)),
          [],
        );
        if (isShown && format !== 'searxng') {
          assert.deepEqual(
            organic.map(({ domain }) => domain),
            [...entries.map(({ name }) => `${name}.example`), 'hill.example'],
          );
          assert.deepEqual(
            organic.map(({ rank }) => rank),
            organic.map((_, i) => i + 1),
          );
        }
      }),
    );
  });
