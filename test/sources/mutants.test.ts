import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { domainToUnicode } from 'node:url';
import type { Input } from '../../src/contract/operations/index.ts';
import { READERS } from '../../src/sources/index.ts';
import { momentOf } from '../../src/sources/microblog/post.ts';
import type { Reader } from '../../src/sources/source.ts';
import { sizeOf } from '../support/sizes.ts';

/**
 * Structure-aware changes of the recordings of November 2026: a value of JSON takes another type or is damaged, a line of WHOIS or an
 * element of a page is removed, doubled or damaged. No change makes a parser throw, and no answer holds a value that its document does not.
 *
 * The rule: a text, a number or an address of the resource counts as held if the changed document states it: its letters and digits (NFC,
 * lower case, entities, escapes and percent-encoding decoded) occur there, or those of the lookup. A date is held if the document states
 * the day in a form of dates to which nothing is joined, its epoch seconds, or the id that holds it. Not judged are what the service counts or names by itself (ranks, positions, depths,
 * flags, roles, enumerations, the time of the lookup) and what it puts together from the names of the lookup and of the document.
 */
const RECORDINGS = '../shared/recordings/2026-11';
const AREAS = ['registration', 'forum', 'social', 'serp'] as const;
const RUNS = sizeOf({ whole: 20_000, part: 2_000 });
const MAX_BYTES = 150_000;
/** Larger documents are chosen ten times less often: they take most of the time. */
const SMALL_BYTES = 30_000;

interface Row {
  readonly id: string;
  readonly reader: string;
  readonly file: string;
  readonly url?: string;
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly input: Record<string, unknown>;
}
interface Specimen extends Row {
  readonly body: string;
  readonly read: Reader;
}
const isHere = existsSync(RECORDINGS) || (process.env.SIGHTLINE_TEST_REQUIRE ?? '').includes('recordings');
const specimens: Specimen[] = [];
for (const area of isHere ? AREAS : []) {
  const lines = readFileSync(join(RECORDINGS, area, 'expected.ndjson'), 'utf8')
    .trim()
    .split('\n');
  for (const row of lines.map((line) => JSON.parse(line) as Row)) {
    const body = readFileSync(join(RECORDINGS, area, row.file));
    const read = await READERS[row.reader]?.load();
    if (read && body.length <= MAX_BYTES) specimens.push({ ...row, body: body.toString('utf8'), read });
  }
}

/** A reproducible sequence of whole numbers below n (mulberry32). */
function sequence(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % Math.max(1, n);
  };
}
type Pick = (n: number) => number;

/** Damage of one text: characters joined to a number, removed, put in, or replaced. */
function damaged(text: string, pick: Pick): string {
  const at = pick(text.length + 1);
  const put = ['e9', '=', '\ufffd', ' ', '0', '-', '1e9T', '//', ':', '§'][pick(10)] ?? '';
  return [
    text.slice(0, at) + put + text.slice(at),
    text.slice(0, at) + text.slice(at + 1 + pick(4)),
    text.slice(0, at) + put + text.slice(at + 1),
    '',
  ][pick(4)] as string;
}

