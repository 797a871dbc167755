import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type Entry, lineOf, plainEntry, plainLine, readLine, readLines, rowHash, splitHoldId } from './rules.ts';

const HOLD: Entry = {
  kind: 'hold',
  credits: 0,
  held: 4,
  id: 'u1',
  lifeMs: 60_000,
  counter: 'f',
  keyId: 'key',
  operation: 'serp',
  label: 'r',
};
const LINES: readonly (readonly [Entry, string])[] = [
  [HOLD, 'hold\t0\t4\tu1\t60000\tf\tkey\tserp\tr'],
  [{ ...plainEntry('grant', 9, 0, 'ref'), label: 'a note' }, 'grant\t9\t0\tref\t0\t\t\t\ta note'],
  [{ ...plainEntry('renew', 0, 0, '5.u1'), lifeMs: 7 }, 'renew\t0\t0\t5.u1\t7'],
  [plainEntry('capture', -3, -4, '5.u1'), 'capture\t-3\t-4\t5.u1'],
  [plainEntry('release', 0, -4, '5.u1'), 'release\t0\t-4\t5.u1'],
  [plainEntry('expire', 0, -4, '5.u1'), 'expire\t0\t-4\t5.u1'],
];

test('an entry and its line say the same, in both directions', () => {
  for (const [entry, line] of LINES) {
    assert.equal(lineOf(entry), line);
    assert.deepEqual(readLine(line), entry);
  }
  assert.deepEqual(
    readLines(LINES.map(([, line]) => line).join('\n')),
    LINES.map(([entry]) => entry),
  );
});

test('columns that a line lacks are empty', () => {
  assert.deepEqual(readLine('release\t0\t-4'), plainEntry('release', 0, -4, ''));
});

test('a line of another kind, or with a number that is no whole one, is no entry', () => {
  for (const line of [
    '',
    'gift\t1\t0\tx',
    'grant\t1.5\t0\tx',
    'grant\t1',
    'hold\t0\tx\tu1\t1',
    'hold\t0\t4\tu1\t0.5',
    'grant\t9007199254740993\t0\tx',
  ])
    assert.equal(readLine(line), null, line);
  assert.deepEqual(readLines('gift\t1\t0\tx\nrelease\t0\t-4\t5.u1'), [plainEntry('release', 0, -4, '5.u1')]);
});

test('the hash of a row is over everything that it states, and the row before', () => {
  const expected = createHash('sha256').update('sightline-ledger-1\nacc\n7\n1700000000000\nbefore\nrelease\t0\t-4\t5.u1').digest('hex');
  assert.equal(rowHash('acc', 7, 1_700_000_000_000, 'before', 'release\t0\t-4\t5.u1'), expected);
});

test('a hold id is the account and the rest', () => {
  assert.deepEqual(splitHoldId('acc.7.u1'), ['acc', '7.u1']);
  assert.deepEqual(splitHoldId('.7.u1'), ['', '7.u1']);
  assert.deepEqual(splitHoldId('nonsense'), ['', 'nonsense']);
});

test('a text becomes one line of at most 200 characters', () => {
  assert.equal(plainLine('a ~ note'), 'a ~ note');
  assert.equal(plainLine('x'.repeat(200)), 'x'.repeat(200));
  assert.equal(plainLine('x'.repeat(201)), 'x'.repeat(200));
  assert.equal(plainLine('one\r\n\ttwo\u0000é'), 'one two é');
  assert.equal(plainLine('\n'), ' ');
  assert.equal(plainLine('\uD800a'), '\uFFFDa');
  assert.equal(plainLine(`${'x'.repeat(199)}😀`), `${'x'.repeat(199)}\uFFFD`);
});
