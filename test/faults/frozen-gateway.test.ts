// Few in a process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { BACKENDS, makeSchema } from '../ledger/backends.ts';
import { realTime } from '../support/real-time.ts';
import {
  assertLedger,
  assertUnavailable,
  ledgerRowsIn,
  ledgerRowsOf,
  metric,
  newLookupPath,
  type Reply,
  type Served,
  ServiceProcesses,
  until,
} from './service-process.ts';

const DEADLINE_MS = 1_000;
/** A hold outlives its deadline by this. With less than five sixths of it left, the hold is renewed before the first byte. */
const MARGIN_MS = 2_000;
const NEARLY_OVER_MS = (MARGIN_MS * 5) / 6;
/** Duration of each commit of the embedded store, so that a process can be frozen during one. */
const COMMIT_MS = 200;
const SETTINGS = {
  SIGHTLINE_DEADLINE_SERP_MS: String(DEADLINE_MS),
  SERVE_WITH_HOLD_MARGIN_MS: String(MARGIN_MS),
  // a charged cache hit waits for its hold only
  SIGHTLINE_CHARGE_CACHE_HITS: '1',
};

const processes = new ServiceProcesses();
after(() => processes.close());
const entered = async (served: Served): Promise<void> =>
  until('the request is in', async () => (await metric(served, 'sightline_gateway_requests{what="in_flight"}')) >= 1);
/** Asks until there is an answer. On a busy machine a lookup may take longer than the deadline: those that fail are not charged. */
const answered = (what: string, ask: () => Promise<Reply>, replies: Reply[]): Promise<void> =>
  until(what, async () => replies.push(await ask()) > 0 && replies.at(-1)?.status === 200);
/**
 * Makes the cached answer.
 * After the capture of the answer is written, every wait for the store belongs to the next answer.
 */
async function cached(served: Served, ask: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  await answered('the first answer', ask, replies);
  await until('its capture is written', async () => (await metric(served, 'sightline_ledger{what="captured"}')) === 1);
  return replies;
}
describe('a gateway frozen for longer than a hold lives charges nothing on it: embedded', { concurrency: true }, () => {
  /** Freezes the gateway `afterMs` from now, for `ms`. */
  async function freeze(served: Served, afterMs: number, ms: number): Promise<void> {
    await sleep(afterMs);
    served.signal('SIGSTOP');
    await sleep(ms);
    served.signal('SIGCONT');
  }
  async function frozen(freezes: (served: Served) => Promise<void>): Promise<void> {
    const folder = processes.folder();
    const served = await processes.serve(folder, { ...SETTINGS, SERVE_WITH_COMMIT_DELAY_MS: String(COMMIT_MS) });
    const cachedPath = newLookupPath();
    const replies = await cached(served, () => served.get(cachedPath));
    const asked = [served.get(cachedPath), served.get(newLookupPath())];
    await entered(served);
    await freezes(served);
    for (const reply of await Promise.all(asked)) replies.push(reply);
    await answered('an answer after the freeze', () => served.get(cachedPath), replies);
    assert.equal(await processes.end(served), 0);
    assertLedger(await ledgerRowsIn(folder), replies);
  }

  test('while the hold is written', () => frozen((served) => freeze(served, 100, DEADLINE_MS + MARGIN_MS + 500)));
  test('while the hold is renewed', () =>
    frozen(async (served) => {
      await freeze(served, 100, DEADLINE_MS + MARGIN_MS - NEARLY_OVER_MS + 500);
      await freeze(served, COMMIT_MS / 2, MARGIN_MS + 500);
    }));
});

