import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Rankings } from '../../contract/account/ranking-schemas.ts';
import examples from '../../contract/openapi/examples.json' with { type: 'json' };
import { reportPage } from './page.ts';

// the example is an answer of the service
const RANKINGS = examples['account-rankings'] as unknown as Rankings;
const TEXTS = { own: 'acme-widgets.com', madeOn: '2026-01-31' };

test('texts of others are text', () => {
  const [keyword] = RANKINGS.keywords;
  assert.ok(keyword);
  const evil = '"><script>alert(1)</script>';
  const page = reportPage(
    { ...RANKINGS, keywords: [{ ...keyword, keyword: evil, snippet: evil }] },
    { ...TEXTS, title: evil, client: evil, sender: evil },
  );
  assert.doesNotMatch(page, /<script/);
  assert.match(page, /<h1>&#34;&#62;&#60;script/);
});

test('without sites, keywords or answers it says so and draws nothing', () => {
  const { standing } = RANKINGS;
  const empty: Rankings = {
    ...RANKINGS,
    ...{ sites: [], keywords: [], visibility: [], seen: [], standing: { ...standing, keywords: 0, sites: [] } },
  };
  const page = reportPage(empty, { own: null, madeOn: '2026-01-31' });
  assert.match(page, /<h1>Rankings<\/h1>/);
  assert.match(page, /No keyword moved in these days/);
  assert.doesNotMatch(page, /NaN|undefined|null/);
});

test('a site has the colour of the console', () => {
  const coloursOf = (file: string, pattern: RegExp) =>
    new Map([...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name, colour]) => [name, colour]));
  const console = coloursOf('src/console/styles/tokens.css', /--(s\d): light-dark\((#\w+)/g);
  const report = coloursOf('src/gateway/report/report.css', /\.(s\d) \{\s*fill: (#\w+);\s*stroke: \2/g);
  assert.equal(console.size, 6);
  assert.deepEqual(report, console);
});
