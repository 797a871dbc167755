// Few in a process: it computes for long.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createJournal } from '../../src/billing/journal.ts';
import { type CreditLedger, createLedger } from '../../src/billing/ledger.ts';
import { verifyLedger } from '../../src/billing/verify.ts';
import { BACKENDS, type Bench, grant, KEY_ROW, makeAccount, silent } from './backends.ts';
import { LedgerModel } from './model.ts';

const HOUR = 3_600_000;
const ACCOUNTS = 3;
const RUNS = { embedded: 80, postgres: 30 };

interface Real {
  ledger: CreditLedger;
  readonly bench: Bench;
  readonly accounts: readonly string[];
  readonly keys: readonly string[];
  /** Accounts with a grant of which the ledger was not told. */
  readonly stale: Set<number>;
}
/** One operation of a batch. Holds are referenced by number, so that operations often share a hold. */
type Step =
  | { kind: 'hold'; account: number; amount: number; key: number | null; ttl: number }
  | { kind: 'capture' | 'release'; which: number; amount: number }
  | { kind: 'renew'; which: number; ttl: number };

const account = fc.nat(ACCOUNTS - 1);
const ttl = fc.constantFrom(30 * 60_000, 2 * HOUR, 30 * HOUR);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      account,
      amount: fc.integer({ min: 1, max: 9 }),
      key: fc.option(fc.nat(1)),
      ttl,
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({ kind: fc.constantFrom('capture' as const, 'release' as const), which: fc.nat(30), amount: fc.nat(10) }),
    weight: 3,
  },
  fc.record({ kind: fc.constant('renew' as const), which: fc.nat(30), ttl }),
);

const PHASE = { renew: 0, capture: 1, release: 1, hold: 2 };

/** Sends all operations at once: the ledger forms one batch. The model predicts each result. */
class Together implements fc.AsyncCommand<LedgerModel, Real> {
  readonly steps: readonly Step[];
  constructor(steps: readonly Step[]) {
    this.steps = steps;
  }
  check = () => true;
  toString = () => `Together(${JSON.stringify(this.steps)})`;
  async run(model: LedgerModel, real: Real): Promise<void> {
    const ids = [...model.open.keys(), ...model.over];
    const pick = (which: number): string => ids[which % Math.max(1, ids.length)] ?? `${real.accounts[0]}.${'0'.repeat(8)}`;
    const now = real.bench.clock.now();
    // results of the ledger, requested in order of arrival
    const answers = this.steps.map((s) => {
      if (s.kind === 'hold')
        return real.ledger.hold({
          accountId: real.accounts[s.account] ?? '',
          keyId: s.key === null ? 'none' : (real.keys[s.account * 2 + s.key] ?? ''),
          amount: s.amount,
          operation: 'registration',
          requestId: 'same-label',
          ttlMs: s.ttl,
        });
      if (s.kind === 'renew') return real.ledger.renew(pick(s.which), s.ttl);
      return s.kind === 'capture' ? real.ledger.capture(pick(s.which), s.amount) : real.ledger.release(pick(s.which));
    });
    const got = await Promise.all(answers);
    // results of the model, in the order of the phases
    for (const phase of [0, 1, 2])
      this.steps.forEach((s, i) => {
        if (PHASE[s.kind] !== phase) return;
        if (s.kind === 'renew') {
          const hold = model.open.get(pick(s.which));
          assert.equal(got[i], hold !== undefined, 'renewed');
          if (hold) hold.expiresAt = Math.max(hold.expiresAt, now + s.ttl);
        } else if (s.kind === 'hold') {
          const key = s.key === null ? null : s.account * 2 + s.key;
          const answer = got[i] as Awaited<ReturnType<CreditLedger['hold']>>;
          assert.equal(answer.ok, model.admit(s.account, s.amount, key, now), `admitted: ${s.amount} of ${model.freeOf(s.account)}`);
          if (answer.ok) {
            assert.equal(answer.remaining, model.freeOf(s.account));
            model.open.set(answer.holdId, { account: s.account, amount: s.amount, expiresAt: now + s.ttl, key, at: now });
          }
        } else model.settle(pick(s.which), s.kind === 'capture' ? s.amount : 0);
      });
    await agree(model, real);
  }
}

