import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { parseDocument } from 'htmlparser2';
import { READERS } from '../../src/sources/index.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Answer } from '../../src/upstream/answer.ts';
import { samples } from '../attack/reader-samples.ts';
import { sizeOf } from '../support/sizes.ts';
import { isNamed, sample } from './mutate-answers.ts';
import { type Recorded, recordedAnswers, skipRecordings } from './recorded-answers.ts';

/**
 * Changes of markup that a platform, a proxy or a translator makes without another meaning: an element around a text, a box or a link, attributes
 * in another order and other quotes, another charset. The outcome is equal, or names what it lost, or is `changed`.
 */
type Nodes = ReturnType<typeof parseDocument>['childNodes'];
type Stretch = readonly [from: number, to: number];

/** Changes of each kind in a page: at other places in each page. */
const MOST = sizeOf({ whole: 2, part: 1 });

/** Its text is no part of the page, or it cannot hold other elements. */
const OPAQUE = /^(?:head|title|script|style|noscript|template|textarea|select|svg|math|iframe|object|video|audio)$/;
/** Boxes that may stand in a `<div>`, and what may hold one; the same for a `<span>`. */
const BOX = /^(?:a|article|aside|div|dl|figure|footer|form|g-[a-z-]+|h[1-6]|header|nav|ol|p|section|table|ul)$/;
const HOLDS_BOX = /^(?:article|aside|body|dd|div|figure|footer|form|g-[a-z-]+|header|li|main|nav|section|td)$/;
const INLINE = /^(?:a|abbr|b|cite|em|i|span|strong|time)$/;
const HOLDS_INLINE = /^(?:article|cite|dd|div|dt|h[1-6]|li|main|p|section|span|td)$/;
const HOLDS_NO_TEXT = /^(?:ul|ol|table|tbody|tr|dl|html)$/;

/** Where an element may be put around something. */
function placesIn(html: string) {
  const places = { texts: [] as Stretch[], boxes: [] as Stretch[], inline: [] as Stretch[] };
  const visit = (nodes: Nodes, around: string): void => {
    for (const node of nodes) {
      const place = [node.startIndex ?? 0, (node.endIndex ?? 0) + 1] as const;
      if (node.type === 'text' && 'data' in node) {
        if (/[\p{L}\p{N}]/u.test(node.data) && !HOLDS_NO_TEXT.test(around)) places.texts.push(place);
      } else if ('name' in node && 'childNodes' in node && !OPAQUE.test(node.name)) {
        const isClosed = html.endsWith(`</${node.name}>`, place[1]);
        if (isClosed && BOX.test(node.name) && HOLDS_BOX.test(around)) places.boxes.push(place);
        if (isClosed && INLINE.test(node.name) && HOLDS_INLINE.test(around)) places.inline.push(place);
        visit(node.childNodes, node.name);
      }
    }
  };
  visit(parseDocument(html, { withStartIndices: true, withEndIndices: true }).childNodes, 'body');
  return places;
}
/** The page with an element around each of some stretches, which do not overlap. */
function wrapped(html: string, stretches: readonly Stretch[], open: string, close: string): string {
  let page = '';
  let copied = 0;
  for (const [from, to] of stretches) {
    page += html.slice(copied, from) + open + html.slice(from, to) + close;
    copied = to;
  }
  return page + html.slice(copied);
}

