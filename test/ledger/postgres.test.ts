// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { createJournal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import type { Store } from '../../src/store/store.ts';
import { openTcpProxy, type TcpProxy } from '../fleet/tcp-proxy.ts';
import { BACKENDS, type Bench, grant, makeAccount, makeSchema, silent } from './backends.ts';

const skip = BACKENDS[1]?.skip ?? 'there is no PostgreSQL';
const HOLD = { keyId: '', amount: 1, operation: 'serp', requestId: '', ttlMs: 60_000 } as const;
/** Maximum time until every gateway knows a change. */
const SPREAD_MS = 1_000;

async function until(what: () => Promise<boolean>, withinMs: number): Promise<number> {
  const began = Date.now();
  while (!(await what())) {
    if (Date.now() - began > withinMs) assert.fail(`not within ${withinMs} ms`);
    await realClock.sleep(10);
  }
  return Date.now() - began;
}

describe('several gateways on PostgreSQL', { skip }, () => {
  let ground: Awaited<ReturnType<typeof makeSchema>>;
  let one: OpenAccounts;
  let two: OpenAccounts;
  before(async () => {
    ground = await makeSchema();
    const open = () => openAccounts({ settings: readSettings({ DATABASE_URL: ground.url }), clock: realClock, log: silent });
    // concurrent start: the migrations run once
    [one, two] = await Promise.all([open(), open()]);
  });
  after(async () => {
    await one.close();
    await two.close();
    await ground.drop();
  });

  test('a key revoked on one gateway is refused on the other within a second', async () => {
    const { accountId } = await one.admin.createAccount({ name: 'shared', credits: 100 });
    const { key, keyId } = await one.admin.createKey({ accountId });
    const ok = async (accounts: OpenAccounts) => (await accounts.authenticate(key, Date.now())).ok;
    assert.deepEqual([await ok(one), await ok(two)], [true, true]);
    await one.admin.revokeKey({ keyId });
    assert.equal(await ok(one), false);
    await until(async () => !(await ok(two)), SPREAD_MS);
  });

  test('a balance that both gateways spend is never negative, and both know it within about a second', async () => {
    const { accountId } = await one.admin.createAccount({ name: 'spent by both', credits: 100 });
    const answers = await Promise.all(Array.from({ length: 150 }, (_, i) => (i % 2 ? one : two).ledger.hold({ ...HOLD, accountId })));
    assert.equal(answers.filter((a) => a.ok).length, 100);
    await until(async () => (await one.ledger.remaining(accountId)) === 0 && (await two.ledger.remaining(accountId)) === 0, 2 * SPREAD_MS);
    // a hold of one gateway is settled by the other
    const hold = answers[1];
    assert.ok(hold?.ok);
    await two.ledger.capture(hold.holdId, 1);
    assert.equal(two.ledger.counts.captured, 1);
    assert.deepEqual((await one.admin.verifyLedger()).faults, []);
  });
});

describe('PostgreSQL unavailable', { skip }, () => {
  let bench: Bench;
  let proxy: TcpProxy;
  before(async () => {
    bench = (await BACKENDS[1]?.open()) ?? assert.fail();
    proxy = await openTcpProxy(bench.place);
  });
  after(async () => {
    await proxy.close();
    await bench.drop();
  });

  test('holds are refused as UNAVAILABLE, cached keys are not used, and everything recovers without a restart', async () => {
    const accountId = await makeAccount(bench.store);
    const store = await openPostgres({ url: proxy.url, clock: realClock, log: silent, connections: 3 });
    const ledger = createLedger({
      journal: createJournal(store, realClock),
      clock: realClock,
      log: silent,
      randomBytes,
      holdLifeMs: 60_000,
    });
    await grant(bench.store, accountId, 10);
    const hold = await ledger.hold({ ...HOLD, accountId });
    assert.ok(hold.ok);
    const changes = store.keyChanges ?? assert.fail();
    changes.listen(() => {});
    await until(async () => changes.fresh(), SPREAD_MS);

    proxy.shut();
    await assert.rejects(ledger.hold({ ...HOLD, accountId }), { failure: 'UNAVAILABLE' });
    await assert.rejects(store.ready(), { failure: 'UNAVAILABLE' });
    await assert.rejects(store.db.selectFrom('keys').selectAll().execute(), { failure: 'UNAVAILABLE' });
    const captured = ledger.capture(hold.holdId, 1);
    await until(async () => !changes.fresh(), 2 * SPREAD_MS);

    proxy.open();
    await captured;
    assert.equal(ledger.counts.captured, 1);
    assert.equal((await ledger.hold({ ...HOLD, accountId })).ok, true);
    await until(async () => changes.fresh(), 2 * SPREAD_MS);
    await ledger.close();
    await store.close();
  });

  test('a transaction in which its gateway is suspended ends, and others get its locks', async () => {
    const [suspended, other] = await Promise.all([1, 2].map(() => openPostgres({ url: bench.place, clock: realClock, log: silent })));
    assert.ok(suspended && other);
    const update = sql`update changes set n = n where name = 'audit'`;
    let hasLock = false;
    const transaction = suspended.db.transaction().execute(async (trx) => {
      await update.execute(trx);
      // its next statement never comes: PostgreSQL ends the connection
      await update.execute(other.db);
      hasLock = true;
      await update.execute(trx);
    });
    await assert.rejects(transaction);
    assert.ok(hasLock);
    await Promise.all([suspended.close(), other.close()]);
  });

  describe('connections whose packets are dropped in silence', () => {
    let store: Store;
    beforeEach(async () => {
      store = await openPostgres({ url: proxy.url, clock: realClock, log: silent, connections: 3, readTimeoutMs: 3_000 });
    });
    afterEach(() => store.close());
    const read = () => store.db.selectFrom('keys').selectAll().execute();

    test('are closed after the first read timeout, and the next queries are answered on new ones', async () => {
      await Promise.all([read(), read(), read()]);
      proxy.swallow();
      await assert.rejects(read(), { failure: 'UNAVAILABLE' });
      await Promise.all([read(), read(), read()]);
      await store.ready();
      assert.ok((await store.now()) > 0);
    });

    test('make the store not ready, whichever pool they belong to', async () => {
      await store.now();
      const ofTheLedger = proxy.connections;
      await read();
      proxy.swallow(ofTheLedger);
      await assert.rejects(store.ready(), { failure: 'UNAVAILABLE' });
      await store.ready();
    });

    test('an error that PostgreSQL sent keeps its connection', async () => {
      await read();
      const before = proxy.connections;
      await assert.rejects(sql`select 1 / 0`.execute(store.db), /division by zero/);
      await read();
      assert.equal(proxy.connections, before);
    });
  });

  test('a server that is unreachable at the start is named, without the password', async () => {
    const start = openPostgres({ url: 'postgres://user:hunter2@127.0.0.1:9/none', clock: realClock, log: silent });
    await assert.rejects(start, (error: Error) => /DATABASE_URL/.test(error.message) && !error.message.includes('hunter2'));
  });
});
