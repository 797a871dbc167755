import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { makeKey } from '../../src/accounts/keys/key-text.ts';
import type { UsageRow } from '../../src/accounts/types.ts';
import { findRequests, readRequests, requestWithId } from '../../src/accounts/usage/request-log.ts';
import { unpackRequests } from '../../src/accounts/usage/rows.ts';
import { createUsage, RAW_DAYS } from '../../src/accounts/usage/usage.ts';
import type { NewKey } from '../../src/contract/admin/schemas.ts';
import { createRequestIds } from '../../src/gateway/http/request-context.ts';
import { readSettings } from '../../src/settings.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { BACKENDS, type Bench, silent } from './backends.ts';

const INVALID = { failure: 'INVALID_REQUEST' };

const DAY = 86_400_000;

for (const backend of BACKENDS)
  describe(`accounts: ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    let accounts: OpenAccounts;
    let first: NewKey;
    const open = () =>
      openAccounts({
        settings: readSettings(
          bench.store.kind === 'embedded'
            ? { SIGHTLINE_DATA_DIR: `${bench.place}/served` }
            : { DATABASE_URL: bench.place, SIGHTLINE_SECRET: Buffer.alloc(32, 1).toString('base64') },
        ),
        clock: bench.clock,
        log: silent,
      });
    before(async () => {
      bench = await backend.open();
      accounts = await open();
      first = (await accounts.admin.ensureFirstAccount()) ?? assert.fail('there was an account');
    });
    after(async () => {
      assert.deepEqual((await accounts.admin.verifyLedger()).faults, []);
      assert.deepEqual((await accounts.admin.verifyAudit()).faults, []);
      await accounts.close();
      await bench.drop();
    });
    const authenticate = async (key: string) => accounts.authenticate(key, bench.clock.now());
    const why = async (key: string): Promise<string> => {
      const answer = await authenticate(key);
      return answer.ok ? 'ok' : answer.reason;
    };

    test('the first account has the free credits and one key; ensureFirstAccount creates no second one', async () => {
      assert.equal(await accounts.ledger.remaining(first.accountId), 1000);
      assert.equal(await accounts.admin.ensureFirstAccount(), null);
      const answer = await authenticate(first.key);
      assert.ok(answer.ok);
      assert.deepEqual([answer.caller.accountId, answer.caller.keyId], [first.accountId, first.keyId]);
      const view = await accounts.view(answer.caller);
      assert.deepEqual(view.credits, { balance: 1000, held: 0 });
      assert.equal(view.key.label, 'first');
    });

    test('the store never contains the raw key, and no later result does', async () => {
      const storedRows = JSON.stringify([
        await accounts.store.db.selectFrom('keys').selectAll().execute(),
        await accounts.store.db.selectFrom('audit').selectAll().execute(),
        await accounts.admin.listKeys(),
      ]);
      assert.ok(!storedRows.includes(first.key));
      assert.ok(storedRows.includes(first.hint));
    });

    test('unknown, malformed, expired and revoked keys are refused', async () => {
      assert.equal(await why(makeKey(randomBytes)), 'none');
      assert.equal(await why('sl_nonsense'), 'malformed');
      const short = await accounts.admin.createKey({ expiresAt: new Date(bench.clock.now() + 60_000).toISOString() });
      assert.equal(await why(short.key), 'ok');
      await bench.jump(61_000);
      assert.equal(await why(short.key), 'expired');
    });

    test('a revoked key is refused as soon as the revocation returns', async () => {
      const { key, keyId } = await accounts.admin.createKey({ label: 'soon gone' });
      assert.equal(await why(key), 'ok');
      const asked = Promise.all(Array.from({ length: 20 }, () => why(key)));
      await accounts.admin.revokeKey({ keyId });
      assert.equal(await why(key), 'revoked');
      await asked;
      assert.equal(await why(key), 'revoked');
    });

    test('a key or client by which watches check is revoked only where it is said that they may stop', async () => {
      const { admin, store } = accounts;
      const { accountId } = first;
      const watch = async (key_id: string, id = `wat_${key_id}`, operation = 'registration'): Promise<void> => {
        const times = { every_ms: DAY, credits_per_month: 31, paused: 0, created_at: 1, next_at: 1, fails: 0 };
        const more = { operation, parameters: '{"domain":"example.com"}', ...times };
        await store.db
          .insertInto('watches')
          .values({ id, account_id: accountId, key_id, ...more })
          .execute();
      };
      const maker = await admin.createKey({ accountId, manage: true });
      const other = await admin.createKey({ accountId });
      await watch(other.keyId);
      const next = await admin.rerollKey({ keyId: other.keyId, graceMs: 60_000 });
      await admin.revokeKey({ keyId: maker.keyId });
      const preview = (keyId: string, keepDescendants = false) => admin.previewRevokeKey({ keyId, keepDescendants });
      assert.deepEqual(await preview(other.keyId, true), { keyIds: [other.keyId], watchIds: [] });
      assert.deepEqual(await preview(next.keyId), { keyIds: [next.keyId], watchIds: [] });
      await admin.revokeKey({ keyId: other.keyId, keepDescendants: true });
      assert.deepEqual(await preview(other.keyId), { keyIds: [], watchIds: [] });
      assert.deepEqual(await preview(next.keyId), { keyIds: [next.keyId], watchIds: [`wat_${other.keyId}`] });
      await assert.rejects(admin.revokeKey({ keyId: next.keyId }), {
        message: new RegExp(`^Watch wat_${other.keyId} stops with ${next.keyId}\\. Take it over .*--stop-watches`),
      });
      assert.equal(await why(next.key), 'ok');
      await watch(next.keyId);
      await assert.rejects(admin.revokeKey({ keyId: next.keyId }), /^ServiceError: 2 watches stop with key_/);
      // neither what the key may not use any more nor what stopped already stops with it
      await watch(next.keyId, 'wat_serp', 'serp');
      await admin.editKey({ keyId: next.keyId, operations: ['registration'] });
      await watch(next.keyId, 'wat_stopped');
      await store.db.updateTable('watches').set({ stopped: 'key' }).where('id', '=', 'wat_stopped').execute();
      assert.deepEqual((await preview(next.keyId)).watchIds, [`wat_${next.keyId}`, `wat_${other.keyId}`].sort());
      await admin.suspendAccount({ accountId });
      assert.equal((await preview(next.keyId)).watchIds.length, 2);
      await admin.resumeAccount({ accountId });
      const child = await accounts.adminAs('maker', next.keyId).createKey({ accountId });
      await watch(child.keyId);
      assert.deepEqual((await preview(next.keyId)).keyIds, [next.keyId, child.keyId]);
      assert.equal((await preview(next.keyId)).watchIds.length, 3);
      assert.equal((await preview(next.keyId, true)).watchIds.length, 2);
      await admin.revokeKey({ keyId: next.keyId, stopWatches: true });
      assert.equal(await why(next.key), 'revoked');
      await admin.revokeKey({ keyId: next.keyId });

      const { clientId } = await admin.createClient({ accountId });
      await watch(clientId);
      await assert.rejects(admin.revokeClient({ clientId }), /stops with cli_/);
      assert.notEqual((await admin.revokeClient({ clientId, stopWatches: true })).revokedAt, null);
      await store.db.deleteFrom('watches').where('account_id', '=', accountId).execute();
    });

    test('a rerolled key stays valid for its grace time; the new key has its limits', async () => {
      const old = await accounts.admin.createKey({
        operations: ['serp', 'registration'],
        creditsPerDay: 7,
        addresses: ['10.0.0.0/8', '::1'],
      });
      const next = await accounts.admin.rerollKey({ keyId: old.keyId, graceMs: 60_000 });
      assert.deepEqual([next.operations, next.creditsPerDay, next.addresses], [['serp', 'registration'], 7, ['10.0.0.0/8', '::1']]);
      assert.deepEqual([await why(old.key), await why(next.key)], ['ok', 'ok']);
      await bench.jump(61_000);
      assert.deepEqual([await why(old.key), await why(next.key)], ['expired', 'ok']);
      await assert.rejects(accounts.admin.rerollKey({ keyId: old.keyId }), INVALID);
      const third = await accounts.admin.rerollKey({ keyId: next.keyId });
      assert.deepEqual([await why(next.key), await why(third.key)], ['revoked', 'ok']);
    });

    test('a reroll hands on what was spent of a cap, holds that end later included', async () => {
      const { accountId, keyId } = await accounts.admin.createKey({ creditsPerDay: 7, creditsPerMonth: 20 });
      const hold = async (by: string, amount: number) => {
        const answer = await accounts.ledger.hold({ accountId, keyId: by, amount, operation: 'serp', requestId: 'r', ttlMs: 60_000 });
        return answer.ok ? answer.holdId : answer.message;
      };
      const [captured, returned] = [await hold(keyId, 3), await hold(keyId, 4)];
      const { keyId: next } = await accounts.admin.rerollKey({ keyId, graceMs: 60_000 });
      assert.match(await hold(next, 1), /has used 7 of its 7 credits/);
      await accounts.ledger.capture(captured, 2);
      await accounts.ledger.release(returned);
      assert.match(await hold(next, 6), /has used 2 of its 7 credits/);
      assert.match(await hold(keyId, 6), /has used 2 of its 7 credits/);
      const [refused, admitted] = await Promise.all([hold(next, 6), hold(next, 5)]);
      assert.match(refused, /has used 2 of its 7 credits/);
      assert.match(admitted, /^acc_\w+\.\d+\.[0-9a-f-]{36}$/);
      assert.match(await hold(keyId, 1), /has used 7 of its 7 credits/);
    });

    test('of rerolls and revocations at the same time none leaves a valid key behind', async () => {
      const { keyId } = await accounts.admin.createKey({ label: 'raced' });
      const done = await Promise.allSettled(Array.from({ length: 6 }, () => accounts.admin.rerollKey({ keyId })));
      assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
      const valid = async () =>
        (await accounts.admin.listKeys()).filter(({ label, revokedAt }) => label === 'raced' && revokedAt === null).map((k) => k.keyId);
      const [left, ...others] = await valid();
      assert.deepEqual(others, []);
      const maker = accounts.adminAs('holder', left ?? '');
      const making = Array.from({ length: 4 }, () => maker.createKey({ label: 'raced' }));
      await Promise.allSettled([...making.slice(0, 2), accounts.admin.revokeKey({ keyId: left ?? '' }), ...making.slice(2)]);
      assert.deepEqual(await valid(), []);
    });

    test('invalid values of the operator are refused with a message', async () => {
      const { admin } = accounts;
      for (const wrong of [
        () => admin.createKey({ operations: ['sepr'] }),
        () => admin.createKey({ operations: [] }),
        () => admin.createKey({ addresses: ['10.0.0.0/33'] }),
        () => admin.createKey({ creditsPerDay: 0 }),
        () => admin.createKey({ expiresAt: '2001-01-01' }),
        () => admin.createKey({ accountId: 'acc_nobody' }),
        () => admin.revokeKey({ keyId: 'key_nobody' }),
        () => admin.createAccount({ name: ' ' }),
        () => admin.grant({ accountId: first.accountId, credits: 0 }),
        () => admin.grant({ accountId: first.accountId, credits: -5000 }),
        () => admin.grant({ accountId: first.accountId, credits: 0.5 }),
      ])
        await assert.rejects(wrong, { failure: /^(?:INVALID_REQUEST|NOT_FOUND)$/ });
    });

    test('a reference or note that the ledger would keep as another text is refused: two references are never taken for one', async () => {
      const { admin } = accounts;
      const { accountId } = first;
      for (const text of ['x'.repeat(201), 'a\tb', 'a\nb', 'a\u0000b', '\ud800'])
        for (const name of ['reference', 'note'] as const)
          await assert.rejects(admin.grant({ accountId, credits: 1, [name]: text }), { failure: 'INVALID_REQUEST', message: /one line/ });
      const balanceAfter = async (reference: string) => (await admin.grant({ accountId, credits: 1, reference })).balance;
      const before = await balanceAfter('é'.repeat(200));
      assert.equal(await balanceAfter(`${'é'.repeat(199)}e`), before + 1);
      assert.equal(await balanceAfter('é'.repeat(200)), before + 1);
      await admin.grant({ accountId, credits: -2 });
    });

    test('with several accounts the account must be named', async () => {
      const { accountId } = await accounts.admin.createAccount({ name: 'second', credits: 5 });
      await assert.rejects(accounts.admin.createKey({}), /several accounts/);
      assert.equal((await accounts.admin.grant({ accountId, credits: 3, note: 'more' })).balance, 8);
      assert.deepEqual((await accounts.admin.auditLog({ limit: 1 }))[0]?.action, 'credits.grant');
    });

    test('usage is recorded by day, operation and status, with the last use of the key', async () => {
      const { accountId, keyId } = first;
      for (let i = 0; i < 1200; i++)
        accounts.record(row({ at: bench.clock.now(), accountId, keyId, status: i % 3 ? 200 : 404, credits: i % 3 ? 1 : 0 }));
      await accounts.close();
      accounts = await open();
      const day = new Date(bench.clock.now()).toISOString().slice(0, 10);
      const caller = { accountId, keyId, operations: null, ratePerSecond: null, rateBurst: null };
      assert.deepEqual((await accounts.usage(caller, { from: day, to: day, after: null, limit: 100 })).entries, [
        { day, operation: 'serp', keyId, status: 200, requests: 800, credits: 800 },
        { day, operation: 'serp', keyId, status: 404, requests: 400, credits: 0 },
      ]);
      const before = { from: '2001-01-01', to: '2001-01-02', after: null, limit: 100 };
      assert.deepEqual((await accounts.usage(caller, before)).entries, []);
      const key = (await accounts.admin.listKeys()).find((k) => k.keyId === keyId);
      assert.ok(key?.lastUsedAt?.startsWith(day));
    });

    test('the request log pages by account and finds a request by its id, and all that have a label', async () => {
      const clock = createManualClock(bench.clock.now());
      const usage = createUsage(accounts.store, clock, silent);
      const newId = createRequestIds(Math.random, clock.now);
      const [r0 = '', r1 = '', r2 = '', r3 = '', r4 = '', r5 = '', r6 = '', never = ''] = Array.from({ length: 8 }, newId);
      for (const [i, requestId] of [r0, r1, r2, r3, r4].entries())
        usage.record(
          row({
            at: clock.now() + i,
            accountId: 'acc_log',
            requestId,
            label: i % 4 ? null : 'l',
            status: i === 2 ? 502 : 200,
            target: '/x',
          }),
        );
      usage.record(row({ at: clock.now(), accountId: 'acc_else', requestId: r5, label: 'l' }));
      usage.record(row({ at: clock.now(), accountId: 'acc_else', requestId: r6, label: r0 }));
      await usage.close();
      const { db } = accounts.store;
      const first = await readRequests(db, 'acc_log', { limit: 3 });
      const second = await readRequests(db, 'acc_log', { limit: 3, ...(first.after !== null && { after: first.after }) });
      assert.deepEqual(
        [...first.entries, ...second.entries].map((r) => r.requestId),
        [r4, r3, r2, r1, r0],
      );
      assert.equal(second.after, null);
      assert.deepEqual(
        (await readRequests(db, 'acc_log', { limit: 3, status: 502 })).entries.map((r) => r.requestId),
        [r2],
      );
      assert.deepEqual(
        (await readRequests(db, 'acc_log', { limit: 3, label: 'l' })).entries.map((r) => r.requestId),
        [r4, r0],
      );
      const found = async (name: string, accountId: string | null) => (await findRequests(db, name, accountId)).map((r) => r.requestId);
      assert.deepEqual(await found('l', 'acc_log'), [r4, r0]);
      assert.deepEqual(await found('l', null), [r5, r4, r0]);
      assert.deepEqual(await found(r0, null), [r0, r6], 'the id of a request comes before a label of the same text');
      assert.deepEqual(await found(never, null), []);
    });
    test('a usage row that the store refuses is dropped and logged; the rows beside it are written', async () => {
      const clock = createManualClock(bench.clock.now());
      const logged: unknown[] = [];
      const usage = createUsage(accounts.store, clock, (level, message, facts) => logged.push([level, message, facts?.requestId]));
      for (let i = 0; i < 7; i++)
        usage.record(row({ at: clock.now(), accountId: i === 2 ? (null as never) : 'acc_beside', requestId: `beside-${i}` }));
      await usage.flush();
      assert.deepEqual(usage.counts, { written: 6, dropped: 1 });
      assert.deepEqual(logged, [['error', 'usage: the store refuses a row, which is dropped', 'beside-2']]);
      await usage.close();
    });
    test('many requests of a flush are one row, compressed in the embedded store, in which each is found by its id', async () => {
      const clock = createManualClock(bench.clock.now() + 300 * DAY);
      const usage = createUsage(accounts.store, clock, silent);
      const newId = createRequestIds(Math.random, clock.now);
      const rows = Array.from({ length: 2_500 }, (_, i) => {
        const own = row({ at: clock.now(), accountId: i % 5 === 4 ? 'acc_other' : 'acc_many', requestId: newId(), label: `label ${i}` });
        usage.record(own);
        return own;
      });
      await usage.close();
      const { db, kind } = accounts.store;
      const written = await db.selectFrom('request_log').selectAll().where('account_id', '=', 'acc_many').execute();
      assert.deepEqual(
        written.flatMap(unpackRequests),
        rows.filter(({ accountId }) => accountId === 'acc_many'),
      );
      for (const { requests } of written) {
        const json = JSON.stringify(unpackRequests({ account_id: '', requests }));
        if (kind === 'embedded') assert.ok(requests instanceof Uint8Array && requests.length < json.length / 5, `${requests.length} bytes`);
        else assert.equal(typeof requests, 'string');
      }
      for (const { requestId, accountId } of [rows[0], rows[1_444], rows[2_499]] as UsageRow[]) {
        assert.equal((await requestWithId(db, requestId, accountId))?.requestId, requestId);
        assert.equal((await requestWithId(db, requestId, null))?.requestId, requestId);
        assert.equal(await requestWithId(db, requestId, 'acc_none'), undefined);
      }
      assert.equal(await requestWithId(db, newId(), 'acc_many'), undefined);
    });
    test('the request log is deleted after 30 days, in batches; the daily sums stay', async () => {
      const clock = createManualClock(bench.clock.now() + 400 * DAY);
      const old = createUsage(accounts.store, clock, silent);
      const at = clock.now();
      for (let i = 0; i < 600; i++) old.record(row({ at, accountId: 'acc_old', label: 'pruned' }));
      await old.close();
      const usage = createUsage(accounts.store, createManualClock(at + (RAW_DAYS + 1) * DAY), silent);
      assert.equal((await findRequests(accounts.store.db, 'pruned', 'acc_old')).length, 600);
      usage.record(row({ at: at + (RAW_DAYS + 1) * DAY, accountId: 'acc_old' }));
      await usage.close();
      let gone = 0;
      for (let n = 1; n; gone += n) n = await usage.prune();
      assert.ok(gone >= 2);
      const left = await accounts.store.db.selectFrom('request_log').selectAll().where('account_id', '=', 'acc_old').execute();
      assert.deepEqual(
        left.map((row) => unpackRequests(row).length),
        [1],
      );
      assert.deepEqual(await findRequests(accounts.store.db, 'pruned', 'acc_old'), []);
      const sums = (await usage.page('acc_old', { from: '2000-01-01', to: '2100-01-01', after: null, limit: 100 })).entries;
      assert.equal(
        sums.reduce((n, d) => n + d.requests, 0),
        601,
      );
    });

    test('a modified audit entry fails verification', async () => {
      const fresh = await backend.open();
      const { writeAudit } = await import('../../src/accounts/admin/audit.ts');
      const { verifyAudit } = await import('../../src/accounts/admin/verify-audit.ts');
      const { db } = fresh.store;
      for (const subject of ['a', 'b'])
        await db.transaction().execute((trx) => writeAudit(trx, 5, { actor: 'test', action: 'x', subject, facts: {} }));
      assert.deepEqual(await verifyAudit(db), { entries: 2, faults: [] });
      await db.updateTable('changes').set({ n: 3 }).where('name', '=', 'audit').execute();
      assert.match((await verifyAudit(db)).faults.join(), /3 entries were written/);
      await db.insertInto('audit').values({ seq: 3, at: 6, actor: 'x', action: 'x', subject: 'c', facts: '{}', hash: 'no' }).execute();
      assert.match((await verifyAudit(db)).faults.join(), /entry 3 does not fit/);
      await fresh.drop();
    });

    test('a grant and its audit entry are written in one transaction', async () => {
      const { db } = accounts.store;
      const balanceOf = async () => (await accounts.admin.showAccount({ accountId: first.accountId })).balance;
      const before = await balanceOf();
      const names = async () => (await accounts.admin.listAccounts()).map((a) => a.name);
      await sql`alter table audit rename to audit_away`.execute(db);
      await assert.rejects(accounts.admin.grant({ accountId: first.accountId, credits: 50 }));
      await assert.rejects(accounts.admin.createAccount({ name: 'never', credits: 50 }));
      await sql`alter table audit_away rename to audit`.execute(db);
      assert.equal(await balanceOf(), before);
      assert.equal(await accounts.ledger.remaining(first.accountId), before);
      assert.ok(!(await names()).includes('never'));
    });

    test('a repeated reference writes one entry and one audit entry', async () => {
      const { accountId } = await accounts.admin.createAccount({ name: 'invoiced' });
      const grant = () => accounts.admin.grant({ accountId, credits: 5000, reference: 'inv-1' });
      await Promise.all([grant(), grant()]);
      assert.equal((await grant()).balance, 5000);
      const entries = await accounts.admin.auditLog();
      assert.equal(entries.filter((e) => e.action === 'credits.grant' && e.subject === accountId).length, 1);
    });

    test('the audit entries of a key name the key; those of a reroll name both keys', async () => {
      const made = await accounts.admin.createKey({ accountId: first.accountId, label: 'named' });
      const next = await accounts.admin.rerollKey({ keyId: made.keyId, graceMs: 1000 });
      const [reroll, create] = await accounts.admin.auditLog({ limit: 2 });
      assert.deepEqual([create?.action, create?.subject, create?.facts.accountId], ['key.create', made.keyId, first.accountId]);
      assert.deepEqual([reroll?.action, reroll?.subject, reroll?.facts.newKeyId], ['key.reroll', made.keyId, next.keyId]);
    });

    test('out-of-range amounts and times are refused with a message; lists and verification still succeed', async () => {
      const { admin } = accounts;
      const { accountId } = await admin.createAccount({ name: 'bounded', credits: 1 });
      const { keyId } = await admin.createKey({ accountId });
      const most = 1_000_000_000_000;
      for (const credits of [Number.MAX_SAFE_INTEGER, most + 1, most, -most - 1, 0.5, Number.NaN])
        await assert.rejects(admin.grant({ accountId, credits }), INVALID, String(credits));
      for (const credits of [Number.MAX_SAFE_INTEGER, most + 1, -1])
        await assert.rejects(admin.createAccount({ name: 'x', credits }), INVALID);
      for (const graceMs of [Number.MAX_SAFE_INTEGER, 367 * DAY, -1]) await assert.rejects(admin.rerollKey({ keyId, graceMs }), INVALID);
      for (const wish of ['creditsPerDay', 'creditsPerMonth', 'ratePerSecond', 'rateBurst'])
        await assert.rejects(admin.createKey({ accountId, [wish]: Number.MAX_SAFE_INTEGER }), INVALID, wish);
      for (const expiresAt of ['+010000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z'])
        await assert.rejects(admin.createKey({ accountId, expiresAt }), INVALID);
      assert.equal((await admin.grant({ accountId, credits: most - 1 })).balance, most);
      await admin.rerollKey({ keyId, graceMs: 366 * DAY });
      await admin.listAccounts();
      await admin.listKeys();
      assert.deepEqual((await admin.verifyLedger()).faults, []);
    });
  });

const row = (over: Partial<UsageRow>): UsageRow => ({
  at: 0,
  accountId: 'acc',
  label: null,
  keyId: 'key',
  requestId: 'Zoë "quoted" \u0000 \ud800',
  operation: 'serp',
  status: 200,
  code: null,
  credits: 1,
  source: 'serp/browser',
  cache: 'hit',
  durationMs: 1.25,
  upstreamMs: 0,
  target: null,
  details: null,
  ...over,
});
