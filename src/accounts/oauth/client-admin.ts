import type { Admin } from '../../contract/admin/actions.ts';
import type { ClientSummary } from '../../contract/admin/schemas.ts';
import { invalid } from '../../contract/errors.ts';
import { noSuch } from '../../contract/ids.ts';
import { thereIsNo } from '../../contract/parameters/misspelt.ts';
import { ALL_SCOPES, isScope } from '../../contract/scopes.ts';
import { instant, instantOrNull } from '../../runtime/clock.ts';
import type { ClientRow } from '../../store/tables.ts';
import type { AdminContext } from '../admin/context.ts';
import { readLimits } from '../keys/key-limits.ts';
import { makeClientSecret } from '../keys/key-text.ts';
import { parseList } from '../keys/keys.ts';
import { demandNoWatches, watchesStoppedBy } from '../keys/watches-of-key.ts';
import { secretDigest } from './clients.ts';

export function createClientAdmin(context: AdminContext) {
  const { db, oauth, clock, randomBytes, actor, newId, change, accountOf } = context;

  async function clientOf(clientId: string): Promise<ClientRow> {
    const row = await db.selectFrom('clients').selectAll().where('id', '=', clientId).executeTakeFirst();
    if (!row) throw noSuch('client', clientId);
    return row;
  }
  function demandSecret(): void {
    if (!oauth.canSign())
      throw invalid(
        'OAuth on a shared store needs SIGHTLINE_SECRET, the same on every gateway: make one with openssl rand -base64 32, set it, and restart the gateways.',
      );
  }

  return {
    async createClient({ accountId, label, expiresAt, scopes } = {}) {
      demandSecret();
      const limits = readLimits({ ...(label !== undefined && { label }), expiresAt: expiresAt ?? null }, clock.now());
      const { accountId: id } = await accountOf(accountId);
      const clientSecret = makeClientSecret(randomBytes);
      const row: ClientRow = {
        id: newId('cli'),
        account_id: id,
        secret_hash: secretDigest(clientSecret).toString('hex'),
        label: limits.label,
        scopes: scopesText(scopes),
        created_at: clock.now(),
        expires_at: limits.expires_at,
        revoked_at: null,
        last_used_at: null,
      };
      const facts = {
        accountId: id,
        label: row.label,
        scopes: parseList(row.scopes),
        expiresAt: row.expires_at,
        secretHash: row.secret_hash,
      };
      await change(async (trx, write) => {
        await trx.insertInto('clients').values(row).execute();
        await write('client.create', row.id, facts);
      });
      return { ...clientSummary(row), clientSecret };
    },
    async listClients({ accountId } = {}) {
      const all = db.selectFrom('clients').selectAll().orderBy('created_at').orderBy('id');
      const rows = await (accountId !== undefined ? all.where('account_id', '=', accountId) : all).execute();
      return rows.map(clientSummary);
    },
    async revokeClient({ clientId, stopWatches = false }) {
      const row = await clientOf(clientId);
      if (row.revoked_at === null)
        await change(async (trx, write) => {
          if (!stopWatches) demandNoWatches(clientId, await watchesStoppedBy(trx, row.account_id, new Set([clientId]), clock.now()));
          await trx.updateTable('clients').set({ revoked_at: clock.now() }).where('id', '=', clientId).execute();
          await write('client.revoke', clientId, { accountId: row.account_id });
        });
      return clientSummary(await clientOf(clientId));
    },
    async listGrants({ accountId } = {}) {
      const all = db.selectFrom('grants').innerJoin('keys', 'keys.id', 'grants.key_id').selectAll('keys');
      const withGrant = all.select(['client_id', 'redirect_uri', 'scopes']).orderBy('created_at').orderBy('id');
      const rows = await (accountId !== undefined ? withGrant.where('account_id', '=', accountId) : withGrant).execute();
      return rows.map((row) => ({
        keyId: row.id,
        accountId: row.account_id,
        clientId: row.client_id,
        label: row.label,
        redirectUri: row.redirect_uri,
        scopes: parseList(row.scopes) ?? [],
        creditsPerDay: row.cap_day,
        createdAt: instant(row.created_at),
        expiresAt: instantOrNull(row.expires_at),
        revokedAt: instantOrNull(row.revoked_at),
      }));
    },
    async rotateSigningKey({ drop = false } = {}) {
      demandSecret();
      const rotated = await oauth.signing.rotate(actor, drop);
      oauth.forget();
      return rotated;
    },
  } satisfies Partial<Admin>;
}

function scopesText(scopes: readonly string[] | null | undefined): string | null {
  if (!scopes) return null;
  if (!scopes.length) throw invalid('An empty list of scopes would allow nothing: leave it out to allow all.');
  const unknown = scopes.find((s) => !isScope(s));
  if (unknown !== undefined) throw invalid(thereIsNo('scope', unknown, ALL_SCOPES));
  return JSON.stringify(ALL_SCOPES.filter((s) => scopes.includes(s)));
}

const clientSummary = (row: ClientRow): ClientSummary => ({
  clientId: row.id,
  accountId: row.account_id,
  label: row.label,
  createdAt: instant(row.created_at),
  expiresAt: instantOrNull(row.expires_at),
  revokedAt: instantOrNull(row.revoked_at),
  lastUsedAt: instantOrNull(row.last_used_at),
  scopes: parseList(row.scopes),
});
