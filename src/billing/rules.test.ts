import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type AccountState,
  applyEntries,
  type Caps,
  type Op,
  type OpenHold,
  plainEntry,
  settleAccount,
  settlement,
  spentKeys,
  touchedSums,
} from './rules.ts';

const AT = Date.UTC(2026, 1, 1, 12);
const DAY = 86_400_000;
const YESTERDAY = AT - DAY; // in January, while AT is in February

const stateOf = (more: Partial<AccountState> = {}): AccountState => {
  return { balance: 10, held: 0, seq: 7, head: 'head', open: new Map(), spent: new Map(), ...more };
};
const hold = (more: Partial<Op> = {}): Op => {
  return { kind: 'hold', accountId: 'acc', id: 'u1', amount: 4, lifeMs: 60_000, keyId: 'key', operation: 'serp', label: 'r', ...more };
};
const openHold = (more: Partial<OpenHold> = {}): OpenHold => {
  return { amount: 4, createdAt: AT - 1_000, expiresAt: AT + 1_000, counter: '', ...more };
};
/** An account with one open hold of 4 credits, `5.u1`. */
const holding = (more: Partial<OpenHold> = {}, state: Partial<AccountState> = {}): AccountState =>
  stateOf({ balance: 6, held: 4, open: new Map([['5.u1', openHold(more)]]), ...state });
const noCaps = () => null;
const caps = (day: number | null, month: number | null) => (): Caps => ({ counter: 'family', day, month });
const settled = (state: AccountState, ops: readonly Op[], capsOf: (keyId: string) => Caps | null = noCaps) => {
  const { outcomes, entries, balance, held, spent } = settleAccount(state, ops, AT, capsOf);
  return { outcomes: outcomes.map(({ code, amount }) => `${code} ${amount}`), entries, balance, held, spent: Object.fromEntries(spent) };
};

test('a settlement has the columns of a hold, empty', () => {
  const empty = { keyId: '', operation: '', label: '' };
  assert.deepEqual(settlement('release', 'acc', '5.u1'), {
    kind: 'release',
    accountId: 'acc',
    id: '5.u1',
    amount: 0,
    lifeMs: 0,
    ...empty,
  });
  assert.deepEqual(settlement('renew', 'acc', '5.u1', 3, 9), {
    kind: 'renew',
    accountId: 'acc',
    id: '5.u1',
    amount: 3,
    lifeMs: 9,
    ...empty,
  });
});

test('the day and the month of a time, in UTC', () => {
  assert.deepEqual(spentKeys('family', Date.UTC(2026, 0, 31, 23, 59)), ['family 2026-01-31', 'family 2026-01']);
});

describe('a hold', () => {
  test('moves credits from the balance, and keeps what it was for', () => {
    const { entries, ...rest } = settled(stateOf(), [hold()]);
    assert.deepEqual(rest, { outcomes: ['done 6'], balance: 6, held: 4, spent: {} });
    const { accountId: _, amount, ...columns } = hold();
    assert.deepEqual(entries, [{ ...columns, credits: 0, held: amount, counter: '' }]);
  });

  test('may take all of the balance, and not one credit more; a refused one changes nothing', () => {
    assert.deepEqual(settled(stateOf(), [hold({ amount: 10 })]).outcomes, ['done 0']);
    assert.deepEqual(settled(stateOf(), [hold({ amount: 11 })]), { outcomes: ['short 10'], entries: [], balance: 10, held: 0, spent: {} });
  });

  test('is admitted in order of arrival', () => {
    const batch = [hold({ id: 'a', amount: 7 }), hold({ id: 'b', amount: 4 }), hold({ id: 'c', amount: 3 })];
    assert.deepEqual(settled(stateOf(), batch).outcomes, ['done 3', 'short 3', 'done 0']);
  });

  test('is counted for the day and the month of its key, and refused where the rest of a cap does not cover it', () => {
    const spent = new Map([
      ['family 2026-02-01', 3],
      ['family 2026-02', 8],
    ]);
    const sums = { 'family 2026-02-01': 7, 'family 2026-02': 12 };
    const exact = settled(stateOf({ spent }), [hold()], caps(7, 12));
    assert.deepEqual([exact.outcomes, exact.spent, exact.entries[0]?.counter], [['done 6'], sums, 'family']);
    assert.deepEqual(settled(stateOf({ spent }), [hold()], caps(null, null)).spent, sums);
    for (const [day, month, outcome] of [
      [6, 12, 'capDay 3'],
      [7, 11, 'capMonth 3'],
      [null, 11, 'capMonth 3'],
      [6, null, 'capDay 3'],
      [2, null, 'capDay 0'],
      [null, 7, 'capMonth 0'],
    ] as const)
      assert.deepEqual(settled(stateOf({ spent }), [hold()], caps(day, month)), {
        outcomes: [outcome],
        entries: [],
        balance: 10,
        held: 0,
        spent: {},
      });
  });

  test('counts what the same batch has spent', () => {
    const batch = [hold({ id: 'a' }), hold({ id: 'b' })];
    const { outcomes, spent } = settled(stateOf(), batch, caps(5, null));
    assert.deepEqual([outcomes, spent], [['done 6', 'capDay 1'], { 'family 2026-02-01': 4, 'family 2026-02': 4 }]);
  });

  test('is checked against the balance before the caps', () => {
    assert.deepEqual(settled(stateOf({ balance: 1 }), [hold()], caps(1, 1)).outcomes, ['short 1']);
  });
});

