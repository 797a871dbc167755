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

test('an object that has none of its known keys is in another form: its missing fields are unread, those that were read are not', () => {
  const { unread } = fieldsAt({ PARTS: ['stats:state', 'tags[]:start'], name: 'author.name', views: 'stats.views', tags: 'tags[].text' });
  const of = (document: object, more: object = {}) => unread({ name: null, views: null, tags: [], ...more }, document);
  assert.deepEqual(of({ stats: { data: { views: 3 } } }), ['views']);
  assert.deepEqual(of({ stats: { data: { views: 3 } } }, { views: 3 }), []);
  assert.deepEqual(of({ tags: [{ text: 'a' }, { data: { text: 'b' } }] }), ['tags']);
  for (const known of [{}, { stats: {} }, { stats: { views: null } }, { stats: { state: 'on' } }, { stats: { data: '' } }, { stats: null }])
    assert.deepEqual(of(known), [], JSON.stringify(known));
  assert.deepEqual(of({ author: { title: 'A' } }), [], 'the author is not among the parts');
});
