import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { isOperatorKey } from '../../src/accounts/keys/key-text.ts';
import { SETUP_CODE_MS } from '../../src/accounts/setup.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { BACKENDS, type Backend, silent } from '../ledger/backends.ts';

const FIXED = 'a-code-of-twenty-characters';

/** `gateways`: processes that share the store; the embedded one has one. */
async function scene(t: TestContext, backend: Backend, { fixed, gateways = 1 }: { fixed?: string; gateways?: number } = {}) {
  const bench = await backend.open();
  let aheadMs = 0;
  // only its time jumps: loops go on at their own pace
  const jump = (ms: number): void => {
    aheadMs += ms;
  };
  const clock = { now: () => Date.now() + aheadMs, sleep: realClock.sleep, jump };
  const place = backend.name === 'embedded' ? { SIGHTLINE_DATA_DIR: `${bench.place}/served` } : { DATABASE_URL: bench.place };
  const settings = readSettings({ ...place, ...(fixed !== undefined && { SIGHTLINE_SETUP_CODE: fixed }) });
  const opened: OpenAccounts[] = [];
  for (let i = 0; i < (backend.name === 'embedded' ? 1 : gateways); i++) opened.push(await openAccounts({ settings, clock, log: silent }));
  const [accounts] = opened;
  assert.ok(accounts);
  t.after(async () => {
    assert.deepEqual((await accounts.admin.verifyAudit()).faults, []);
    for (const each of opened) await each.close();
    await bench.drop();
  });
  return { accounts, opened, clock, isShared: backend.name !== 'embedded' };
}
const claim = (accounts: OpenAccounts, code: string, address = '192.0.2.1', name = 'Northlight') =>
  accounts.setup.claim({ code, name, address });
/** The headers of a 429: one a time of so many seconds. */
const limitOf = (name: string, windowS: number, waitS: number) => ({
  'retry-after': String(waitS),
  ratelimit: `"${name}";r=0;t=${waitS}`,
  'ratelimit-policy': `"${name}";q=1;w=${windowS}`,
});
const failure = (of: string) => ({ failure: of });

