import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ServiceError } from '../../src/contract/errors.ts';
import { CODE, type Op } from '../../src/store/batch.ts';
import { BACKENDS, type Bench, KEY_ROW, makeAccount } from './backends.ts';

const op = (kind: Op[0], account: string, hold = '', amount = 0, ttlMs = 60_000, key = 'key_1'): Op => [
  kind,
  account,
  hold,
  amount,
  ttlMs,
  key,
  'registration',
  'request',
];

for (const backend of BACKENDS)
  describe(`store conformance: ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());

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
      const transaction = store.db.transaction().execute(async (trx) => {
        await trx.insertInto('accounts').values({ id: 'tx_alone', name: 'x', created_at: 0 }).execute();
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('rolled back');
      });
      const settled = store.settle([op('grant', account, '', 10)]);
      await assert.rejects(transaction, /rolled back/);
      assert.deepEqual((await settled).balances, [[account, 10, 0]]);
      assert.equal(
        (await store.db.selectFrom('balances').select('balance').where('account_id', '=', account).executeTakeFirst())?.balance,
        10,
      );
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

    test('entries, links and audit are append-only, and a balance below zero is refused by the store itself', async () => {
      const { store } = bench;
      const account = await makeAccount(store);
      await store.settle([op('grant', account, '', 10)]);
      for (const table of ['entries', 'links'] as const) {
        await assert.rejects(store.db.deleteFrom(table).where('account_id', '=', account).execute(), /append-only/);
        await assert.rejects(
          store.db.updateTable(table).set({ account_id: 'x' }).where('account_id', '=', account).execute(),
          /append-only/,
        );
      }
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

    test('within a batch settlements run first; holds are admitted in order of arrival if the remaining balance covers them', async () => {
      const { store } = bench;
      const account = await makeAccount(store);
      await store.settle([op('grant', account, '', 10), op('hold', account, 'h-old', 4)]);
      const answer = await store.settle([
        op('hold', account, 'h-1', 7),
        op('hold', account, 'h-2', 4),
        op('release', account, 'h-old'),
        op('hold', account, 'h-3', 3),
        op('hold', 'acc_nobody', 'h-4', 1),
        op('capture', account, 'h-old', 4),
      ]);
      assert.deepEqual(answer.codes, [CODE.done, CODE.short, CODE.done, CODE.done, CODE.noAccount, CODE.over]);
      assert.deepEqual(answer.amounts, [3, 3, 0, 0, 0, 0]);
      assert.deepEqual(answer.balances, [[account, 0, 10]]);
    });

    test('a hold of one account cannot be settled with the id of another', async () => {
      const { store } = bench;
      const [one, two] = [await makeAccount(store), await makeAccount(store)];
      await store.settle([op('grant', one, '', 5), op('grant', two, '', 5), op('hold', one, 'h-mine', 5)]);
      assert.deepEqual((await store.settle([op('capture', two, 'h-mine', 5)])).codes, [CODE.over]);
      assert.deepEqual((await store.settle([op('capture', one, 'h-mine', 5)])).balances, [[one, 0, 0]]);
    });

    test('an empty batch and an expiry without holds resolve', async () => {
      assert.deepEqual((await bench.store.settle([])).balances, []);
      assert.deepEqual((await bench.store.expire(10)).codes, []);
    });

    const many = backend.name === 'postgres' ? test : () => {};
    many('batches of many processes on the same accounts, in opposite orders, end without deadlock and add up', async () => {
      const other = (await bench.another()) ?? assert.fail('one process serves this store');
      const accounts = await Promise.all([1, 2, 3].map(() => makeAccount(bench.store)));
      await Promise.all(
        [bench.store, other].map(async (store, which) => {
          for (let round = 0; round < 30; round++) {
            const order = which ? accounts : accounts.toReversed();
            await store.settle(order.map((account) => op('grant', account, '', 1)));
          }
        }),
      );
      const rows = await bench.store.db.selectFrom('balances').select(['balance', 'seq']).where('account_id', 'in', accounts).execute();
      assert.deepEqual(
        rows.map((r) => [r.balance, r.seq]),
        accounts.map(() => [60, 60]),
      );
    });
  });
