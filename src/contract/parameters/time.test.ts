import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeMsOf } from './time.ts';

test('a time is a day of the calendar, or an instant with its offset', () => {
  const isoOf = (text: string): string | null => {
    const ms = timeMsOf(text);
    return ms === null ? null : new Date(ms).toISOString();
  };
  assert.equal(isoOf('0001-01-01'), '0001-01-01T00:00:00.000Z');
  assert.equal(isoOf('2027-01-31'), '2027-01-31T00:00:00.000Z');
  assert.equal(isoOf('2028-02-29t12:00:00.5+02:00'), '2028-02-29T10:00:00.500Z');
  for (const text of [
    '2027-02-30',
    '2027-02-30T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T12:60:00Z',
    '2027-01-01T00:00:00',
    '2027-01-01T00:00Z',
    '2027-1-1',
    '1 January 2027',
    '+002027-01-01',
    '2027-01-01T00:00:00+24:00',
    '0000-01-01',
    '0000-12-31T23:59:59Z',
    '',
  ])
    assert.equal(isoOf(text), null, text);
});
