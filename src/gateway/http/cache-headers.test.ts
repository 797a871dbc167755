import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheWord } from '../../orchestrator/cache.ts';
import { cacheStatusField, matches } from './cache-control.ts';

test('Cache-Status has the forms of RFC 9211', () => {
  const miss = { how: 'miss', stored: true, collapsed: false } as const;
  assert.equal(cacheStatusField({ how: 'hit' }, 412), 'sightline; hit; ttl=412');
  assert.equal(cacheStatusField({ ...miss, fwd: 'uri-miss' }, 0), 'sightline; fwd=uri-miss; stored');
  assert.equal(cacheStatusField({ ...miss, fwd: 'request', stored: false }, 0), 'sightline; fwd=request');
  assert.equal(cacheStatusField({ ...miss, fwd: 'uri-miss', stored: false, collapsed: true }, 0), 'sightline; fwd=uri-miss; collapsed');
  assert.equal(cacheStatusField({ how: 'stale', fwdStatus: 502 }, -30), 'sightline; fwd=stale; fwd-status=502; ttl=-30');
  assert.equal(cacheStatusField({ how: 'stale', fwdStatus: 502 }, 117), 'sightline; fwd=request; fwd-status=502; ttl=117');
  assert.equal(cacheStatusField({ how: 'stale', fwdStatus: null }, -30), 'sightline; hit; ttl=-30');
  assert.equal(cacheWord({ ...miss, fwd: 'stale', collapsed: true }), 'collapsed');
  assert.equal(cacheWord({ ...miss, fwd: 'stale' }), 'miss');
});

test('If-None-Match compares weakly, and accepts lists and *', () => {
  for (const field of ['W/"a"', '"a"', '"x", W/"a"', '"x","a"', '*', ' * ']) assert.equal(matches(field, 'W/"a"'), true, field);
  for (const field of [undefined, '', 'a', 'W/"A"', '"b"', '"a', 'w/a', '"x, a"'])
    assert.equal(matches(field, 'W/"a"'), false, String(field));
});
