import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchChange } from '../../contract/account/watch-schemas.ts';
import { fieldOf, subjectOf } from './change-words.ts';

const told = (change: Partial<WatchChange> & Pick<WatchChange, 'kind'>) => {
  const whole = { field: '', key: null, ...change };
  return [subjectOf(whole, 'acme-widgets.com'), fieldOf(whole)];
};

test('a row of changes names the entry, or the thing that is watched, and its field', () => {
  const url = 'https://www.acme-widgets.com/shoes';
  assert.deepEqual(told({ kind: 'moved', field: 'organic.rank', key: url }), ['acme-widgets.com/shoes', 'Place']);
  assert.deepEqual(told({ kind: 'changed', field: 'organic[acme-widgets.com].rank', key: url }), ['acme-widgets.com/shoes', 'Place']);
  assert.deepEqual(told({ kind: 'changed', field: 'pricings.price', key: 'Basic' }), ['Basic', 'Pricings price']);
  assert.deepEqual(told({ kind: 'added', field: 'organic', key: url }), ['acme-widgets.com/shoes', 'new in organic']);
  assert.deepEqual(told({ kind: 'removed', field: 'organic', key: url }), ['acme-widgets.com/shoes', 'no longer in organic']);
  assert.deepEqual(told({ kind: 'changed', field: 'registrar.name' }), ['acme-widgets.com', 'Registrar name']);
  assert.deepEqual(told({ kind: 'changed', field: 'paid?', after: true }), ['acme-widgets.com', 'Paid appeared']);
  assert.deepEqual(told({ kind: 'due', field: 'expiresOn', daysLeft: 14 }), ['acme-widgets.com', 'Expires on, 14 days left']);
  const onDay = (after: string) => told({ kind: 'due', field: 'expiresOn', daysLeft: 0, after, at: '2026-11-26T15:00:00.000Z' })[1];
  assert.equal(onDay('2026-11-26T14:00:00.000Z'), 'Expires on, over, and still registered');
  assert.equal(onDay('2026-11-25'), 'Expires on, over, and still registered');
  assert.equal(onDay('2026-11-26T16:00:00.000Z'), 'Expires on, today');
  assert.equal(onDay('2026-11-26'), 'Expires on, today', 'a day lasts until midnight');
});

test('a notice is a sentence, and has no field', () => {
  assert.deepEqual(told({ kind: 'gone' }), ['It is not there any more', null]);
  assert.deepEqual(told({ kind: 'added' }), ['It is there again', null]);
  assert.deepEqual(told({ kind: 'recovered' }), ['Checks have answers again', null]);
  assert.deepEqual(told({ kind: 'failing', field: 'webhook', key: '410' }), ['The webhook is switched off: 410', null]);
});
