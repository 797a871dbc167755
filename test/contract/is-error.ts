import assert from 'node:assert/strict';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import type { Reply } from './fakes.ts';

/** Asserts everything that an error guarantees: status, exact body, JSON type, id, and nothing charged. */
export function isError(reply: Reply, name: ErrorName, known = true): void {
  assert.equal(reply.status, ERRORS[name].status, reply.text);
  assert.deepEqual(Object.keys(reply.body), ['error']);
  assert.deepEqual(Object.keys(reply.body.error ?? {}).sort(), ['code', 'message']);
  assert.equal(reply.body.error?.code, codeOf(name));
  assert.match(String(reply.headers['content-type']), /^application\/json/);
  assert.ok(reply.headers['x-request-id']);
  assert.equal(reply.headers['x-credits-charged'], known ? '0' : undefined);
  assert.equal(reply.headers['x-credits-remaining'] !== undefined, known);
  assert.match(String(reply.headers['cache-control']), /no-store|max-age=60/);
}
