import assert from 'node:assert/strict';
import { test } from 'node:test';
import { column, entry, found, LABEL, read, TEA, urls } from '../../../../test/searchengine/google-page.ts';

test("the engine's own pages are entries if listed with their address, else controls", () => {
  const own = [
    'https://www.google.com/',
    'https://www.google.com/maps',
    'https://maps.google.com/',
    'https://www.google.com/travel/flights',
    'https://policies.google.com/privacy?hl=en',
    'https://accounts.google.com/',
    'https://www.google.co.uk/',
    'https://translate.google.com/',
  ];
  assert.deepEqual(urls(column(...own.map((url) => entry(url, 'Own', url.replace(/^https:/, 'https:').replace(/\?.*/, ''))))), own);
  const controls = [
    '<div><a href="https://www.google.com/maps/search/tea"><h3>More places</h3></a></div>',
    '<div><a href="https://www.google.com/travel/flights?q=tea"><h3>Flights</h3><span>from $80</span></a></div>',
    '<div><a href="https://www.google.com/search?q=tea&tbm=isch"><h3>Images</h3><cite>google.com</cite></a></div>',
    '<div><a href="/maps/place/Tea"><h3>Tea House</h3><cite>google.com</cite></a></div>',
  ];
  assert.deepEqual(urls(column(TEA, ...controls)), ['https://tea.example/']);
});

test("one of the engine's own pages whose title contains the link is recognised by the address line below it", () => {
  const page = (line: string) => column(`<div><h3><a href="https://www.google.com/maps">Maps</a></h3>${line}</div>`, other);
  const other = '<div><h3><a href="https://tea.example/">Tea</a></h3><cite>tea.example</cite></div>';
  assert.deepEqual(urls(page('<cite>www.google.com/maps</cite>')), ['https://www.google.com/maps', 'https://tea.example/']);
  assert.deepEqual(urls(page('')), ['https://tea.example/']);
});

test('the name of a site is no heading for screen readers within its link, and a rating no address line', () => {
  const phone = (url: string, inLink: string): string =>
    `<div data-snc="1"><a href="${url}"><span>${url}</span>${inLink}<div role="heading" aria-level="3">Tea</div></a></div>`;
  const { organic } = read(
    column(
      phone('https://tea.example/', '<h2 class="k">Web results</h2>'),
      phone('https://leaf.example/', '<div>Leaf</div><h2 class="k">Web results</h2>'),
      '<div data-snc="1"><a href="https://shop.example/teas"><span>Shop › teas</span><div role="heading" aria-level="3">Tea</div></a></div>',
      `<div><a href="https://play.google.com/store/apps/details?id=tea" data-app="tea" role="button">
        <span role="heading" aria-level="3">Tea</span><span>4.3</span></a></div>`,
    ),
  );
  assert.deepEqual(
    organic.map(({ websiteName, breadcrumb }) => [websiteName, breadcrumb]),
    [
      [null, 'https://tea.example/'],
      ['Leaf', 'https://leaf.example/'],
      [null, 'Shop › teas'],
      [null, null],
    ],
  );
});

test('one entry of another layout does not hide the others: a title is an entry where its link has the address line of a result', () => {
  const phone = (url: string, line: string): string =>
    `<div><a href="${url}"><div role="heading" aria-level="3">Tea</div><div><span>${line}</span></div></a><div>What the page says about it.</div></div>`;
  const computer = entry('https://leaf.example/', 'Leaf');
  const cards = [
    phone('https://card.example/', 'Card'),
    phone('https://shop.example/', 'shop.example'),
    phone('https://deal.example/', '4.3 › 12'),
    phone('https://talk.example/', '<span aria-hidden="true">www.talk.example</span>'),
  ];
  assert.deepEqual(
    urls(
      column(
        phone('https://a.example/', 'https://a.example'),
        phone('https://b.example/teas/', 'b.example › teas'),
        ...cards,
        computer,
        phone('https://c.example/', 'www.c.example'),
      ),
    ),
    ['https://a.example/', 'https://b.example/teas/', 'https://leaf.example/', 'https://c.example/'],
  );
});