describe('what ends a hold', () => {
  test('a capture charges what it says, at most what is held, and returns the rest', () => {
    for (const [amount, charged, balance] of [
      [3, 3, 7],
      [4, 4, 6],
      [9, 4, 6],
    ] as const) {
      const result = settled(holding(), [settlement('capture', 'acc', '5.u1', amount)]);
      const entries = [plainEntry('capture', -charged, -4, '5.u1')];
      assert.deepEqual(result, { outcomes: [`done ${charged}`], entries, balance, held: 0, spent: {} });
    }
  });

  test('a capture of nothing is written with 0, not −0', () => {
    const [entry] = settled(holding(), [settlement('capture', 'acc', '5.u1', 0)]).entries;
    assert.ok(Object.is(entry?.credits, 0));
  });

  test('a release returns all of it, whatever amount it names', () => {
    const result = settled(holding(), [settlement('release', 'acc', '5.u1', 2)]);
    const entries = [plainEntry('release', 0, -4, '5.u1')];
    assert.deepEqual(result, { outcomes: ['done 0'], entries, balance: 10, held: 0, spent: {} });
  });

  test('an expiry ends it once its time has come', () => {
    const expire = [settlement('expire', 'acc', '5.u1')];
    const late = settled(holding({ expiresAt: AT }), expire);
    assert.deepEqual([late.outcomes, late.entries], [['done 0'], [plainEntry('expire', 0, -4, '5.u1')]]);
    const early = settled(holding({ expiresAt: AT + 1 }), expire);
    assert.deepEqual(early, { outcomes: ['over 0'], entries: [], balance: 6, held: 4, spent: {} });
  });

  test('the first settlement wins; one of a hold that is not open changes nothing', () => {
    const twice = settled(holding(), [settlement('release', 'acc', '5.u1'), settlement('capture', 'acc', '5.u1', 4)]);
    assert.deepEqual([twice.outcomes, twice.balance, twice.held, twice.entries.length], [['done 0', 'over 0'], 10, 0, 1]);
    const unknown = settled(holding(), [settlement('capture', 'acc', '5.u2', 4)]);
    assert.deepEqual(unknown, { outcomes: ['over 0'], entries: [], balance: 6, held: 4, spent: {} });
  });

  test('caps get back what was not charged, for the day on which it was held, and never fall below 0', () => {
    const spent = new Map([
      ['family 2026-01-31', 9],
      ['family 2026-01', 2],
      ['family 2026-02-01', 5],
    ]);
    const counted = { createdAt: YESTERDAY, counter: 'family' };
    const part = settled(holding(counted, { spent }), [settlement('capture', 'acc', '5.u1', 1)]);
    assert.deepEqual(part.spent, { 'family 2026-01-31': 6, 'family 2026-01': 0 });
    const whole = settled(holding(counted, { spent }), [settlement('capture', 'acc', '5.u1', 4)]);
    assert.deepEqual(whole.spent, {});
    const released = settled(holding({ createdAt: AT, counter: 'family' }, { spent }), [settlement('release', 'acc', '5.u1')]);
    assert.deepEqual(released.spent, { 'family 2026-02-01': 1, 'family 2026-02': 0 });
  });
});