const TAG = /<(script|style)\b[^<>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<[a-zA-Z][\w-]*(?:\s+[^\s"'<>/=]+="[^"]*")+\s*\/?>/g;
/** The attributes of every element the other way round, in single quotes. */
const turned = (html: string): string =>
  html.replace(TAG, (tag) => {
    const [, name, list = '', end = ''] = /^<([\w-]+)((?:\s+[^\s=]+="[^"]*")+)(\s*\/?>)$/.exec(tag) ?? [];
    if (name === undefined) return tag;
    const attributes = [...list.matchAll(/([^\s=]+)="([^"]*)"/g)].reverse();
    return `<${name} ${attributes.map(([, key, value = '']) => `${key}='${value.replaceAll("'", '&#39;')}'`).join(' ')}${end}`;
  });

interface Change {
  readonly what: string;
  readonly answer: () => Pick<Answer, 'body' | 'headers'>;
}
const SPAN = ['<span class="w">', '</span>'] as const;
const FONT = ['<font style="vertical-align: inherit;"><font style="vertical-align: inherit;">', '</font></font>'] as const;
/** `shift` chooses other places, `most` of each kind. */
function changesOf({ body, headers }: Recorded, most: number, shift: number): Change[] {
  const html = body.toString();
  const { texts, boxes, inline } = placesIn(html);
  const of = (what: string, make: () => string): Change => ({ what, answer: () => ({ headers, body: Buffer.from(make()) }) });
  const around = (name: string, places: readonly Stretch[], open: string, close: string): Change[] =>
    sample(places, most, (shift + name.length * 7) % 10).map((place) =>
      of(`${name} at ${place[0]}: ${html.slice(place[0], place[0] + 60)}`, () => wrapped(html, [place], open, close)),
    );
  return [
    ...around('span around a text', texts, ...SPAN),
    ...around('font around a text', texts, ...FONT),
    ...around('div around a box', boxes, '<div>', '</div>'),
    ...around('span around inline', inline, ...SPAN),
    of('font around every text', () => wrapped(html, texts, ...FONT)),
    of('span around every text', () => wrapped(html, texts, '<span>', '</span>')),
    of('attributes turned', () => turned(html)),
    {
      what: 'UTF-16',
      answer: () => ({ headers: { ...headers, 'content-type': 'text/html' }, body: Buffer.from(`\ufeff${html}`, 'utf16le') }),
    },
  ];
}

/** How often each value stands at each path, without list indexes: "path\tvalue". */
function countsIn(value: unknown, path = '', into = new Map<string, number>()): ReadonlyMap<string, number> {
  if (Array.isArray(value)) for (const entry of value) countsIn(entry, path, into);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) countsIn(one, path === '' ? key : `${path}.${key}`, into);
  else if (value !== null && value !== undefined) {
    const key = `${path}\t${String(value)}`;
    into.set(key, (into.get(key) ?? 0) + 1);
  }
  return into;
}
/** What a change lost without a word, or put in. */
function faultsOf(whole: Outcome, outcome: Outcome): string[] {
  if (outcome.tag === 'changed' || (outcome.tag !== 'found' && outcome.tag === whole.tag)) return [];
  if (whole.tag !== 'found' || outcome.tag !== 'found') return [`${whole.tag} became ${outcome.tag}`];
  const [was, is] = [countsIn(whole.resource), countsIn(outcome.resource)];
  const lost = [...was].filter(
    ([key, count]) => (is.get(key) ?? 0) < count && !isNamed(key.slice(0, key.indexOf('\t')), outcome.unread ?? []),
  );
  const added = [...is].filter(([key, count]) => (was.get(key) ?? 0) < count);
  return [...lost.map(([key]) => `lost ${key}`), ...added.map(([key]) => `added ${key}`)];
}

const isPage = ({ body }: Recorded): boolean => /^\ufeff?\s*<(?!\?xml)/.test(body.toString('utf8', 0, 300));
async function faultsIn(pages: readonly Recorded[], most: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [i, { id, reader, status, url, input, ...page }] of pages.entries()) {
    const read = await (READERS[reader] ?? assert.fail(reader)).load();
    const run = (answer: Pick<Answer, 'body' | 'headers'>) => read({ ...answer, status, url, atMs: 0 }, input);
    const whole = run(page);
    for (const { what, answer } of changesOf({ id, reader, status, url, input, ...page }, most, i))
      faults.push(...faultsOf(whole, run(answer())).map((fault) => `${id}, ${what}: ${fault.slice(0, 120)}`));
  }
  return faults;
}

describe('a change of markup without another meaning loses nothing without a word, and puts nothing in', () => {
  let own: Recorded[] = [];
  before(async () => {
    const all = (await samples()).map(({ text, input, ...one }) => ({
      ...one,
      id: `simulated ${one.reader}`,
      body: Buffer.from(text),
      status: 200,
      headers: {},
      input: input as Recorded['input'],
    }));
    own = all.filter(isPage);
  });
  test('the simulated pages', async () => {
    assert.ok(own.length >= 9);
    assert.deepEqual(await faultsIn(own, 4), []);
  });
  test('the recorded pages', { skip: skipRecordings }, async () => {
    const pages = (await recordedAnswers()).filter(isPage);
    assert.ok(pages.length > 60);
    assert.deepEqual(await faultsIn(pages, MOST), []);
  });
});
