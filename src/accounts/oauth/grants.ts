import { hash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { OperationId } from '../../contract/operations/index.ts';
import { operationsOf, type Scope } from '../../contract/scopes.ts';
import { type Clock, instant } from '../../runtime/clock.ts';
import { atMost } from '../../runtime/lru.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import type { GrantRow, GrantTokenRow } from '../../store/oauth-tables.ts';
import type { Store } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import type { Admin } from '../admin/types.ts';
import { listOf } from '../keys/keys.ts';
import type { Authorization } from './authorize.ts';
import type { TokenHolder } from './clients.ts';

/** What a person decides at the consent page. */
export interface Consent {
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly creditsPerDay: number;
  readonly days: number;
}
/** A code or refresh token that was taken. */
export interface Taken {
  readonly grant: GrantRow;
  readonly accountId: string;
  readonly refreshToken: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}
export type KeyActions = Pick<Admin, 'createKey' | 'editKey' | 'revokeKey'>;
export interface Grants {
  /** The holder of a grant's tokens; null: no such grant. Synchronous for a cached grant. */
  known(keyId: string): TokenHolder | Promise<TokenHolder | null> | null;
  forget(): void;
  /** Makes the grant and its code. `admin`: acts for the person. */
  approve(admin: KeyActions, asks: Authorization, consent: Consent): Promise<string>;
  /** Uses a code or refresh token up. Null: not valid. A second use, and one that `fits` refuses, end the grant. */
  take(kind: GrantTokenRow['kind'], text: string, fits: (grant: GrantRow) => boolean): Promise<Taken | null>;
  /** The grant of a refresh token, used or not. */
  findByRefreshToken(text: string): Promise<GrantRow | null>;
  find(keyId: string): Promise<GrantRow | null>;
  end(keyId: string): Promise<void>;
}
export interface GrantParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** Acts for the service: ends grants and lengthens their keys. */
  readonly admin: () => KeyActions;
}

export const CODE_MS = 60_000;
const DAY_MS = 86_400_000;
const hashOf = (text: string): string => hash('sha256', text, 'hex');

/**
 * A grant is a key whose text nobody knows: its account, daily cap, operations, end, maker and revocation are the key's. The key ends after a
 * minute unless its code is used by then.
 */
export function createGrants({ store, clock, randomBytes, admin }: GrantParts): Grants {
  const { db, keyChanges: changes } = store;
  const cached = new LRUCache<string, TokenHolder>(atMost(20_000));
  let generation = 0;
  function forget(): void {
    generation++;
    cached.clear();
  }
  // changes name keys by their hash: each of them clears the whole cache
  changes?.listen(forget);

  async function look(keyId: string): Promise<TokenHolder | null> {
    const began = generation;
    const row = await db
      .selectFrom('grants')
      .innerJoin('keys', 'keys.id', 'grants.key_id')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .select(['keys.account_id', 'scopes', 'operations', 'cidrs', 'rate_per_second', 'rate_burst'])
      .select(['keys.expires_at', 'revoked_at', 'suspended_at'])
      .where('key_id', '=', keyId)
      .executeTakeFirst();
    if (!row) return null;
    const holder: TokenHolder = {
      caller: {
        accountId: row.account_id,
        keyId,
        operations: listOf(row.operations) as readonly OperationId[] | null,
        ratePerSecond: row.rate_per_second,
        rateBurst: row.rate_burst,
        addresses: listOf(row.cidrs),
      },
      scopes: listOf(row.scopes),
      expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
      revoked: row.revoked_at !== null || row.suspended_at !== null,
    };
    if (began === generation) cached.set(keyId, holder);
    return holder;
  }

  async function insertToken(trx: Transaction<Tables>, kind: GrantTokenRow['kind'], keyId: string, expiresAt: number): Promise<string> {
    const text = `${kind === 'code' ? 'slc' : 'slr'}_${Buffer.from(randomBytes(32)).toString('base64url')}`;
    await trx
      .insertInto('grant_tokens')
      .values({ hash: hashOf(text), key_id: keyId, kind, expires_at: expiresAt, used_at: null })
      .execute();
    return text;
  }
  const grantOf = async (keyId: string): Promise<GrantRow | null> =>
    (await db.selectFrom('grants').selectAll().where('key_id', '=', keyId).executeTakeFirst()) ?? null;
  const tokenOf = (kind: GrantTokenRow['kind'], text: string) =>
    db.selectFrom('grant_tokens').selectAll().where('hash', '=', hashOf(text)).where('kind', '=', kind).executeTakeFirst();
  async function end(keyId: string): Promise<void> {
    await admin().revokeKey({ keyId });
    forget();
  }

  return {
    known: (keyId) => (changes && !changes.fresh() ? null : cached.get(keyId)) ?? look(keyId),
    forget,
    async approve(person, { app, redirectUri, challenge, resource }, { accountId, scopes, creditsPerDay, days }) {
      const now = clock.now();
      const operations = operationsOf(scopes);
      const { keyId } = await person.createKey({
        accountId,
        label: `App: ${app.name} (${new URL(redirectUri).hostname || new URL(redirectUri).protocol})`.slice(0, 100),
        creditsPerDay,
        expiresAt: instant(now + CODE_MS),
        ...(operations.length > 0 && { operations }),
      });
      return db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('grant_tokens')
          .where('expires_at', '<=', now - DAY_MS)
          .execute();
        const grant = { key_id: keyId, client_id: app.clientId, redirect_uri: redirectUri, challenge, resource };
        const rest = { scopes: JSON.stringify(scopes), expires_at: now + days * DAY_MS };
        await trx
          .insertInto('grants')
          .values({ ...grant, ...rest })
          .execute();
        return insertToken(trx, 'code', keyId, now + CODE_MS);
      });
    },
    async take(kind, text, fits) {
      const now = clock.now();
      const token = await tokenOf(kind, text);
      const grant = token && (await grantOf(token.key_id));
      if (!token || !grant) return null;
      const taken = await db.transaction().execute(async (trx) => {
        // one statement: of two requests with the same text one finds it unused
        const marked = trx.updateTable('grant_tokens').set({ used_at: now }).where('hash', '=', token.hash).where('used_at', 'is', null);
        if ((await marked.executeTakeFirst()).numUpdatedRows !== 1n) return 'again';
        if (!fits(grant)) return 'unfit';
        const key = await trx.selectFrom('keys').selectAll().where('id', '=', grant.key_id).executeTakeFirstOrThrow();
        if (token.expires_at <= now || key.revoked_at !== null || (key.expires_at ?? now + 1) <= now) return 'over';
        const expiresAt = kind === 'code' ? grant.expires_at : (key.expires_at ?? grant.expires_at);
        return { grant, accountId: key.account_id, expiresAt, refreshToken: await insertToken(trx, 'refresh', grant.key_id, expiresAt) };
      });
      if (taken === 'again' || taken === 'unfit') await end(grant.key_id);
      if (typeof taken === 'string') return null;
      if (kind === 'code') {
        await admin().editKey({ keyId: grant.key_id, expiresAt: instant(taken.expiresAt) });
        forget();
      }
      return taken;
    },
    async findByRefreshToken(text) {
      const token = await tokenOf('refresh', text);
      return token ? grantOf(token.key_id) : null;
    },
    find: grantOf,
    end,
  };
}
