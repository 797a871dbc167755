import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { registered } from '../../test/support/orchestrator-fakes.ts';
import { found, incomplete, timeout } from '../sources/outcome.ts';
import { createCheck, etagOf, serialise } from './engine.ts';

/** The definition: a hash over the JSON of the resource without the times. */
const defined = (resource: object): string => {
  const hashed = JSON.stringify({ ...resource, scrapedAt: undefined, checkedAt: undefined });
  return `W/"${createHash('sha256').update(hashed).digest('base64url').slice(0, 22)}"`;
};

test('the entity tag is that of the resource without its times, wherever they stand in it', () => {
  const time = '2026-11-01T00:00:00.000Z';
  for (const resource of [
    { a: 1, b: 'x' },
    { scrapedAt: time },
    { scrapedAt: time, a: 1 },
    { a: 1, scrapedAt: time },
    { a: 1, scrapedAt: time, b: 2 },
    { checkedAt: time, a: [{ scrapedAt: 'other' }], scrapedAt: time },
    { a: { scrapedAt: time }, scrapedAt: time },
    { a: { scrapedAt: time, b: 1 }, scrapedAt: time, c: 2 },
    { a: { scrapedAt: time, b: 1 }, scrapedAt: time },
    { scrapedAt: time, checkedAt: time, a: 1 },
    { checkedAt: time, scrapedAt: time, a: 1 },
    { a: `"scrapedAt":"${time}"`, scrapedAt: time },
    { a: 1, scrapedAt: null },
    { a: 1, scrapedAt: undefined, b: 'ü€😀' },
  ])
    assert.equal(etagOf(resource, JSON.stringify(resource)), defined(resource), JSON.stringify(resource));
});

test('a resource is serialised with its entity tag and its lifetime, shorter where a further request failed; one that does not fit the contract is `changed`', async () => {
  const resource = { ...registered('a.com'), contacts: [] };
  const check = createCheck();
  const outcome = await serialise('registration', found(resource, 3, ['registrar']), check, 0);
  assert.ok(outcome.tag === 'found');
  assert.deepEqual(JSON.parse(outcome.resource.bytes.toString()), resource);
  assert.deepEqual(
    [outcome.resource.etag, outcome.resource.freshForMs, outcome.delivered, outcome.unread],
    [defined(resource), 6 * 3_600_000, 3, ['registrar']],
  );
  const short = await serialise('registration', incomplete(found(resource), ['contacts'], 1_800_000), check, 0);
  assert.ok(short.tag === 'found' && short.resource.freshForMs === 1_800_000 && !('freshAtMostMs' in short));
  const free = await serialise('registration', incomplete(found({ ...resource, available: true }), ['contacts']), check, 0);
  assert.ok(free.tag === 'found' && free.resource.freshForMs === 120_000, 'never longer than the operation says');
  assert.equal((await serialise('registration', found({ ...resource, domain: 5 as never }), check, 0)).tag, 'changed');
  assert.deepEqual(await serialise('registration', timeout('late'), check, 0), timeout('late'));
});
