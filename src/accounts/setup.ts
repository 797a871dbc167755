import type { Kysely, Transaction } from 'kysely';
import type { NewKey, NewOperatorKey } from '../contract/admin/schemas.ts';
import { invalid, missing, ServiceError } from '../contract/errors.ts';
import { rateLimited, usedUp } from '../contract/rate-limited.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RandomBytes } from '../runtime/uuid.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { hashOf } from './keys/keys.ts';

/** Without 0, O, 1 and I, which are mistaken for each other: 32 characters, eight of which are 40 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CHARACTERS = 8;
export const SETUP_CODE_MS = 15 * 60_000;
/** A new code is printed at most once in this time. */
const PRINT_EVERY_MS = 60_000;
/** Wrong codes after which a code is worthless. */
const MAX_WRONG = 1_000;
/** Wrong codes of one address that cost no wait; the next one waits a minute, each further one twice as long. */
const FREE_WRONG = 5;
const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = 24 * 3_600_000;
const MAX_ADDRESSES = 10_000;

export type Claimed = { readonly key: NewKey; readonly operatorKey: NewOperatorKey };
export type Setup = ReturnType<typeof createSetup>;

export interface SetupParts {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomBytes: RandomBytes;
  /** SIGHTLINE_SETUP_CODE; null: codes are made and printed. */
  readonly fixedCode: string | null;
  /** Makes account and keys where nothing is claimed; null: it is. `demand` runs first, in the same transaction. */
  readonly claim: (name: string, demand: (trx: Transaction<Tables>) => Promise<void>) => Promise<Claimed | null>;
}

/** A store that holds a key or an OAuth client is claimed: it has an owner. */
export async function isClaimed(db: Kysely<Tables>): Promise<boolean> {
  const rows = await Promise.all([
    db.selectFrom('keys').select('id').limit(1).execute(),
    db.selectFrom('clients').select('id').limit(1).execute(),
  ]);
  return rows.some((each) => each.length > 0);
}

const printedLately = (waitMs: number): ServiceError =>
  rateLimited(
    'A code was printed within the last minute.',
    waitMs,
    usedUp({ name: 'setup-codes', quota: 1, seconds: PRINT_EVERY_MS / 1000 }, waitMs),
  );
const waitAfter = (count: number): number =>
  count <= FREE_WRONG ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (count - FREE_WRONG - 1), MAX_WAIT_MS);
const tooManyWrong = (count: number, waitMs: number): ServiceError =>
  rateLimited(
    `Too many wrong codes: wait ${Math.ceil(waitMs / 1000)} seconds.`,
    waitMs,
    usedUp({ name: 'setup-attempts', quota: 1, seconds: waitAfter(count) / 1000 }, waitMs),
  );
const claimedAlready = (): ServiceError => missing('This service is set up already: sign in at /console.');

