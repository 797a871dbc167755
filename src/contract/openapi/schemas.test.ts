import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, record, text } from '../schema.ts';
import { nameSchemas } from './schemas.ts';

const author = record({ handle: text('Handle.') });
const video = record({ author, tags: list(record({ word: text('Word.') }), 'Tags.') });

test('objects are named by their place, and by a name of their own where they have one', () => {
  assert.deepEqual([...nameSchemas([['Video', video]]).values()], ['Video', 'VideoAuthor', 'VideoTag']);
  assert.deepEqual(
    [
      ...nameSchemas([
        ['Video', video],
        ['Author', author],
      ]).values(),
    ],
    ['Video', 'Author', 'VideoTag'],
  );
});

test('an entry of a list has the singular of its name', () => {
  const entry = (name: string) => list(record({ [name]: text('Word.') }), 'Words.');
  const all = {
    days: entry('a'),
    entries: entry('b'),
    series: entry('c'),
    watches: entry('d'),
    boxes: entry('e'),
    caches: entry('f'),
    houses: entry('g'),
  };
  assert.deepEqual([...nameSchemas([['My', record(all)]]).values()].slice(1), [
    'MyDay',
    'MyEntry',
    'MySeries',
    'MyWatch',
    'MyBox',
    'MyCache',
    'MyHouse',
  ]);
});

test('two objects of one name are both named in the error, with the cure', () => {
  const other = record({ name: text('Name.') });
  assert.throws(
    () =>
      nameSchemas([
        ['Video', video],
        ['VideoAuthor', other],
      ]),
    /^Error: the schema VideoAuthor and Video\.author would both be the schema VideoAuthor of the description: .*`parts`/,
  );
});
