// Own process: it computes for long.
/**
 * Watches never cry wolf: no change is told between a recorded answer and the same answer in another notation or with a class renamed, so
 * that fields cannot be read, or a page that is no answer. `SIGHTLINE_TEST_ALARMS=100000` makes about so many comparisons.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, type OperationId } from '../../src/contract/operations/index.ts';
import { READERS } from '../../src/sources/index.ts';
import { found } from '../../src/watches/compare.ts';
import { mutationsOf } from '../sources/mutate-answers.ts';
import { type Recorded, recordedAnswers, skipRecordings } from '../sources/recorded-answers.ts';
import { CHALLENGES, FOREIGN } from '../support/foreign-answers.ts';

const LEAST = Number(process.env.SIGHTLINE_TEST_ALARMS ?? 3_000);
const NOW = Date.UTC(2026, 10, 22);
const START = { fails: 0, pending: null, absent: null } as const;

/** The same document in another notation: order of keys, blanks, attributes and comments that nobody reads. */
function sameMeaning({ reader, body }: Recorded): Buffer[] {
  if (reader === 'registration/whois') {
    const text = body.toString('latin1');
    return [text.replace(/\r?\n/g, '\r\n'), text.replace(/\r\n/g, '\n'), `${text}\n\n`].map((one) => Buffer.from(one, 'latin1'));
  }
  const text = body.toString('utf8');
  if (/^\s*[{[]/.test(text.slice(0, 100))) {
    const json: unknown = JSON.parse(text);
    return [JSON.stringify(reversed(json)), JSON.stringify(json, null, 2), JSON.stringify(withExtra(json))].map((one) => Buffer.from(one));
  }
  return [
    text.replace(/<\/(div|section|article|li)>/g, '</$1>\n'),
    text.replace(/<(div|section|article)(?=[\s>])/g, '<$1 data-build="7f3a"'),
    text.replace(/<body([^>]*)>/, '<body$1><!-- served by node 7 -->'),
  ].map((one) => Buffer.from(one));
}
const mapped = (json: unknown, change: (entries: [string, unknown][]) => [string, unknown][]): unknown => {
  if (Array.isArray(json)) return json.map((one) => mapped(one, change));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(change(Object.entries(json)).map(([key, value]) => [key, mapped(value, change)]));
};
const reversed = (json: unknown): unknown => mapped(json, (entries) => entries.reverse());
const withExtra = (json: unknown): unknown => mapped(json, (entries) => [...entries, ['xNewOfThisBuild', '7f3a']]);

test('no change is told for another notation, for fields that a renamed class hides, or for a page that is no answer', {
  skip: skipRecordings,
}, async () => {
  const alarms = new Map<string, string>();
  let [compared, unread, refused] = [0, 0, 0];
  const recordings = await recordedAnswers();
  const each = Math.ceil(LEAST / recordings.length);
  const foreign = Object.entries({ ...CHALLENGES, ...FOREIGN });
  for (const [turn, recording] of recordings.entries()) {
    const entry = READERS[recording.reader];
    const read = await entry?.load();
    if (!entry || !read) continue;
    const operation = OPERATIONS[entry.operation as OperationId];
    const answerOf = (body: Buffer) => read({ ...recording, body, at: NOW }, recording.input);
    const before = answerOf(recording.body);
    if (before.tag !== 'found') continue;
    const first = found(operation, START, null, { resource: { ...before.resource }, unread: before.unread ?? [] }, null, false);
    const bodies = [
      ...sameMeaning(recording).map((body, i) => ({ what: `another notation (${i})`, body })),
      ...(recording.body.includes('<html') ? mutationsOf(recording, 4 * each).filter(({ what }) => what.startsWith('class')) : []),
      ...Array.from({ length: Math.min(each, foreign.length) }, (_, i) => foreign[(turn + i) % foreign.length] ?? ['', '']).map(
        ([what = '', text = '']) => ({ what, body: Buffer.from(text) }),
      ),
    ];
    for (const { what, body } of bodies) {
      const after = answerOf(body);
      compared++;
      // a name that seems free is a change only after a second check
      if (after.tag !== 'found' || ('available' in after.resource && after.resource.available)) {
        refused++;
        continue;
      }
      if (after.unread?.length) unread++;
      const { changes } = found(
        operation,
        START,
        first.baseline,
        { resource: { ...after.resource }, unread: after.unread ?? [] },
        null,
        true,
      );
      for (const { kind, field, before: was, after: is } of changes)
        alarms.set(
          `${recording.reader}: ${what}: ${kind} ${field}`,
          `${recording.id}: ${JSON.stringify(was)?.slice(0, 80)} → ${JSON.stringify(is)?.slice(0, 80)}`,
        );
    }
  }
  console.log(`${compared} comparisons, ${unread} with unread fields, ${refused} not read`);
  assert.deepEqual([...alarms].slice(0, 60), []);
  assert.ok(compared > 3_000, `${compared} comparisons`);
});