const postgres = BACKENDS.find((b) => b.name === 'postgres');
describe('a gateway frozen for longer than a hold lives charges nothing on it: postgres', {
  skip: postgres?.skip,
  concurrency: true,
}, () => {
  interface Lock {
    readonly taken: Promise<unknown>;
    release(): Promise<unknown>;
  }
  interface Stage {
    readonly served: Served;
    readonly hit: () => Promise<Reply>;
    /** Requests the lock that every settlement needs, and queues behind earlier requests for it. */
    lock(): Promise<Lock>;
    /** Waits until a settlement of the gateway waits for the lock. */
    waits(): Promise<void>;
    /** Waits until the hold is written. */
    held(): Promise<void>;
    /** Expires the overdue hold, as another gateway would. */
    expire(): Promise<void>;
  }

  async function staged(work: (stage: Stage) => Promise<Reply>): Promise<void> {
    const { url, drop } = await makeSchema();
    const accounts = await openAccounts({ settings: readSettings({ DATABASE_URL: url }), clock: realClock, log: () => {}, randomBytes });
    const { accountId } = await accounts.admin.createAccount({ name: 'frozen', credits: 100 });
    const { key } = await accounts.admin.createKey({ accountId });
    const name = `frozen-${accountId}`;
    const watcher = new pg.Client({ connectionString: url });
    await watcher.connect();
    const isWaiting = async (column: 'pid' | 'application_name', value: string | number): Promise<boolean> =>
      (await watcher.query(`select 1 from pg_stat_activity where ${column} = $1 and wait_event_type = 'Lock'`, [value])).rowCount !== 0;
    const lockers: pg.Client[] = [];
    const served = await processes.serve(processes.folder(), { ...SETTINGS, DATABASE_URL: `${url}&application_name=${name}` });
    const cachedPath = newLookupPath();
    const hit = () => served.get(cachedPath, { 'x-api-key': key });
    try {
      const replies = await cached(served, hit);
      const reply = await work({
        served,
        hit,
        async lock() {
          const client = new pg.Client({ connectionString: url });
          lockers.push(client);
          await client.connect();
          await client.query('begin');
          const [{ pid } = { pid: 0 }] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
          let has = false;
          const taken = client.query('select 1 from balances for update').then(() => {
            has = true;
          });
          await until('the lock is taken or waited for', async () => has || isWaiting('pid', pid));
          return { taken, release: () => client.query('commit') };
        },
        waits: () => until('a settlement waits', () => isWaiting('application_name', name)),
        held: () => until('the hold is there', async () => (await watcher.query('select 1 from balances where held > 0')).rowCount === 1),
        expire: () =>
          until('the hold is over', async () => {
            await accounts.ledger.reap();
            return (await watcher.query('select 1 from balances where held > 0')).rowCount === 0;
          }),
      });
      assertUnavailable(reply);
      replies.push(reply);
      await answered('an answer after the freeze', hit, replies);
      assert.equal(await processes.end(served), 0);
      assertLedger(await ledgerRowsOf(accounts.store), replies);
    } finally {
      for (const client of [watcher, ...lockers]) await client.end();
      await accounts.close();
      await drop();
    }
  }

  test('while the hold is written', () =>
    staged(async ({ served, hit, lock, waits, held, expire }) => {
      const first = await lock();
      const reply = hit();
      await waits();
      served.signal('SIGSTOP');
      await first.release();
      await held();
      await expire();
      served.signal('SIGCONT');
      return reply;
    }));

  // the hold must be renewed before it is over
  test(
    'while the hold is renewed',
    realTime(300, () =>
      staged(async ({ served, hit, lock, waits, expire }) => {
        const first = await lock();
        const reply = hit();
        await waits();
        // queued for the lock between the hold and its renewal
        const next = await lock();
        await sleep(DEADLINE_MS + MARGIN_MS - NEARLY_OVER_MS);
        // a gateway that runs may renew before the process that waits for the lock has woken up
        served.signal('SIGSTOP');
        await first.release();
        await next.taken;
        served.signal('SIGCONT');
        await waits();
        served.signal('SIGSTOP');
        await next.release();
        await expire();
        served.signal('SIGCONT');
        return reply;
      }),
    ),
  );
});