test('an app card on a phone page is an entry beside framed entries', () => {
  const framed = (url: string): string =>
    `<div data-snc="1"><a href="${url}"><span>${url}</span><div role="heading" aria-level="3">Tea</div></a></div>`;
  const app = `<div><a href="https://play.google.com/store/apps/details?id=tea" data-app="tea" role="button">
    <span role="heading" aria-level="3">Tea</span></a></div>`;
  const card = '<div><a href="https://cards.example/"><div role="heading" aria-level="3">A card of a block</div></a></div>';
  assert.deepEqual(urls(column(framed('https://tea.example/'), app, card)), [
    'https://tea.example/',
    'https://play.google.com/store/apps/details?id=tea',
  ]);
});

test('expandable answers are neither entries nor answer boxes, by their data attribute or by the control that expands them', () => {
  const answer = `<div data-attrid="wa:/description">Green.</div><a href="https://quoted.example/"><h3>Quoted</h3></a>`;
  const head = '<div role="button" aria-expanded="false" aria-controls="a1">Kinds of tea</div>';
  for (const accordion of [
    `<div><div><div data-attrid="lab/content/Kinds">${answer}</div></div></div>`,
    `<div>${head}<div id="a1"><div>${answer}</div></div></div>`,
  ]) {
    const { organic, features } = read(column(entry('https://first.example/', 'First'), accordion, TEA));
    assert.deepEqual(
      organic.map(({ url, rank, isFeaturedSnippet }) => ({ url, rank, isFeaturedSnippet })),
      [
        { url: 'https://first.example/', rank: 1, isFeaturedSnippet: false },
        { url: 'https://tea.example/', rank: 2, isFeaturedSnippet: false },
      ],
    );
    assert.equal(features.includes('featured_snippet'), false);
  }
});

test('cards among the facts of a panel in the results column are not entries', () => {
  const card = `<div data-attrid="kc:/food:about"><div><a href="https://card.example/"><h3>Card</h3><cite>card.example</cite></a></div></div>`;
  assert.deepEqual(urls(column(card, TEA)), ['https://tea.example/']);
});

test('a control that collapses the whole list hides no entry', () => {
  const page = `<div role="button" aria-expanded="true" aria-controls="rso">Results</div>${column(TEA)}`;
  assert.deepEqual(urls(page), ['https://tea.example/']);
  const tab = `<div role="button" aria-expanded="true" aria-controls="kp-wp-tab-overview">Overview</div>`;
  assert.deepEqual(urls(tab + column(`<div id="kp-wp-tab-overview">${TEA}</div>`)), ['https://tea.example/']);
});

test('titles that contain their links are entries, with and without scripts; sitelinks below an entry are not', () => {
  const old = (url: string, title: string): string =>
    `<div class="g"><h3><a href="/url?q=${encodeURIComponent(url)}&sa=U&ved=1">${title}</a></h3><div><cite>${url}</cite><span>About ${title} and more.</span></div></div>`;
  const sections = '<table><tr><td><h3><a href="/url?q=https://a.example/part&sa=U">Part</a></h3></td></tr></table>';
  const list = old('https://a.example/', 'A') + sections + old('https://b.example/x?y=1', 'B');
  const want = ['https://a.example/', 'https://b.example/x?y=1'];
  assert.deepEqual(urls(`<div id="main">${list}</div>`), want);
  assert.deepEqual(urls(column(list)), want);
  const modern = `<div><div data-snc="1"><a href="https://a.example/"><h3>A</h3><cite>a.example</cite></a></div><h3><a href="https://a.example/part">Part</a></h3></div>`;
  assert.deepEqual(urls(column(modern, TEA)), ['https://a.example/', 'https://tea.example/']);
});

test('names of panels and carousels are not related searches', () => {
  const link = (query: string, more = ''): string => `<a href="/search?q=${query}${more}">${query}</a>`;
  const panel = (inner: string): string => `<div id="kp-wp-tab-overview">${inner}</div>`;
  const names = [
    panel(`<div>${link('espresso', '&si=AMn')}${link('latte', '&stick=H4s')}</div>`),
    panel(`<div data-reltype="sideways">${link('mocha')}</div><div data-attrid="kc:/food"><span>${link('cocoa')}</span></div>`),
  ].join('');
  const below = `<div id="botstuff"><div id="bres">${link('green+tea', '&tbs=ctr:countryUS&sa=X')}${link('tea+near+me', '&sa=X')}${link('tea+news', '&tbs=qdr:d')}
    <g-scrolling-carousel>${link('Oolong')}</g-scrolling-carousel></div></div>`;
  const aside = (inner: string): string => `<div id="rhs">${inner}${panel(link('water'))}</div>`;
  assert.deepEqual(read(column(TEA) + below + aside(names)).relatedSearches, ['green tea', 'tea near me']);
  const complementary = `<div role="complementary">${panel(link('water'))}</div>`;
  assert.deepEqual(read(column(TEA) + below + complementary).relatedSearches, ['green tea', 'tea near me']);
});

