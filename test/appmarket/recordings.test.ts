import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readApp, readCategory, readDeveloper, readReviews, readSearch } from '../../src/sources/appmarket/page/parse.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Answer } from '../../src/upstream/answer.ts';
import { answerOf, FILES, type Kind, readRecording as read, skipRecordings } from './recorded-pages.ts';

const skip = skipRecordings();

const READABLE = ['app', 'app2024', 'reviews', 'pastEnd', 'search', 'searchFrame', 'noResults', 'developer', 'topic', 'category'] as const;

/** Reads a page as the kind of page that the file holds. */
function outcomeOf(kind: Kind, html = read(FILES[kind])): Outcome {
  const meta = JSON.parse(read(FILES[kind].replace(/\.html$/, '.meta.json'))) as {
    url: string;
    status: number;
    headers?: Answer['headers'];
  };
  const { url, status, headers = {} } = meta;
  const { pathname, searchParams } = new URL(url);
  const [first = '', second = ''] = pathname.split('/').filter(Boolean);
  const page = Number(searchParams.get('page') ?? 1);
  const answer = answerOf(html, { url, status, headers });
  if (first === 'search') return readSearch(answer, { keyword: searchParams.get('q') ?? '', page });
  if (first === 'partners') return readDeveloper(answer, { handle: second });
  if (first === 'categories' || first === 'browse') return readCategory(answer, { handle: second, page });
  return second === 'reviews' ? readReviews(answer, { handle: first, page }) : readApp(answer, { handle: first });
}
const resourceOf = (kind: Kind, html?: string): Record<string, unknown> => {
  const outcome = outcomeOf(kind, html);
  assert.equal(outcome.tag, 'found', `${kind}: ${JSON.stringify(outcome)}`);
  return (outcome as { resource: Record<string, unknown> }).resource;
};
interface Entry {
  readonly handle: string;
  readonly name: string;
  readonly position: number;
  readonly isSponsored: boolean;
  readonly rating: number | null;
  readonly [field: string]: unknown;
}
const expected = (kind: Kind) => JSON.parse(read(FILES[kind].replace(/\.html$/, '.expected.json')));
const isoDay = (words: string): string => new Date(`${words} UTC`).toISOString().slice(0, 10);
/** Those fields of an entry that the expectation names. */
const like = (entry: object | undefined, want: object): object =>
  Object.fromEntries(Object.keys(want).map((key) => [key, (entry as Record<string, unknown>)?.[key]]));

test('recorded app pages give their profiles', { skip }, () => {
  const { distribution, pricings, categories, launchedDate, ...want } = expected('app');
  const app = resourceOf('app');
  assert.deepEqual(like(app, want), want);
  assert.deepEqual(
    (app.categories as Entry[]).map(({ name, handle }) => ({ name, handle })),
    categories,
  );
  assert.equal(app.launchedDate, isoDay(launchedDate));
  const [plan] = app.pricings as { name: string; price: string; period: null; features: string[] }[];
  assert.deepEqual(
    [plan?.name, plan?.price, plan?.period, plan?.features.length],
    ['Free', 'Free to install', null, pricings[0].featuresCount],
  );
  assert.ok(distribution);
});

test('recorded reviews have reviewer, date, country, tenure and text', { skip }, () => {
  const want = expected('reviews');
  const page = resourceOf('reviews');
  assert.deepEqual(page.summary, want.summary);
  assert.deepEqual(page.pagination, want.pagination);
  for (const [i, review] of (page.reviews as Record<string, unknown>[]).entries()) {
    const { reply, reviewCreatedDate, reviewContent, ...facts } = want.reviews[i];
    assert.deepEqual(like(review, facts), facts);
    assert.equal(review.reviewCreatedDate, isoDay(reviewCreatedDate));
    assert.equal(String(review.reviewContent).replace(/\s+/g, ' '), reviewContent.replace(/\s+/g, ' ').trim());
    assert.equal(review.appName, want.appName);
    assert.ok(reply === undefined || !String(review.reviewContent).includes(reply));
  }
  const past = resourceOf('pastEnd');
  assert.deepEqual([past.reviews, past.summary], [[], expected('pastEnd').summary]);
  assert.deepEqual(past.pagination, { hasNextPage: false, totalPages: null, currentPage: 7 });
});

test('recorded rankings separate ads from apps', { skip }, () => {
  for (const kind of ['search', 'searchFrame', 'noResults'] as const) {
    const want = expected(kind);
    const page = resourceOf(kind);
    const apps = page.apps as Entry[];
    const organic = (want.organic ?? []).map(({ reviewCount: _reviewCount, ...app }: { reviewCount: number }) => app);
    assert.deepEqual(
      apps.filter((app) => !app.isSponsored).map((app, i) => like(app, organic[i])),
      organic,
    );
    const ads = apps
      .filter((app) => app.isSponsored)
      .map(({ handle, name, position }) => ({ handle, name, position_in_ad_block: position }));
    assert.deepEqual(ads, want.sponsored ?? []);
    assert.deepEqual([page.totalCount, page.hasResults, page.pagination], [want.totalCount, want.hasResults, want.pagination]);
  }
});

