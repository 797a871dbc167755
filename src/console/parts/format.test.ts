import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, day, exactTime, moment, month, perDay, share, shortTime, withMoments, words } from './format.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');

test('how long ago: in the largest whole unit, before and after; a day alone stays a day', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: NOW });
  const ofSeconds = (seconds: number) => ago(new Date(NOW + seconds * 1000).toISOString());
  assert.deepEqual([-1, -59, -119, -3600, -86_400 * 3, -86_400 * 40, -86_400 * 800, 7200].map(ofSeconds), [
    '1 second ago',
    '59 seconds ago',
    '1 minute ago',
    '1 hour ago',
    '3 days ago',
    '1 month ago',
    '2 years ago',
    'in 2 hours',
  ]);
  assert.equal(ago('2026-11-20'), 'Nov\u00a020,\u00a02026');
});

test('a time of today is its clock, of this year its day too, of another its date; what is no instant is not made one', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: NOW });
  assert.match(shortTime('2026-11-27T11:30:05.000Z'), /^\d\d:30:05$/);
  assert.match(shortTime('2026-03-15T12:00:00.000Z'), /^Mar\u00a015, \d\d:\d\d$/);
  assert.equal(shortTime('2020-06-15T12:00:00.000Z'), 'Jun\u00a015,\u00a02020');
  for (const read of [shortTime, moment, exactTime, day])
    assert.deepEqual(['2026-11-20', 'soon', ''].map(read), ['Nov\u00a020,\u00a02026', 'soon', '']);
  assert.deepEqual(['2026-11', '2026-13x', '2026'].map(month), ['November 2026', '2026-13x', '2026']);
});

test('instants inside a message are read as people do', () => {
  const at = '2026-11-28T00:00:00.000Z';
  assert.equal(withMoments(`It opens at ${at}.`), `It opens at ${moment(at)}.`);
  assert.equal(withMoments('It ended on 2026-10-31, the rest follows.'), 'It ended on Oct\u00a031,\u00a02026, the rest follows.');
  for (const other of ['/a/2026-10-31/b', 'run-2026-10-31', '2026-10-31-b', '12026-10-31', '"2026-10-31"', 'from=2026-10-31'])
    assert.equal(withMoments(other), other);
});

test('a mean of a day that is not nothing is not shown as nothing', () => {
  assert.deepEqual([0, 0.1, 0.6, 1, 1.4, 1234.5].map(perDay), ['0', 'less than 1', 'less than 1', '1', '1', '1,235']);
});

test('a share that is not nothing is not shown as nothing', () => {
  assert.deepEqual([0, 0.00003, 0.0005, 0.001, 0.125, 1].map(share), ['0%', '< 0.1%', '< 0.1%', '0.1%', '12.5%', '100%']);
});

test('a name as words: small letters, abbreviations in capitals', () => {
  assert.deepEqual(['aiOverview', 'ianaId', 'rapid-fire', 'client_transfer', 'dnssec', 'url'].map(words), [
    'AI overview',
    'IANA ID',
    'rapid fire',
    'client transfer',
    'DNSSEC',
    'URL',
  ]);
});
