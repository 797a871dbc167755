import { hash } from 'node:crypto';
import type { OperationId } from '../../contract/operations/index.ts';
import type { Store } from '../../store/store.ts';
import type { KeyRow } from '../../store/tables.ts';
import { createCachedRows } from '../cached-rows.ts';
import type { Authentication, Caller } from '../types.ts';
import { isKey } from './key-text.ts';

export type Keys = ReturnType<typeof createKeys>;

export const hashOf = (key: string): string => hash('sha256', key, 'hex');

export function createKeys(store: Store) {
  const cached = createCachedRows(store, 200_000, async (digest) => {
    const row = await store.db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .selectAll('keys')
      .select('suspended_at')
      .where('hash', '=', digest)
      .executeTakeFirst();
    return knownOf(row);
  });

  /** What a connection sent last: its next request mostly carries the same key. No key stays longer than its connection. */
  const sent = new WeakMap<object, { readonly credential: string; readonly digest: string }>();
  function digestOf(credential: string, connection: object): string {
    const last = sent.get(connection);
    if (last?.credential === credential) return last.digest;
    const digest = hashOf(credential);
    sent.set(connection, { credential, digest });
    return digest;
  }

  return {
    forget: cached.forget,
    /** The result from the cache alone; null: the store must be read. */
    authenticateCached(credential: string, nowMs: number, connection: object): Authentication | null {
      const known = cached.peek(digestOf(credential, connection));
      return known && judge(known, nowMs);
    },
    /** Resolves a raw key to its caller. Throws UNAVAILABLE if the store must be read and is unavailable. */
    async authenticate(credential: string, nowMs: number): Promise<Authentication> {
      const digest = hashOf(credential);
      if (!cached.peek(digest) && !isKey(credential)) return MALFORMED;
      const known = await cached.find(digest);
      return known ? judge(known, nowMs) : NONE;
    },
  };
}

export const MALFORMED: Authentication = { ok: false, reason: 'malformed' };
export const NONE: Authentication = { ok: false, reason: 'none' };
export const REVOKED: Authentication = { ok: false, reason: 'revoked' };
export const EXPIRED: Authentication = { ok: false, reason: 'expired' };

function judge(known: Known, nowMs: number): Authentication {
  if (!known.exists) return NONE;
  if (known.revoked) return REVOKED;
  if (known.expiresAt <= nowMs) return EXPIRED;
  return known.ok;
}

/** Limits and rights of a key as its row states them; null in the row of a session without a key. */
const LIMITS = ['operations', 'cidrs', 'cap_day', 'cap_month', 'rate_per_second', 'rate_burst', 'expires_at'] as const;
type LimitColumns = { readonly [C in (typeof LIMITS)[number] | 'counted_as' | 'manage']: KeyRow[C] | null };

/** A managing key with limits manages itself only, so that its holder cannot get beyond them. */
export const isLimited = (row: Pick<LimitColumns, (typeof LIMITS)[number]>): boolean => LIMITS.some((limit) => row[limit] !== null);

export const callerOf = (keyId: string, accountId: string, row: LimitColumns): Caller => ({
  accountId,
  keyId,
  operations: parseList(row.operations) as readonly OperationId[] | null,
  ratePerSecond: row.rate_per_second,
  rateBurst: row.rate_burst,
  ...(row.counted_as !== null && { countedAs: row.counted_as }),
  addresses: parseList(row.cidrs),
  manages: row.manage === 1 && !isLimited(row),
});

type Known = ReturnType<typeof knownOf>;

const knownOf = (row: (KeyRow & { suspended_at: number | null }) | undefined) => ({
  exists: row !== undefined,
  expiresAt: row?.expires_at ?? Number.POSITIVE_INFINITY,
  // in effect at once, independent of clock skew between store and gateway
  revoked: row !== undefined && (row.revoked_at !== null || row.suspended_at !== null),
  ok: row ? { ok: true as const, caller: callerOf(row.id, row.account_id, row) } : NONE,
});

export const parseList = (json: string | null): readonly string[] | null => (json === null ? null : (JSON.parse(json) as string[]));
