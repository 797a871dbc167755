import type { Transaction } from 'kysely';
import type { Admin } from '../../contract/admin/actions.ts';
import { operationsOf, type Scope } from '../../contract/scopes.ts';
import { type Clock, DAY_MS, instant } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import type { Store } from '../../store/store.ts';
import type { GrantRow, GrantTokenRow, Tables } from '../../store/tables.ts';
import { writeAudit } from '../admin/audit.ts';
import { createCachedRows } from '../cached-rows.ts';
import type { KeyInput } from '../keys/key-limits.ts';
import { callerOf, hashOf, listOf } from '../keys/keys.ts';
import { randomToken } from '../sessions/sessions.ts';
import type { Authorization } from './authorize.ts';
import type { TokenHolder } from './clients.ts';

interface Consent {
  /** Who consents, as in the audit log. */
  readonly actor: string;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly creditsPerDay: number;
  readonly days: number;
}
export interface KeyActions extends Pick<Admin, 'editKey' | 'revokeKey'> {
  createKey(input: KeyInput): ReturnType<Admin['createKey']>;
}
export type Grants = ReturnType<typeof createGrants>;
export const CODE_MS = 60_000;

/** A grant is a key without a usable text, which ends after a minute unless its code is used. `admin` acts for the service: ends and lengthens keys. */
export function createGrants(store: Store, clock: Clock, randomBytes: RandomBytes, admin: () => KeyActions) {
  const { db } = store;
  const cached = createCachedRows(store, 20_000, async (keyId): Promise<TokenHolder | null> => {
    const row = await db
      .selectFrom('grants')
      .innerJoin('keys', 'keys.id', 'grants.key_id')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .selectAll('keys')
      .select(['scopes', 'suspended_at'])
      .where('key_id', '=', keyId)
      .executeTakeFirst();
    if (!row) return null;
    return {
      caller: callerOf(keyId, row.account_id, { ...row, counted_as: null }),
      scopes: listOf(row.scopes),
      expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
      revoked: row.revoked_at !== null || row.suspended_at !== null,
    };
  });

  async function insertToken(trx: Transaction<Tables>, kind: GrantTokenRow['kind'], keyId: string, expiresAt: number): Promise<string> {
    const text = `${kind === 'code' ? 'slc' : 'slr'}_${randomToken(randomBytes)}`;
    const row = { hash: hashOf(text), key_id: keyId, kind, expires_at: expiresAt, used_at: null };
    await trx.insertInto('grant_tokens').values(row).execute();
    return text;
  }
  const grantOf = async (keyId: string): Promise<GrantRow | null> =>
    (await db.selectFrom('grants').selectAll().where('key_id', '=', keyId).executeTakeFirst()) ?? null;
  const tokenOf = (kind: GrantTokenRow['kind'], text: string) =>
    db.selectFrom('grant_tokens').selectAll().where('hash', '=', hashOf(text)).where('kind', '=', kind).executeTakeFirst();
  async function end(keyId: string): Promise<void> {
    await admin().revokeKey({ keyId });
  }

  return {
    /** The holder of a grant's tokens from the cache; null: the store must be read. */
    known: cached.known,
    holder: cached.find,
    forget: cached.forget,
    /** Makes the grant and its code. `person`: acts for the person. */
    async approve(person: KeyActions, { app, redirectUri, challenge, resource }: Authorization, consent: Consent): Promise<string> {
      const { actor, accountId, scopes, creditsPerDay, days } = consent;
      const now = clock.now();
      const operations = operationsOf(scopes);
      const { keyId } = await person.createKey({
        accountId,
        label: `App: ${app.name} (${new URL(redirectUri).hostname || new URL(redirectUri).protocol})`.slice(0, 100),
        creditsPerDay,
        expiresAt: instant(now + CODE_MS),
        ...(operations.length > 0 ? { operations } : { noLookups: true }),
      });
      return db.transaction().execute(async (trx) => {
        const old = trx.deleteFrom('grant_tokens').where('expires_at', '<=', now - DAY_MS);
        await old.execute();
        const ids = { key_id: keyId, client_id: app.clientId, redirect_uri: redirectUri };
        const grant: GrantRow = { ...ids, challenge, resource, scopes: JSON.stringify(scopes), expires_at: now + days * DAY_MS };
        await trx.insertInto('grants').values(grant).execute();
        const { key_id: _, scopes: __, expires_at: expiresAt, ...columns } = grant;
        const facts = { accountId, scopes, creditsPerDay, expiresAt, app: app.name, ...columns };
        await writeAudit(trx, now, { actor, action: 'grant.create', subject: keyId, facts });
        return insertToken(trx, 'code', keyId, now + CODE_MS);
      });
    },
    /** Uses a code or refresh token up. Null: not valid. A second use, and one that `fits` refuses, end the grant. */
    async take(kind: GrantTokenRow['kind'], text: string, fits: (grant: GrantRow) => boolean) {
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
      if (kind === 'code') await admin().editKey({ keyId: grant.key_id, expiresAt: instant(taken.expiresAt) });
      return taken;
    },
    async findByRefreshToken(text: string): Promise<GrantRow | null> {
      const token = await tokenOf('refresh', text);
      return token ? grantOf(token.key_id) : null;
    },
    find: grantOf,
    end,
  };
}
