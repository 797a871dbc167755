import type { Admin } from '../../contract/admin/actions.ts';
import { rateLimited, usedUp } from '../../contract/rate-limited.ts';
import { operationsOf, type Scope } from '../../contract/scopes.ts';
import { type Clock, DAY_MS, instant } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import type { Store } from '../../store/store.ts';
import type { GrantRow, GrantTokenRow } from '../../store/tables.ts';
import { recordGrant } from '../admin/bound-rows.ts';
import { createCachedRows } from '../cached-rows.ts';
import type { KeyInput } from '../keys/key-limits.ts';
import { callerOf, hashOf, parseList } from '../keys/keys.ts';
import { randomToken } from '../sessions/sessions.ts';
import type { Authorization } from './authorize.ts';
import type { TokenHolder } from './clients.ts';
import { tokenSeal } from './token-seal.ts';

interface Consent {
  /** Who consents, as in the audit log. */
  readonly actor: string;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly creditsPerDay: number;
  readonly days: number;
}
/** What a request must fit. `refusal`: why its scopes or resource are refused; it uses nothing up. */
interface Demands<R> {
  fits(grant: GrantRow): boolean;
  refusal(grant: GrantRow): R | null;
}
export interface KeyActions extends Pick<Admin, 'editKey' | 'revokeKey'> {
  createKey(input: KeyInput): ReturnType<Admin['createKey']>;
}
export type Grants = ReturnType<typeof createGrants>;
export const CODE_MS = 60_000;
/** A grant refreshes at most once in this time: each refresh is a write that costs the app nothing. */
export const REFRESH_MS = 10_000;

/** A refresh token: the grant's code and 256 random bits. One of an earlier version has the first part alone, which then stands for the code. */
const REFRESH_TOKEN = /^slr_([\w-]{43})(?:\.[\w-]{43})?$/;

