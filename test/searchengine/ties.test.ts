import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bingChallenge, bingNothing, bingPage } from '../../sandbox/searchengine/bing.ts';
import { captchaPage, consentPage, shellPage } from '../../sandbox/searchengine/block-pages.ts';
import { KEYWORDS, serpOf } from '../../sandbox/searchengine/facts.ts';
import { googleNothing, googlePage } from '../../sandbox/searchengine/google.ts';
import { DEMO_DATAFORSEO, DEMO_SERPAPI_KEY, dataforseoAnswer } from '../../sandbox/searchengine/providers.ts';
import { searxngAnswer } from '../../sandbox/searchengine/searxng.ts';
import { serpapiAnswer } from '../../sandbox/searchengine/serpapi.ts';
import { sourceOf } from '../../src/sources/html/markup.ts';
import { indexPage } from '../../src/sources/html/page.ts';
import { ANCHORS as BING, PLAN as BING_PLAN } from '../../src/sources/searchengine/bing/entries.ts';
import { ANCHORS as GOOGLE, PLAN as GOOGLE_PLAN } from '../../src/sources/searchengine/google/organic.ts';
import { recordings, required } from './recordings.ts';

/** The anchors of the parser that occur in a page. */
const anchorsOf = (html: string, engine: 'a' | 'b'): string[] => {
  if (engine === 'a') {
    const page = indexPage(sourceOf(Buffer.from(html)), GOOGLE_PLAN, true) ?? assert.fail('the page is beyond the limits');
    return Object.keys(GOOGLE).filter((name) => page.all(name).length > 0);
  }
  const page = indexPage(sourceOf(Buffer.from(html)), BING_PLAN, true) ?? assert.fail('the page is beyond the limits');
  return Object.keys(BING).filter((name) => page.all(name).length > 0);
};
/** Attributes and tags that the parsers read in addition to the anchors. */
const MARKS =
  /data-snc|data-snf|data-snhf|data-sncf|data-pcu|data-text-ad|data-container-id|data-src-id|data-mcpr|aria-label="Rated|aria-label="Star Rating|<cite|role="text"|block-component|accordion-entry-search-icon|g-scrolling-carousel|iid="SERP|class="b_tpcn|class="b_caption|class="b_attribution|\/ck\/a\?|aclick\?|<h3|<h2|role="heading"|data-initq|data-q=/g;
const marksOf = (html: string): string[] => [...new Set(html.match(MARKS) ?? [])];
/** Paths of a JSON value without array indices. */
function pathsOf(value: unknown, path = '', into = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const v of value) pathsOf(v, `${path}[]`, into);
  else if (typeof value === 'object' && value !== null) for (const [key, v] of Object.entries(value)) pathsOf(v, `${path}.${key}`, into);
  else into.add(path);
  return into;
}
function tied(what: string, sandbox: readonly string[], recorded: ReadonlySet<string>): void {
  const strange = sandbox.filter((s) => !recorded.has(s));
  assert.ok(sandbox.length > 0 && strange.length <= sandbox.length * 0.1, `${what}: not on any recording: ${strange.join(', ')}`);
}

if ('skip' in recordings)
  test('simulated and recorded answers have the same structure', { skip: required ? false : recordings.skip }, () =>
    assert.fail('the recordings are required'),
  );
