import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSimilarweb } from './parse.ts';

const read = (body: unknown) =>
  readSimilarweb(
    {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
      url: 'https://api.similarweb.com/v1/website/acme-widgets.com/',
      at: 0,
    },
    { domain: 'acme-widgets.com' },
  );

test('a value of the panel in another form is unread; 0, which means unknown, is not', () => {
  const both = { visits: [{ date: '2026-05-01', visits: 120 }], pages_per_visit: [{ date: '2026-05-01', pages_per_visit: { mean: 3 } }] };
  const outcome = read(both);
  assert.deepEqual([outcome.tag, outcome.tag === 'found' && outcome.unread], ['found', ['pagesPerVisit']]);
  const unknown = read({ ...both, pages_per_visit: [{ date: '2026-05-01', pages_per_visit: 0 }] });
  assert.equal(unknown.tag === 'found' && unknown.unread, undefined);
});

test('a panel with nothing but unread values is no proof that the domain has no visits', () => {
  assert.equal(read({ visits: [{ date: '2026-05-01', visits: 0 }] }).tag, 'absent');
  assert.equal(read({ visits: [{ date: '2026-05-01', visits: { count: 12 } }] }).tag, 'changed');
});