for (const backend of BACKENDS)
  describe(`setup: ${backend.name}`, { skip: backend.skip }, () => {
    test('the code makes an account with its key and the operator’s key, once; neither is in the store', async (t) => {
      const { accounts } = await scene(t, backend);
      const printed = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      assert.match(printed.code, /^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
      const { key, operatorKey } = await claim(accounts, ` ${printed.code.replace('-', '').toLowerCase()} `);
      assert.ok(isOperatorKey(operatorKey.key), operatorKey.key);
      assert.equal((await accounts.admin.showAccount()).name, 'Northlight');
      assert.ok((await accounts.authenticate(key.key, Date.now())).ok);
      assert.notEqual(await accounts.operatorKey.hashIf(operatorKey.key), null);
      assert.deepEqual(await accounts.admin.showOperatorKey(), { hint: operatorKey.hint, createdAt: operatorKey.createdAt });
      await assert.rejects(claim(accounts, printed.code), failure('NOT_FOUND'));
      await assert.rejects(accounts.setup.state(), failure('NOT_FOUND'));
      await assert.rejects(accounts.setup.renew(), failure('NOT_FOUND'));
      const { rows } = await sql`select * from installation`.execute(accounts.store.db);
      const stored = JSON.stringify([rows, await accounts.admin.auditLog(), await accounts.admin.listKeys()]);
      for (const secret of [printed.code, printed.code.replace('-', ''), key.key, operatorKey.key]) assert.ok(!stored.includes(secret));
    });

    test('of 50 claims at once, at two gateways, one succeeds', async (t) => {
      const { accounts, opened } = await scene(t, backend, { gateways: 2 });
      const { code } = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, (_, i) => claim(opened[i % opened.length] ?? accounts, code, `192.0.2.${i}`, `Claim ${i}`)),
      );
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.failure, 'NOT_FOUND');
      assert.equal((await accounts.admin.listAccounts()).length, 1);
      assert.equal((await accounts.admin.listKeys()).length, 1);
    });

    test('whichever comes first claims it: a key that was made, or that of serve --json', async (t) => {
      const { accounts } = await scene(t, backend);
      const { code } = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      const { accountId } = await accounts.admin.createAccount({ name: 'by command' });
      assert.equal(await accounts.setup.isClaimed(), false, 'an account without a key has no holder');
      await accounts.admin.createKey({ accountId });
      assert.equal(await accounts.admin.ensureFirstAccount(), null);
      await assert.rejects(claim(accounts, code), failure('NOT_FOUND'));
      assert.equal(await accounts.setup.isClaimed(), true);
    });

    test('five wrong codes of an address cost no wait, the sixth a minute, each further one twice as long; others do not wait', async (t) => {
      const { accounts, clock } = await scene(t, backend);
      const { code } = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      for (let i = 0; i < 6; i++) await assert.rejects(claim(accounts, 'AAAA-AAAA'), failure('UNAUTHORIZED'), `attempt ${i}`);
      await assert.rejects(claim(accounts, code), { failure: 'RATE_LIMITED', headers: limitOf('setup-attempts', 60, 60) });
      await assert.rejects(claim(accounts, 'AAAA-AAAA', '192.0.2.2'), failure('UNAUTHORIZED'));
      clock.jump(60_000);
      await assert.rejects(claim(accounts, 'AAAA-AAAA'), failure('UNAUTHORIZED'));
      await assert.rejects(claim(accounts, code), { failure: 'RATE_LIMITED', headers: limitOf('setup-attempts', 120, 120) });
      clock.jump(120_000);
      await claim(accounts, code);
    });

    test('attempts at once wait too: no more than six of one address are compared', async (t) => {
      const { accounts } = await scene(t, backend);
      const { code } = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, i) => claim(accounts, `AAAA-AA${String(i).padStart(2, '2')}`)),
      );
      const reasons = results.map((result) => (result.status === 'rejected' ? result.reason.failure : 'claimed'));
      assert.equal(reasons.filter((reason) => reason === 'UNAUTHORIZED').length, 6);
      assert.equal(reasons.filter((reason) => reason === 'RATE_LIMITED').length, 34);
      await claim(accounts, code, '192.0.2.9');
    });

    test('a code lives 15 minutes; a new one is made where it is over, at most once a minute', async (t) => {
      const { accounts, clock } = await scene(t, backend);
      const first = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      await assert.rejects(accounts.setup.renew(), failure('INVALID_REQUEST'));
      clock.jump(SETUP_CODE_MS);
      assert.deepEqual(await accounts.setup.state(), { expiresAt: first.expiresAt, over: true });
      await assert.rejects(claim(accounts, first.code), { failure: 'UNAUTHORIZED', message: /ask for a new one/ });
      const again = await Promise.allSettled(Array.from({ length: 9 }, () => accounts.setup.renew()));
      const made = again.flatMap((each) => (each.status === 'fulfilled' ? [each.value.code] : []));
      assert.equal(made.length, 1);
      await assert.rejects(claim(accounts, first.code), failure('UNAUTHORIZED'));
      await claim(accounts, String(made[0]));
    });

    test('after 1,000 wrong ones a code is worthless', async (t) => {
      const { accounts } = await scene(t, backend);
      const { code } = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      await accounts.store.db.updateTable('installation').set({ code_wrong: 999 }).execute();
      await assert.rejects(claim(accounts, 'AAAA-AAAA'), failure('UNAUTHORIZED'));
      await assert.rejects(claim(accounts, code, '192.0.2.2'), { failure: 'UNAUTHORIZED', message: /not valid any more/ });
      assert.equal((await accounts.setup.state()).over, true);
      // printed within the last minute
      const renewed = await accounts.setup.renew().catch((error: ServiceError) => error);
      assert.ok(renewed instanceof ServiceError && renewed.failure === 'RATE_LIMITED');
      assert.deepEqual(renewed.headers, limitOf('setup-codes', 60, Number(renewed.headers['retry-after'])));
    });

    test('SIGHTLINE_SETUP_CODE does not expire, is not printed, and ends with the claim', async (t) => {
      const { accounts, clock } = await scene(t, backend, { fixed: FIXED });
      assert.equal(await accounts.setup.begin(true), null);
      clock.jump(365 * 86_400_000);
      assert.deepEqual(await accounts.setup.state(), { expiresAt: null, over: false });
      await assert.rejects(claim(accounts, FIXED.toUpperCase()), failure('UNAUTHORIZED'));
      await assert.rejects(accounts.setup.renew(), failure('INVALID_REQUEST'));
      await claim(accounts, FIXED);
      await assert.rejects(claim(accounts, FIXED), failure('NOT_FOUND'));
    });

    test('of a fleet one gateway prints the link', { skip: backend.name === 'embedded' && 'it has one process' }, async (t) => {
      const { opened } = await scene(t, backend, { gateways: 3 });
      const printed = await Promise.all(opened.map(({ setup }) => setup.begin(true)));
      assert.equal(printed.filter((each) => each !== null).length, 1);
    });

    test('what is refused for another reason counts for nothing, and takes no wrong code back', async (t) => {
      const { accounts } = await scene(t, backend);
      const { code } = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      const nameless = () => claim(accounts, 'AAAA-AAAA', '192.0.2.1', ' ');
      for (let i = 0; i < 9; i++) await assert.rejects(nameless(), failure('INVALID_REQUEST'));
      for (let i = 0; i < 5; i++) await Promise.allSettled([nameless(), claim(accounts, 'AAAA-AAAA'), nameless()]);
      await assert.rejects(claim(accounts, 'AAAA-AAAA'), failure('UNAUTHORIZED'));
      await assert.rejects(claim(accounts, code), failure('RATE_LIMITED'));
    });

    test('a name that is none, and a refused claim, claim nothing', async (t) => {
      const { accounts } = await scene(t, backend);
      const { code } = (await accounts.setup.begin(false)) ?? assert.fail('no code');
      await assert.rejects(claim(accounts, code, '192.0.2.1', ' '), failure('INVALID_REQUEST'));
      assert.equal(await accounts.setup.isClaimed(), false);
      await claim(accounts, code);
    });

    test('a replaced operator’s key is worthless at once, and the audit finds one that was set in the store', async (t) => {
      const { accounts } = await scene(t, backend);
      const { db } = accounts.store;
      const before = await accounts.admin.rerollOperatorKey();
      const after = await accounts.admin.rerollOperatorKey();
      assert.equal(await accounts.operatorKey.hashIf(before.key), null);
      assert.equal(await accounts.operatorKey.hashIf(randomBytes(9).toString('hex')), null);
      const hash = await accounts.operatorKey.hashIf(after.key);
      assert.match(String(hash), /^[0-9a-f]{64}$/);
      await db.updateTable('installation').set({ operator_key_hash: 'forged' }).execute();
      assert.match((await accounts.admin.verifyAudit()).faults.join(), /operator's key/);
      await db.updateTable('installation').set({ operator_key_hash: hash }).execute();
    });
  });
