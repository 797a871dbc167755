import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { verifyAudit } from '../../src/accounts/admin/verify-audit.ts';
import {
  CODE_MS,
  createSessions,
  createSignInCodes,
  MAX_SESSIONS,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
} from '../../src/accounts/sessions/sessions.ts';
import type { Store } from '../../src/store/store.ts';
import type { KeyRow } from '../../src/store/tables.ts';
import { BACKENDS, KEY_ROW, makeAccount } from '../ledger/backends.ts';
import { createManualClock } from '../support/manual-clock.ts';

const OPERATOR = { kind: 'operator', adminTokenHash: 'a'.repeat(64) } as const;

async function makeKey(store: Store, accountId: string, more: Partial<KeyRow> = {}): Promise<string> {
  const id = `key_${randomBytes(6).toString('hex')}`;
  await store.db
    .insertInto('keys')
    .values({ ...KEY_ROW, id, account_id: accountId, hash: id, ...more })
    .execute();
  return id;
}

for (const backend of BACKENDS) {
  const suite = async (work: (p: { store: Store; clock: ReturnType<typeof createManualClock>; accountId: string }) => Promise<void>) => {
    const bench = await backend.open();
    try {
      await work({ store: bench.store, clock: createManualClock(), accountId: await makeAccount(bench.store) });
    } finally {
      await bench.drop();
    }
  };
  const name = (text: string) => `${backend.name}: ${text}`;
  const skip = { skip: backend.skip };

  test(name('the store holds the SHA-256 of tokens and codes, never their text; both have 256 bits'), skip, () =>
    suite(async ({ store, clock, accountId }) => {
      const sessions = createSessions({ store, clock, randomBytes });
      const codes = createSignInCodes({ store, clock, randomBytes });
      const { token } = await sessions.open({ kind: 'account', accountId, keyId: null });
      const { code } = await codes.make({ accountId });
      for (const text of [token, code]) assert.equal(Buffer.from(text, 'base64url').length, 32);
      const [row] = await store.db.selectFrom('sessions').selectAll().execute();
      const [codeRow] = await store.db.selectFrom('sign_in_codes').selectAll().execute();
      assert.deepEqual(
        [row?.hash, codeRow?.hash],
        [token, code].map((text) => hash('sha256', text, 'hex')),
      );
      const everything = JSON.stringify([row, codeRow, await store.db.selectFrom('audit').selectAll().execute()]);
      assert.ok(!everything.includes(token) && !everything.includes(code));
    }),
  );

  test(name('a session ends 12 hours after its last use, and after 7 days in any case'), skip, () =>
    suite(async ({ store, clock, accountId }) => {
      const sessions = createSessions({ store, clock, randomBytes });
      const begun = clock.now();
      const idle = await sessions.open({ kind: 'account', accountId, keyId: null });
      await clock.advance(SESSION_IDLE_MS - 1);
      const used = await sessions.find(idle.token);
      assert.equal(used?.idleExpiresAt, clock.now() + SESSION_IDLE_MS);
      await clock.advance(SESSION_IDLE_MS);
      assert.equal(await sessions.find(idle.token), null, 'idle');
      const busy = await sessions.open({ kind: 'account', accountId, keyId: null });
      const opened = clock.now();
      while (clock.now() + SESSION_IDLE_MS / 2 < opened + SESSION_MAX_MS) {
        await clock.advance(SESSION_IDLE_MS / 2);
        assert.notEqual(await sessions.find(busy.token), null, `after ${clock.now() - opened} ms`);
      }
      await clock.advance(opened + SESSION_MAX_MS - clock.now());
      assert.equal(await sessions.find(busy.token), null, 'absolute');
      assert.ok(clock.now() > begun);
    }),
  );

  test(name('a session ends with its key (revoked, expired) and with its account (suspended, deleted)'), skip, () =>
    suite(async ({ store, clock, accountId }) => {
      const sessions = createSessions({ store, clock, randomBytes });
      const { db } = store;
      const revoked = await makeKey(store, accountId);
      const expiring = await makeKey(store, accountId, { expires_at: clock.now() + 60_000 });
      const open = async (keyId: string | null) => (await sessions.open({ kind: 'account', accountId, keyId })).token;
      const [byRevoked, byExpiring, byCode] = [await open(revoked), await open(expiring), await open(null)];
      assert.equal((await sessions.find(byExpiring))?.expiresAt, clock.now() + 60_000);
      await db.updateTable('keys').set({ revoked_at: clock.now() }).where('id', '=', revoked).execute();
      await clock.advance(60_000);
      const found = async () => Promise.all([byRevoked, byExpiring, byCode].map(async (token) => (await sessions.find(token)) !== null));
      assert.deepEqual(await found(), [false, false, true]);
      await db.updateTable('accounts').set({ suspended_at: clock.now() }).where('id', '=', accountId).execute();
      assert.deepEqual(await found(), [false, false, false]);
    }),
  );

  test(name('the caller of a session has the limits of its key'), skip, () =>
    suite(async ({ store, clock, accountId }) => {
      const sessions = createSessions({ store, clock, randomBytes });
      const keyId = await makeKey(store, accountId, {
        operations: '["traffic"]',
        cidrs: '["10.0.0.0/8"]',
        rate_per_second: 3,
        rate_burst: 4,
      });
      const { token } = await sessions.open({ kind: 'account', accountId, keyId });
      const found = await sessions.find(token);
      assert.deepEqual(found?.caller, {
        accountId,
        keyId,
        operations: ['traffic'],
        addresses: ['10.0.0.0/8'],
        ratePerSecond: 3,
        rateBurst: 4,
        manages: false,
        session: 'reads',
      });
      assert.equal(found?.limited, true);
      for (const limit of [{ cap_day: 5 }, { cap_month: 5 }, { rate_burst: 5 }, { expires_at: clock.now() + 1e9 }, { cidrs: '["::1"]' }]) {
        const limited = await sessions.open({ kind: 'account', accountId, keyId: await makeKey(store, accountId, limit) });
        assert.equal((await sessions.find(limited.token))?.limited, true, JSON.stringify(limit));
      }
      const plain = await sessions.open({ kind: 'account', accountId, keyId: await makeKey(store, accountId) });
      assert.equal((await sessions.find(plain.token))?.limited, false);
      const rights = async (row: object) => {
        const { token } = await sessions.open({ kind: 'account', accountId, keyId: await makeKey(store, accountId, row) });
        const caller = (await sessions.find(token))?.caller;
        return [caller?.manages, caller?.session];
      };
      assert.deepEqual(await rights({ manage: 1 }), [true, 'manages']);
      assert.deepEqual(await rights({ manage: 1, cap_day: 5 }), [false, 'manages'], 'it manages itself only');
      assert.deepEqual(await rights({}), [false, 'reads']);
    }),
  );

  test(
    name('sign out everywhere ends the sessions of the account, or of its own key alone where the key has limits or does not manage keys'),
    skip,
    () =>
      suite(async ({ store, clock, accountId }) => {
        const sessions = createSessions({ store, clock, randomBytes });
        const other = await makeAccount(store);
        const limitedKey = await makeKey(store, accountId, { cap_day: 5 });
        const open = async (owner: Parameters<typeof sessions.open>[0]) => (await sessions.open(owner)).token;
        const tokens = {
          full: await open({ kind: 'account', accountId, keyId: await makeKey(store, accountId, { manage: 1 }) }),
          byCode: await open({ kind: 'account', accountId, keyId: null }),
          plain: await open({ kind: 'account', accountId, keyId: await makeKey(store, accountId) }),
          limited: await open({ kind: 'account', accountId, keyId: limitedKey }),
          limitedAgain: await open({ kind: 'account', accountId, keyId: limitedKey }),
          other: await open({ kind: 'account', accountId: other, keyId: null }),
          operator: await open(OPERATOR),
        };
        const session = async (token: string) => {
          const found = await sessions.find(token);
          assert.ok(found);
          return found;
        };
        const alive = async () => {
          const all = await Promise.all(Object.entries(tokens).map(async ([who, token]) => [who, await sessions.find(token)] as const));
          return all.filter(([, found]) => found !== null).map(([who]) => who);
        };
        const limited = await session(tokens.limited);
        assert.equal((await sessions.list(limited)).length, 2);
        assert.equal(await sessions.endOne(limited, (await session(tokens.full)).sessionId), false, 'out of reach');
        assert.equal(await sessions.endOne(limited, (await session(tokens.operator)).sessionId), false);
        assert.equal(await sessions.endAll(limited), 2);
        assert.equal(await sessions.endAll(await session(tokens.plain)), 1);
        assert.deepEqual(await alive(), ['full', 'byCode', 'other', 'operator']);
        assert.equal(await sessions.endAll(await session(tokens.full)), 2);
        assert.deepEqual(await alive(), ['other', 'operator']);
        assert.equal(await sessions.endAll(await session(tokens.operator)), 1);
        assert.deepEqual(await alive(), ['other']);
      }),
  );

  test(name('every process on the store knows a session at once, and its end'), skip, async () => {
    const bench = await backend.open();
    const [clock, other] = [createManualClock(), (await bench.another()) ?? bench.store];
    const here = createSessions({ store: bench.store, clock, randomBytes });
    const there = createSessions({ store: other, clock, randomBytes });
    const { token } = await here.open({ kind: 'account', accountId: await makeAccount(bench.store), keyId: null });
    const found = await there.find(token);
    assert.ok(found);
    assert.equal(await there.endAll(found), 1);
    assert.equal(await here.find(token), null);
    await bench.drop();
  });

  test(name('an account keeps a bounded number of sessions: the one that was used longest ago ends'), skip, () =>
    suite(async ({ store, clock, accountId }) => {
      const sessions = createSessions({ store, clock, randomBytes });
      const first = await sessions.open({ kind: 'account', accountId, keyId: null });
      for (let i = 1; i <= MAX_SESSIONS; i++) {
        await clock.advance(1);
        await sessions.open({ kind: 'account', accountId, keyId: null });
      }
      assert.equal(await sessions.find(first.token), null);
      const { n } = await store.db
        .selectFrom('sessions')
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      assert.equal(Number(n), MAX_SESSIONS);
    }),
  );

  test(name('a code opens one session within 60 seconds, of its own kind only'), skip, () =>
    suite(async ({ store, clock, accountId }) => {
      const codes = createSignInCodes({ store, clock, randomBytes });
      const { code } = await codes.make({ accountId });
      assert.equal(await codes.redeem(code, 'operator'), null, 'the code of an account does not make an operator');
      const both = await Promise.all([codes.redeem(code, 'account'), codes.redeem(code, 'account')]);
      assert.deepEqual(
        both.filter((owner) => owner !== null),
        [{ accountId }],
        'of two requests with one code one is served',
      );
      const late = await codes.make({ accountId: null });
      await clock.advance(CODE_MS);
      assert.equal(await codes.redeem(late.code, 'operator'), null);
      const last = await codes.make({ accountId: null });
      await clock.advance(CODE_MS - 1);
      assert.deepEqual(await codes.redeem(last.code, 'operator'), { accountId: null });
    }),
  );

  test(name('codes and sessions of the operator are in the audit log, and its chain holds'), skip, () =>
    suite(async ({ store, clock, accountId }) => {
      await createSignInCodes({ store, clock, randomBytes }).make({ accountId });
      const { sessionId } = await createSessions({ store, clock, randomBytes }).open(OPERATOR);
      const rows = await store.db.selectFrom('audit').select(['action', 'subject']).orderBy('seq').execute();
      assert.deepEqual(rows, [
        { action: 'code.create', subject: accountId },
        { action: 'session.open', subject: sessionId },
      ]);
      const beside = `account ${accountId}: no event of the audit log made it`;
      assert.deepEqual((await verifyAudit(store.db)).faults, [beside], 'the account of this test alone, which no command made');
    }),
  );
}
