import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '../src/accounts/accounts.ts';
import { realClock } from '../src/runtime/clock.ts';
import { readSettings } from '../src/settings.ts';
import { atLeast, median, type Row } from './measure.ts';

const ROUNDS = 5;
const MS = 1500;
const IN_FLIGHT = 50;

/** Charges (hold, then capture) of one account: 50 in flight share transactions; sequential ones each have their own. */
export async function suite(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-ledger-'));
  const accounts = await openAccounts({
    settings: readSettings({ SIGHTLINE_DATA_DIR: folder }),
    clock: realClock,
    log: () => {},
    randomBytes,
  });
  try {
    const { accountId } = await accounts.admin.createAccount({ name: 'hot', credits: 100_000_000 });
    const charge = async (): Promise<void> => {
      const hold = await accounts.ledger.hold({
        accountId,
        keyId: '',
        amount: 1,
        operation: 'registration',
        requestId: 'bench',
        ttlMs: 60_000,
      });
      if (!hold.ok) throw new Error(hold.message);
      await accounts.ledger.capture(hold.holdId, 1);
    };
    const [together, alone]: [number[], number[]] = [[], []];
    for (let round = -1; round < ROUNDS; round++) {
      const [many, one] = [await perSecond(charge, IN_FLIGHT), await perSecond(charge, 1)];
      if (round < 0) continue;
      together.push(many);
      alone.push(one);
    }
    const [t, a] = [median(together), median(alone)];
    const { faults } = await accounts.admin.verifyLedger();
    if (faults.length) throw new Error(faults.join('; '));
    return [
      atLeast(
        'group commit against a transaction per charge, one hot account, 50 in flight',
        t / a,
        4,
        `${Math.round(t)} against ${Math.round(a)} charges a second (SQLite, FULL)`,
      ),
    ];
  } finally {
    await accounts.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function perSecond(charge: () => Promise<void>, inFlight: number): Promise<number> {
  const until = performance.now() + MS;
  let done = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < until) {
        await charge();
        done++;
      }
    }),
  );
  return (done / MS) * 1000;
}