function changedJson(json: unknown, pick: Pick): unknown {
  const places: [Record<string | number, unknown>, string | number][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const holder = value as Record<string | number, unknown>;
    for (const key of Object.keys(value)) {
      places.push([holder, Array.isArray(value) ? Number(key) : key]);
      visit(holder[key]);
    }
  };
  const copy = structuredClone(json);
  visit(copy);
  const [holder, key] = places[pick(places.length)] ?? [null, ''];
  if (!holder) return copy;
  const value = holder[key];
  const how = pick(6);
  if (how === 0) delete holder[key];
  else if (how === 1) holder[key] = { value };
  else if (how === 2) holder[key] = [value];
  else if (how === 3) holder[key] = [null, {}, [], true, -3, 'x§'][pick(6)];
  else if (typeof value === 'string') holder[key] = damaged(value, pick);
  else if (typeof value === 'number') holder[key] = `${value}e9`;
  return copy;
}
function changed({ body }: Specimen, pick: Pick): string {
  const start = /\S/.exec(body)?.[0];
  if (start === '{' || start === '[') {
    try {
      return JSON.stringify(changedJson(JSON.parse(body), pick));
    } catch {
      return damaged(body, pick); // a recording of half an answer
    }
  }
  const mark = start === '<' ? /(?=<)/ : /(?<=\n)/;
  const parts = body.split(mark);
  const at = pick(parts.length);
  const part = parts[at] ?? '';
  parts[at] = ['', part + part, damaged(part, pick), damaged(part, pick)][pick(4)] as string;
  return parts.join('');
}

