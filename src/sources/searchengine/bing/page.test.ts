import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchResult } from '../../../contract/operations/serp/operation.ts';
import { readBingPage } from './parse.ts';

function read(body: string): SearchResult {
  return outcomeOf(body).resource;
}
function outcomeOf(body: string) {
  const outcome = readBingPage(
    {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: Buffer.from(`<!doctype html><html><body>${body}</body></html>`),
      url: 'https://www.bing.com/search?q=tea',
      atMs: 1_700_000_000_000,
    },
    { keyword: 'tea', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_b' },
  );
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome;
}
const clicked = (url: string): string => `https://www.bing.com/ck/a?!&&p=1&u=a1${Buffer.from(url).toString('base64url')}&ntb=1`;
const entry = (href: string, shown: string | null): string =>
  `<li class="b_algo"><h2><a href="${href}">Title</a></h2>${shown ? `<cite>${shown}</cite>` : ''}<p>What the page says about it.</p></li>`;
const page = (...items: string[]): string => `<ol id="b_results">${items.join('')}</ol>`;
const TEA = entry('https://tea.example/', 'https://tea.example');

test("the engine's own pages are entries if listed with their address, else controls", () => {
  const { organic } = read(
    page(
      TEA,
      entry(clicked('https://www.bing.com/maps'), 'https://www.bing.com › maps'),
      entry('https://www.bing.com/', 'www.bing.com'),
      entry('https://www.bing.com/images/search?q=tea', 'bing.com'),
      entry('https://www.bing.com/shop', null),
      entry(clicked('/videos/search?q=tea'), 'bing.com'),
    ),
  );
  assert.deepEqual(
    organic.map(({ url, rank }) => `${rank} ${url}`),
    ['1 https://tea.example/', '2 https://www.bing.com/maps', '3 https://www.bing.com/'],
  );
});

test('one entry that has its class does not hide the others: an item is an entry where its title has the address line of a result', () => {
  const unmarked = (host: string, shown: string): string => entry(`https://${host}/`, shown).replace('class="b_algo"', 'class="x"');
  const message = '<li class="b_msg"><h2><a href="https://note.example/">Some results have been removed</a></h2></li>';
  const ad = '<li class="b_ad"><h2><a href="https://ad.example/">Tea</a></h2><cite>ad.example</cite></li>';
  const answer = '<li class="b_ans"><h2><a href="https://box.example/">Tea</a></h2><cite>box.example</cite></li>';
  const list = [unmarked('a.example', 'https://a.example › teas'), TEA, message, answer, ad, unmarked('b.example', 'b.example')];
  assert.deepEqual(
    read(page(...list)).organic.map(({ url, rank }) => `${rank} ${url}`),
    ['1 https://a.example/', '2 https://tea.example/', '3 https://b.example/'],
  );
});

test('related searches in a list with another class are recognised by the form that their links name', () => {
  const link = (query: string, form: string): string => `<li><a href="/search?q=${query}&FORM=${form}">${query}</a></li>`;
  const list = `<li class="x"><div class="y"><ul>${link('green+tea', 'QSRE1')}${link('tea+pot', 'QSRE2')}${link('tea', 'QSRE3')}</ul></div></li>`;
  const pager = `<li class="x"><ul>${link('tea', 'PERE1')}${link('other', 'HDRSC1')}</ul></li>`;
  assert.deepEqual(read(page(TEA, list, pager)).relatedSearches, ['green tea', 'tea pot']);
});

test("a short generated answer is kept without the engine's notices; notices alone are no answer", () => {
  const block = (inner: string): string => page(`<li class="b_ans"><div class="gs_main">${inner}</div></li>`, TEA);
  const notices = '<div>Content generated with AI</div><div>Learn more:</div><div>See more</div>';
  assert.equal(read(block(`<div>It is green.</div>${notices}`)).aiOverview?.text, 'It is green.');
  assert.equal(read(block(notices)).aiOverview, null);
  const prose = 'Images can be generated with AI.';
  assert.equal(read(block(`<div>${prose}</div>`)).aiOverview?.text, prose);
});

test('cards and numbers of cited pages are no text of a generated answer, whether their links are open or sealed', () => {
  const sealed = 'https://www.bing.com/ck/a?!&amp;&amp;p=1&amp;ptn=3';
  const titled = (href: string, shown: string) =>
    `<div><a href="${href}"><h2>On hills</h2><cite>${shown}</cite><div>A snippet of the page.</div></a></div>`;
  for (const [card, references] of [
    [titled(clicked('https://hill.example/on'), 'hill.example'), ['https://hill.example/on']],
    [titled(sealed, 'hill.example › on'), ['https://hill.example']],
    [titled(sealed, 'Hill'), []],
    [`<ul><li><a href="${sealed}"><div>On hills</div><div>A snippet of the page.</div></a></li></ul>`, []],
    [`<a href="${sealed}">1</a>`, []],
  ] as const) {
    const answer = `<div>Hills are <a href="${sealed}">high</a> and far.</div>`;
    const { aiOverview } = read(page(`<li class="b_ans"><div class="gs_main">${answer}${card}</div></li>`, TEA));
    assert.equal(aiOverview?.text, 'Hills are high and far.', card);
    assert.deepEqual(
      aiOverview?.references.map(({ url }) => url),
      references,
      card,
    );
  }
});

test('a generated answer that the page announces and does not bring is unread; a frame that is hidden or of a conversation announces none', () => {
  const frames = {
    announced: [
      '<li class="b_ans"><div id="copans_container"><div id="ca_main"></div></div></li>',
      '<li class="b_ans"><div class="gs_main">Learn more:</div></li>',
      '<li class="b_ans"><div class="gs_main"><div>Generating…</div></div></li>',
    ],
    none: ['<li class="b_ans b_hide"><div class="copans_container"></div></li>', '<div id="b_sydConvCont"></div>', ''],
  };
  for (const frame of frames.announced) {
    const { resource, unread } = outcomeOf(page(frame, TEA));
    assert.deepEqual([resource.aiOverview, unread], [null, ['aiOverview']], frame);
  }
  assert.deepEqual(read(page(frames.announced[0] ?? '', TEA)).features, ['organic']);
  for (const frame of frames.none)
    assert.deepEqual(outcomeOf(`${frame.startsWith('<div') ? frame : ''}${page(frame, TEA)}`).unread ?? [], [], frame);
  const answered = outcomeOf(page(...frames.announced, '<li class="b_ans"><div class="gs_main"><div>It is green.</div></div></li>', TEA));
  assert.deepEqual([answered.resource.aiOverview?.text, answered.unread ?? []], ['It is green.', []]);
});

test('the answer in its frame above the list is one, by the class or by the id of the frame', () => {
  for (const frame of ['id="copans_container"', 'class="b_genserp_container"', 'id="b_genserp_container"']) {
    const { aiOverview, features } = read(`<div ${frame}><div>It is green.</div><div>Learn more</div></div>${page(TEA)}`);
    assert.deepEqual([aiOverview?.text, features], ['It is green.', ['ai_overview', 'organic']], frame);
  }
});

test('the frame of a page layout is no generated answer: what is in it decides', () => {
  const framed = (inner: string) => `<li class="b_ans"><div data-tag="WholePageTemplate.MagazineContainer">${inner}</div></li>`;
  const places = '<div data-tag="common.MapControl"></div><h2>Tea houses</h2><ul><li>Tea House, 11 High St</li></ul>';
  const local = read(page(TEA, framed(places)));
  assert.deepEqual([local.aiOverview, local.features], [null, ['organic', 'local_pack']]);
  const generated = read(page(framed('<div id="rd_gencon_ttc">It is green.</div>'), TEA));
  assert.deepEqual([generated.aiOverview?.text, generated.features], ['It is green.', ['ai_overview', 'organic']]);
});

test('an entry whose title has markup that is not known keeps its place', () => {
  const other = entry('https://leaf.example/', 'https://leaf.example').replaceAll('h2', 'b');
  const { resource, unread } = outcomeOf(page(TEA, other, entry('https://pot.example/', 'https://pot.example')));
  assert.deepEqual(
    resource.organic.map(({ rank, domain }) => `${rank} ${domain}`),
    ['1 tea.example', '3 pot.example'],
  );
  assert.deepEqual(unread, ['organic.title']);
});

test('a line of the number of results without a number is unread', () => {
  const { resource, unread } = outcomeOf(`<span class="sb_count">Many results</span>${page(TEA)}`);
  assert.deepEqual([resource.totalResults, unread], [null, ['totalResults']]);
});

test('votes beside a rating in words that are not understood are unread, and the rating is kept', () => {
  const rated = (line: string) =>
    outcomeOf(page(TEA.replace('</li>', `<div>${line}<span role="img" aria-label="4,5 / 5"></span></div></li>`)));
  const [plain, lost] = ['4,5 (12)', '4,5/5 · 1,2 mil. hodnocení'].map(rated);
  assert.deepEqual([plain?.resource.organic[0]?.rating?.votesCount, plain?.unread], [12, undefined]);
  assert.deepEqual([lost?.resource.organic[0]?.rating?.value, lost?.unread], [4.5, ['organic.rating.votesCount']]);
});

test('a rating is read beside its stars, also where these stand in a wrapper', () => {
  const stars = '<span class="csrc" role="img" aria-label="Star Rating: 3.5 out of 5."></span>';
  const rated = (around: string) =>
    read(page(TEA.replace('</li>', `<div class="b_factrow"><span>${around} 7/10 (191)</span></div></li>`))).organic[0]?.rating;
  for (const around of [stars, `<span>${stars}</span>`, `<div><span>${stars}</span></div>`])
    assert.deepEqual(rated(around), { value: 7, votesCount: 191, max: 10 }, around);
});
