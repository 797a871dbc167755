import { randomBytes } from 'node:crypto';
import type { Journal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import { type AccountState, type Op, type Outcome, settlement } from '../../src/billing/rules.ts';
import { unavailable } from '../../src/store/unavailable.ts';
import { createManualClock } from './manual-clock.ts';

export const HOLD_MS = 60_000;
export const request = { accountId: 'acc', keyId: 'key', amount: 1, operation: 'serp', requestId: 'r', ttlMs: HOLD_MS } as const;
export const DONE: Outcome = { code: 'done', amount: 5 };

/** A ledger on a journal that does as it is told. `outcomeOf`: of an operation; undefined is a defect of the journal. `isBad`: the store refuses its batch. */
export function scene() {
  const clock = createManualClock();
  const batches: (readonly Op[])[] = [];
  const logged: unknown[][] = [];
  const state = {
    ...{ away: false, expiries: 0, outlived: 0, tries: 0 },
    latch: null as Promise<void> | null,
    outcomeOf: (_op: Op): Outcome | undefined => DONE,
    isBad: (_op: Op): boolean => false,
    known: true,
  };
  const account: AccountState = { balance: 5, held: 0, seq: 1, head: '', open: new Map(), spent: new Map() };
  const journal: Journal = {
    isShared: false,
    async ping() {},
    async settle(ops) {
      state.tries++;
      await state.latch;
      if (state.away) throw unavailable(new Error('gone'));
      if (ops.some(state.isBad)) throw new Error('constraint');
      batches.push(ops);
      return { atMs: clock.now(), outcomes: ops.map(state.outcomeOf) as Outcome[], states: new Map(state.known ? [['acc', account]] : []) };
    },
    async expired(limit) {
      state.expiries++;
      if (state.away) throw unavailable(new Error('gone'));
      const due = Math.min(limit, state.outlived);
      state.outlived -= due;
      return Array.from({ length: due }, (_, i) => settlement('expire', 'acc', `1.${i}`));
    },
    remaining: () => 5,
    forget() {},
  };
  const ledger = createLedger({ journal, clock, log: (...line) => void logged.push(line), randomBytes, holdLifeMs: HOLD_MS });
  const sizes = () => batches.map((batch) => batch.length);
  return { clock, batches, sizes, state, logged, ledger };
}
