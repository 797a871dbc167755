import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/runtime/clock.ts';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { grant, KEY_ROW, makeAccount, silent } from '../ledger/backends.ts';
import { createRandom } from '../simulation/random.ts';
import { deliverDue } from './house.ts';
import { openMachine } from './machine.ts';
import { type Gateway, openGateway, quietStep } from './processes.ts';

const MINUTES = 60_000;
const WEEK = 7 * DAY_MS;
const GONE = 'https://chat.example.org/gone';
const WORKS = 'https://chat.example.org/works';

test('a target that answers 410 is switched off, and the other one is told: once, or twice under one id, whatever statement a process dies at', async (t) => {
  let nowMs = Date.UTC(2026, 10, 1, 12);
  const now = (): number => nowMs;
  let isExecuted = false;
  const machine = await openMachine('embedded', { ...createRandom(1), chance: () => isExecuted }, now);
  t.after(() => machine.close());
  let renewals = 0;
  const record = { available: false, registrar: null, status: [], contacts: [] };
  const open = (): Promise<Gateway> =>
    openGateway(machine, now, () => ({ resource: { ...record, domain: 'a.com', nameServers: [`ns${renewals}.example`] } }));
  const told: { readonly id: string | undefined; readonly says: string }[] = [];
  const http: DestinationParts['http'] = {
    async ask({ url, body = '', headers = {} }) {
      if (url === WORKS) told.push({ id: headers['webhook-id'], says: body.replaceAll('\u2060', '') });
      return { tag: 'answer', answer: { status: url === GONE ? 410 : 204, headers: {}, body: new Uint8Array(), url, atMs: 0 } };
    },
  };
  const partsOf = (gateway: Gateway) => ({ ...gateway.parts, http, log: silent });
  const first = await open();
  const { store } = first;
  await store.migrate();
  await makeAccount(store, 'acc_1');
  await store.db
    .insertInto('keys')
    .values({ ...KEY_ROW, id: 'key_1', account_id: 'acc_1', hash: 'key_1' })
    .execute();
  await grant(store, 'acc_1', 1_000_000);
  const watches = createWatches(partsOf(first));
  const caller = { ...{ accountId: 'acc_1', keyId: 'key_1', operations: null, ratePerSecond: null, rateBurst: null }, manages: true };
  const notify = [GONE, WORKS].map((to) => ({ to, as: 'text' }));
  await watches.notify.replace(caller, { notify });
  await watches.create(caller, { operation: 'registration', parameters: { domain: 'a.com' }, every: '7d', creditsPerMonth: 1_000 });
  nowMs += WEEK;
  await quietStep([first]);

  /** One change; a process that tells of it dies after so many statements. False: it was through before. */
  async function week(statements: number): Promise<boolean> {
    renewals++;
    nowMs += WEEK;
    // set again, it is switched on
    await watches.notify.replace(caller, { notify });
    await quietStep([first]);
    const doomed = await open();
    doomed.process.doom('kill', statements);
    await Promise.race([deliverDue(partsOf(doomed)), doomed.process.stopped()]);
    const isThrough = doomed.process.state() === 'runs';
    doomed.process.doom('kill', Number.POSITIVE_INFINITY);
    nowMs += 10 * MINUTES;
    await deliverDue(partsOf(await open()));
    const messages = told.splice(0);
    const notices = messages.filter(({ says }) => /The target chat\.example\.org\/… is switched off: 410/.test(says));
    const where = `after ${statements}: ${JSON.stringify(messages)}`;
    assert.equal(new Set(notices.map(({ id }) => id)).size, 1, where);
    assert.ok(notices.length === 1 || !isThrough, where);
    assert.ok((await watches.notify.show(caller)).notify[0]?.disabledAt, where);
    return !isThrough;
  }
  let crashes = 0;
  for (const executed of [false, true]) {
    isExecuted = executed;
    for (let statements = 1; await week(statements); statements++) crashes++;
  }
  assert.ok(crashes > 40, String(crashes));
});