test('a recorded developer and recorded categories give their resources', { skip }, () => {
  const developer = resourceOf('developer');
  for (const [i, { isBuiltForPlatform, ...want }] of expected('developer').apps.entries()) {
    assert.deepEqual(like((developer.apps as Entry[])[i], want), want, String(isBuiltForPlatform));
  }
  const want = expected('category');
  const category = resourceOf('category');
  for (const field of ['name', 'description', 'appCount', 'level', 'pagination']) assert.deepEqual(category[field], want[field], field);
  for (const [i, { rating, reviewCount, pricing, ...app }] of want.apps.entries()) {
    assert.deepEqual(like((category.apps as Entry[])[i], app), app, `${rating} ${reviewCount} ${pricing}`);
  }
  const topic = resourceOf('topic');
  assert.deepEqual([topic.level, topic.appCount, topic.apps], ['topic', null, []]);
  assert.deepEqual(topic.subCategories, expected('topic').subCategories);
});

test('block pages, empty shells and the old layout are never found', { skip }, () => {
  assert.equal(outcomeOf('challenge').tag, 'blocked');
  assert.equal(outcomeOf('notFound').tag, 'absent');
  assert.equal(outcomeOf('old').tag, 'changed');
  assert.equal(outcomeOf('lazy').tag, 'changed');
});

const TAGS = /<\/?[a-z][^<>]*>/gi;

test('a damaged page is never absent, and gives no value that the whole page lacks', { skip }, () => {
  const damage = fc.record({
    kind: fc.constantFrom(...READABLE),
    cuts: fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), tags: fc.integer({ min: 1, max: 60 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
    end: fc.option(fc.double({ min: 0.2, max: 1, noNaN: true })),
  });
  fc.assert(
    fc.property(damage, ({ kind, cuts, end }) => {
      const whole = read(FILES[kind]);
      let html = whole;
      for (const { at, tags } of cuts) {
        const places = [...html.matchAll(TAGS)].map((m) => m.index);
        const from = Math.floor(at * places.length);
        html = html.slice(0, places[from] ?? 0) + html.slice(places[from + tags] ?? html.length);
      }
      if (end !== null) html = html.slice(0, Math.floor(html.length * end));
      const outcome = outcomeOf(kind, html);
      assert.match(outcome.tag, /^(?:found|changed|blocked|unreachable)$/);
      if (outcome.tag !== 'found') return;
      const text = `${whole.replace(/<[^<>]*>/g, '')} ${whole}`.replace(/\s+/g, ' ').normalize('NFC');
      for (const id of ['reviewId', 'handle', 'reviewer'] as const) {
        for (const entry of Object.values(outcome.resource as object).flat()) {
          const value = (entry as Record<string, unknown> | null)?.[id];
          if (typeof value === 'string') assert.ok(text.includes(value.replaceAll('&', '&amp;')) || text.includes(value), `${id} ${value}`);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('a page that broke off is not read, wherever it broke off', { skip }, () => {
  for (const kind of READABLE) {
    const html = read(FILES[kind]);
    for (const part of [0.3, 0.5, 0.7, 0.9, 0.99]) {
      const { tag } = outcomeOf(kind, html.slice(0, Math.floor(html.length * part)));
      assert.match(tag, /^(?:unreachable|changed)$/, `${kind} ${part}`);
    }
  }
});

/** Changes that a person would not see. */
const KEEPING: Readonly<Record<string, (html: string) => string>> = {
  'other classes': (html) => html.replace(/\b(?:[a-z-]+:)*-?tw-[^\s"']*/g, (name) => `k${name.length}`),
  'single quotes': (html) => html.replace(/(<[a-z][^<>]*>)/gi, (tag) => (tag.includes("'") ? tag : tag.replaceAll('"', "'"))),
  'boxes around cards': (html) => html.replace(/(<main[^>]*>)/, '$1<div><div>').replace('</main>', '</div></div></main>'),
  comments: (html) => html.replace(/(<div\b)/g, '<!-- <div data-merchant-review data-controller="app-card"> -->$1'),
  'blank lines': (html) => html.replace(/>\n/g, '>\n\n \t\n'),
  'foreign facts': (html) =>
    html.replace('<head>', '<head><script type="application/ld+json">{"@type":"Organization","name":"Ghost"}</script>'),
  'upper case tags': (html) =>
    html.replace(/<(\/?)(section|dl|dt|dd|figure|nav|li)\b/g, (_, slash, name) => `<${slash}${name.toUpperCase()}`),
};

test('invisible changes of a page do not change the resource', { skip }, () => {
  for (const kind of READABLE) {
    const want = resourceOf(kind);
    for (const [name, change] of Object.entries(KEEPING)) {
      const html = change(read(FILES[kind]));
      assert.deepEqual(resourceOf(kind, html), want, `${kind}, ${name}`);
    }
  }
});

test('a missing part is null or empty, the others are unchanged', { skip }, () => {
  const whole = resourceOf('app');
  const parts: [string, RegExp, Record<string, unknown>][] = [
    [
      'developer',
      /<section id="adp-developer"[\s\S]*?<\/section>/,
      { launchedDate: null, developer: { ...(whole.developer as object), address: null, website: null } },
    ],
    ['plans', /<section id="adp-pricing"[\s\S]*?<\/section>/, { pricings: [] }],
    ['languages', /<p[^>]*>Languages<\/p>/, { languages: [] }],
    ['works with', /<p[^>]*>\s*Works with\s*<\/p>/, { worksWith: [] }],
    ['json-ld', /<script type="application\/ld\+json">[\s\S]*?<\/script>/, {}],
    ['reviews', /<section id="adp-reviews"[\s\S]*?<\/section>/, {}],
  ];
  for (const [name, part, gone] of parts) {
    const html = read(FILES.app).replace(part, '');
    assert.deepEqual(resourceOf('app', html), { ...whole, ...gone }, name);
  }
});
