/** Two gateways on one PostgreSQL: what an app began at one goes on at the other. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BACKENDS, makeSchema } from '../ledger/backends.ts';
import { type CodeService, openCodeService } from './oauth-code-client.ts';
import { REGISTRATION, tickingClock } from './test-service.ts';

const skip = BACKENDS.find(({ name }) => name === 'postgres')?.skip ?? 'no PostgreSQL';

async function openTwo(t: TestContext): Promise<[CodeService, CodeService]> {
  const { url, drop } = await makeSchema();
  const settings = { DATABASE_URL: url, SIGHTLINE_SECRET: 'the secret of the fleet' };
  const a = await openCodeService({ settings, clock: tickingClock() });
  const b = await openCodeService({ settings, clock: tickingClock() });
  t.after(async () => {
    await Promise.all([a.close(), b.close()]);
    await drop();
  });
  return [a, b];
}

test('a code of one gateway is redeemed at the other, once; its tokens are valid at both until the grant ends', { skip }, async (t) => {
  const [a, b] = await openTwo(t);
  const clientId = await a.app();
  const person = await a.signIn();
  assert.equal((await b.page(person, b.query(clientId))).status, 200, 'the session and the registration are shared');
  const code = await a.code(clientId);
  const [one, two] = await Promise.all([a.redeem(clientId, code), b.redeem(clientId, code)]);
  const won = [one, two].filter(({ status }) => status === 200);
  assert.ok(won.length <= 1, 'a code works once, whichever gateway is asked');

  // the second use of a code ends the grant that it made: a new one is needed
  const again = await b.redeem(clientId, await a.code(clientId));
  assert.equal(again.status, 200, again.text);
  const token = String(again.body.access_token);
  for (const it of [a, b]) assert.equal((await it.get(REGISTRATION, token)).status, 200);

  const renewed = await a.refresh(clientId, String(again.body.refresh_token));
  assert.equal(renewed.status, 200, renewed.text);
  const reused = await b.refresh(clientId, String(again.body.refresh_token));
  assert.deepEqual([reused.status, reused.body.error], [400, 'invalid_grant']);
  assert.equal((await a.refresh(clientId, String(renewed.body.refresh_token))).status, 400, 'reuse at one gateway ends the grant at all');
  // a gateway looks for changes of the others as its clock goes on
  for (const it of [a, b]) {
    const statusNow = async () => (await it.get(REGISTRATION, String(renewed.body.access_token))).status;
    for (let ticks = 0; ticks < 200 && (await statusNow()) !== 401; ticks++) await it.clock.tick();
    assert.equal(await statusNow(), 401);
  }
});
