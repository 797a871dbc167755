import { load } from 'cheerio';
import { parseDocument } from 'htmlparser2';
import { serpOf } from '../sandbox/searchengine/facts.ts';
import { googlePage } from '../sandbox/searchengine/google.ts';
import { DEMO_DATAFORSEO, dataforseoAnswer } from '../sandbox/searchengine/providers.ts';
import type { Input } from '../src/contract/operations/index.ts';
import { pageSource } from '../src/sources/html/markup.ts';
import { indexPage } from '../src/sources/html/page.ts';
import { readDataforseo } from '../src/sources/searchengine/dataforseo/parse.ts';
import { ANCHORS, PLAN } from '../src/sources/searchengine/google/organic.ts';
import { readGooglePage } from '../src/sources/searchengine/google/parse.ts';
import type { Answer } from '../src/upstream/answer.ts';

const INPUT: Input<'serp'> = {
  keyword: 'running shoes',
  location: 'US',
  language: 'en',
  device: 'desktop',
  depth: 10,
  engine: 'engine_a',
};
const answerOf = (body: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(body),
  url: 'https://www.google.com/search?q=running+shoes',
  atMs: 0,
});

/** Share of script bytes in a page; recorded pages of that size have 0.58 to 0.76. */
const SCRIPT_SHARE = 0.6;
/** A result page of about `bytes`: a simulated page, filled to the composition of real ones (scripts, styles, deep hidden menus, SVG). */
export function largePage(bytes = 600_000): string {
  const page = googlePage(serpOf('running shoes', 'a'), 0, 'desktop');
  const script = `<script nonce="x">(function(){var a=[${'1,2,"abc",null,'.repeat(90)}0];google.x(a,function(){return a.length});})();</script>`;
  const menu = `<div class="Urm71 XhWQv" jsname="a1" data-ved="2ahUKEwj" role="none"><div class="mXwfNd"><g-menu-item jsname="ibnC6b" data-short-label="" role="menuitem"><div class="y0fQ9c"><a class="C6AK7c" href="/preferences?hl=en&amp;prev=x" role="link"><span class="R1QWuf">Any time</span><svg viewBox="0 0 24 24"><path d="M12 8c1.1 0 2-.9 2-2s-.9-2-2-2-2 .9-2 2 .9 2 2 2zm0 2c-1.1 0-2 .9-2 2"></path></svg></a></div></g-menu-item></div></div>`;
  const room = bytes - page.length;
  const scripts = script.repeat(Math.round((room * SCRIPT_SHARE) / script.length));
  const menus = menu.repeat(Math.round((room * (1 - SCRIPT_SHARE)) / menu.length));
  return page.replace('<div id="main">', `${scripts}<div id="extra">${menus}</div><div id="main">`);
}

/**
 * How many displayed elements each selector finds through cheerio, with one search of the page each. `html` is its default parser (parse5),
 * `htmlparser2` the faster one.
 */
function countsByCheerio(html: string, mode: 'html' | 'htmlparser2'): number[] {
  const $ = mode === 'html' ? load(html) : load(html, { xml: { xmlMode: false, decodeEntities: true } });
  const isDrawn = (style = ''): boolean => !/display\s*:\s*none/i.test(style);
  const isDisplayed = (selected: ReturnType<typeof $>): boolean =>
    selected.closest('script, style, template, noscript, svg, [hidden]').length === 0 &&
    selected
      .parents('[style]')
      .addBack()
      .toArray()
      .every((element) => isDrawn($(element).attr('style')));
  return Object.values(ANCHORS).map(
    (selector) =>
      $(selector)
        .toArray()
        .filter((element) => isDisplayed($(element))).length,
  );
}

export interface Works {
  readonly bytes: number;
  /** Parsing alone. */
  readonly parse: () => unknown;
  /** The complete reader, bytes to resource. */
  readonly reader: () => unknown;
  /** The selections of the same selectors through cheerio, without reading them. */
  readonly cheerio: () => unknown;
  readonly cheerioDefault: () => unknown;
}
/** The measured functions. Throws if the index and cheerio do not find the same number of elements. */
export function pageWorks(html: string): Works {
  const answer = answerOf(html);
  const works = {
    bytes: answer.body.byteLength,
    parse: () => parseDocument(html),
    reader: () => readGooglePage(answer, INPUT),
    cheerio: () => countsByCheerio(new TextDecoder().decode(answer.body), 'htmlparser2'),
    cheerioDefault: () => countsByCheerio(new TextDecoder().decode(answer.body), 'html'),
  };
  const page = indexPage(pageSource(answer), PLAN, true);
  const ours = PLAN.names.map((name) => page?.all(name).length ?? 0).join();
  for (const count of [works.cheerio, works.cheerioDefault]) if (count().join() !== ours) throw new Error('the selections differ');
  return works;
}

/** Provider JSON of a hundred results, or as many as the simulated engine has. */
export function jsonWorks(results = 100): { bytes: number; results: number; parse: () => unknown; reader: () => unknown } {
  const authorization = `Basic ${Buffer.from(`${DEMO_DATAFORSEO.login}:${DEMO_DATAFORSEO.password}`).toString('base64')}`;
  const body = JSON.stringify([{ keyword: 'running shoes', location_code: 2840, language_code: 'en', device: 'desktop', depth: 200 }]);
  const url = new URL('https://api.dataforseo.com/v3/serp/google/organic/live/advanced');
  const json = JSON.parse(String(dataforseoAnswer({ method: 'POST', url, headers: { authorization }, body, at: 0 }).body));
  const result = json.tasks[0].result[0];
  const organic = result.items.filter((i: { type: string }) => i.type === 'organic');
  const others = result.items.filter((i: { type: string }) => i.type !== 'organic');
  const many = Array.from({ length: results }, (_, i) => ({
    ...organic[i % organic.length],
    url: `${organic[i % organic.length].url}?n=${i}`,
    rank_group: i + 1,
    rank_absolute: others.length + i + 1,
  }));
  result.items = [...others, ...many];
  const text = JSON.stringify(json);
  const bytes = Buffer.from(text);
  const input = { ...INPUT, depth: 200 };
  const works = {
    bytes: bytes.length,
    results,
    // an answer arrives as bytes, which must be decoded before parsing
    parse: () => JSON.parse(bytes.toString('utf8')),
    reader: () => readDataforseo({ ...answerOf(''), body: bytes }, input),
  };
  const outcome = works.reader();
  if (outcome.tag !== 'found' || outcome.resource.organic.length !== results) throw new Error('the provider JSON was not read');
  return works;
}
