import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CachedAnswer } from '../../orchestrator/types.ts';
import { decodeCached, decodeRun, encodeCached, encodeRun } from './messages.ts';

const answer: CachedAnswer = {
  bytes: Buffer.from('{"rating":null}\n'),
  etag: 'W/"x"',
  at: 1_000,
  freshForMs: 1_000,
  keepForMs: 2_000,
  source: 'appmarket/page',
  delivered: 7,
  unread: ['rating', 'developer.address'],
};

test('a cached answer keeps every fact, unread fields included, in the shared cache and on its way to followers', () => {
  assert.deepEqual(decodeCached(encodeCached(answer, 250), 250), answer);
  const run = decodeRun(encodeRun({ cached: answer, error: null, attempts: [], upstreamMs: 1, stored: true }, 250), 250);
  assert.deepEqual(run?.cached, answer);
});
