/**
 * Prints what a neighbour waits for on this machine, with the clock of the service: `npx node test/watches/measure.ts [messages]`. Its message beside
 * 80 hanging targets of another account, and its check beside 40 of another account that wait for a pace of two seconds.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { realClock } from '../../src/runtime/clock.ts';
import type { Reply } from '../../src/upstream/answer.ts';
import { createPace } from '../../src/upstream/pace.ts';
import type { HttpRequest } from '../../src/upstream/ports.ts';
import { startDeliveries } from '../../src/watches/deliveries.ts';
import { startSchedule } from '../../src/watches/schedule.ts';
import { until } from '../faults/service-process.ts';
import { BACKENDS, grant, KEY_ROW, makeAccount } from '../ledger/backends.ts';
import { houseOn } from './house.ts';

const MESSAGES = Number(process.argv[2] ?? 40);
const backend = BACKENDS.find(({ name }) => name === 'embedded');
if (!backend) throw new Error('there is no embedded store');
const bench = await backend.open();
const { db } = bench.store;
const pace = createPace(realClock);
const house = await houseOn(bench, async ({ operation, account, signal }) => {
  if (operation === 'app') await pace.take({ key: 'app', everyMs: 2_000, burst: 1, account: account ?? '' }, 60_000, signal);
  return { error: 'UPSTREAM_CHANGED' };
});
async function accountWith(count: number, operation: 'app' | 'registration', webhook: string) {
  const accountId = await makeAccount(bench.store);
  const keyId = `key_${randomUUID().slice(0, 8)}`;
  await db
    .insertInto('keys')
    .values({ ...KEY_ROW, id: keyId, account_id: accountId, hash: keyId })
    .execute();
  await grant(bench.store, accountId, 1_000);
  const parameters = operation === 'app' ? { handle: 'sample' } : { domain: 'a.com' };
  const body = { operation, parameters, every: '1d', creditsPerMonth: 100, webhook: { url: webhook } };
  const caller = { ...house.caller, accountId, keyId };
  for (let i = 0; i < count; i++) await house.watches.create(caller, body);
  return (await db.selectFrom('watches').select('n').where('account_id', '=', accountId).execute()).map(({ n }) => n);
}
async function tell(watch: number, cursor: number): Promise<void> {
  const now = await bench.store.now();
  const message = { watch, cursor, kinds: '["changed"]', created_at: now, attempts: 0, next_at: now, delivered_at: null, result: null };
  await db.insertInto('watch_deliveries').values(message).execute();
}
const due = async (watch: number): Promise<void> =>
  void (await db
    .updateTable('watches')
    .set({ next_at: await bench.store.now() })
    .where('n', '=', watch)
    .execute());

const hanging = await accountWith(80, 'registration', 'https://slow.example.com/x');
const [neighbour = 0] = await accountWith(1, 'registration', 'https://hooks.example.com/x');
let received = 0;
const ended = new AbortController();
const http = {
  async ask({ url }: HttpRequest): Promise<Reply> {
    if (url.startsWith('https://slow')) {
      await sleep(15_000, undefined, { signal: ended.signal }).catch(() => undefined);
      return { tag: 'timeout', what: 'It did not answer.' } as Reply;
    }
    received++;
    return { tag: 'answer', answer: { status: 204, headers: {}, body: new Uint8Array(), url, atMs: 0 } };
  },
};
for (const n of hanging) await tell(n, 1);
const deliveries = startDeliveries({ ...house.parts, clock: realClock, http });
const waits: number[] = [];
for (let i = 1; i <= MESSAGES; i++) {
  const began = performance.now();
  await tell(neighbour, i);
  await until('the message is sent', () => received === i);
  waits.push(performance.now() - began);
}
ended.abort();
await deliveries.close();
waits.sort((a, b) => a - b);
const p99 = waits[Math.ceil(0.99 * waits.length) - 1] ?? 0;
console.log(`${MESSAGES} messages beside 80 hanging targets: p99 ${p99.toFixed(0)} ms`);

const paced = await accountWith(40, 'app', 'https://slow.example.com/x');
for (const [operation, name] of [
  ['registration', 'of another platform'],
  ['app', 'of the same platform'],
] as const) {
  const [own = 0] = await accountWith(1, operation, 'https://hooks.example.com/x');
  for (const n of paced) await due(n);
  const schedule = startSchedule({ ...house.parts, clock: realClock, newClaim: randomUUID });
  await sleep(3_000);
  const began = performance.now();
  await due(own);
  const isMade = async (): Promise<boolean> =>
    (await db.selectFrom('watch_checks').select('slot').where('watch', '=', own).execute()).length > 0;
  await until('the check is made', isMade);
  console.log(`a check ${name} beside 40 paced ones: ${(performance.now() - began).toFixed(0)} ms after its slot`);
  await schedule.close();
}
await house.ledger.close();
await bench.drop();
