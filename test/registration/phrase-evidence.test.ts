import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTable } from '../../src/runtime/table.ts';
import { linesOf } from '../../src/sources/registration/whois/lines.ts';
import { findPhrase } from '../../src/sources/registration/whois/parse.ts';
import { allRecordings, skip } from './recorded.ts';

const ROWS = readTable(new URL('../../src/sources/registration/whois/phrases.tsv', import.meta.url)).map(
  ([kind = '', pattern = '', evidence = '']) => ({ kind, pattern, evidence }),
);
const PHRASES = ROWS.filter(({ kind }) => !kind.startsWith('part '));

test('every sentence of a registry names its evidence with its age, or that it is another wording', () => {
  for (const { kind, pattern, evidence } of PHRASES)
    assert.match(evidence, /^(?:-|.*(?:, (?:19|20)\d\d\b.*|age unknown|before the .*))$/, `${kind} ${pattern.slice(0, 60)}`);
});

test('a recording that is named as evidence says a sentence of that kind', { skip }, () => {
  const recordings = new Map(allRecordings().map((one) => [one.name, one]));
  for (const { kind, evidence } of PHRASES) {
    const name = /^recording (\S+), \d{4}-\d\d$/.exec(evidence)?.[1];
    if (name === undefined) continue;
    const recording = recordings.get(name);
    assert.ok(recording, evidence);
    assert.equal(findPhrase(linesOf(recording.text), recording.domain)?.kind, kind.replace(/^free-.*/, 'free'), evidence);
  }
});
