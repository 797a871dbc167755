import { hash } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { writeAudit } from '../../accounts/admin/audit.ts';
import type { Sealer } from '../../accounts/oauth/sealer.ts';
import type { NewTarget, NotifyTarget } from '../../contract/account/notify-schemas.ts';
import { shownAddress } from '../../contract/account/shown.ts';
import { instant, instantOrNull } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import type { NotifyTargetRow } from '../../store/watch-tables.ts';

export type StoredTarget = Selectable<NotifyTargetRow>;

const idOf = (n: number): string => `tgt_${n}`;
/** What is shown of an address to who may not read it: its host, and its last characters. */
export function hintOf(to: string): string {
  const { protocol, pathname } = new URL(to);
  if (protocol === 'mailto:') {
    const [name = '', domain = ''] = pathname.split('@');
    return `${name.slice(0, 1)}…@${domain}`;
  }
  return shownAddress(to).replace(/^https?:\/\//, '');
}

/** Of a mail address, however it is written. */
export const mailHash = (to: string): string => hash('sha256', to.toLowerCase(), 'hex');

/** Seals addresses under the account that they are of. */
const nameOf = (accountId: string): string => `notify ${accountId}`;
export const openTarget = (sealer: Sealer, { account_id, sealed }: Pick<StoredTarget, 'account_id' | 'sealed'>): string | null =>
  sealer.open(nameOf(account_id), sealed);

/** The targets of an account's default (`watch` null) or of one watch, in the order in which they were given. */
export const targetsOf = (db: Store['db'] | Transaction<Tables>, accountId: string, watch: number | null) =>
  db
    .selectFrom('notify_targets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('watch', watch === null ? 'is' : '=', watch)
    .orderBy('n')
    .execute();

export interface Placed {
  readonly accountId: string;
  /** Null: the account's default. */
  readonly watch: number | null;
  readonly actor: string;
  readonly nowMs: number;
}

/**
 * Replaces the targets of an account or a watch. One that was there with the same address, form and digest stays with its state, and is
 * enabled again. Returns those that are new, and those whose mail address has not confirmed.
 */
export async function replaceTargets(
  trx: Transaction<Tables>,
  sealer: Sealer,
  given: readonly NewTarget[],
  { accountId, watch, actor, nowMs }: Placed,
): Promise<readonly StoredTarget[]> {
  const before = await targetsOf(trx, accountId, watch);
  const stays = new Set<number>();
  const fresh: StoredTarget[] = [];
  for (const { to, as, digest } of given) {
    const same = before.find((one) => one.form === as && one.digest === digest && openTarget(sealer, one) === to && !stays.has(one.n));
    if (same) {
      stays.add(same.n);
      const asksAgain = same.form === 'email' && same.confirmed_at === null;
      const set = { failing_at: null, disabled_at: null, ...(asksAgain && { failed_at: null, error: null }) };
      await trx.updateTable('notify_targets').set(set).where('n', '=', same.n).execute();
      if (asksAgain) fresh.push(same);
      continue;
    }
    const address = as === 'email' ? mailHash(to) : null;
    const known =
      address === null
        ? undefined
        : await trx
            .selectFrom('notify_targets')
            .select('confirmed_at')
            .where('account_id', '=', accountId)
            .where('address_hash', '=', address)
            .where('confirmed_at', 'is not', null)
            .executeTakeFirst();
    const row = await trx
      .insertInto('notify_targets')
      .values({
        account_id: accountId,
        watch,
        form: as,
        sealed: sealer.seal(nameOf(accountId), to),
        hint: hintOf(to),
        digest,
        created_at: nowMs,
        succeeded_at: null,
        failing_at: null,
        disabled_at: null,
        error: null,
        failed_at: null,
        address_hash: address,
        confirmed_at: known?.confirmed_at ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    fresh.push(row);
  }
  const gone = before.filter(({ n }) => !stays.has(n)).map(({ n }) => n);
  if (gone.length > 0) {
    await trx.deleteFrom('watch_deliveries').where('target', 'in', gone).execute();
    await trx.deleteFrom('notify_targets').where('n', 'in', gone).execute();
  }
  const facts = { watch, targets: given.map(({ to, as, digest }) => ({ to: hintOf(to), as, digest })) };
  await writeAudit(trx, nowMs, { actor, action: 'notify.set', subject: accountId, facts });
  return fresh;
}

/** A target as the API shows it. `isWhole`: the caller may read its address. */
export function targetView(sealer: Sealer, row: StoredTarget, isWhole: boolean, nextAt: number | null): NotifyTarget {
  return {
    targetId: idOf(row.n),
    to: isWhole ? (openTarget(sealer, row) ?? row.hint) : row.hint,
    as: row.form as NotifyTarget['as'],
    digest: row.digest as NotifyTarget['digest'],
    createdAt: instant(row.created_at),
    confirmed: row.form !== 'email' || row.confirmed_at !== null,
    lastSuccessAt: instantOrNull(row.succeeded_at),
    failingSince: instantOrNull(row.failing_at),
    lastFailureAt: instantOrNull(row.failed_at),
    lastError: row.error,
    offAt: row.disabled_at === null && row.failing_at !== null ? instant(row.failing_at + DISABLE_AFTER_MS) : null,
    nextAt: instantOrNull(nextAt),
    disabledAt: instantOrNull(row.disabled_at),
  };
}

/** A target that failed for this long is disabled. */
export const DISABLE_AFTER_MS = 3 * 86_400_000;

const DIGEST_HOUR_MS = 8 * 3_600_000;
const DAY_MS = 86_400_000;
/** When a message that is filed now is sent: at once, or with those of its day at 08:00 UTC. */
export const sendAt = ({ digest }: Pick<StoredTarget, 'digest'>, nowMs: number): number =>
  digest === null ? nowMs : Math.floor((nowMs - DIGEST_HOUR_MS) / DAY_MS) * DAY_MS + DAY_MS + DIGEST_HOUR_MS;
