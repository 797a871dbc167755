import { load } from 'cheerio';
import type { Element } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { serpOf } from '../sandbox/searchengine/facts.ts';
import { googlePage } from '../sandbox/searchengine/google.ts';
import { DEMO_DATAFORSEO, dataforseoAnswer } from '../sandbox/searchengine/providers.ts';
import type { Input } from '../src/contract/operations/index.ts';
import { readDataforseo } from '../src/sources/searchengine/dataforseo/parse.ts';
import { type Page, unseen } from '../src/sources/searchengine/dom/page.ts';
import { textSource } from '../src/sources/searchengine/dom/source.ts';
import { ANCHORS, type GoogleAnchor } from '../src/sources/searchengine/google/anchors.ts';
import { openIndexed, readGooglePage } from '../src/sources/searchengine/google/parse.ts';
import { resultOf } from '../src/sources/searchengine/result.ts';
import { UnreadFields } from '../src/sources/unread-fields.ts';
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
  at: 0,
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
 * The same anchors through cheerio, with one search of the page each. `html` is its default parser (parse5), `htmlparser2` the faster one.
 */
function cheerioPage(source: string, mode: 'html' | 'htmlparser2'): Page<GoogleAnchor> {
  const $ = mode === 'html' ? load(source) : load(source, { xml: { xmlMode: false, decodeEntities: true } });
  const shown = (element: Element): boolean =>
    $(element)
      .parents()
      .addBack()
      .toArray()
      // cheerio has its own copy of the element types
      .every((e) => !unseen(e as never));
  const orders = new Map<Element, number>();
  const places = new Map<Element, number>();
  let place = 0;
  for (const e of $('*').toArray()) places.set(e as Element, place++);
  const found = new Map<string, readonly Element[]>();
  for (const [name, selector] of Object.entries(ANCHORS)) {
    const elements = ($(selector).toArray() as Element[]).filter(shown);
    for (const e of elements) orders.set(e, places.get(e) ?? -1);
    found.set(name, elements);
  }
  const page = {
    unread: new UnreadFields(),
    root: $.root()[0],
    source: textSource(source),
    all: (name: GoogleAnchor) => found.get(name) ?? [],
    order: (e: Element) => orders.get(e) ?? -1,
  };
  // the same tree, in cheerio's copy of the types
  return page as unknown as Page<GoogleAnchor>;
}

export interface Works {
  readonly bytes: number;
  /** Parsing alone. */
  readonly parse: () => unknown;
  /** The complete reader, bytes to resource. */
  readonly reader: () => unknown;
  /** The same reader over cheerio's selections. */
  readonly cheerio: () => unknown;
  readonly cheerioDefault: () => unknown;
}
/** The measured functions. Throws if their outputs differ. */
export function pageWorks(html: string): Works {
  const answer = answerOf(html);
  const over = (mode: 'html' | 'htmlparser2') => () =>
    resultOf(openIndexed(answer, INPUT, cheerioPage(new TextDecoder().decode(answer.body), mode)));
  const works = {
    bytes: answer.body.byteLength,
    parse: () => parseDocument(html),
    reader: () => readGooglePage(answer, INPUT),
    cheerio: over('htmlparser2'),
    cheerioDefault: over('html'),
  };
  const ours = JSON.stringify(works.reader());
  for (const cheerioReader of [works.cheerio, works.cheerioDefault])
    if (JSON.stringify(cheerioReader()) !== ours) throw new Error('the readers differ');
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
