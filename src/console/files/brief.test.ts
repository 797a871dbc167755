import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, operationList } from '../../contract/operations/index.ts';
import { briefOf } from './brief.ts';

test('an answer in two words: its entries, a registration, or nothing for what is neither', () => {
  const briefs = operationList.map((operation) => {
    const list = operation.rows?.entries;
    return [operation.id, list === undefined ? null : briefOf(operation, { [list]: [1, 2] })];
  });
  assert.deepEqual(Object.fromEntries(briefs), {
    ...{ serp: '2 results', 'appstore-category': '2 apps', 'app-keywords': '2 apps', 'app-developer': '2 apps' },
    ...{ 'app-reviews': '2 reviews', 'appstore-reviews': '2 reviews', 'forum-comments': '2 comments' },
    ...{ 'forum-community': '2 posts', 'forum-search': '2 posts' },
    // their lists are parts: of a domain, an app, an estimate
    ...{ registration: null, app: null, traffic: null, 'short-video': null, 'microblog-post': null },
  });
  assert.equal(briefOf(OPERATIONS.registration, { available: true, contacts: [] }), 'free');
  assert.equal(briefOf(OPERATIONS.registration, { available: false, contacts: [] }), 'registered');
  assert.equal(briefOf(OPERATIONS.serp, { organic: [1] }), '1 result');
  assert.equal(briefOf(OPERATIONS.serp, {}), null);
});
