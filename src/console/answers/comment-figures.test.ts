import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ForumComment } from '../../contract/operations/forum-comments/operation.ts';
import { figuresOf } from './comment-figures.ts';

const comment = (more: Partial<ForumComment>): ForumComment => ({
  ...{ postId: 'p', commentId: 'c', parentId: null, author: null, body: null, score: null, depth: 0 },
  ...{ createdAt: null, permalink: null, isStickied: null },
  ...more,
});
const at = (...times: readonly string[]) => figuresOf({ comments: times.map((createdAt) => comment({ createdAt })) }).byTime;

test('what is not stated counts for nothing', () => {
  const nothing = { levels: 0, authors: 0, medianScore: null, busiest: [], byTime: null };
  assert.deepEqual(figuresOf({ comments: [] }), nothing);
  const comments = [comment({}), comment({ author: '[deleted]' }), comment({ author: '[deleted]' })];
  assert.deepEqual(figuresOf({ comments }), { ...nothing, levels: 1 });
});

test('levels, authors, median of scores, and who wrote several', () => {
  const authors = ['a', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'e', 'e', 'f', 'f'];
  const comments = authors.map((author, nth) => comment({ author, depth: nth % 8, score: nth < 4 ? [5, -3, 10, 2][nth] : null }));
  const { levels, medianScore, busiest, ...more } = figuresOf({ comments });
  assert.deepEqual([levels, more.authors, medianScore], [8, 6, 3.5]);
  assert.deepEqual(busiest, [
    ['c', 3],
    ['b', 2],
    ['d', 2],
    ['e', 2],
  ]);
});

test('by the smallest unit of time that needs few bars, those without a comment included', () => {
  assert.deepEqual(at('2026-01-31T11:59:50.000Z', '2026-01-31T12:01:10.000Z', '2026-01-31T11:59:01.000Z'), {
    unit: 'minute',
    places: ['2026-01-31T11:59', '2026-01-31T12:00', '2026-01-31T12:01'],
    counts: [2, 0, 1],
  });
  assert.equal(at('2026-01-31T11:57:10.000Z', '2026-01-31T11:57:50.000Z'), null);
  const hours = at('2026-01-30T23:59:00.000Z', '2026-01-31T02:00:00.000Z');
  assert.deepEqual([hours?.unit, hours?.places], ['hour', ['2026-01-30T23', '2026-01-31T00', '2026-01-31T01', '2026-01-31T02']]);
  assert.deepEqual(at('2026-01-30T10:00:00.000Z', '2026-02-02T09:00:00.000Z')?.counts, [1, 0, 0, 1]);
  const months = at('2025-12-31T10:00:00.000Z', '2026-03-01T09:00:00.000Z');
  assert.deepEqual([months?.unit, months?.places], ['month', ['2025-12', '2026-01', '2026-02', '2026-03']]);
  assert.deepEqual(at('2006-01-30T10:00:00.000Z', '2026-02-02T09:00:00.000Z')?.places.length, 21);
});
