import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OperationId } from '../../contract/operations/index.ts';
import { atMost } from '../../runtime/lru.ts';
import type { Store } from '../../store/store.ts';
import type { KeyRow } from '../../store/tables.ts';
import type { Authentication, Caller } from '../types.ts';
import { isKey } from './key-text.ts';

export interface Keys {
  /** Who the raw key stands for. Answers at once where the key is known here. Throws UNAVAILABLE where the store has to be asked and is away. */
  authenticate(credential: string, nowMs: number): Authentication | Promise<Authentication>;
  /** The key changed: nothing known of it is used any more. Null: any key. */
  forget(hash: string | null): void;
}

/** What is kept of a key; `caller` null: there is no such key. */
interface Known {
  readonly digest: Buffer;
  readonly caller: Caller | null;
  readonly expiresAt: number;
  readonly revoked: boolean;
  readonly ok: Authentication;
}

export const hashOf = (key: string): string => hash('sha256', key, 'hex');

/** Authentication kept in process: by the key's SHA-256, never the key. */
export function createKeys(store: Store): Keys {
  const cached = new LRUCache<string, Known>(atMost(50_000));
  let generation = 0;

  function forget(which: string | null): void {
    generation++;
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
    // a key that changed while it was read is read again next time
    if (began === generation) cached.set(digest, known);
    return judge(known, digest, nowMs);
  }

  return {
    forget,
    authenticate(credential, nowMs) {
      const digest = hashOf(credential);
      const known = cached.get(digest);
      // where changes made elsewhere might be unknown here, the store is asked each time
      if (known && (!changes || changes.fresh())) return judge(known, digest, nowMs);
      return isKey(credential) ? look(digest, nowMs) : MALFORMED;
    },
  };
}

const MALFORMED: Authentication = { ok: false, reason: 'malformed' };
const NONE: Authentication = { ok: false, reason: 'none' };
const REVOKED: Authentication = { ok: false, reason: 'revoked' };
const EXPIRED: Authentication = { ok: false, reason: 'expired' };

function judge(known: Known, digest: string, nowMs: number): Authentication {
  if (!timingSafeEqual(known.digest, Buffer.from(digest, 'hex')) || !known.caller) return NONE;
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
    addresses: listOf(row.cidrs),
  };
  return {
    digest: Buffer.from(row.hash, 'hex'),
    caller,
    expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
    // at once, whatever the clocks of store and gateway say
    revoked: row.revoked_at !== null || row.suspended_at !== null,
    ok: { ok: true, caller },
  };
}

/** A JSON array of text, as the store keeps it; null: no limit. */
export const listOf = (json: string | null): readonly string[] | null => (json === null ? null : (JSON.parse(json) as string[]));
