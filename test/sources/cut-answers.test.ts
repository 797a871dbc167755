import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { READERS } from '../../src/sources/index.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { type Parser, parseHere, parsersIn } from '../../src/sources/source.ts';
import type { Answer } from '../../src/upstream/answer.ts';
import { samples } from '../attack/reader-samples.ts';

const answer = (text: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(text),
  url: '',
  atMs: 0,
});
const told = (outcome: Outcome): string => (outcome.tag === 'found' ? 'found' : `${outcome.tag}: ${outcome.what} (${outcome.detail})`);

/** Beginnings of a JSON text: at even distances, behind its first bracket, and behind brackets that close an inner part. */
function beginnings(text: string): readonly string[] {
  const even = Array.from({ length: 12 }, (_, index) => Math.floor((text.length * (index + 1)) / 13));
  const closers = [...text.matchAll(/[}\]]/g)].map(({ index }) => index + 1).filter((end) => end < text.trimEnd().length);
  const [first = 1, middle = 1, last = 1] = [closers[0], closers[closers.length >> 1], closers.at(-1)];
  return [1, ...even, first, middle, last].map((end) => text.slice(0, end));
}
/** Whole answers that are not of the platform's form. */
const WHOLE = ['{"status":"ok"}', '["a"]', 'upstream connect error', '"text"', "{'a': [1", '{{ error ', '[error: {', '{"a":1}}', '{}'];

const SAMPLES = (await samples()).filter(({ text }) => /^\s*(?:\{|\[[[{])/.test(text));

describe('JSON whose transfer was cut is unreachable, and whole answers of unknown form are changed', () => {
  test('every reader of JSON has a sample', () => {
    const read = new Set(SAMPLES.map(({ reader }) => reader));
    const others = Object.keys(READERS).filter((name) => !read.has(name));
    assert.deepEqual(
      others.filter((name) => !/^appmarket\/|-page$|^shortvideo\/page|^registration\/whois|^traffic\/crux/.test(name)),
      [],
      'those read pages and texts',
    );
  });
  for (const { reader, input, text } of SAMPLES) {
    const entry = READERS[reader] ?? assert.fail(reader);
    test(`${reader}: cut at any place`, async () => {
      const read = await entry.load();
      for (const begin of beginnings(text)) {
        const outcome = read(answer(begin), input as never);
        assert.equal(outcome.tag, 'unreachable', `${begin.slice(-60)}: ${told(outcome)}`);
      }
      for (const whole of WHOLE) {
        const { tag, ...outcome } = read(answer(whole), input as never);
        assert.notEqual(tag, 'unreachable', `${whole}: ${JSON.stringify(outcome)}`);
      }
    });
    test(`${reader}: cut under a status of what is not there`, async () => {
      const read = await entry.load();
      for (const begin of beginnings(text)) {
        const outcome = read(answer(begin, 404), input as never);
        assert.ok(
          outcome.tag !== 'changed' && outcome.tag !== 'absent' && outcome.tag !== 'found',
          `${begin.slice(-60)}: ${told(outcome)}`,
        );
      }
    });
  }
});

const PAGES = (await samples()).filter(({ text }) => /^\s*<(?:!doctype|html)/i.test(text));
describe('a page whose transfer was cut is never a new form of the platform', () => {
  for (const { reader, input, url, text } of PAGES)
    test(`${reader}: cut at any place behind its head`, async () => {
      const read = await (READERS[reader] ?? assert.fail(reader)).load();
      const whole = read({ ...answer(text), headers: {}, url }, input as never);
      assert.equal(whole.tag, 'found');
      const [from, to] = [text.indexOf('<body'), text.lastIndexOf('</html')];
      for (let part = 1; part < 13; part++) {
        const begin = text.slice(0, from + Math.floor(((to - from) * part) / 13));
        const outcome = read({ ...answer(begin), headers: {}, url }, input as never);
        assert.ok(outcome.tag !== 'changed' && outcome.tag !== 'absent', `${begin.slice(-60)}: ${told(outcome)}`);
      }
    });
});

test('parsers of connectors and of relays judge a cut answer as readers do', async () => {
  const folder = new URL('../../src/sources/', import.meta.url);
  const relay = {
    map: 'a',
    next: null,
    absentWhen: null,
    nothingWhen: null,
    failures: [],
    operation: 'registration',
    input: {},
    earlier: [],
  };
  const reader = { pointer: ['data'], reader: 'microblog/api', input: { url: 'https://x.com/i/status/1' } };
  const parsers: readonly (readonly [Parser<never, Outcome>, unknown])[] = [
    [parsersIn(new URL('relay/map.ts', folder))('readMapped' as never), relay],
    [parsersIn(new URL('relay/payload.ts', folder))('readPayload' as never), reader],
    [parsersIn(new URL('searchengine/dataforseo/parse.ts', folder))('readDataforseo' as never), { keyword: 'a', engine: 'engine_a' }],
  ];
  for (const [parser, input] of parsers) {
    for (const begin of beginnings('{"data":{"list":[1,{"a":"b\\"c"}],"more":{}},"status":20000}')) {
      const outcome = await parseHere(parser, answer(begin), input as never);
      assert.equal(outcome.tag, 'unreachable', `${parser.name}, ${begin}: ${told(outcome as Outcome)}`);
    }
    const whole = await parseHere(parser, answer('{"other":1}'), input as never);
    assert.notEqual(whole.tag, 'unreachable', parser.name);
  }
});
