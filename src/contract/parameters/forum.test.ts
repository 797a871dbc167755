import assert from 'node:assert/strict';
import { test } from 'node:test';
import { community, forumCursor, forumPostId } from './forum.ts';

const value = (read: { ok: boolean; value?: unknown }) => (read.ok ? read.value : null);

test('a community is accepted in every common form', () => {
  for (const form of [
    'AskAcme',
    'r/askacme',
    '/r/AskAcme',
    '/r/askacme/',
    'R/askacme/',
    'https://www.reddit.com/r/AskAcme/',
    'old.reddit.com/r/askacme',
    ' askacme ',
  ])
    assert.equal(value(community.read(form)), 'askacme', form);
  for (const form of ['u_Some-Body', 'u/some-body', '/user/Some-Body/', 'https://reddit.com/u/some-body'])
    assert.equal(value(community.read(form)), 'u_some-body', form);
  assert.equal(value(community.read('reddit.com')), 'reddit.com');
  assert.equal(value(community.read('all')), 'all');
});
test('a text that does not name exactly one community is refused', () => {
  for (const form of [
    '',
    'a',
    'a b',
    'r/',
    'a+b',
    'random',
    'friends',
    'x/y',
    '../x',
    'r/x?y=1',
    'café',
    'a'.repeat(22),
    'https://example.com/r/x',
    '%2e%2e',
  ])
    assert.equal(community.read(form).ok, false, form);
});
test('a post id is accepted with or without its type prefix', () => {
  assert.equal(value(forumPostId.read('T3_1ABC01')), '1abc01');
  assert.equal(value(forumPostId.read('1abc01')), '1abc01');
  for (const form of ['', 't1_abc', 'a-b', 'a'.repeat(14), 'a/b']) assert.equal(forumPostId.read(form).ok, false, form);
});
test('only the cursor of a page of posts is accepted', () => {
  assert.equal(value(forumCursor.read('t3_1abc01')), 't3_1abc01');
  for (const form of ['', '1abc01', 't1_abc', 't3_', 't3_ABC', 't3_a&limit=1']) assert.equal(forumCursor.read(form).ok, false, form);
});
