import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readToy } from './parse.ts';

const read = (status: number, body: unknown) =>
  readToy(
    { status, headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), url: '', atMs: 0 },
    { domain: 'acme-widgets.com' },
  );

test('visits and month; a month in another form is unread', () => {
  const good = read(200, { domain: 'acme-widgets.com', month: '2026-10', visits: 1204000 });
  assert.ok(good.tag === 'found');
  assert.deepEqual([good.resource.period, good.resource.visits, good.unread], ['2026-10', 1204000, undefined]);
  const other = read(200, { domain: 'acme-widgets.com', month: 'October', visits: 1 });
  assert.ok(other.tag === 'found');
  assert.deepEqual([other.resource.period, other.unread], [null, ['period']]);
});

test('only the words of the panel are an absence', () => {
  assert.equal(read(404, { error: 'unknown domain' }).tag, 'absent');
  for (const [status, body] of [
    [404, '<html>Not Found</html>'],
    [404, {}],
    [200, { domain: 'other.com', visits: 1 }],
    [200, { domain: 'acme-widgets.com' }],
  ] as const)
    assert.equal(read(status, body).tag, 'changed');
  assert.equal(read(200, '<html>Just a moment...</html>').tag, 'blocked');
  assert.equal(read(429, '').tag, 'limited');
});
