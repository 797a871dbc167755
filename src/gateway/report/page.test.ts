import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Rankings } from '../../contract/account/ranking-schemas.ts';
import examples from '../../contract/openapi/examples.json' with { type: 'json' };
import { REPORT_POLICY, reportPage } from './page.ts';

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

test('the font of the console is in it, its other Latin letters where a text has one, and the policy allows these styles alone', () => {
  const plain = reportPage(RANKINGS, TEXTS);
  const extended = reportPage(RANKINGS, { ...TEXTS, client: 'Škoda' });
  const fontsOf = (page: string) =>
    [...page.matchAll(/font-family:"([^"]+)"[^}]*base64,([^)]+)\)/g)].map(([, name, bytes]) => [name, bytes] as const);
  const file = (name: string) => readFileSync(`src/console/fonts/${name}.woff2`, 'base64');
  assert.deepEqual(fontsOf(plain), [['Inter', file('inter-latin')]]);
  assert.deepEqual(fontsOf(extended), [
    ['Inter', file('inter-latin')],
    ['Inter Extended', file('inter-latin-ext')],
  ]);
  for (const page of [plain, extended])
    for (const [, style = ''] of page.matchAll(/<style>([^<]*)<\/style>/g))
      assert.ok(REPORT_POLICY.includes(`'sha256-${hash('sha256', style, 'base64')}'`));
  assert.match(REPORT_POLICY, /font-src data:;/);
});

test('a site is named as people write it', () => {
  const [, rival = ''] = RANKINGS.sites;
  const page = reportPage(JSON.parse(JSON.stringify(RANKINGS).replaceAll(rival, 'xn--mller-kva.de')) as Rankings, TEXTS);
  assert.match(page, /müller\.de/);
  assert.doesNotMatch(page, /xn--/);
});

test('a site has the colour of the console', () => {
  const coloursOf = (file: string, pattern: RegExp) =>
    new Map([...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name, colour]) => [name, colour]));
  const console = coloursOf('src/console/styles/tokens.css', /--(s\d): light-dark\((#\w+)/g);
  const report = coloursOf('src/gateway/report/report.css', /\.(s\d) \{\s*fill: (#\w+);\s*stroke: \2/g);
  assert.equal(console.size, 6);
  assert.deepEqual(report, console);
});
