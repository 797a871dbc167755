import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredOf } from './answer-format.ts';

const prefersCsv = (accept: string | undefined) => preferredOf(accept, ['json', 'csv']) === 'csv';

test('CSV is sent only where Accept prefers it to JSON', () => {
  for (const accept of [
    'text/csv',
    'TEXT/CSV',
    'text/csv, */*;q=0.1',
    'application/json;q=0.5, text/csv',
    'text/csv;q=0.2',
    'text/csv; charset=utf-8',
    'application/json;q=0.5, text/csv;header=present;q=0.9',
    'text/csv;charset="utf-8" ; q=1, */*;q=0.1',
  ])
    assert.equal(prefersCsv(accept), true, accept);
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json',
    'text/csv;q=0',
    'text/csv;q=0.5, application/json',
    'text/csvx',
    'text/csv;header=present;q=0',
    'application/json; charset=utf-8',
    'text/csv; charset=utf-8; q=0.5, application/json',
  ])
    assert.equal(prefersCsv(accept), false, accept);
});
