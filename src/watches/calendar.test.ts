import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { calendarOf, folded } from './calendar.ts';

const WATCH = {
  id: 'wat_5f0c2d',
  name: null,
  operation: 'registration',
  parameters: '{"domain":"acme-widgets.com"}',
  due_on: '2027-01-31T12:00:00.000Z',
  due_read_at: Date.parse('2026-11-26T10:20:30.123Z'),
};

test('a date is one event of a day, with a name that stays the same', () => {
  const text = calendarOf([WATCH, { ...WATCH, id: 'wat_2', name: 'Ours; first, \\ and\nsecond' }]);
  assert.ok(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n'));
  assert.ok(text.endsWith('END:VCALENDAR\r\n'));
  for (const line of [
    'UID:wat_5f0c2d@sightline',
    'DTSTAMP:20261126T102030Z',
    'DTSTART;VALUE=DATE:20270131',
    'DURATION:P1D',
    'SUMMARY:acme-widgets.com expires',
    'SUMMARY:acme-widgets.com expires (Ours\\; first\\, \\\\ and\\nsecond)',
  ])
    assert.ok(text.split('\r\n').includes(line), line);
});

test('a name of other letters stands as people write it, with its form of the wire', () => {
  const text = calendarOf([{ ...WATCH, parameters: '{"domain":"xn--mller-kva.de"}' }]);
  assert.ok(text.split('\r\n').includes('SUMMARY:müller.de (xn--mller-kva.de) expires'), text);
});

test('a date beyond which there is no day is one day, too', () => {
  const text = calendarOf([{ ...WATCH, due_on: '9999-12-31' }]);
  assert.match(text, /\r\nDTSTART;VALUE=DATE:99991231\r\nDURATION:P1D\r\n/);
  assert.doesNotMatch(text, /:\+|10000/);
});

test('a calendar without dates has a component, as each has to, and no event', () => {
  const componentsIn = (text: string): readonly string[] => {
    const open: string[] = [];
    const found: string[] = [];
    for (const line of text.trimEnd().split('\r\n')) {
      const [, edge, name = ''] = /^(BEGIN|END):(\w+)$/.exec(line) ?? [];
      if (edge === 'BEGIN' && open.push(name) === 2) found.push(name);
      else if (edge === 'END') assert.equal(open.pop(), name);
    }
    assert.deepEqual(open, []);
    return found;
  };
  assert.deepEqual(componentsIn(calendarOf([])), ['VTIMEZONE']);
  assert.deepEqual(componentsIn(calendarOf([WATCH])), ['VEVENT']);
});

test('no line is longer than 75 octets, none is lost, and no text adds a line of its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
      const text = calendarOf([{ ...WATCH, name }]);
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
      const unfolded = text.replaceAll('\r\n ', '').split('\r\n');
      assert.equal(unfolded.length, calendarOf([WATCH]).split('\r\n').length);
    }),
  );
  assert.equal(folded('é'.repeat(40)).replaceAll('\r\n ', ''), 'é'.repeat(40));
});
