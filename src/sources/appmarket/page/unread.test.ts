import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readApp, readDeveloper, readReviews } from './parse.ts';

const answerOf = (html: string) => ({
  status: 200,
  headers: {},
  body: Buffer.from(html),
  url: 'https://apps.shopify.com/acme',
  atMs: 0,
});
const PAGE = `<!doctype html><html><head></head><body><main>
<section id="adp-hero"><img src="https://cdn.example/acme.png"><h1>Acme</h1>
<dl><div><dt>Pricing</dt><dd>Free plan available</dd></div><div><dt>Rating</dt><dd><span>4.8</span><a id="reviews-link">(53)</a></dd></div></dl></section>
<section id="app-details"><p>Sends paperwork.</p></section>
<section id="adp-details-section"><div><p>Languages</p><p>English and French</p></div><div><p>Works with</p><ul><li>Checkout</li></ul></div></section>
<section id="adp-developer"><div><h3>Developer</h3><div><p><a href="https://apps.shopify.com/partners/acme">Acme Ltd</a></p><p>1 Mill Lane</p></div></div>
<div><p>Launched</p><p>July 19, 2021</p></div></section></main></body></html>`;
const unreadIn = (html: string): readonly string[] => {
  const outcome = readApp(answerOf(html), { handle: 'acme' });
  assert.equal(outcome.tag, 'found', JSON.stringify(outcome));
  return (outcome.tag === 'found' && outcome.unread) || [];
};

test('a whole page has no unread field', () => {
  assert.deepEqual(unreadIn(PAGE), []);
});

test('a field whose part is not on the page is absent', () => {
  assert.deepEqual(unreadIn(PAGE.replace('<div><p>Launched</p><p>July 19, 2021</p></div>', '')), []);
  assert.deepEqual(unreadIn(PAGE.replace('<div><p>Works with</p><ul><li>Checkout</li></ul></div>', '')), []);
});

test('a field whose part is there without an understood value is unread', () => {
  for (const [before, after, path] of [
    ['July 19, 2021', '19/07/2021', 'launchedDate'],
    ['Launched', '', 'launchedDate'],
    ['English and French', '', 'languages'],
    ['Languages', '', 'languages'],
    ['<li>Checkout</li>', '<li></li>', 'worksWith'],
    ['Free plan available', '', 'pricing'],
    ['>Pricing<', '><', 'pricing'],
    ['>4.8<', '>very good<', 'rating'],
    ['>(53)<', '>many<', 'reviewCount'],
    ['1 Mill Lane', '', 'developer.address'],
    ['>Acme Ltd<', '><', 'developer.name'],
    ['Sends paperwork.', '', 'description'],
    ['src="https://cdn.example/acme.png"', 'data-src="acme.png"', 'logo'],
  ] as const) {
    assert.ok(PAGE.includes(before), before);
    assert.ok(unreadIn(PAGE.replace(before, after)).includes(path), `${before} → ${after}: ${path}`);
  }
});

test('the fields of a part that has another name are unread', () => {
  const facts = `<script type="application/ld+json">{"@type":"SoftwareApplication","name":"Acme"}</script></head>`;
  const plans =
    '<section id="adp-pricing"><div class="app-details-pricing-plan-card"><p data-test-id="name">Free</p></div></section></main>';
  const whole = PAGE.replace('</head>', facts).replace('</main>', plans);
  const renamed = (id: string) => unreadIn(whole.replace(`id="${id}"`, 'id="another"')).filter((path) => !/^pricings\./.test(path));
  assert.deepEqual(renamed('nothing'), []);
  assert.deepEqual(renamed('adp-details-section'), ['languages', 'worksWith']);
  assert.deepEqual(renamed('adp-developer'), ['developer.name', 'developer.address', 'developer.url', 'launchedDate']);
  assert.deepEqual(renamed('adp-hero'), ['rating', 'pricing']);
  assert.deepEqual(renamed('adp-pricing'), ['pricings']);
});

test('the cards of a list name the fields of any of its apps', () => {
  const card = (numbers: string) =>
    `<div data-controller="app-card" data-app-card-handle-value="a" data-app-card-name-value="A" data-app-card-app-link-value="https://apps.shopify.com/a?surface_type=partners"><div><div><a href="https://apps.shopify.com/a">A</a></div><div>${numbers}<span>Free</span></div><div>Tagline</div></div></div>`;
  const page = (numbers: string) =>
    `<!doctype html><html><head><link rel="canonical" href="https://apps.shopify.com/partners/acme"></head><body><main><h1>Acme</h1>${card(numbers)}</main></body></html>`;
  const unread = (numbers: string) => {
    const outcome = readDeveloper({ ...answerOf(page(numbers)), url: 'https://apps.shopify.com/partners/acme' }, { handle: 'acme' });
    return outcome.tag === 'found' ? (outcome.unread ?? []) : [outcome.tag];
  };
  const stars = '<span>4.8<span> out of 5 stars</span></span>';
  const total = '<span>12 total reviews</span>';
  assert.deepEqual(unread(stars + total), []);
  assert.deepEqual(unread(''), []);
  assert.deepEqual(unread(stars), ['apps.reviewCount']);
  assert.deepEqual(unread(total), ['apps.rating']);
});

