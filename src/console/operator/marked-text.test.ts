import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, textParts } from './marked-text.ts';

test('a field is marked where its value stands in the page exactly once, otherwise not', () => {
  const page = '<h1>Acme Reviews</h1>\n<p>Acme</p>\n<b>4.6</b> of 5, twice: twice';
  const resource = { name: 'Acme Reviews', developer: { name: 'Acme' }, rating: 4.6, stars: 5, tags: ['twice'], url: null };
  const fields = fieldsOf(resource, page);
  assert.deepEqual(
    fields.map(({ path, value, line }) => [path, value, line]),
    [
      ['name', 'Acme Reviews', 1],
      ['developer.name', 'Acme', null],
      ['rating', '4.6', 3],
      ['stars', '5', null],
      ['tags.0', 'twice', null],
      ['url', null, null],
    ],
  );
  const parts = textParts(page, fields);
  assert.equal(parts.map(({ text }) => text).join(''), page, 'the page is shown whole');
  assert.deepEqual(
    parts.filter(({ path }) => path !== null),
    [
      { text: 'Acme Reviews', path: 'name' },
      { text: '4.6', path: 'rating' },
    ],
  );
});
