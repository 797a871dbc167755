import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Watch, WatchChange } from '../../contract/account/watch-schemas.ts';
import { daysInWords, domainsOf, monthsOf, toldInWords } from './domain-facts.ts';

const NOW = Date.parse('2026-11-26T15:00:00Z');
const day = (days: number): string => new Date(NOW + days * 86_400_000).toISOString();
const watch = (domain: string, daysLeft: number | null, more: Partial<Watch> = {}): Watch =>
  ({
    ...{ watchId: `wat_${domain}`, operation: 'registration', parameters: { domain }, state: 'ok', latest: {} },
    dueDate: daysLeft === null ? null : { field: 'expiresOn', on: day(daysLeft), daysLeft, readAt: day(0), source: null, nextAt: null },
    ...more,
  }) as Watch;
const entry = (domain: string, kind: WatchChange['kind'], at: number, more: Partial<WatchChange> = {}): WatchChange =>
  ({ watchId: `wat_${domain}`, kind, at: day(at), field: '', before: null, after: null, daysLeft: null, ...more }) as WatchChange;

test('domains stand by their days left: the ended ones first, those without a date and the free ones last', () => {
  const watches = [
    watch('later.org', 400),
    watch('none.org', null),
    watch('free.org', 12, { state: 'free' }),
    watch('soon.org', 30),
    watch('ended.org', -2),
    watch('next.org', 31),
    watch('today.org', 0),
    watch('other.org', 5, { operation: 'traffic' }),
  ];
  assert.deepEqual(
    domainsOf(watches, [], NOW).map(({ name, group, days }) => [name, group, daysInWords(days)]),
    [
      ['ended.org', 'Ended, still registered', 'ended 2 days ago'],
      ['today.org', 'Within 30 days', 'today'],
      ['soon.org', 'Within 30 days', '30'],
      ['next.org', 'Within 90 days', '31'],
      ['later.org', 'Later', '400'],
      ['none.org', 'No date stated', null],
      ['free.org', 'Not registered', null],
    ],
  );
});

test('told are the thresholds of the date that is there now; a date that moved shows the old one for 30 days', () => {
  const one = watch('a.org', 7);
  const on = one.dueDate?.on;
  const told = [
    entry('a.org', 'due', 0, { after: on, daysLeft: 7 }),
    entry('a.org', 'due', -7, { after: on, daysLeft: 14 }),
    entry('a.org', 'due', -60, { after: day(-30), daysLeft: 30 }),
  ];
  const moved = (at: number) => entry('a.org', 'changed', at, { field: 'expiresOn', before: day(-30), after: on });
  const [row] = domainsOf([one], [...told, moved(-30)], NOW);
  assert.deepEqual([row?.told, row?.before, row?.changed?.field], [[14, 7], day(-30), 'expiresOn']);
  assert.equal(toldInWords(row?.told ?? []), '14, 7 days');
  const [later] = domainsOf([one], [moved(-31)], NOW);
  assert.deepEqual([later?.before, later?.changed, toldInWords(later?.told ?? [])], [null, null, 'not yet']);
  const over = watch('a.org', -1);
  const [ended] = domainsOf(
    [over],
    [
      entry('a.org', 'due', 0, { after: over.dueDate?.on, daysLeft: 0 }),
      entry('a.org', 'due', -2, { after: over.dueDate?.on, daysLeft: 1 }),
    ],
    NOW,
  );
  assert.equal(toldInWords(ended?.told ?? []), '1 days, over');
  const today = watch('a.org', 0, {
    dueDate: { field: 'expiresOn', on: '2026-11-26', daysLeft: 0, readAt: day(0), source: null, nextAt: null },
  });
  const [last] = domainsOf([today], [entry('a.org', 'due', 0, { after: '2026-11-26', daysLeft: 0 })], NOW);
  assert.deepEqual(last?.told, [0], 'a day lasts until midnight');
});

test('registrar, lock and name servers are those of the last answer; a registry that states no states says nothing of the lock', () => {
  const of = (latest: Watch['latest']) => {
    const [row] = domainsOf([watch('a.org', 5, { latest })], [], NOW);
    return [row?.registrar, row?.lock, row?.servers];
  };
  const servers = ['ns1.a.org', 'ns2.a.org'];
  for (const [status, lock] of [
    [['clientTransferProhibited', 'clientHold'], 'locked'],
    [['serverTransferProhibited'], 'locked'],
    [['clientDeleteProhibited'], 'open'],
    [[], null],
  ] as const)
    assert.deepEqual(of({ 'registrar.name': 'Fjord', status, nameServers: servers }), ['Fjord', lock, servers]);
  assert.deepEqual(of({ 'registrar.name': null, status: [], nameServers: [] }), [null, null, []]);
  assert.deepEqual(of({}), [null, null, []]);
});

test('months begin with this one and are thirteen, also over the turn of the year', () => {
  const months = monthsOf([{ on: '2026-12-03' }, { on: '2026-12-31' }, { on: '2027-11-01' }, { on: '2027-12-01' }, { on: null }], NOW);
  assert.equal(months.length, 13);
  assert.deepEqual(
    months.filter(([, count]) => count > 0),
    [
      ['2026-12', 2],
      ['2027-11', 1],
    ],
  );
  assert.equal(months[0]?.[0], '2026-11');
});