test('a developer page that announces more apps than it lists leaves `apps` unread', () => {
  const app = '<div data-controller="app-card" data-app-card-handle-value="acme" data-app-card-name-value="Acme"></div>';
  const unread = (said: string, pager = '') => {
    const html = `<head><link rel="canonical" href="https://apps.shopify.com/partners/acme"></head><main><h1>Acme</h1><p>${said}</p>${app}${pager}</main>`;
    const outcome = readDeveloper(answerOf(html), { handle: 'acme' });
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return outcome.unread?.includes('apps') ?? false;
  };
  assert.deepEqual([unread('1 app'), unread('56 apps')], [false, true]);
  assert.ok(unread('A maker of apps', '<nav data-pagination-controls><a rel="next" href="?page=2">Next</a></nav>'));
});

test('a pager whose labels are unknown says that there is a next page, not that there is one page', () => {
  const block = '<div data-merchant-review data-review-content-id="1"></div>';
  const pagination = (links: string) => {
    const html = `<main><section id="arp-reviews"><h1>Acme</h1>${block}<nav data-pagination-controls>${links}</nav></section></main>`;
    const outcome = readReviews(answerOf(html), { handle: 'acme', page: 1 });
    assert.ok(outcome.tag === 'found', outcome.tag);
    return [outcome.resource.pagination, outcome.unread?.filter((path) => path.startsWith('pagination')) ?? []];
  };
  const next = '<a rel="next" href="?page=2" aria-label="Seite ٢">2</a>';
  assert.deepEqual(pagination(next), [{ hasNextPage: true, totalPages: null, currentPage: 1 }, ['pagination.totalPages']]);
  assert.deepEqual(pagination(`${next}<a aria-label="Go to Page 9" href="?page=9">9</a>`), [
    { hasNextPage: true, totalPages: 9, currentPage: 1 },
    [],
  ]);
  assert.deepEqual(pagination(''), [{ hasNextPage: false, totalPages: 1, currentPage: 1 }, []]);
});

