import { hash, timingSafeEqual } from 'node:crypto';
import type { Store } from '../../store/store.ts';
import type { ClientRow } from '../../store/tables.ts';
import { createCachedRows } from '../cached-rows.ts';
import { isClientSecret } from '../keys/key-text.ts';
import { parseList } from '../keys/keys.ts';
import type { Caller } from '../types.ts';

/** A client or a grant, whose access tokens have its rights. Immutable: a changed one is a new object. */
export interface TokenHolder {
  readonly caller: Caller;
  /** Null: all scopes, including scopes added later. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: number;
  readonly revoked: boolean;
}
type KnownClient = TokenHolder & { readonly secretDigest: Buffer };
export type Clients = ReturnType<typeof createClients>;

const SHAPE = /^cli_[0-9a-f]{20}$/;
const NO_DIGEST = Buffer.alloc(32);

export const isClientId = (text: string): boolean => SHAPE.test(text);
export const secretDigest = (secret: string): Buffer => hash('sha256', secret, 'buffer');
export const usableAt = (holder: TokenHolder, nowMs: number): boolean => !holder.revoked && nowMs < holder.expiresAt;

export function createClients(store: Store) {
  const cached = createCachedRows(store, 20_000, async (clientId) => {
    const row = await store.db
      .selectFrom('clients')
      .innerJoin('accounts', 'accounts.id', 'clients.account_id')
      .selectAll('clients')
      .select('suspended_at')
      .where('clients.id', '=', clientId)
      .executeTakeFirst();
    return row ? knownOf(row) : null;
  });
  const find = async (clientId: string): Promise<KnownClient | null> => (SHAPE.test(clientId) ? cached.find(clientId) : null);

  return {
    peek: cached.peek,
    /** Null: no such client. Throws UNAVAILABLE if the store must be read and is unavailable. */
    holder: find,
    forget: cached.forget,
    /** The client if its secret matches and it is neither revoked nor expired. Unknown clients take the same code path (timing). */
    async authenticate(clientId: string, secret: string, nowMs: number): Promise<KnownClient | null> {
      const client = await find(clientId);
      const digest = secretDigest(secret);
      const same = timingSafeEqual(client?.secretDigest ?? NO_DIGEST, digest);
      return client && same && isClientSecret(secret) && usableAt(client, nowMs) ? client : null;
    },
  };
}

const knownOf = (row: ClientRow & { suspended_at: number | null }): KnownClient => ({
  caller: { accountId: row.account_id, keyId: row.id, operations: null, ratePerSecond: null, rateBurst: null },
  scopes: parseList(row.scopes),
  secretDigest: Buffer.from(row.secret_hash, 'hex'),
  expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
  revoked: row.revoked_at !== null || row.suspended_at !== null,
});
