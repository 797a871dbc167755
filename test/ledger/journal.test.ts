import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createJournal } from '../../src/billing/journal.ts';
import { type Op, settlement } from '../../src/billing/rules.ts';
import { verifyLedger } from '../../src/billing/verify.ts';
import { countChange } from '../../src/store/changes.ts';
import { openEngine } from '../../src/store/sqlite/engine.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { unavailable } from '../../src/store/unavailable.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { BACKENDS, type Bench, grant, KEY_ROW, makeAccount, silent } from './backends.ts';

const hold = (accountId: string, amount: number, keyId = '', lifeMs = 60_000): Op => ({
  ...settlement('release', accountId, randomUUID(), amount),
  kind: 'hold',
  lifeMs,
  keyId,
  operation: 'registration',
});

for (const backend of BACKENDS)
  describe(`journal: ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(async () => {
      assert.deepEqual((await verifyLedger(bench.store)).faults, []);
      await bench.drop();
    });
    const journal = (store: Store = bench.store) => createJournal(store, bench.clock);
    const account = async (credits: number) => {
      const id = await makeAccount(bench.store);
      await grant(bench.store, id, credits);
      return id;
    };
    const balanceOf = async (id: string) => {
      const row = await bench.store.db.selectFrom('balances').select(['balance', 'held']).where('account_id', '=', id).executeTakeFirst();
      return [row?.balance, row?.held];
    };
    /** Ids of the holds that a batch opened. */
    const opened = async (of: ReturnType<typeof journal>, ...ops: Op[]) => {
      const { outcomes, states } = await of.settle(ops);
      assert.deepEqual(
        outcomes.map(({ code }) => code),
        ops.map(() => 'done'),
      );
      return ops.map((op) => `${states.get(op.accountId)?.seq}.${op.id}`);
    };
    const codes = async (of: ReturnType<typeof journal>, ...ops: Op[]) => (await of.settle(ops)).outcomes.map(({ code }) => code);

    test('settlements run first; holds are admitted in order of arrival if the rest of the balance covers them', async () => {
      const [id, own] = [await account(10), journal()];
      const [old = ''] = await opened(own, hold(id, 4));
      const answer = await own.settle([
        hold(id, 7),
        hold(id, 4),
        settlement('release', id, old),
        hold(id, 3),
        hold('acc_nobody', 1),
        settlement('capture', id, old, 4),
      ]);
      assert.deepEqual(
        answer.outcomes.map(({ code, amount }) => [code, amount]),
        [
          ['done', 3],
          ['short', 3],
          ['done', 0],
          ['done', 0],
          ['noAccount', 0],
          ['over', 0],
        ],
      );
      assert.deepEqual(await balanceOf(id), [0, 10]);
    });

    test('a hold of one account is not settled with the id of another', async () => {
      const [one, two, own] = [await account(5), await account(5), journal()];
      const [mine = ''] = await opened(own, hold(one, 5));
      assert.deepEqual(await codes(own, settlement('capture', two, mine, 5)), ['over']);
      assert.deepEqual(await codes(own, settlement('capture', one, mine, 5)), ['done']);
      assert.deepEqual(
        [await balanceOf(one), await balanceOf(two)],
        [
          [0, 0],
          [5, 0],
        ],
      );
    });

    test('a batch that was written although the store did not say so counts once: its settlements are over, its holds expire', async () => {
      const id = await account(10);
      let lost = false;
      const append: Store['append'] = async (batch, trx) => {
        const written = await bench.store.append(batch, trx);
        if (lost) throw unavailable(new Error('the connection was lost'));
        return written;
      };
      const own = journal({ ...bench.store, append });
      const [first = ''] = await opened(own, hold(id, 4));
      lost = true;
      await assert.rejects(own.settle([settlement('capture', id, first, 4), hold(id, 3, '', 1_000)]), { failure: 'UNAVAILABLE' });
      lost = false;
      assert.deepEqual(await balanceOf(id), [3, 3]);
      assert.deepEqual(await codes(own, settlement('capture', id, first, 4)), ['over']);
      await bench.jump(2_000);
      assert.deepEqual(await codes(own, ...(await own.expired(10))), ['done']);
      assert.deepEqual(await balanceOf(id), [6, 0]);
    });

    test('a batch that was not written changes nothing that is known', async () => {
      const id = await account(10);
      let away = false;
      const append: Store['append'] = async (batch, trx) => {
        if (away) throw unavailable(new Error('the disk is full'));
        return bench.store.append(batch, trx);
      };
      const own = journal({ ...bench.store, append });
      const [first = ''] = await opened(own, hold(id, 4));
      away = true;
      await assert.rejects(own.settle([settlement('capture', id, first, 4), hold(id, 6)]), { failure: 'UNAVAILABLE' });
      away = false;
      assert.equal(await own.remaining(id), 6);
      assert.deepEqual(await codes(own, settlement('capture', id, first, 4), hold(id, 6)), ['done', 'done']);
      assert.deepEqual(await balanceOf(id), [0, 6]);
    });

    test('a journal that begins finds every open hold, however many rows lie between, renewed ones with their new time', async () => {
      const [id, before] = [await account(1_000), journal()];
      const [renewed = '', over = ''] = await opened(before, hold(id, 5, '', 10_000), hold(id, 7, '', 10_000));
      await before.settle([{ ...settlement('release', id, renewed), kind: 'renew', lifeMs: 3_600_000 }]);
      for (let i = 0; i < 80; i++) {
        const [each = ''] = await opened(before, hold(id, 1));
        await before.settle([settlement('capture', id, each, 1)]);
      }
      await bench.jump(11_000);
      const next = journal();
      const expired = await next.expired(10);
      assert.deepEqual(
        expired.map((op) => op.id),
        [over],
      );
      assert.deepEqual(await codes(next, ...expired, settlement('capture', id, renewed, 5)), ['done', 'done']);
      assert.deepEqual(await balanceOf(id), [915, 0]);
    });

    test('a cap that is changed counts at once', async () => {
      const [id, own, keyId] = [await account(100), journal(), randomUUID()];
      const { db } = bench.store;
      await db
        .insertInto('keys')
        .values({ ...KEY_ROW, id: keyId, hash: keyId, account_id: id, cap_day: 10 })
        .execute();
      await opened(own, hold(id, 8, keyId));
      await db.transaction().execute(async (trx) => {
        await trx.updateTable('keys').set({ cap_day: 9 }).where('id', '=', keyId).execute();
        await countChange(trx);
      });
      assert.deepEqual(await codes(own, hold(id, 2, keyId), hold(id, 1, keyId)), ['capDay', 'done']);
    });

    const shared = backend.name === 'postgres' ? test : () => {};
    shared('two gateways spend one balance and one cap: both are exact, and each settles the holds of the other', async () => {
      const other = (await bench.another()) ?? assert.fail('one process serves this store');
      const [id, keyId] = [await account(60), randomUUID()];
      await bench.store.db
        .insertInto('keys')
        .values({ ...KEY_ROW, id: keyId, hash: keyId, account_id: id, cap_day: 40 })
        .execute();
      const gateways = [journal(), journal(other)] as const;
      const held: string[] = [];
      await Promise.all(
        gateways.map(async (gateway) => {
          for (let i = 0; i < 30; i++) {
            const op = hold(id, 1, keyId);
            const { outcomes, states } = await gateway.settle([op]);
            if (outcomes[0]?.code === 'done') held.push(`${states.get(id)?.seq}.${op.id}`);
            else assert.equal(outcomes[0]?.code, 'capDay');
          }
        }),
      );
      assert.equal(held.length, 40);
      assert.deepEqual(await balanceOf(id), [20, 40]);
      const settled = await Promise.all(
        gateways.map((gateway, i) =>
          codes(gateway, ...held.filter((_, n) => n % 2 === i).map((each) => settlement('capture', id, each, 1))),
        ),
      );
      assert.ok(settled.flat().every((code) => code === 'done'));
      assert.deepEqual(await balanceOf(id), [20, 0]);
    });
  });

test('the embedded store runs on the calling thread, with a clock of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-thread-'));
  const clock = createManualClock();
  const store = await openEmbedded({
    folder,
    now: clock.now,
    log: silent,
    startEngine: async (options) => {
      const engine = openEngine(options);
      return { run: async (request) => engine.run(request), end: async () => {} };
    },
  });
  await store.migrate();
  const id = await makeAccount(store);
  await grant(store, id, 5);
  const journal = createJournal(store, clock);
  assert.deepEqual((await journal.settle([hold(id, 5)])).outcomes, [{ code: 'done', amount: 0 }]);
  assert.equal(await journal.remaining(id), 0);
  await clock.advance(60_000);
  await journal.settle(await journal.expired(1));
  assert.equal(await journal.remaining(id), 5);
  assert.deepEqual((await verifyLedger(store)).faults, []);
  await store.close();
  rmSync(folder, { recursive: true });
});

test('the time of a batch is right although the store stood still when it was asked for its own', async (t) => {
  const [embedded] = BACKENDS;
  const bench = await embedded?.open();
  if (!bench) throw new Error('there is no embedded store');
  t.after(() => bench.drop());
  const AHEAD_MS = 500_000;
  let nowMs = Date.now();
  let asked = 0;
  const shared: Store = Object.create(bench.store, {
    kind: { value: 'postgres' },
    now: {
      async value() {
        const at = nowMs + AHEAD_MS;
        if (asked++ === 0) nowMs += 1_000; // the answer was under way for that long
        return at;
      },
    },
  });
  const id = await makeAccount(bench.store);
  await grant(bench.store, id, 10);
  const { atMs } = await createJournal(shared, { now: () => nowMs }).settle([hold(id, 1)]);
  assert.deepEqual([atMs, asked], [nowMs + AHEAD_MS, 2]);
});
