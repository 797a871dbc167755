import { END_OF_TIME, MAX_CREDITS, MAX_RATE } from '../../billing/bounds.ts';
import type { ActionInput } from '../../contract/admin/actions.ts';
import type { KeySummary } from '../../contract/admin/schemas.ts';
import { invalid } from '../../contract/errors.ts';
import { OPERATIONS, operationOf } from '../../contract/operations/index.ts';
import { thereIsNo } from '../../contract/parameters/misspelt.ts';
import { timeMsOf } from '../../contract/parameters/time.ts';
import { instant, instantOrNull } from '../../runtime/clock.ts';
import { isCidr } from '../../setting-kinds.ts';
import type { KeyRow } from '../../store/tables.ts';
import { parseList } from './keys.ts';

/** `noLookups`: it may use no operation, as the grant of an app without an area. An empty list of a person is a slip instead, and refused. */
export type KeyInput = ActionInput<'createKey'> & { readonly noLookups?: true };

type Limits = Pick<KeyRow, 'label' | 'operations' | 'cidrs' | 'cap_day' | 'cap_month' | 'rate_per_second' | 'rate_burst' | 'expires_at'>;

export function readLimits(input: ActionInput<'createKey'>, now: number): Limits {
  const label = (input.label ?? '').trim();
  if (label.length > 100 || /\p{Cc}/u.test(label)) throw invalid('The label must be one line of at most 100 characters.');
  return {
    label,
    operations: listText(input.operations?.map((id) => operationOf(id)?.id ?? id) ?? null, (id) =>
      Object.hasOwn(OPERATIONS, id) ? null : thereIsNo('operation', id, Object.keys(OPERATIONS)),
    ),
    cidrs: listText(input.addresses, (text) => (isCidr(text) ? null : `${text} is no address and no CIDR`)),
    cap_day: upTo(MAX_CREDITS, 'creditsPerDay', input.creditsPerDay),
    cap_month: upTo(MAX_CREDITS, 'creditsPerMonth', input.creditsPerMonth),
    rate_per_second: upTo(MAX_RATE, 'ratePerSecond', input.ratePerSecond),
    rate_burst: upTo(MAX_RATE, 'rateBurst', input.rateBurst),
    expires_at: expiry(input.expiresAt, now),
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
export function readEdits(input: Omit<ActionInput<'editKey'>, 'keyId'>, now: number): Partial<Limits> {
  const all = readLimits(input, now);
  const given = Object.entries(COLUMNS).filter(([field]) => input[field as keyof typeof COLUMNS] !== undefined);
  if (!given.length) throw invalid(`Nothing is to be changed: give one of ${Object.keys(COLUMNS).join(', ')}.`);
  return Object.fromEntries(given.map(([, column]) => [column, all[column]]));
}

export function keySummary(row: KeyRow): KeySummary {
  return {
    keyId: row.id,
    accountId: row.account_id,
    label: row.label,
    hint: row.hint,
    createdAt: instant(row.created_at),
    expiresAt: instantOrNull(row.expires_at),
    revokedAt: instantOrNull(row.revoked_at),
    lastUsedAt: instantOrNull(row.last_used_at),
    operations: parseList(row.operations),
    addresses: parseList(row.cidrs),
    creditsPerDay: row.cap_day,
    creditsPerMonth: row.cap_month,
    ratePerSecond: row.rate_per_second,
    rateBurst: row.rate_burst,
    replacedBy: row.replaced_by,
    manages: row.manage === 1,
    madeBy: row.made_by,
  };
}

function listText(list: readonly string[] | null | undefined, faultOf: (text: string) => string | null): string | null {
  if (!list) return null;
  if (!list.length) throw invalid('An empty list would allow nothing: leave it out to allow all.');
  for (const text of list) {
    const fault = faultOf(text);
    if (fault !== null) throw invalid(fault);
  }
  return JSON.stringify([...new Set(list)]);
}

function upTo(most: number, name: string, value: number | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  if (!Number.isSafeInteger(value) || value < 1 || value > most)
    throw invalid(`${name} must be a whole number from 1 to ${most}, not ${value}.`);
  return value;
}

function expiry(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined) return null;
  const atMs = timeMsOf(text);
  if (atMs === null) throw invalid(`${text} is no date: write 2027-01-31 or 2027-01-31T12:00:00Z.`);
  if (atMs >= END_OF_TIME) throw invalid(`${text} is too late: the year must be 9999 or earlier.`);
  if (atMs <= now) throw invalid(`${text} is over already.`);
  return atMs;
}