/** A grant is stored as an API key without a secret; it expires in 60 s unless its code is redeemed. `admin` acts for the service: it ends and extends keys. */
export function createGrants(store: Store, clock: Clock, randomBytes: RandomBytes, sealKey: () => Buffer | null, admin: () => KeyActions) {
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
      scopes: parseList(row.scopes),
      expiresAt: row.expires_at ?? Number.POSITIVE_INFINITY,
      revoked: row.revoked_at !== null || row.suspended_at !== null,
    };
  });

  function sealed(row: Omit<GrantTokenRow, 'seal'>): GrantTokenRow {
    const key = sealKey();
    if (!key) throw new Error('SIGHTLINE_SECRET is not set: no token of a grant can be sealed');
    return { ...row, seal: tokenSeal(key, row) };
  }
  const grantOf = async (keyId: string): Promise<GrantRow | null> =>
    (await db.selectFrom('grants').selectAll().where('key_id', '=', keyId).executeTakeFirst()) ?? null;
  const keyOf = (keyId: string) =>
    db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .select(['account_id', 'expires_at', 'revoked_at', 'suspended_at'])
      .where('keys.id', '=', keyId)
      .executeTakeFirstOrThrow();
  /** The row that a code or refresh token belongs to, also one that was used before; null: it was never given. */
  async function rowOf(kind: GrantTokenRow['kind'], text: string): Promise<GrantTokenRow | null> {
    const first = kind === 'refresh' ? REFRESH_TOKEN.exec(text)?.[1] : undefined;
    if (kind === 'refresh' && first === undefined) return null;
    const hashes = first === undefined ? [hashOf(text)] : [hashOf(`slc_${first}`), hashOf(`slr_${first}`)];
    return (await db.selectFrom('grant_tokens').selectAll().where('hash', 'in', hashes).executeTakeFirst()) ?? null;
  }
  const isCurrent = (row: GrantTokenRow, kind: GrantTokenRow['kind'], text: string): boolean =>
    row.kind === kind && (row.current ?? row.hash) === hashOf(text);
  async function end(keyId: string): Promise<void> {
    await admin().revokeKey({ keyId, stopWatches: true });
  }

  return {
    /** The holder of a grant's tokens from the cache; null: the store must be read. */
    peek: cached.peek,
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
      const code = `slc_${randomToken(randomBytes)}`;
      const ids = { key_id: keyId, client_id: app.clientId, redirect_uri: redirectUri };
      const grant = { ...ids, challenge, resource, scopes: JSON.stringify(scopes), expires_at: now + days * DAY_MS };
      await db.transaction().execute(async (trx) => {
        const ofGrants = trx.selectFrom('grants').innerJoin('keys', 'keys.id', 'grants.key_id').select('key_id');
        const over = ofGrants.where((e) => e.or([e('revoked_at', 'is not', null), e('keys.expires_at', '<=', now)]));
        await trx.deleteFrom('grant_tokens').where('key_id', 'in', over).execute();
        await trx.insertInto('grants').values(grant).execute();
        const unused = { kind: 'code', expires_at: now + CODE_MS, used_at: null, current: null } as const;
        await trx
          .insertInto('grant_tokens')
          .values(sealed({ hash: hashOf(code), key_id: keyId, ...unused }))
          .execute();
        const used = trx.updateTable('apps').set({ used_at: now }).where('id', '=', app.clientId).returningAll();
        await recordGrant(trx, now, actor, grant, await used.executeTakeFirst(), { accountId, creditsPerDay });
      });
      return code;
    },
    /**
     * Uses a code or refresh token up. Null: not valid. A second use, and one that does not fit, end the grant. Throws RATE_LIMITED for a refresh
     * that comes too early, which uses nothing up.
     */
    async take<R>(kind: GrantTokenRow['kind'], text: string, { fits, refusal }: Demands<R>) {
      const now = clock.now();
      const row = await rowOf(kind, text);
      const grant = row && (await grantOf(row.key_id));
      if (!row || !grant) return null;
      const key = await keyOf(grant.key_id);
      // it has ended already: ending it again would be a write for each request
      if (key.revoked_at !== null) return null;
      if (!isCurrent(row, kind, text) || !fits(grant)) {
        await end(grant.key_id);
        return null;
      }
      if (row.expires_at <= now || (key.expires_at ?? now + 1) <= now || key.suspended_at !== null) return null;
      const refused = refusal(grant);
      if (refused !== null) return { ok: false as const, refused };
      const waitMs = row.used_at === null || row.used_at > now ? 0 : row.used_at + REFRESH_MS - now;
      if (waitMs > 0)
        throw rateLimited(
          `A grant is refreshed once in ${REFRESH_MS / 1000} s: ask again after the time that Retry-After says.`,
          waitMs,
          usedUp({ name: 'refresh', quota: 1, seconds: REFRESH_MS / 1000 }, waitMs),
        );
      const first = text.slice(4).split('.', 1)[0];
      const refreshToken = `slr_${first}.${randomToken(randomBytes)}`;
      const { hash, key_id, current } = row;
      const expires_at = kind === 'code' ? grant.expires_at : (key.expires_at ?? grant.expires_at);
      const used_at = kind === 'code' ? null : now;
      const next = sealed({ hash, key_id, kind: 'refresh', expires_at, used_at, current: hashOf(refreshToken) });
      // one statement: of two requests with the same text one finds it current
      const marked = db.updateTable('grant_tokens').set(next).where('hash', '=', hash).where('kind', '=', kind);
      const { numUpdatedRows } = await marked.where('current', current === null ? 'is' : '=', current).executeTakeFirst();
      if (numUpdatedRows !== 1n) {
        await end(key_id);
        return null;
      }
      if (kind === 'code') await admin().editKey({ keyId: key_id, expiresAt: instant(expires_at) });
      return { ok: true as const, grant, accountId: key.account_id, expiresAt: expires_at, refreshToken };
    },
    async findByRefreshToken(text: string): Promise<GrantRow | null> {
      const row = await rowOf('refresh', text);
      return row ? grantOf(row.key_id) : null;
    },
    /** Whether a person of the account has consented to this app, and did not end the grant. */
    async hasConsented(accountId: string, clientId: string): Promise<boolean> {
      const granted = db
        .selectFrom('grants')
        .innerJoin('keys', 'keys.id', 'grants.key_id')
        .select('key_id')
        .where('client_id', '=', clientId);
      const row = await granted.where('account_id', '=', accountId).where('revoked_at', 'is', null).limit(1).executeTakeFirst();
      return row !== undefined;
    },
    find: grantOf,
    end,
  };
}
