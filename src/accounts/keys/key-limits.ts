import { isIP } from 'node:net';
import { END_OF_TIME, MAX_CREDITS, MAX_RATE } from '../../billing/bounds.ts';
import { OPERATIONS, operationOf } from '../../contract/operations/index.ts';
import { instant } from '../../runtime/clock.ts';
import type { KeyRow } from '../../store/tables.ts';
import { AdminError, type KeySummary, type KeyWishes } from '../admin/types.ts';
import { listOf } from './keys.ts';

type Limits = Pick<KeyRow, 'label' | 'operations' | 'cidrs' | 'cap_day' | 'cap_month' | 'rate_per_second' | 'rate_burst' | 'expires_at'>;

/** Validated limits of a key. */
export function readWishes(wishes: KeyWishes, now: number): Limits {
  const label = (wishes.label ?? '').trim();
  if (label.length > 100 || /\p{Cc}/u.test(label)) throw new AdminError('The label must be one line of at most 100 characters.');
  return {
    label,
    operations: listText(
      wishes.operations?.map((id) => operationOf(id)?.id ?? id) ?? null,
      (id) => Object.hasOwn(OPERATIONS, id) || `${id} is no operation: ${Object.keys(OPERATIONS).join(', ')}`,
    ),
    cidrs: listText(wishes.addresses, (text) => isCidr(text) || `${text} is no address and no CIDR`),
    cap_day: upTo(MAX_CREDITS, 'creditsPerDay', wishes.creditsPerDay),
    cap_month: upTo(MAX_CREDITS, 'creditsPerMonth', wishes.creditsPerMonth),
    rate_per_second: upTo(MAX_RATE, 'ratePerSecond', wishes.ratePerSecond),
    rate_burst: upTo(MAX_RATE, 'rateBurst', wishes.rateBurst),
    expires_at: expiry(wishes.expiresAt, now),
  };
}

const COLUMNS = {
  label: 'label',
  expiresAt: 'expires_at',
  operations: 'operations',
  addresses: 'cidrs',
  creditsPerDay: 'cap_day',
  creditsPerMonth: 'cap_month',
  ratePerSecond: 'rate_per_second',
  rateBurst: 'rate_burst',
} as const;

/** Validates the given fields and returns their columns; null removes a limit. */
export function readEdits(wishes: Omit<KeyWishes, 'accountId'>, now: number): Partial<Limits> {
  const all = readWishes(wishes, now);
  const given = Object.entries(COLUMNS).filter(([field]) => wishes[field as keyof typeof COLUMNS] !== undefined);
  if (!given.length) throw new AdminError(`Nothing is to be changed: give one of ${Object.keys(COLUMNS).join(', ')}.`);
  return Object.fromEntries(given.map(([, column]) => [column, all[column]]));
}

export function summaryOf(row: KeyRow): KeySummary {
  return {
    keyId: row.id,
    accountId: row.account_id,
    label: row.label,
    hint: row.hint,
    createdAt: instant(row.created_at),
    expiresAt: row.expires_at === null ? null : instant(row.expires_at),
    revokedAt: row.revoked_at === null ? null : instant(row.revoked_at),
    lastUsedAt: row.last_used_at === null ? null : instant(row.last_used_at),
    operations: listOf(row.operations),
    addresses: listOf(row.cidrs),
    creditsPerDay: row.cap_day,
    creditsPerMonth: row.cap_month,
    ratePerSecond: row.rate_per_second,
    rateBurst: row.rate_burst,
    replacedBy: row.replaced_by,
    manages: row.manage === 1,
    madeBy: row.made_by,
  };
}

function listText(list: readonly string[] | null | undefined, check: (text: string) => true | string): string | null {
  if (!list) return null;
  if (!list.length) throw new AdminError('An empty list would allow nothing: leave it out to allow all.');
  for (const text of list) {
    const checked = check(text);
    if (checked !== true) throw new AdminError(checked);
  }
  return JSON.stringify([...new Set(list)]);
}

function upTo(most: number, name: string, value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  if (!Number.isSafeInteger(value) || value < 1 || value > most)
    throw new AdminError(`${name} must be a whole number from 1 to ${most}, not ${value}.`);
  return value;
}

function expiry(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new AdminError(`${text} is no date: write 2027-01-31 or 2027-01-31T12:00:00Z.`);
  if (at >= END_OF_TIME) throw new AdminError(`${text} is too late: the year must be 9999 or earlier.`);
  if (at <= now) throw new AdminError(`${text} is over already.`);
  return at;
}

function isCidr(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (!version || more.length) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
