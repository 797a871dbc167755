/**
 * A gateway in small, to be killed: many requests at once, each hold → answer → capture. What it answered stands on its standard output, a pipe
 * that survives it: `A <holdId> <credits> <ms>`, whole only with its line's end, as an answer is whole with its last byte.
 * Arguments: embedded|postgres, place, life of a hold in ms, the step at which it kills itself (0: never).
 */
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createLedger } from '../../src/billing/ledger.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';

const [kind = '', place = '', holdMs = '', killAt = ''] = process.argv.slice(2);
const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** All of it, however full the pipe is. */
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
/** When a flush begins and ends, so that a stalled disk is not taken for a slow ledger. */
const settle: Store['settle'] = async (ops) => {
  say(`S ${Date.now()}\n`);
  const answer = await store.settle(ops);
  say(`F ${Date.now()}\n`);
  return answer;
};
const ledger = createLedger({ store: { ...store, settle }, clock: realClock, log, randomBytes, holdMs: Number(holdMs), reapEveryMs: 20 });
const accounts = (await store.db.selectFrom('accounts').select('id').execute()).map((row) => row.id);

let steps = 0;
/** Every line of a request's way passes here: any two steps can be torn apart. */
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
    // as the gateway does: nothing is sold on a hold that is nearly over
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
