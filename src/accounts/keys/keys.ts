import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OperationId } from '../../contract/operations/index.ts';
import { atMost } from '../../runtime/lru.ts';
import type { Store } from '../../store/store.ts';
import type { KeyRow } from '../../store/tables.ts';
import type { Authentication, Caller } from '../types.ts';
import { isKey } from './key-text.ts';

export interface Keys {
  /** Resolves a raw key to its caller; synchronous for a cached key. Throws UNAVAILABLE if the store must be read and is unavailable. */
  authenticate(credential: string, nowMs: number): Authentication | Promise<Authentication>;
  /** The same from the cache alone; null: the store must be read. */
  known(credential: string, nowMs: number): Authentication | null;
  /** Removes a changed key from the cache. Null: removes all keys. */
  forget(hash: string | null): void;
}

/** Cache entry of a key; `caller` null: the key does not exist. */
interface Known {
  readonly digest: Buffer;
  readonly caller: Caller | null;
  readonly expiresAt: number;
  readonly revoked: boolean;
  readonly ok: Authentication;
}

/** How long the text of a key is kept in memory. */
const RECENT_MS = 5_000;
const MAX_RECENT = 10_000;

export const hashOf = (key: string): string => hash('sha256', key, 'hex');

/** In-process authentication cache, keyed by the SHA-256 of the raw key. */
export function createKeys(store: Store): Keys {
  const cached = new LRUCache<string, Known>(atMost(50_000));
  /** Existing keys of the last seconds by their text, which spares the hash. Emptied whenever any key changes. */
  const recent = new Map<string, Known>();
  let recentSince = Number.NEGATIVE_INFINITY;
  let generation = 0;

  function forget(which: string | null): void {
    generation++;
    recent.clear();
    if (which === null) cached.clear();
    else cached.delete(which);
  }
  const changes = store.keyChanges;
  changes?.listen(forget);

  async function look(digest: string, nowMs: number): Promise<Authentication> {
    const began = generation;
    const row = await store.db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .selectAll('keys')
      .select('suspended_at')
      .where('hash', '=', digest)
      .executeTakeFirst();
    const known = knownOf(digest, row);
    // not cached if the key changed during the read
    if (began === generation) cached.set(digest, known);
    return judge(known, digest, nowMs);
  }

  function fromCache(credential: string, nowMs: number): Authentication | null {
    // the cache is bypassed while changes by other gateways may be missed
    if (changes && !changes.fresh()) return null;
    if (Math.abs(nowMs - recentSince) > RECENT_MS) {
      recent.clear();
      recentSince = nowMs;
    }
    const seen = recent.get(credential);
    if (seen) return stateOf(seen, nowMs);
    const digest = hashOf(credential);
    const known = cached.get(digest);
    if (!known) return null;
    const judged = judge(known, digest, nowMs);
    if (known.caller && judged !== NONE && recent.size < MAX_RECENT) recent.set(credential, known);
    return judged;
  }

  return {
    forget,
    known: fromCache,
    authenticate: (credential, nowMs) => fromCache(credential, nowMs) ?? (isKey(credential) ? look(hashOf(credential), nowMs) : MALFORMED),
  };
}

const MALFORMED: Authentication = { ok: false, reason: 'malformed' };
const NONE: Authentication = { ok: false, reason: 'none' };
const REVOKED: Authentication = { ok: false, reason: 'revoked' };
const EXPIRED: Authentication = { ok: false, reason: 'expired' };

function judge(known: Known, digest: string, nowMs: number): Authentication {
  return timingSafeEqual(known.digest, Buffer.from(digest, 'hex')) && known.caller ? stateOf(known, nowMs) : NONE;
}

/** What an existing key is worth now. */
function stateOf(known: Known, nowMs: number): Authentication {
  if (known.revoked) return REVOKED;
  if (known.expiresAt <= nowMs) return EXPIRED;
  return known.ok;
}

function knownOf(digest: string, row: (KeyRow & { suspended_at: number | null }) | undefined): Known {
  if (!row) return { digest: Buffer.from(digest, 'hex'), caller: null, expiresAt: 0, revoked: false, ok: NONE };
  const caller: Caller = {
    accountId: row.account_id,
    keyId: row.id,
    operations: listOf(row.operations) as readonly OperationId[] | null,
    ratePerSecond: row.rate_per_second,
    rateBurst: row.rate_burst,
    ...(row.counted_as !== null && { countedAs: row.counted_as }),
    addresses: listOf(row.cidrs),
  };
  return {
    digest: Buffer.from(row.hash, 'hex'),
    caller,
    expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
    // in effect at once, independent of clock skew between store and gateway
    revoked: row.revoked_at !== null || row.suspended_at !== null,
    ok: { ok: true, caller },
  };
}

/** Parses a stored JSON array of strings; null: no limit. */
export const listOf = (json: string | null): readonly string[] | null => (json === null ? null : (JSON.parse(json) as string[]));