/** A grant is written beside the ledger, which knows an older balance. */
class Grant implements fc.AsyncCommand<LedgerModel, Real> {
  readonly account: number;
  readonly credits: number;
  readonly reference: number | null;
  constructor(account: number, credits: number, reference: number | null) {
    this.account = account;
    this.credits = credits;
    this.reference = reference;
  }
  check = () => true;
  toString = () => `Grant(${this.account}, ${this.credits}, ${this.reference})`;
  async run(model: LedgerModel, real: Real): Promise<void> {
    const id = real.accounts[this.account] ?? '';
    const granted = grant(real.bench.store, id, this.credits, this.reference === null ? '' : `ref-${id}-${this.reference}`).then(
      () => true,
      () => false,
    );
    real.stale.add(this.account);
    const reference = this.reference === null ? '' : `${this.account}-${this.reference}`;
    assert.equal(await granted, model.grant(this.account, this.credits, reference), 'granted');
  }
}

/** The process ends without a word, and another one takes over what it held. */
class Restart implements fc.AsyncCommand<LedgerModel, Real> {
  check = () => true;
  toString = () => 'Restart';
  async run(_model: LedgerModel, real: Real): Promise<void> {
    await real.ledger.close();
    real.ledger = openLedger(real.bench);
    real.stale.clear();
  }
}

class Jump implements fc.AsyncCommand<LedgerModel, Real> {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = () => true;
  toString = () => `Jump(${this.ms / HOUR} h)`;
  async run(model: LedgerModel, real: Real): Promise<void> {
    for (const i of real.stale) real.ledger.forget(real.accounts[i] ?? '');
    real.stale.clear();
    model.ahead += this.ms;
    await real.bench.jump(this.ms);
    assert.equal(await real.ledger.reap(), model.reap(real.bench.clock.now()), 'reaped');
    await agree(model, real);
  }
}

const openLedger = ({ store, clock }: Bench): CreditLedger =>
  createLedger({ journal: createJournal(store, clock), clock, log: silent, randomBytes, holdLifeMs: HOUR, reapEveryMs: 1e9 });

async function agree(model: LedgerModel, real: Real): Promise<void> {
  const { db } = real.bench.store;
  const rows = await db.selectFrom('balances').select(['account_id', 'balance', 'held']).where('account_id', 'in', real.accounts).execute();
  for (const [i, id] of real.accounts.entries()) {
    const row = rows.find((r) => r.account_id === id);
    assert.deepEqual([row?.balance, row?.held], [model.freeOf(i), model.held(i)], `account ${i}`);
    if (!real.stale.has(i)) assert.equal(await real.ledger.remaining(id), model.freeOf(i));
    assert.equal((model.granted[i] ?? 0) - (model.charged[i] ?? 0), model.freeOf(i) + model.held(i), 'the model itself adds up');
  }
}

for (const backend of BACKENDS)
  describe(`ledger against its model: ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());

    test('concurrent, repeated and late operations in any order: results, balances and caps equal those of the model', async () => {
      const commands = fc.commands(
        [
          fc.array(step, { minLength: 1, maxLength: 12 }).map((steps) => new Together(steps)),
          fc
            .tuple(
              account,
              fc.integer({ min: -8, max: 20 }).filter((n) => n !== 0),
              fc.option(fc.nat(3)),
            )
            .map(([to, credits, reference]) => new Grant(to, credits, reference)),
          fc.constant(new Restart()),
          fc.constantFrom(HOUR / 4, HOUR, 3 * HOUR, 25 * HOUR, 32 * 24 * HOUR).map((ms) => new Jump(ms)),
        ],
        { maxCommands: 25 },
      );
      await fc.assert(
        fc.asyncProperty(commands, async (cmds) => {
          const ledger = openLedger(bench);
          await bench.jump(31 * HOUR);
          await ledger.reap(); // expired holds of an earlier run
          const accounts: string[] = [];
          const keys: string[] = [];
          const caps = [
            { capDay: 12, capMonth: null, spent: new Map<string, number>() },
            { capDay: null, capMonth: 20, spent: new Map<string, number>() },
          ];
          for (let i = 0; i < ACCOUNTS; i++) {
            const id = await makeAccount(bench.store);
            accounts.push(id);
            for (const cap of caps) {
              const key = randomUUID();
              keys.push(key);
              await bench.store.db
                .insertInto('keys')
                .values({ ...KEY_ROW, id: key, hash: key, account_id: id, cap_day: cap.capDay, cap_month: cap.capMonth })
                .execute();
            }
          }
          const model = new LedgerModel(
            ACCOUNTS,
            accounts.flatMap(() => caps.map((cap) => ({ ...cap, spent: new Map<string, number>() }))),
          );
          const real: Real = { ledger, bench, accounts, keys, stale: new Set() };
          await fc.asyncModelRun(() => ({ model, real }), cmds);
          await real.ledger.close();
        }),
        { numRuns: RUNS[backend.name] },
      );
      assert.deepEqual((await verifyLedger(bench.store)).faults, []);
    });
  });