else {
  const { dir } = recordings;
  const files = [
    ...readdirSync(dir),
    ...(existsSync(join(dir, 'synthetic')) ? readdirSync(join(dir, 'synthetic')).map((f) => `synthetic/${f}`) : []),
  ];
  const read = (pattern: RegExp): string[] => files.filter((f) => pattern.test(f)).map((f) => readFileSync(join(dir, f), 'utf8'));
  const product = serpOf('running shoes', 'a');
  const kinds: readonly (readonly [name: string, html: string, engine: 'a' | 'b', recorded: RegExp])[] = [
    ['desktop page', googlePage(product, 0, 'desktop'), 'a', /^(google-desktop|synthetic\/google).*\.html$/],
    [
      'desktop page with an answer box',
      googlePage(serpOf(KEYWORDS.snippet, 'a'), 0, 'desktop'),
      'a',
      /^(google-desktop|synthetic\/google).*\.html$/,
    ],
    ['phone page', googlePage(product, 0, 'mobile'), 'a', /^google-(mobile|desktop-2026).*\.html$/],
    ['page without scripts', googlePage(product, 0, 'plain'), 'a', /^google-nojs.*\.html$/],
    ['nothing found', googleNothing(serpOf(KEYWORDS.nothing, 'a')), 'a', /^google-desktop-2026.*no-results.*\.html$/],
    ['captcha', String(captchaPage('https://www.google.com/search?q=x').body), 'a', /^google.*captcha.*\.html$/],
    ['script shell', String(shellPage().body), 'a', /^google.*(enablejs|desktop).*\.html$/],
    ['engine B', bingPage(serpOf('running shoes', 'b'), 0), 'b', /^bing-.*\.html$/],
    ['engine B, nothing or turned away', bingNothing('x'), 'b', /^bing-.*\.html$/],
  ];
  for (const [name, html, engine, pattern] of kinds) {
    test(`the simulated ${name} has the anchors of recorded ones`, () => {
      const recorded = read(pattern);
      assert.ok(recorded.length > 0);
      tied(name, anchorsOf(html, engine), new Set(recorded.flatMap((page) => anchorsOf(page, engine))));
      const marks = marksOf(html);
      if (marks.length) tied(name, marks, new Set(recorded.flatMap(marksOf)));
    });
  }
  test('simulated pages without a recording contain the documented markers', () => {
    assert.match(String(consentPage().body), /form action="https:\/\/consent\.google\.com/);
    assert.match(bingChallenge('x'), /captcha_header/);
  });
  const request = (url: string, more: { method?: string; headers?: Record<string, string>; body?: string } = {}) => ({
    method: 'GET',
    url: new URL(url),
    headers: {},
    body: '',
    at: 0,
    ...more,
  });
  const authorization = `Basic ${Buffer.from(`${DEMO_DATAFORSEO.login}:${DEMO_DATAFORSEO.password}`).toString('base64')}`;
  const body = JSON.stringify([{ keyword: 'running shoes', location_code: 2840, language_code: 'en', device: 'desktop', depth: 10 }]);
  const answers: readonly (readonly [string, unknown, RegExp])[] = [
    [
      'DataForSEO',
      JSON.parse(
        String(
          dataforseoAnswer(
            request('https://api.dataforseo.com/v3/serp/google/organic/live/advanced', {
              method: 'POST',
              headers: { authorization },
              body,
            }),
          ).body,
        ),
      ),
      /^dataforseo-google-organic.*docexample\.json$/,
    ],
    [
      'SerpApi',
      JSON.parse(
        String(serpapiAnswer(request(`https://serpapi.com/search.json?engine=google&q=running+shoes&api_key=${DEMO_SERPAPI_KEY}`)).body),
      ),
      /^serpapi-.*\.json$/,
    ],
    [
      'SearXNG',
      JSON.parse(String(searxngAnswer(request('https://searx.sandbox.example/search?q=running+shoes&format=json&engines=google')).body)),
      /^searxng-.*partial\.json$/,
    ],
  ];
  /** Documented fields that occur in none of the recordings used here: ads, the token of the overview, suggestions. */
  const DOCUMENTED =
    /^\.(ads\[\]|ai_overview|inline_images\[\]|suggestions\[\]|unresponsive_engines)|\.pages_count$|\.answer_box|references\[\]\.text$/;
  for (const [name, simulated, pattern] of answers) {
    test(`the simulated answer of ${name} has the fields of recorded ones`, () => {
      const recorded = new Set(read(pattern).flatMap((text) => [...pathsOf(JSON.parse(text))]));
      tied(
        name,
        [...pathsOf(simulated)].filter((path) => !DOCUMENTED.test(path)),
        recorded,
      );
    });
  }
}
