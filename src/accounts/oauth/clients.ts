import { hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../runtime/lru.ts';
import type { ClientRow } from '../../store/oauth-tables.ts';
import type { Store } from '../../store/store.ts';
import { isClientSecret } from '../keys/key-text.ts';
import { listOf } from '../keys/keys.ts';
import type { Caller } from '../types.ts';

/** A client or a grant, whose access tokens have its rights. Immutable: a changed one is a new object. */
export interface TokenHolder {
  readonly caller: Caller;
  /** Null: all scopes, including scopes added later. */
  readonly scopes: readonly string[] | null;
  /** Epoch ms; Infinity: never. */
  readonly expiresAt: number;
  readonly revoked: boolean;
}
export interface KnownClient extends TokenHolder {
  readonly secretDigest: Buffer;
}
export interface Clients {
  /** Null: no such client. Synchronous for a cached client. Throws UNAVAILABLE if the store must be read and is unavailable. */
  known(clientId: string): KnownClient | Promise<KnownClient | null> | null;
  /** The client if its secret matches and it is neither revoked nor expired. Unknown clients take the same code path (timing). */
  authenticate(clientId: string, secret: string, nowMs: number): Promise<KnownClient | null>;
  /** Removes a changed client from the cache. Null: removes all. */
  forget(clientId: string | null): void;
}

const SHAPE = /^cli_[0-9a-f]{20}$/;
const NOBODY = Buffer.alloc(32);
/** Change notification between gateways. */
const CHANGE = 'client:';
export const clientChange = (clientId: string): string => `${CHANGE}${clientId}`;

export const isClientId = (text: string): boolean => SHAPE.test(text);
export const secretDigest = (secret: string): Buffer => hash('sha256', secret, 'buffer');
export const usableAt = (holder: TokenHolder, nowMs: number): boolean => !holder.revoked && nowMs < holder.expiresAt;

/** In-process client cache, invalidated like the key cache. */
export function createClients(store: Store): Clients {
  const cached = new LRUCache<string, KnownClient>(atMost(20_000));
  const changes = store.keyChanges;
  let generation = 0;

  function forget(clientId: string | null): void {
    generation++;
    if (clientId === null) cached.clear();
    else cached.delete(clientId);
  }
  changes?.listen((what) => {
    if (what === null) forget(null);
    else if (what.startsWith(CHANGE)) forget(what.slice(CHANGE.length));
  });

  async function look(clientId: string): Promise<KnownClient | null> {
    const began = generation;
    const row = await store.db
      .selectFrom('clients')
      .innerJoin('accounts', 'accounts.id', 'clients.account_id')
      .selectAll('clients')
      .select('suspended_at')
      .where('clients.id', '=', clientId)
      .executeTakeFirst();
    if (!row) return null;
    const client = knownOf(row);
    // not cached if the client changed during the read
    if (began === generation) cached.set(clientId, client);
    return client;
  }
  function known(clientId: string): KnownClient | Promise<KnownClient | null> | null {
    if (!SHAPE.test(clientId)) return null;
    const here = cached.get(clientId);
    return here && (!changes || changes.fresh()) ? here : look(clientId);
  }

  return {
    known,
    forget,
    async authenticate(clientId, secret, nowMs) {
      const client = await known(clientId);
      const digest = secretDigest(secret);
      const same = timingSafeEqual(client?.secretDigest ?? NOBODY, digest);
      return client && same && isClientSecret(secret) && usableAt(client, nowMs) ? client : null;
    },
  };
}

const knownOf = (row: ClientRow & { suspended_at: number | null }): KnownClient => ({
  caller: { accountId: row.account_id, keyId: row.id, operations: null, ratePerSecond: null, rateBurst: null },
  scopes: listOf(row.scopes),
  secretDigest: Buffer.from(row.secret_hash, 'hex'),
  expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
  revoked: row.revoked_at !== null || row.suspended_at !== null,
});
