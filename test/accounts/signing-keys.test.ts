import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { verifyAudit } from '../../src/accounts/admin/verify-audit.ts';
import { createSealer } from '../../src/accounts/oauth/sealer.ts';
import { createSigningKeys, LEAD_MS, OVERLAP_MS, PERIOD_MS, type SigningKeys } from '../../src/accounts/oauth/signing-keys.ts';
import type { Store } from '../../src/store/store.ts';
import { BACKENDS, type Bench } from '../ledger/backends.ts';

const SECRET = 'the secret of the tests';
const keysOf = (store: Store, clock: Bench['clock'], alg: 'EdDSA' | 'RS256' = 'EdDSA', secret = SECRET): SigningKeys => {
  const sealer = createSealer(secret, randomBytes);
  return createSigningKeys({
    store,
    clock,
    log: () => {},
    alg,
    sealer: () => sealer,
  });
};
const kidOf = async (keys: SigningKeys): Promise<string> => String(decodeProtectedHeader(await keys.sign({ sub: 'x' }, 'at+jwt')).kid);
const kids = async (keys: SigningKeys): Promise<string[]> => (await keys.published()).map((k) => String(k.kid));

for (const backend of BACKENDS) {
  test(`${backend.name}: a key signs for one period; the next one is published before it signs, the old one is accepted afterwards`, {
    skip: backend.skip,
  }, async () => {
    const bench = await backend.open();
    const keys = keysOf(bench.store, bench.clock);
    const [a, again] = await Promise.all([kidOf(keys), kidOf(keys)]);
    assert.equal(a, again, 'made once, whoever asks first');
    await bench.jump(PERIOD_MS - LEAD_MS - 1000);
    assert.deepEqual([await kidOf(keys), await kids(keys)], [a, [a]]);
    await bench.jump(2000);
    assert.equal(await kidOf(keys), a, 'the next one is published, and does not sign yet');
    const [, b = ''] = await kids(keys);
    assert.ok(b && b !== a);
    await bench.jump(LEAD_MS + 1000);
    assert.equal(await kidOf(keys), b);
    assert.deepEqual(await kids(keys), [a, b], 'tokens of the old one may still live');
    assert.ok(await keys.find(a));
    await bench.jump(OVERLAP_MS);
    assert.deepEqual([await kids(keys), await keys.find(a)], [[b], null]);
    assert.deepEqual((await verifyAudit(bench.store.db)).faults, []);
    await bench.drop();
  });

  test(`${backend.name}: with drop every gateway refuses tokens signed before`, {
    skip: backend.skip,
  }, async () => {
    const bench = await backend.open();
    const keys = keysOf(bench.store, bench.clock);
    const other = await bench.another();
    const far = other && keysOf(other, bench.clock);
    const a = await kidOf(keys);
    assert.ok(!far || (await far.find(a)), 'a key made elsewhere is found');
    const { kid, dropped } = await keys.rotate('operator', true);
    assert.equal(dropped, 1);
    assert.deepEqual([await keys.find(a), await kidOf(keys)], [null, kid]);
    far?.forget();
    assert.ok(!far || (await far.find(a)) === null);
    await bench.drop();
  });
}

test('the store holds the private key encrypted; with another secret a new key is created and old tokens stay valid', async () => {
  const bench = await BACKENDS[0]?.open();
  assert.ok(bench);
  const a = await kidOf(keysOf(bench.store, bench.clock));
  const [row] = await bench.store.db.selectFrom('signing_keys').selectAll().execute();
  assert.doesNotMatch(JSON.stringify(row), /"d\\?"/);
  const anew = keysOf(bench.store, bench.clock, 'EdDSA', 'another secret of the tests');
  assert.notEqual(await kidOf(anew), a);
  assert.ok(await anew.find(a));
  await bench.drop();
});

test('the setting chooses the algorithm that signs; tokens of the other algorithm are still verified', async () => {
  const bench = await BACKENDS[0]?.open();
  assert.ok(bench);
  const a = await kidOf(keysOf(bench.store, bench.clock));
  const keys = keysOf(bench.store, bench.clock, 'RS256');
  const b = await kidOf(keys);
  assert.deepEqual([(await keys.find(a))?.alg, (await keys.find(b))?.alg], ['EdDSA', 'RS256']);
  await bench.drop();
});
