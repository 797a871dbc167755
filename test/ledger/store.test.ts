import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ServiceError } from '../../src/contract/errors.ts';
import { countChange } from '../../src/store/changes.ts';
import type { JournalBatch } from '../../src/store/store.ts';
import { BACKENDS, type Bench, KEY_ROW, makeAccount } from './backends.ts';

const row = (accountId: string, seq: number, balance: number, held = 0) => ({
  accountId,
  seq,
  lines: `line ${seq}`,
  hash: `hash ${seq}`,
  balance,
  held,
});

for (const backend of BACKENDS)
  describe(`store conformance: ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());
    const batch = async (rows: JournalBatch['rows'], more: Partial<JournalBatch> = {}): Promise<JournalBatch> => {
      const changes = await bench.store.db.selectFrom('changes').select('n').where('name', '=', 'keys').executeTakeFirstOrThrow();
      return { atMs: await bench.store.now(), rows, spent: [], keyChanges: changes.n, ...more };
    };
    const balanceOf = (account: string) =>
      bench.store.db.selectFrom('balances').select(['balance', 'held', 'seq', 'head']).where('account_id', '=', account).executeTakeFirst();
    const journalOf = async (account: string) =>
      (await bench.store.db.selectFrom('journal').select(['seq', 'lines']).where('account_id', '=', account).orderBy('seq').execute()).map(
        ({ seq, lines }) => [seq, lines],
      );

    test('migrations run once, in order, and a second run finds nothing to do', async () => {
      assert.deepEqual(await bench.store.migrate(), []);
      const rows = await bench.store.db.selectFrom('kysely_migration').select('name').orderBy('timestamp').execute();
      assert.deepEqual(
        rows.map((r) => r.name),
        rows.map((r) => r.name).sort(),
      );
      assert.ok(rows.length);
    });

    test('numbers are read as numbers, absent values as null', async () => {
      const { db } = bench.store;
      const at = 1_790_000_000_123;
      await db.insertInto('accounts').values({ id: 'acc_types', name: 'Zoë "💧"', created_at: at }).execute();
      await db
        .insertInto('keys')
        .values({ ...KEY_ROW, id: 'key_types', account_id: 'acc_types', hash: 'h1' })
        .execute();
      const row = await db
        .selectFrom('keys')
        .innerJoin('accounts', 'accounts.id', 'keys.account_id')
        .select(['name', 'accounts.created_at', 'cap_day'])
        .where('keys.id', '=', 'key_types')
        .executeTakeFirstOrThrow();
      assert.deepEqual({ ...row }, { name: 'Zoë "💧"', created_at: at, cap_day: null });
    });

    test('the number of changed rows is returned', async () => {
      const { db } = bench.store;
      for (const id of ['a1', 'a2']) await db.insertInto('accounts').values({ id, name: 'count', created_at: 0 }).execute();
      const updated = await db.updateTable('accounts').set({ created_at: 5 }).where('name', '=', 'count').executeTakeFirst();
      assert.equal(updated.numUpdatedRows, 2n);
      const deleted = await db.deleteFrom('accounts').where('name', '=', 'count').executeTakeFirst();
      assert.equal(deleted.numDeletedRows, 2n);
    });

    test('a transaction that throws is rolled back; one that resolves is committed', async () => {
      const { db } = bench.store;
      const insert = (fail: boolean) =>
        db.transaction().execute(async (trx) => {
          await trx
            .insertInto('accounts')
            .values({ id: `tx_${fail}`, name: 'tx', created_at: 0 })
            .execute();
          if (fail) throw new Error('no');
        });
      await assert.rejects(insert(true), /^Error: no$/);
      await insert(false);
      const rows = await db.selectFrom('accounts').select('id').where('name', '=', 'tx').execute();
      assert.deepEqual(
        rows.map((r) => r.id),
        ['tx_false'],
      );
    });

    test('concurrent statements are not part of a transaction', async () => {
      const { store } = bench;
      const account = await makeAccount(store);
      const written = await batch([row(account, 1, 10)]);
      const transaction = store.db.transaction().execute(async (trx) => {
        await trx.insertInto('accounts').values({ id: 'tx_alone', name: 'x', created_at: 0 }).execute();
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('rolled back');
      });
      const appended = store.append(written);
      await assert.rejects(transaction, /rolled back/);
      assert.deepEqual(await appended, [account]);
      assert.equal((await balanceOf(account))?.balance, 10);
    });

    test('a group of statements is atomic', async () => {
      const { db } = bench.store;
      const insert = (id: string) => db.insertInto('accounts').values({ id, name: 'together', created_at: 0 }).compile();
      await assert.rejects(bench.store.atomically([insert('t1'), insert('t1')]));
      await bench.store.atomically([insert('t2'), insert('t3')]);
      const rows = await db.selectFrom('accounts').select('id').where('name', '=', 'together').orderBy('id').execute();
      assert.deepEqual(
        rows.map((r) => r.id),
        ['t2', 't3'],
      );
    });

    test('journal and audit are append-only, and a balance below zero is refused by the store itself', async () => {
      const { store } = bench;
      const account = await makeAccount(store);
      await store.append(await batch([row(account, 1, 10)]));
      await assert.rejects(store.db.deleteFrom('journal').where('account_id', '=', account).execute(), /append-only/);
      await assert.rejects(store.db.updateTable('journal').set({ lines: 'x' }).where('account_id', '=', account).execute(), /append-only/);
      await assert.rejects(store.append(await batch([row(account, 2, -1)])), /check|CHECK/);
      assert.deepEqual(await journalOf(account), [[1, 'line 1']]);
      await assert.rejects(
        store.db.updateTable('balances').set({ balance: -1 }).where('account_id', '=', account).execute(),
        /check|CHECK/,
      );
      await assert.rejects(store.db.updateTable('balances').set({ held: -1 }).where('account_id', '=', account).execute(), /check|CHECK/);
    });

    test('an error of a statement is not UNAVAILABLE', async () => {
      await assert.rejects(sql`select nonsense from nowhere`.execute(bench.store.db), (e) => !(e instanceof ServiceError));
      await bench.store.ready();
    });

    test('a row is written with its balance if its number is the next of its account, else neither is', async () => {
      const { store } = bench;
      const [one, two] = [await makeAccount(store), await makeAccount(store)];
      assert.deepEqual([...(await store.append(await batch([row(one, 1, 5), row(two, 1, 7, 2)])))].sort(), [one, two].sort());
      assert.deepEqual(await store.append(await batch([row(one, 1, 9), row(two, 2, 6, 3), row('acc_nobody', 1, 1)])), [two]);
      assert.deepEqual({ ...(await balanceOf(one)) }, { balance: 5, held: 0, seq: 1, head: 'hash 1' });
      assert.deepEqual({ ...(await balanceOf(two)) }, { balance: 6, held: 3, seq: 2, head: 'hash 2' });
      assert.deepEqual(await journalOf(two), [
        [1, 'line 1'],
        [2, 'line 2'],
      ]);
      assert.deepEqual(await journalOf(one), [[1, 'line 1']]);
      assert.deepEqual(await store.append(await batch([])), []);
    });

    test('spent credits are written with the row of their account', async () => {
      const { store } = bench;
      const [one, two] = [await makeAccount(store), await makeAccount(store)];
      const spent = (accountId: string, credits: number) => ({ accountId, counter: `key_${accountId}`, period: '2026-11', credits });
      await store.append(await batch([row(one, 1, 5), row(two, 1, 5)], { spent: [spent(one, 3), spent(two, 4)] }));
      await store.append(await batch([row(one, 2, 5), row(two, 1, 5)], { spent: [spent(one, 1), spent(two, 9)] }));
      const rows = store.db
        .selectFrom('key_spend')
        .select('credits')
        .where('key_id', 'in', [`key_${one}`, `key_${two}`]);
      assert.deepEqual((await rows.execute()).map(({ credits }) => credits).sort(), [1, 4]);
    });

    test('a batch that does not know the latest change of keys is not written', async () => {
      const { store } = bench;
      const account = await makeAccount(store);
      const old = await batch([row(account, 1, 5)]);
      await store.db.transaction().execute((trx) => countChange(trx));
      assert.deepEqual(await store.append(old), []);
      assert.deepEqual(await store.append(await batch(old.rows)), [account]);
    });

    test('within a transaction a row is written with it, or not at all', async () => {
      const { store } = bench;
      const account = await makeAccount(store);
      const transaction = (fail: boolean) =>
        store.db.transaction().execute(async (trx) => {
          const { atMs, balances } = await store.lockBalances(trx, [account, 'acc_nobody']);
          assert.deepEqual(
            balances.map((balance) => [balance.account_id, balance.seq]),
            [[account, 0]],
          );
          assert.deepEqual(await store.append({ atMs, rows: [row(account, 1, 8)], spent: [], keyChanges: null }, trx), [account]);
          if (fail) throw new Error('no');
        });
      await assert.rejects(transaction(true), /^Error: no$/);
      assert.deepEqual([(await balanceOf(account))?.seq, await journalOf(account)], [0, []]);
      await transaction(false);
      assert.deepEqual([(await balanceOf(account))?.balance, await journalOf(account)], [8, [[1, 'line 1']]]);
    });

    const many = backend.name === 'postgres' ? test : () => {};
    many('batches of many processes on the same accounts, in opposite orders, end without deadlock and add up', async () => {
      const other = (await bench.another()) ?? assert.fail('one process serves this store');
      const accounts = await Promise.all([1, 2, 3].map(() => makeAccount(bench.store)));
      const counted = new Map<string, number>();
      await Promise.all(
        [bench.store, other].map(async (store, which) => {
          for (let round = 0; round < 30; round++) {
            const order = which ? accounts : accounts.toReversed();
            const rows = await store.db.selectFrom('balances').selectAll().where('account_id', 'in', order).execute();
            const next = order.map((account) => {
              const { seq, balance } = rows.find((each) => each.account_id === account) ?? assert.fail();
              return row(account, seq + 1, balance + 1);
            });
            for (const account of await store.append(await batch(next))) counted.set(account, (counted.get(account) ?? 0) + 1);
          }
        }),
      );
      const rows = await bench.store.db.selectFrom('balances').select(['balance', 'seq']).where('account_id', 'in', accounts).execute();
      assert.deepEqual(
        rows.map((r) => [r.balance, r.seq]).sort(),
        accounts.map((account) => [counted.get(account), counted.get(account)]).sort(),
      );
      assert.ok([...counted.values()].every((n) => n >= 30));
    });
  });
