/** What an answer announces and does not hold is unread, and nothing is missing on the platform because of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../upstream/answer.ts';
import type { Outcome } from '../../outcome.ts';
import { readListing, readSearch, readThread } from './parse.ts';

const answer = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
  url: 'https://oauth.reddit.com/r/x/hot?raw_json=1',
  atMs: 0,
  ...more,
});
const listing = (children: unknown[], data: object = {}) => ({ kind: 'Listing', data: { after: null, dist: null, children, ...data } });
const post = { kind: 't3', data: { id: 'abc', subreddit: 'x' } };
const comment = (id: string, more: object = {}) => ({
  kind: 't1',
  data: { id, link_id: 't3_abc', parent_id: 't3_abc', body: 'b', replies: '', ...more },
});
const more = (parent: string, count: number, children: string[]) => ({ kind: 'more', data: { parent_id: parent, count, children } });
const page = (body: unknown) => readListing(answer(body), { community: 'x', sort: 'hot' });
const thread = (body: unknown) => readThread(answer(body), { postId: 'abc' });
const comments = (things: unknown[], data: object = {}) => thread([listing([post]), listing(things, data)]);
const said = (outcome: Outcome) => (outcome.tag === 'found' ? (outcome.unread ?? []) : outcome.tag);

test('a page that states more things than it holds leaves its posts unread; an empty one is no page without posts', () => {
  assert.deepEqual(said(page(listing([post], { dist: 3 }))), ['posts']);
  assert.deepEqual(said(page(listing([post, { kind: 't5', data: {} }], { dist: 2 }))), []);
  assert.deepEqual(said(page(listing([], { dist: 3 }))), 'changed');
  for (const empty of [page(listing([], { dist: 0 })), readSearch(answer(listing([])), { query: 'q', sort: 'new' })])
    assert.ok(empty.tag === 'found' && empty.evidence);
});
test('an empty page that names a next one says nothing of whether there are posts', () => {
  assert.equal(page(listing([], { after: 't3_abc' })).tag, 'changed');
});
test('a post is missing only where both lists are there and empty', () => {
  const none = listing([]);
  assert.equal(thread([none, none]).tag, 'absent');
  for (const odd of [none, [none], [none, null], [none, listing([comment('c')])], [listing([], { dist: 1 }), none]])
    assert.equal(thread(odd).tag, 'changed', JSON.stringify(odd));
});
test('comments that an answer names and does not hold leave `comments` unread', () => {
  const below = (things: unknown[]) => comments([comment('c1', { replies: listing(things) })]);
  for (const cut of [
    comments([comment('c1'), more('t3_abc', 2, ['c2', 'c3'])]),
    comments([comment('c1'), more('t3_abc', 2, [])]),
    comments([comment('c1'), more('t3_abc', 0, ['c2'])]),
    below([more('t1_c1', 0, [])]),
    comments([comment('c2', { parent_id: 't1_c1' })]),
    comments([comment('c1')], { dist: 2 }),
  ])
    assert.deepEqual(said(cut), ['comments']);
  for (const whole of [comments([]), comments([comment('c1'), more('t3_abc', 0, [])]), below([comment('c2', { parent_id: 't1_c1' })])])
    assert.deepEqual(said(whole), []);
});
test('comments of another post are not the comments of this one', () => {
  assert.equal(comments([comment('c1'), comment('c2', { link_id: 't3_other' })]).tag, 'changed');
});

const onePost = (data: object) => {
  const outcome = page(listing([{ kind: 't3', data: { ...post.data, ...data } }]));
  assert.ok(outcome.tag === 'found');
  return { ...outcome.resource.posts[0], unread: outcome.unread ?? [] };
};
test('a number below zero counts no comments', () => {
  const { numComments, unread } = onePost({ num_comments: -7 });
  assert.deepEqual([numComments, unread], [null, ['posts.numComments']]);
});
test('a count as text is a count, 0 too; a text that is no count is unread', () => {
  const counts = (value: unknown) => {
    const { score, numComments, upvoteRatio, unread } = onePost({ score: value, num_comments: value, upvote_ratio: value });
    return [score, numComments, upvoteRatio, unread];
  };
  assert.deepEqual(counts('0'), [0, 0, 0, []]);
  assert.deepEqual(counts('1'), [1, 1, 1, []]);
  for (const other of ['many', ' 0 ', '1.2k', '0 points'])
    assert.deepEqual(counts(other), [null, null, null, ['posts.score', 'posts.upvoteRatio', 'posts.numComments']], other);
  const { score, unread } = onePost({ score: '-12' });
  assert.deepEqual([score, unread], [-12, []]);
  const scored = (value: unknown) => {
    const outcome = comments([comment('c1', { score: value })]);
    return outcome.tag === 'found' && [outcome.resource.comments[0]?.score, outcome.unread ?? []];
  };
  assert.deepEqual(scored('0'), [0, []]);
  assert.deepEqual(scored('-3'), [-3, []]);
  assert.deepEqual(said(comments([comment('c1'), { kind: 'more', data: { parent_id: 't3_abc', count: '2', children: [] } }])), [
    'comments',
  ]);
  assert.deepEqual(said(comments([comment('c1'), { kind: 'more', data: { parent_id: 't3_abc', count: 'some', children: [] } }])), [
    'comments',
  ]);
  assert.deepEqual(said(comments([comment('c1'), { kind: 'more', data: { parent_id: 't3_abc', count: '0', children: [] } }])), []);
  assert.deepEqual(said(page({ kind: 'Listing', data: { after: null, dist: '3', children: [post] } })), ['posts']);
});
test('a thumbnail without scheme is an address; half of a pair of surrogates is replaced; a flair in parts alone is unread', () => {
  assert.equal(onePost({ thumbnail: '//a.example/t.jpg' }).thumbnail, 'https://a.example/t.jpg');
  const { title, selftext } = onePost({ title: 'a\ud83d', selftext: '\ude00b' });
  assert.deepEqual([title, selftext], ['a\ufffd', '\ufffdb']);
  assert.deepEqual(onePost({ link_flair_text: null, link_flair_richtext: [{ e: 'text', t: 'News' }] }).unread, ['posts.flair']);
  assert.deepEqual(onePost({ link_flair_text: null, link_flair_richtext: [] }).unread, []);
});
test('an id of a community that is none is unread; a post without the name of a community is of the one asked for', () => {
  assert.deepEqual([onePost({ subreddit_id: 't5_2a' }).communityId, onePost({ subreddit_id: 't5_2a' }).unread], ['t5_2a', []]);
  for (const odd of ['2a', 't3_2a', 'acme'])
    assert.deepEqual([onePost({ subreddit_id: odd }).communityId, onePost({ subreddit_id: odd }).unread], [null, ['posts.communityId']]);
  assert.equal(onePost({ subreddit: '' }).community, null);
});
test("a redirect to another site's search of communities says nothing of a community", () => {
  const moved = (location: string) => readListing(answer('', { status: 302, headers: { location } }), { community: 'x', sort: 'hot' }).tag;
  assert.equal(moved('https://www.reddit.com/subreddits/search?q=x'), 'absent');
  assert.equal(moved('/subreddits/search?q=x'), 'absent');
  assert.equal(moved('https://portal.example/subreddits/search?q=x'), 'changed');
});
