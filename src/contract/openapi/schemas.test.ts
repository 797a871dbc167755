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