/** As a person may write it: small letters, a dash, spaces. A code of SIGHTLINE_SETUP_CODE is compared as it is. */
const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** How an installation gets its first account and the operator's key: once, by who has the setup code. */
export function createSetup({ store: { db }, clock, randomBytes, fixedCode, claim }: SetupParts) {
  /** Wrong codes by address, the one that was used longest ago first. */
  const wrongs = new Map<string, { count: number; until: number }>();
  const fixedHash = fixedCode === null ? null : hashOf(fixedCode);
  let claimed = false;
  const settled = async (): Promise<boolean> => {
    claimed ||= await isClaimed(db);
    return claimed;
  };
  const row = (from: Kysely<Tables> = db) => from.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
  type Row = Awaited<ReturnType<typeof row>>;
  const isOver = ({ code_hash, code_expires_at, code_wrong }: Row): boolean =>
    code_hash === null || Number(code_wrong) >= MAX_WRONG || (code_expires_at !== null && Number(code_expires_at) <= clock.now());

  /** Takes the row for a new code; false: another process was faster. */
  async function write(before: Row, values: Partial<Row>): Promise<boolean> {
    let update = db.updateTable('installation').set({ code_wrong: 0, ...values });
    update = before.printed_at === null ? update.where('printed_at', 'is', null) : update.where('printed_at', '=', before.printed_at);
    return (await update.executeTakeFirst()).numUpdatedRows === 1n;
  }
  async function print(before: Row): Promise<{ readonly code: string; readonly expiresAt: number } | null> {
    const letters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]);
    const code = letters.join('');
    const now = clock.now();
    const expiresAt = now + SETUP_CODE_MS;
    if (!(await write(before, { code_hash: hashOf(code), code_expires_at: expiresAt, printed_at: now }))) return null;
    return { code: `${code.slice(0, 4)}-${code.slice(4)}`, expiresAt };
  }

  /** Counts an attempt as wrong before it is known, so that many at once wait too; `by` -1 takes one back, and leaves those beside it. */
  function countWrong(address: string, by: 1 | -1): void {
    const count = (wrongs.get(address)?.count ?? 0) + by;
    wrongs.delete(address);
    if (count <= 0) return;
    if (wrongs.size >= MAX_ADDRESSES) wrongs.delete(String(wrongs.keys().next().value));
    wrongs.set(address, { count, until: clock.now() + waitAfter(count) });
  }

  /** Throws WrongCode, or 401 where the code is over. */
  async function demandCode(trx: Kysely<Tables>, code: string): Promise<void> {
    const known = await row(trx);
    const given = hashOf(fixedHash === null ? plainCode(code) : code.trim());
    if (given === known.code_hash && !isOver(known)) return;
    if (!isOver(known)) throw new WrongCode();
    const cure = fixedHash === null ? 'ask for a new one' : 'set another SIGHTLINE_SETUP_CODE, and start again';
    throw new ServiceError('UNAUTHORIZED', `The code is not valid any more: ${cure}.`);
  }

  return {
    isClaimed: settled,
    /**
     * At the start of a process, where nothing is claimed: the code that it prints. Null: SIGHTLINE_SETUP_CODE is the code, or another process
     * of the store printed one that is still valid (`shared`).
     */
    async begin(shared: boolean): Promise<{ readonly code: string; readonly expiresAt: number } | null> {
      const before = await row();
      if (fixedHash !== null) {
        if (before.code_hash !== fixedHash) await write(before, { code_hash: fixedHash, code_expires_at: null, printed_at: clock.now() });
        return null;
      }
      return shared && !isOver(before) ? null : print(before);
    },
    /** When the code ends; `over`: it did. Throws 404 once the installation is claimed. */
    async state(): Promise<{ readonly expiresAt: number | null; readonly over: boolean }> {
      if (await settled()) throw claimedAlready();
      const known = await row();
      const { code_expires_at: expiresAt } = known;
      return { expiresAt: expiresAt === null ? null : Number(expiresAt), over: isOver(known) };
    },
    /** A new code in place of one that is over. Throws 404 once claimed, 400 while the present one is valid, 429 within a minute. */
    async renew(): Promise<{ readonly code: string; readonly expiresAt: number }> {
      if (await settled()) throw claimedAlready();
      const before = await row();
      if (!isOver(before)) throw invalid('The code that was printed is still valid: it stands in the output of the service.');
      if (fixedHash !== null) throw invalid('The code is that of SIGHTLINE_SETUP_CODE: no other one is made.');
      const waitMs = (before.printed_at === null ? 0 : Number(before.printed_at)) + PRINT_EVERY_MS - clock.now();
      if (waitMs > 0) throw printedLately(waitMs);
      const printed = await print(before);
      if (!printed) throw printedLately(PRINT_EVERY_MS);
      return printed;
    },
    /** Claims the installation. Throws 401, 404 or 429; of several claims at once one succeeds. `address`: as limits count it. */
    async claim(given: { readonly code: string; readonly name: string; readonly address: string }): Promise<Claimed> {
      if (await settled()) throw claimedAlready();
      const { count, until } = wrongs.get(given.address) ?? { count: 0, until: 0 };
      const waitMs = until - clock.now();
      if (waitMs > 0) throw tooManyWrong(count, waitMs);
      countWrong(given.address, 1);
      try {
        const made = await claim(given.name, (trx) => demandCode(trx, given.code));
        if (!made) throw claimedAlready();
        return made;
      } catch (error) {
        if (!(error instanceof WrongCode)) {
          countWrong(given.address, -1);
          throw error;
        }
        const oneMore = db.updateTable('installation').set((e) => ({ code_wrong: e('code_wrong', '+', 1) }));
        await oneMore.execute();
        throw new ServiceError('UNAUTHORIZED', 'This code is not the one of this service.');
      }
    },
  };
}

class WrongCode extends Error {}