test('the answer box of a phone page beside entries without h3 is the featured snippet, whatever its data attributes', () => {
  const box = `<block-component><div>Green.</div><h3><a href="https://box.example/">Box</a></h3></block-component>`;
  const plain = '<div><a href="https://tea.example/"><span>tea.example</span><div role="heading">Tea</div></a></div>';
  assert.deepEqual(
    read(column(box, plain)).organic.map(({ url, isFeaturedSnippet }) => ({ url, isFeaturedSnippet })),
    [
      { url: 'https://box.example/', isFeaturedSnippet: true },
      { url: 'https://tea.example/', isFeaturedSnippet: false },
    ],
  );
});

test('on a page with both layouts, titles that contain links are entries if they have an address line', () => {
  const inner = (url: string, line: string): string => `<div><div><h3><a href="${url}">${url}</a></h3>${line}</div></div>`;
  assert.deepEqual(
    urls(column(TEA, inner('https://b.example/', '<cite>https://b.example</cite>'), inner('https://tea.example/part', ''))),
    ['https://tea.example/', 'https://b.example/'],
  );
});

test('a page that lies under a dialog is still the page', () => {
  const page = (mark: string): string =>
    `<div id="main"${mark}><div data-mcpr=""${mark}><div id="m-x-content"${mark}><div${mark}>${LABEL.replaceAll(/<(\w+)/g, `<$1${mark}`)}
    <div${mark}>Tea is <b${mark}>brewed</b>.</div></div></div></div>${column(TEA.replaceAll(/<(\w+)/g, `<$1${mark}`))}</div>
    <div role="dialog"><p>Set your home location</p></div>`;
  const plain = found(page(''));
  assert.equal(plain.resource.organic[0]?.title, 'Tea');
  const outer = page('').replace('id="main"', 'id="main" aria-hidden="true"');
  for (const hidden of [outer, page(' aria-hidden="true"')]) assert.deepEqual(found(hidden), plain);
});

test('the collapsed part of an answer box belongs to its text', () => {
  const box = `<block-component><div data-attrid="wa:/description"><div>Green.</div><div aria-hidden="true">Or black.</div>
    <div role="button">More</div></div><h3><a href="https://box.example/">Box</a></h3></block-component>`;
  assert.equal(
    read(column(box, '<div><a href="https://tea.example/"><div role="heading">Tea</div></a></div>')).organic[0]?.description,
    'Green. Or black.',
  );
});

test('titles without headings, as the oldest phones have them, keep their place beside the other blocks', () => {
  const plain = (name: string) =>
    `<div><a href="/url?q=https://${name}.example/"><span>About ${name}</span><span>${name}.example</span></a><div>Words about ${name}.</div></div>`;
  const { organic, features } = read(
    `<div id="main">${plain('tea')}<div><div role="heading" aria-level="2">Top stories</div><p>News</p></div>${plain('milk')}</div>`,
  );
  assert.deepEqual(
    organic.map(({ url, rank, absoluteRank }) => [url, rank, absoluteRank]),
    [
      ['https://tea.example/', 1, 1],
      ['https://milk.example/', 2, 3],
    ],
  );
  assert.deepEqual(features, ['organic', 'news']);
});

test('a number of results that only a script shows is stated', () => {
  const stats = '<div style="display:none"><div id="result-stats">About 28,200,000 results<nobr> (0.33 seconds)</nobr></div></div>';
  assert.equal(read(column(TEA) + stats).totalResults, 28_200_000);
  assert.equal(read(column(TEA) + stats.replace(/About.*?s</, '<')).totalResults, null);
});