const NAMED = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));
/** Letters and digits alone, every encoding decoded. */
const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
function statedBy(document: string): string {
  const plain = document
    .replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\/g, '');
  const decoded = plain.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, dec?: string, hex?: string, name?: string) => {
    const point = name === undefined ? Number(dec ?? `0x${hex}`) : Number.NaN;
    return name === undefined
      ? point > 0 && point <= 0x10ffff
        ? String.fromCodePoint(point)
        : whole
      : (NAMED.get(name.toLowerCase()) ?? whole);
  });
  const encoded = decoded.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  return [plain, decoded, encoded, encoded.replace(/<[^>]*>/g, '')].map(letters).join('\n');
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(?<mon>${MONTHS.join('|')})[a-z]*`;
/** Nothing is joined to a date but its time or punctuation. */
const END = '(?=-?t\\d{1,2}:|[^\\p{L}\\d]|$)';
const DATES = [
  `(?<y>\\d{4})[-./ ]\\s?(?<m>\\d{1,2})[-./ ]\\s?(?<d>\\d{1,2})${END}`,
  `(?<y>\\d{4})(?<m>\\d\\d)(?<d>\\d\\d)${END}`,
  `(?<y>\\d{4})[- .]${MONTH}[- .](?<d>\\d{1,2})${END}`,
  `(?<d>\\d{1,2})[-./ ]\\s?(?<m>\\d{1,2})[-./ ]\\s?(?<y>\\d{4})${END}`,
  `(?<m>\\d{1,2})[-./ ]\\s?(?<d>\\d{1,2})[-./ ]\\s?(?<y>\\d{4})${END}`,
  `(?<d>\\d{1,2})(?:st|nd|rd|th)?[-. /]\\s?${MONTH},?[-. /]\\s?(?<y>\\d{4})${END}`,
  `${MONTH}\\s+(?<d>\\d{1,2}),?\\s+(?:\\d\\d:\\d\\d:\\d\\d\\s+(?:\\S{3,6}\\s+)?)?(?<y>\\d{4})${END}`,
].map((form) => new RegExp(`(?<![\\p{L}\\d])${form}`, 'giu'));
/** Every day that the document states, as `day 2018-11-01`. */
const daysIn = (document: string): string =>
  DATES.flatMap((form) => [...document.matchAll(form)])
    .map(({ groups: g }) => {
      const month = g?.mon === undefined ? Number(g?.m) : MONTHS.indexOf(g.mon.toLowerCase().slice(0, 3)) + 1;
      return `day ${g?.y}-${String(month).padStart(2, '0')}-${String(Number(g?.d)).padStart(2, '0')}`;
    })
    .join('\n');

/** Computed, counted or named by the service, or enumerated by the contract. */
const NOT_JUDGED =
  /^(?:available|source|domain|status|dnssec|scrapedAt|checkedAt|role|redacted|is[A-Z]\w*|features|rank|absoluteRank|max|depth|hasMore|keyword|searchEngine|location|language|device|durationMs|parentId|communityId)$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T.*Z)?$/;

function* invented(value: unknown, path: string, stated: string, id: string): Generator<string> {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value))
      if (Array.isArray(value) || !NOT_JUDGED.test(key)) yield* invented(inner, `${path}.${Array.isArray(value) ? '' : key}`, stated, id);
    return;
  }
  const text = String(value);
  const date = DATE.exec(text);
  if (date) {
    const seconds = Math.floor(Date.parse(text) / 1000);
    // a zone may move the day by one; an id holds the time of a post
    const days = [0, -1, 1].map((by) => new Date(Date.parse(text) + by * 86_400_000).toISOString().slice(0, 10));
    const isStated = stated.includes(String(seconds)) || days.some((day) => stated.includes(`day ${day}`));
    if (!isStated && !(/^\d+$/.test(id) && Date.parse(text) === momentOf(id))) yield `${path}: ${text}`;
    return;
  }
  const asked = letters(text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')));
  // a host name with other letters than those of ASCII is given in A-labels
  if (stated.includes(asked) || (/(?:^|\.)xn--/.test(text) && stated.includes(letters(domainToUnicode(text))))) return;
  // what is put together of several stated parts: an address of host and path, a text of several lines
  const parts = text.split(/[\s/]+/).map((part) => letters(decodeURIComponent(part.replace(/%(?![\da-f]{2})/gi, '%25'))));
  if (
    parts.every(
      (part) =>
        part === '' ||
        stated.includes(part) ||
        /^(?:https?|www|comx|xcom|status|i|r|comments|video|photo)$/.test(part) ||
        /^(?:www)?(?:reddit|twitter|x|tiktok|google|bing)com$/.test(part),
    )
  )
    return;
  yield `${path}: ${text.slice(0, 120)}`;
}

test(`${RUNS} changes of the recordings: no parser throws, and no answer holds a value that its document does not`, {
  skip: !isHere && 'the recordings are not here',
}, (t) => {
  const pick = sequence(20261122);
  const faults: string[] = [];
  let found = 0;
  const small = specimens.filter((s) => s.body.length <= SMALL_BYTES);
  const whole = new Map(specimens.map((s) => [s.id, s.read(answerOf(s, s.body), s.input as unknown as Input)]));
  for (let run = 0; run < RUNS; run++) {
    const drawn = specimens[pick(specimens.length)] as Specimen;
    const specimen = drawn.body.length > SMALL_BYTES && pick(10) > 0 ? (small[pick(small.length)] as Specimen) : drawn;
    const body = changed(specimen, pick);
    let outcome: ReturnType<Reader>;
    try {
      outcome = specimen.read(answerOf(specimen, body), specimen.input as unknown as Input);
    } catch (error) {
      faults.push(`${specimen.id} threw: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    const before = whole.get(specimen.id);
    if (outcome.tag !== 'found') continue;
    found++;
    if (before?.tag === 'found' && JSON.stringify(before.resource) === JSON.stringify(outcome.resource)) continue;
    const stated = `${statedBy(body)}\n${daysIn(body)}\n${letters(JSON.stringify(specimen.input))}`;
    if (
      'available' in outcome.resource &&
      outcome.resource.available &&
      before?.tag === 'found' &&
      !('available' in before.resource && before.resource.available)
    )
      faults.push(`${specimen.id}: free`);
    for (const fault of invented(outcome.resource, '', stated, 'postId' in outcome.resource ? String(outcome.resource.postId) : '0'))
      faults.push(`${specimen.id}${fault}`);
  }
  t.diagnostic(`${RUNS} changes, ${found} still found, ${specimens.length} recordings`);
  assert.deepEqual([...new Set(faults)].slice(0, 40), []);
  assert.ok(found > RUNS / 3);
});

const answerOf = ({ status, headers, url }: Row, body: string) => ({
  status,
  headers: headers ?? {},
  body: new TextEncoder().encode(body),
  url: url ?? '',
  atMs: 1_700_000_000_000,
});
