// Own process: it computes for long.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createLedger } from '../../src/billing/ledger.ts';
import type { CreditLedger } from '../../src/billing/types.ts';
import { verifyLedger } from '../../src/billing/verify.ts';
import { BACKENDS, type Bench, KEY_ROW, makeAccount, silent } from './backends.ts';
import { LedgerModel } from './model.ts';

const HOUR = 3_600_000;
const ACCOUNTS = 3;
const RUNS = { embedded: 80, postgres: 30 };

interface Real {
  readonly ledger: CreditLedger;
  readonly bench: Bench;
  readonly accounts: readonly string[];
  readonly keys: readonly string[];
}
/** One operation of a batch. Holds are referenced by number, so that operations often share a hold. */
type Step =
  | { kind: 'grant'; account: number; credits: number; reference: number | null }
  | { kind: 'hold'; account: number; amount: number; key: number | null; ttl: number }
  | { kind: 'capture' | 'release'; which: number; amount: number }
  | { kind: 'renew'; which: number; ttl: number };

const account = fc.nat(ACCOUNTS - 1);
const ttl = fc.constantFrom(30 * 60_000, 2 * HOUR, 30 * HOUR);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('grant' as const),
    account,
    credits: fc.integer({ min: -8, max: 20 }).filter((n) => n !== 0),
    reference: fc.option(fc.nat(3)),
  }),
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

const PHASE = { renew: 0, capture: 1, release: 1, grant: 2, hold: 3 };

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
      if (s.kind === 'grant') {
        const reference = s.reference === null ? '' : `ref-${real.accounts[s.account]}-${s.reference}`;
        return real.ledger.grant(real.accounts[s.account] ?? '', s.credits, 'model', reference).then(
          () => true,
          () => false,
        );
      }
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
    for (const phase of [0, 1, 2, 3])
      this.steps.forEach((s, i) => {
        if (PHASE[s.kind] !== phase) return;
        if (s.kind === 'renew') {
          const hold = model.open.get(pick(s.which));
          assert.equal(got[i], hold !== undefined, 'renewed');
          if (hold) hold.expiresAt = Math.max(hold.expiresAt, now + s.ttl);
        } else if (s.kind === 'grant') {
          const reference = s.reference === null ? '' : `${s.account}-${s.reference}`;
          assert.equal(got[i], model.grant(s.account, s.credits, reference), 'granted');
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

class Jump implements fc.AsyncCommand<LedgerModel, Real> {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = () => true;
  toString = () => `Jump(${this.ms / HOUR} h)`;
  async run(model: LedgerModel, real: Real): Promise<void> {
    model.ahead += this.ms;
    await real.bench.jump(this.ms);
    assert.equal(await real.ledger.reap(), model.reap(real.bench.clock.now()), 'reaped');
    await agree(model, real);
  }
}

async function agree(model: LedgerModel, real: Real): Promise<void> {
  const { db } = real.bench.store;
  const rows = await db.selectFrom('balances').select(['account_id', 'balance', 'held']).where('account_id', 'in', real.accounts).execute();
  for (const [i, id] of real.accounts.entries()) {
    const row = rows.find((r) => r.account_id === id);
    assert.deepEqual([row?.balance, row?.held], [model.freeOf(i), model.held(i)], `account ${i}`);
    assert.equal(await real.ledger.remaining(id), model.freeOf(i));
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
          fc.constantFrom(HOUR / 4, HOUR, 3 * HOUR, 25 * HOUR, 32 * 24 * HOUR).map((ms) => new Jump(ms)),
        ],
        { maxCommands: 25 },
      );
      await fc.assert(
        fc.asyncProperty(commands, async (cmds) => {
          const ledger = createLedger({ store: bench.store, clock: bench.clock, log: silent, randomBytes, holdMs: HOUR, reapEveryMs: 1e9 });
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
          await fc.asyncModelRun(() => ({ model, real: { ledger, bench, accounts, keys } }), cmds);
          await ledger.close();
        }),
        { numRuns: RUNS[backend.name] },
      );
      assert.deepEqual((await verifyLedger(bench.store)).faults, []);
    });
  });
