import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredOf } from './answer-format.ts';

const prefersCsv = (accept: string | undefined) => preferredOf(accept, ['json', 'csv']) === 'csv';

test('CSV is sent only where Accept prefers it to JSON', () => {
  for (const accept of ['text/csv', 'TEXT/CSV', 'text/csv, */*;q=0.1', 'application/json;q=0.5, text/csv', 'text/csv;q=0.2'])
    assert.equal(prefersCsv(accept), true, accept);
  for (const accept of [undefined, '', '*/*', 'application/json', 'text/csv;q=0', 'text/csv;q=0.5, application/json', 'text/csvx'])
    assert.equal(prefersCsv(accept), false, accept);
});
