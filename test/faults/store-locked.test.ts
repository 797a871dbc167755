// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { limit, realTime } from '../support/real-time.ts';
import {
  assertLedger,
  assertUnavailable,
  ledgerRowsIn,
  newLookupPath,
  type Reply,
  type Served,
  ServiceProcesses,
  until,
} from './service-process.ts';

/** An answer comes within this, however long the lock lasts: one busy timeout, plus the writes queued before it. */
const BOUND_MS = 5_000 + limit(2_000);
/** Duration of the lock: longer than any request waits for it. */
const LOCKED_MS = BOUND_MS + 2_000;

const LOCKER = `
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(process.argv[1]);
db.exec('pragma busy_timeout = 5000; begin exclusive');
process.stdout.write('locked');
process.stdin.once('data', () => { db.exec('rollback'); process.exit(0); });
`;

const processes = new ServiceProcesses();
let served: Served;
let folder: string;
const replies: Reply[] = [];
const get = async (path: string): Promise<Reply> => {
  const reply = await served.get(path);
  replies.push(reply);
  return reply;
};

before(async () => {
  folder = processes.folder();
  served = await processes.serve(folder);
});
after(() => processes.close());

test(
  'another process locks the database: 503 in bounded time, nothing charged, and recovery once the lock is released',
  realTime(300, async () => {
    const cachedPath = newLookupPath();
    assert.equal((await get(cachedPath)).status, 200);
    const locker = processes.child([process.execPath, '--disable-warning=ExperimentalWarning', '-e', LOCKER, `${folder}/sightline.db`]);
    assert.ok(locker.stdout && locker.stdin);
    await once(locker.stdout, 'data');

    const lockedAt = performance.now();
    const follower = newLookupPath();
    // new and repeated lookups: after one busy timeout the following writes time out quickly
    const waves: Promise<Reply>[] = [];
    while (performance.now() - lockedAt < LOCKED_MS) {
      waves.push(get(newLookupPath()), get(follower));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const [free, health, ready] = await Promise.all([get(cachedPath), served.get('/healthz'), served.get('/readyz')]);
    const refused = await Promise.all(waves);
    assert.deepEqual([free.status, health.status], [200, 200], 'what is kept is free: nothing is written for it');
    for (const reply of refused) {
      assertUnavailable(reply);
      assert.ok(reply.ms < BOUND_MS, `${Math.round(reply.ms)} ms`);
    }
    assert.ok(refused.length > 50, 'there was load');
    assertUnavailable(ready);

    locker.stdin.write('x');
    await once(locker, 'exit');
    await until('it sells again', async () => (await get(newLookupPath())).status === 200, limit(3_000));
    await until('it is ready again', async () => (await served.get('/readyz')).status === 200, limit(3_000));
    assert.equal(await processes.end(served), 0);
    assertLedger(await ledgerRowsIn(folder), replies);
  }),
);