describe('a renewal', () => {
  const renew = (lifeMs: number, id = '5.u1') => settlement('renew', 'acc', id, 0, lifeMs);
  const expire = settlement('expire', 'acc', '5.u1');

  test('is written with its life, and one of a hold that is not open changes nothing', () => {
    const result = settled(holding(), [renew(9)]);
    const entries = [{ ...plainEntry('renew', 0, 0, '5.u1'), lifeMs: 9 }];
    assert.deepEqual(result, { outcomes: ['done 0'], entries, balance: 6, held: 4, spent: {} });
    assert.deepEqual(settled(holding(), [renew(9, '5.u2')]), { outcomes: ['over 0'], entries: [], balance: 6, held: 4, spent: {} });
  });

  test('keeps a hold from expiring in its batch, also where it came later; the longest counts, and none shortens', () => {
    assert.deepEqual(settled(holding({ expiresAt: AT }), [expire, renew(1)]).outcomes, ['over 0', 'done 0']);
    assert.deepEqual(settled(holding({ expiresAt: AT }), [expire, renew(0)]).outcomes, ['done 0', 'done 0']);
    assert.deepEqual(settled(holding({ expiresAt: AT }), [renew(5), renew(0), expire]).outcomes, ['done 0', 'done 0', 'over 0']);
    assert.deepEqual(settled(holding({ expiresAt: AT + 5 }), [renew(-9), expire]).outcomes, ['done 0', 'over 0']);
  });
});

test('within a batch renewals come first, then settlements, then holds; outcomes stand in the order of the operations', () => {
  const batch = [hold({ id: 'u2', amount: 8 }), settlement('release', 'acc', '5.u1'), settlement('renew', 'acc', '5.u1', 0, 1)];
  const result = settled(holding(), batch);
  assert.deepEqual(result.outcomes, ['done 2', 'done 0', 'done 0']);
  assert.deepEqual(
    result.entries.map(({ kind }) => kind),
    ['renew', 'release', 'hold'],
  );
});

test('the state that was given is not changed', () => {
  const state = holding({ counter: 'family' }, { spent: new Map([['family 2026-02-01', 5]]) });
  const before = structuredClone(state);
  settleAccount(state, [settlement('release', 'acc', '5.u1'), hold()], AT, caps(100, 100));
  assert.deepEqual(state, before);
});

test('the sums that operations touch are those of the keys of holds, and of open holds on their day', () => {
  const state = holding({ createdAt: YESTERDAY, counter: 'family' });
  const capped = (keyId: string) => (keyId === 'key' ? { counter: 'own', day: 1, month: null } : null);
  const touched = (...ops: Op[]) => touchedSums(state, ops, AT, capped);
  assert.deepEqual(touched(hold()), ['own 2026-02-01', 'own 2026-02']);
  assert.deepEqual(touched(hold({ keyId: 'free' })), []);
  assert.deepEqual(touched(settlement('release', 'acc', '5.u1')), ['family 2026-01-31', 'family 2026-01']);
  assert.deepEqual(touched(settlement('release', 'acc', '5.u2')), []);
  assert.deepEqual(touchedSums(holding(), [settlement('release', 'acc', '5.u1')], AT, capped), []);
});

test('the open holds follow from the entries', () => {
  const open = new Map<string, OpenHold>();
  const { accountId: _, amount, ...columns } = hold();
  applyEntries(open, 5, AT, [{ ...columns, credits: 0, held: amount, counter: 'family' }]);
  const first = { amount: 4, createdAt: AT, expiresAt: AT + 60_000, counter: 'family' };
  assert.deepEqual([...open], [['5.u1', first]]);
  const renewal = (lifeMs: number, id = '5.u1') => ({ ...plainEntry('renew', 0, 0, id), lifeMs });
  applyEntries(open, 6, AT + 1_000, [renewal(60_000), renewal(10), renewal(60_000, '5.u2'), plainEntry('grant', 5, 0, '5.u1')]);
  assert.deepEqual([...open], [['5.u1', { ...first, expiresAt: AT + 61_000 }]]);
  for (const kind of ['capture', 'release', 'expire'] as const) {
    const again = new Map(open);
    applyEntries(again, 7, AT, [plainEntry(kind, 0, -4, '5.u1'), plainEntry(kind, 0, -4, '5.u9')]);
    assert.equal(again.size, 0);
  }
});
