import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsAt } from './tables.ts';

const { unread: unreadOf } = fieldsAt({
  name: ['author.name', 'nickname'],
  'counts.views': 'stats.views',
  picture: 'picture:string',
  tags: 'tags[].text',
});
const nothing = { name: null, counts: { views: null }, picture: null, tags: [] };

test('a field is unread where its place holds something, and absent where it holds nothing', () => {
  assert.deepEqual(unreadOf(nothing, {}), []);
  assert.deepEqual(unreadOf(nothing, { author: { name: '' }, stats: { views: -1 }, tags: [] }), []);
  assert.deepEqual(unreadOf(nothing, { author: { name: ['A'] }, stats: { views: { count: 3 } } }), ['name', 'counts.views']);
  assert.deepEqual(unreadOf(nothing, { nickname: false }), ['name']);
});

test('a field that was read is never unread, whatever its places hold', () => {
  assert.deepEqual(unreadOf({ ...nothing, name: 'A' }, { author: { name: { text: 'A' } } }), []);
});

test('another type on the way to a place makes its fields unread', () => {
  assert.deepEqual(unreadOf(nothing, { author: [{ name: 'A' }], stats: 'none' }), ['name', 'counts.views']);
  assert.deepEqual(unreadOf(nothing, { author: null, stats: undefined }), []);
});

test('of a place with a known type, only another type is unread', () => {
  assert.deepEqual(unreadOf(nothing, { picture: 'default' }), []);
  assert.deepEqual(unreadOf(nothing, { picture: { url: 'https://a.example/' } }), ['picture']);
});

test('a list is unread where its entries have another form, even if some were read; the prefix names the list of the resource', () => {
  assert.deepEqual(unreadOf({ ...nothing, tags: ['a'] }, { tags: [{ text: 'a' }, { text: { value: 'b' } }] }, 'posts.'), ['posts.tags']);
  assert.deepEqual(unreadOf(nothing, { tags: { 0: { text: 'a' } } }), ['tags']);
  assert.deepEqual(unreadOf({ ...nothing, tags: ['a'] }, { tags: [{ text: 'a' }] }), []);
});
