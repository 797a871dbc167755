/**
 * A minimal gateway that the test kills: concurrent requests, each hold → answer → capture. It writes its answers to standard output,
 * a pipe that the test reads: `A <holdId> <credits> <ms>`. A line without its line feed counts as an incomplete answer.
 * Arguments: embedded|postgres, folder or URL, life of a hold in ms, the step at which it kills itself (0: never).
 */
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createJournal, type Journal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';

const [kind = '', place = '', holdMs = '', killAt = ''] = process.argv.slice(2);
const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** Writes the whole text synchronously, also to a full pipe. */
function say(text: string): void {
  for (let left = Buffer.from(text); left.length; ) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}
const log = (level: string, message: string, facts?: unknown): void => {
  if (level === 'error') say(`E ${message} ${JSON.stringify(facts)}\n`);
};
const store =
  kind === 'embedded'
    ? await openEmbedded({ folder: place, now: Date.now, log })
    : await openPostgres({ url: place, clock: realClock, log, connections: 2 });
await store.migrate();
/** Reports the start and end of each flush, so that the test can tell a stalled disk from a slow ledger. */
const written = createJournal(store, realClock);
const journal: Journal = {
  ...written,
  async settle(ops) {
    say(`S ${Date.now()}\n`);
    const answer = await written.settle(ops);
    say(`F ${Date.now()}\n`);
    return answer;
  },
};
const ledger = createLedger({ journal, clock: realClock, log, randomBytes, holdLifeMs: Number(holdMs), reapEveryMs: 20 });
const accounts = (await store.db.selectFrom('accounts').select('id').execute()).map((row) => row.id);

let steps = 0;
/** Called between all steps of a request: the kill can happen between any two steps. */
function step(): void {
  if (++steps !== Number(killAt)) return;
  say(`K ${Date.now()}\n`);
  process.kill(process.pid, 'SIGKILL');
}
const any = (n: number) => randomBytes(1).readUInt8() % n;

async function requests(): Promise<void> {
  for (;;) {
    step();
    const accountId = accounts[any(accounts.length)] ?? '';
    const price = 1 + any(3);
    const hold = await ledger.hold({ accountId, keyId: 'key', amount: price, operation: 'serp', requestId: 'r', ttlMs: Number(holdMs) });
    step();
    if (!hold.ok) {
      if (hold.remaining >= price) say(`E refused with ${hold.remaining} left\n`);
      await realClock.sleep(5);
      continue;
    }
    await realClock.sleep(any(4));
    step();
    // as in the gateway: no answer is charged to a nearly expired hold
    if (any(10) === 0 || hold.expiresAt - Date.now() < Number(holdMs) / 2) {
      ledger.release(hold.holdId);
      continue;
    }
    const charged = Math.max(1, price - any(2));
    say(`A ${hold.holdId} `);
    step();
    say(`${charged} ${Date.now()}\n`);
    step();
    ledger.capture(hold.holdId, charged);
    step();
  }
}
say('R\n');
await Promise.all(Array.from({ length: 20 }, requests));