test('a notice that nothing was found is a count of zero only where the page shows nothing else', () => {
  const notice = '<div id="topstuff"><p>Your search - tea - did not match any documents.</p></div>';
  const ad = `<div id="tads"><div data-text-ad="1"><a href="https://shop.example/"><div role="heading" aria-level="3">Tea shop</div></a><div>Buy tea in our shop.</div></div></div>`;
  assert.deepEqual([read(notice).totalResults, read(notice).features], [0, []]);
  const beside = read(ad + notice);
  assert.deepEqual([beside.totalResults, beside.organic, beside.features], [null, [], ['paid']]);
  assert.deepEqual(
    beside.paid.map(({ domain }) => domain),
    ['shop.example'],
  );
});

test('an entry that shows the site of somebody else is an entry, whatever its link is; one that shows none is a block', () => {
  for (const link of ['https://www.google.com/search?tbm=vid&q=x', 'https://www.google.com/maps/place/x', '/imgres?imgurl=x']) {
    const shown = read(column(entry(link, 'Hill', 'https://hill.example › guide'), TEA)).organic;
    assert.deepEqual(
      shown.map(({ rank, domain }) => `${rank} ${domain}`),
      ['1 hill.example', '2 tea.example'],
      link,
    );
    assert.equal(read(column(entry(link, 'Hill', 'Videos'), TEA)).organic.length, 1, link);
  }
});
test('an ad whose click address is sealed has the site that it shows', () => {
  const ad = (line: string) =>
    `<div id="tads"><div data-text-ad="1"><a href="/aclk?sa=l&ai=x"><div role="heading">Buy tea</div><div>${line}</div></a><div>All kinds of tea, today.</div></div></div>`;
  assert.equal(read(ad('https://shop.example › tea') + column(TEA)).paid[0]?.url, 'https://shop.example');
  assert.equal(read(ad('Sponsored') + column(TEA)).paid[0]?.domain, 'www.google.com', 'the click address');
});

test('votes beside a rating in words that are not understood are unread, and the rating is kept', () => {
  const rated = (line: string) =>
    TEA.replace(
      '</div></div></div>',
      `</div><div><span><span role="img" aria-label="4,5 out of 5"></span>${line}</span></div></div></div>`,
    );
  for (const [line, unread] of [
    ['4,5 · 12 hodnocení', undefined],
    ['4,5 · 1,2 mil. hodnocení', ['organic.rating.votesCount']],
  ] as const) {
    const outcome = found(column(rated(line)));
    assert.deepEqual([outcome.resource.organic[0]?.rating?.value, outcome.unread], [4.5, unread], line);
  }
});

const NOTHING = `Je zoekopdracht - tea - heeft geen overeenkomstige documenten opgeleverd.
Din sökning - tea - matchade inte något dokument.
Tu búsqueda - tea - no produjo ningún documento.
Ingen dokumenter samsvarte med søket ditt på «tea».
Pre hľadaný výraz - tea - neboli nájdené žiadne dokumenty.
Hakusi - tea - ei vastaa yhtään sivua.
A keresett kifejezés (tea) egyetlen dokumentumban sem található meg.
Căutarea dvs. - tea - nu a returnat niciun document.
При търсенето на - tea - не бяха открити съответстващи документи.
Претрага - tea - не одговара ниједном документу.
Pretraga - tea - nije pronašla niti jedan dokument.
Poizvedba – tea – se ne ujema z nobenim dokumentom.
La cerca (tea) no ha obtingut cap resultat.
Η αναζήτηση - tea - δεν βρήκε κάποιο έγγραφο.
החיפוש שלך - tea - לא תאם אף מסמך.
لم ينجح بحثك عن tea في إظهار أي نتائج.
आपकी खोज - tea - किसी दस्तावेज़ से नहीं मिली.
未找到符合 tea 的搜索结果
Mēs neatradām nevienu dokumentu ar vaicājumu "tea".
Jūsų užklausa - tea - neatitiko jokių dokumentų.`;
test('the notice that nothing was found is known in the language of the page', () => {
  for (const words of NOTHING.split('\n'))
    assert.equal(read(`<div id="topstuff"><p role="heading">${words}</p></div>`).totalResults, 0, words);
});

test('"nothing found" beside related searches is no count of zero', () => {
  const notice = '<div id="topstuff"><p role="heading">Your search - <em>tea</em> - did not match any documents.</p></div>';
  assert.equal(read(notice).totalResults, 0);
  const { totalResults, relatedSearches } = read(`${notice}<div id="botstuff"><a href="/search?q=green+tea">green tea</a></div>`);
  assert.deepEqual([totalResults, relatedSearches], [null, ['green tea']]);
});