test('an empty app, or an empty image, in the structured data never decides over the others', () => {
  const app = {
    '@type': 'SoftwareApplication',
    name: 'Acme',
    image: 'https://cdn.example/a.png',
    aggregateRating: { ratingValue: 4.8, ratingCount: 53 },
  };
  const read = (...data: readonly unknown[]) => {
    const facts = data.map((one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`).join('');
    const outcome = readApp(answerOf(`<head>${facts}</head><main><section id="adp-hero"><h1>Acme</h1></section></main>`), {
      handle: 'acme',
    });
    assert.ok(outcome.tag === 'found');
    return [outcome.resource.rating, outcome.resource.reviewCount, outcome.resource.logo];
  };
  const whole = ['4.8', 53, 'https://cdn.example/a.png'];
  for (const empty of [null, {}, [], { '@type': 'SoftwareApplication' }, { '@type': 'SoftwareApplication', name: '' }]) {
    assert.deepEqual(read(empty, app), whole, JSON.stringify(empty));
    assert.deepEqual(read(app, empty), whole, JSON.stringify(empty));
    assert.deepEqual(read([empty, app]), whole, JSON.stringify(empty));
  }
  assert.deepEqual(read({ ...app, '@type': ['Product', 'SoftwareApplication'], image: [null, '', app.image] }), whole);
});

test('a tenure in other words is unread and never the place of a reviewer, and counts by stars in another form leave the summary unread', () => {
  const read = (beside: string, total = '1 total review') => {
    const about = `<div><div title="Shop">Shop</div>${beside}</div>`;
    const block = `<div data-merchant-review data-review-content-id="1"><div><div aria-label="5 out of 5 stars"></div><div>June 10, 2024</div></div><div data-truncate-content-copy><p>Good</p></div>${about}</div>`;
    const html = `<main><section id="arp-reviews"><h1>Acme</h1><a href="?ratings%5B%5D=5" aria-label="${total}">7</a>${block}</section></main>`;
    const outcome = readReviews(answerOf(html), { handle: 'acme', page: 1 });
    assert.ok(outcome.tag === 'found', outcome.tag);
    const [review] = outcome.resource.reviews;
    return [review?.reviewerLocation, review?.reviewerLatestUsedDate, outcome.unread ?? []];
  };
  assert.deepEqual(read('<div>Canada</div><div>2 years using the app</div>'), ['Canada', '2 years using the app', []]);
  assert.deepEqual(read('<div>Canada</div><div>For 2 years a user</div>'), ['Canada', null, ['reviews.reviewerLatestUsedDate']]);
  assert.deepEqual(read('<div>Using this app since May</div>'), [null, null, ['reviews.reviewerLatestUsedDate']]);
  assert.deepEqual(read('<div>Canada</div><div>2 years using the app</div>', '1.2K total reviews')[2], ['summary']);
});

test('a review that has lost its id is listed, and its id is unread', () => {
  const block = (id: string, of = '5') =>
    `<div data-merchant-review ${id}><div><div aria-label="${of} out of 5 stars"></div><div>June 10, 2024</div></div><div data-truncate-content-copy><p>Good</p></div><div><div title="Shop">Shop</div></div></div>`;
  const read = (...blocks: readonly string[]) => {
    const html = `<main><section id="arp-reviews"><h1>Acme</h1><a href="?ratings%5B%5D=5" aria-label="2 total reviews">2</a>${blocks.join('')}</section></main>`;
    const outcome = readReviews(answerOf(html), { handle: 'acme', page: 1 });
    return outcome.tag === 'found' ? [outcome.resource.reviews.map(({ reviewId }) => reviewId), outcome.unread ?? []] : outcome.tag;
  };
  const whole = block('data-review-content-id="1"');
  assert.deepEqual(read(whole, block('data-review-content-id="2"', '4')), [['1', '2'], []]);
  for (const id of ['data-review-content-id=""', 'data-review-content-id=" "', 'data-review-id="2"', ''])
    assert.deepEqual(read(whole, block(id)), [['1', null], ['reviews.reviewId']], id);
  assert.deepEqual(read(block(''), block('')), [[null, null], ['reviews.reviewId']]);
  assert.deepEqual(read(whole, '<div data-merchant-review></div>')[0], ['1']);
});

test('counts by stars without a label are read as printed; a rounded one leaves the sum unknown, which proves no end of the list', () => {
  const read = (rows: string, more = '') => {
    const html = `<main>${more}<section id="arp-reviews"><h1>Acme</h1>${rows}</section></main>`;
    const outcome = readReviews(answerOf(html), { handle: 'acme', page: 4 });
    return outcome.tag === 'found'
      ? [outcome.resource.summary.map(({ label, count }) => `${label}:${count}`), outcome.unread ?? []]
      : outcome.tag;
  };
  const row = (stars: number, text: string, label = '') =>
    `<a ${label} href="/acme/reviews?ratings%5B%5D=${stars}"><span> ${text} </span></a>`;
  const filters =
    '<a href="/acme/reviews?ratings%5B%5D=1&amp;page=2">99</a><a href="/acme/reviews?ratings%5B%5D=1&amp;ratings%5B%5D=2">77</a>';
  assert.deepEqual(read(row(5, '1.2K', 'aria-label="12 total reviews"') + row(4, '3') + filters), [['5:12', '4:3'], []]);
  assert.equal(read(row(5, '1.2K') + row(4, '3')), 'changed');
});
test('a rating beyond the scale is none: the one that is shown counts', () => {
  const facts = (ratingValue: number) =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'SoftwareApplication', name: 'Acme', aggregateRating: { ratingValue, ratingCount: 53 } })}</script>`;
  for (const [value, rating] of [
    [48, '4.8'],
    [-1, '4.8'],
    [5.1, '4.8'],
    [4.2, '4.2'],
  ] as const) {
    const outcome = readApp(answerOf(PAGE.replace('</head>', `${facts(value)}</head>`)), { handle: 'acme' });
    assert.ok(outcome.tag === 'found' && outcome.resource.rating === rating, String(value));
  }
  assert.ok(unreadIn(PAGE.replace('</head>', `${facts(48)}</head>`).replace('>4.8<', '><')).includes('rating'));
});
test('an image in the structured data that is no address leaves the one that is shown', () => {
  const facts = '<script type="application/ld+json">{"@type":"SoftwareApplication","name":"Acme","image":"javascript:alert(1)"}</script>';
  const outcome = readApp(answerOf(PAGE.replace('</head>', `${facts}</head>`)), { handle: 'acme' });
  assert.ok(outcome.tag === 'found' && outcome.resource.logo === 'https://cdn.example/acme.png');
});
