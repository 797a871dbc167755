import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentTree, shownComments } from '../../src/console/answers/comment-order.ts';
import { adviceOf } from '../../src/console/workbench/errors.ts';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import type { ForumComment } from '../../src/contract/operations/forum-comments/operation.ts';

const comment = (commentId: string, depth: number, score: number | null, body = ''): ForumComment => ({
  postId: 'p',
  commentId,
  parentId: null,
  author: null,
  body,
  score,
  depth,
  createdAt: null,
  permalink: null,
  isStickied: null,
});
const THREAD = commentTree([
  comment('a', 0, 1),
  comment('a1', 1, 5, 'found'),
  comment('a2', 1, null),
  comment('a2x', 2, 2),
  comment('b', 0, 9),
  comment('c', 3, 3),
]);
const order = (wishes: Partial<Parameters<typeof shownComments>[1]>) =>
  shownComments(THREAD, { sort: 'thread', sought: '', collapsed: new Set(), ...wishes }).map(
    ({ node, depth }) => `${depth}${node.comment.commentId}`,
  );

test('comments are a tree by their depths; one whose parent is missing follows the last one above it', () => {
  assert.deepEqual(order({}), ['0a', '1a1', '1a2', '2a2x', '0b', '1c']);
  assert.deepEqual(
    THREAD.map((node) => node.below),
    [3, 1],
  );
});

test('siblings are sorted by score, those without one last; what is collapsed hides its answers', () => {
  assert.deepEqual(order({ sort: 'top' }), ['0b', '1c', '0a', '1a1', '1a2', '2a2x']);
  assert.deepEqual(order({ collapsed: new Set(['a']) }), ['0a', '0b', '1c']);
});

test('a search shows its matches and what stands above them, also in what is collapsed', () => {
  assert.deepEqual(order({ sought: 'FOUND', collapsed: new Set(['a']) }), ['0a', '1a1']);
});

test('there is advice for every error of the contract', () => {
  const usual = adviceOf('SOME_CODE_TO_COME');
  for (const name of Object.keys(ERRORS) as ErrorName[]) assert.notEqual(adviceOf(codeOf(name)), usual, name);
});
