/** A store in which every table has rows. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import type { Caller } from '../../src/accounts/types.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import type { Tables } from '../../src/store/tables.ts';
import { storeCanaries } from '../../src/watches/canaries.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { type Backend, type Bench, silent } from '../ledger/backends.ts';
import { gatewayOn } from '../watches/house.ts';

/** Rows of tables that no action of this test writes. */
const REST: { readonly [Table in keyof Tables]?: object } = {
  sign_in_codes: { hash: 'h', account_id: null, expires_at: 9e12 },
  field_hours: { source: 's', stream: 's', field: 'f', hour: 1, answers: 1, missing: 0, unread: 0, drifting: 0 },
  source_credentials: { name: 'SERPAPI_KEY', sealed: '1.x', hint: '…abcd', set_at: 1 },
  request_labels: { label: 'l', account_id: 'a', at: 1 },
  request_log: { account_id: 'a', at: 1, requests: '[]' },
  usage_days: { account_id: 'a', day: '2026-01-01', operation: 'app', key_id: 'k', status: 200, requests: 1, credits: 1 },
  watch_answers: { watch: 1, source: 's', body: 'b', unread: '[]', seen: '[]' },
  watch_checks: { watch: 1, slot: 1, outcome: 'same', code: 'c', credits: 1, source: 's', body: 'b', value: 1 },
  watch_bodies: { watch: 1, hash: 'h', operation: 'app', body: '{}', read_at: 1, stripped: 0 },
  watch_changes: {
    ...{ account_id: 'a', n: 1, watch: 1, slot: 1, at: 1, kind: 'changed', field: 'f', key: 'k', before: '1', after: '2', source: 's' },
    stripped: 0,
  },
  watch_feeds: { account_id: 'a', n: 1 },
  watch_deliveries: {
    ...{ watch: 1, cursor: 1, kinds: '[]', created_at: 1, attempts: 1, next_at: 1, delivered_at: 1, result: '200' },
  },
};

export interface FullStore {
  readonly bench: Bench;
  readonly accounts: OpenAccounts;
  readonly settings: Settings;
}

/** Opens a store whose tables all have rows, those under the checks by actions of the service. */
export async function fullStore(backend: Backend): Promise<FullStore> {
  const bench = await backend.open();
  const place = backend.name === 'embedded' ? { SIGHTLINE_DATA_DIR: `${bench.place}/served` } : { DATABASE_URL: bench.place };
  const settings = readSettings({
    ...place,
    SIGHTLINE_SECRET: 'a secret of sixteen or more',
    SIGHTLINE_PUBLIC_URL: 'http://127.0.0.1:8080',
  });
  const http = { ask: async () => ({ tag: 'unreachable' as const, what: 'There is no network.' }) };
  const accounts = await openAccounts({ settings, clock: bench.clock, log: silent, http });
  const { admin, store, ledger, sessions, oauth } = accounts;
  const { accountId } = await admin.createAccount({ name: 'victim', credits: 100 });
  await admin.grant({ accountId, credits: 5, reference: 'invoice-1' });
  const key = await admin.createKey({
    ...{ accountId, label: 'limited', operations: ['app', 'traffic'], addresses: ['127.0.0.1'], creditsPerDay: 90, creditsPerMonth: 900 },
    ...{ ratePerSecond: 5, rateBurst: 9, expiresAt: '2999-01-01' },
  });
  const hold = await ledger.hold({ accountId, keyId: key.keyId, amount: 3, operation: 'app', requestId: 'r', ttlMs: 3_600_000 });
  await ledger.capture(hold.ok ? hold.holdId : assert.fail(hold.message), 3);
  await ledger.hold({ accountId, keyId: key.keyId, amount: 2, operation: 'app', requestId: 'r', ttlMs: 3_600_000 });
  await admin.rerollKey({ keyId: (await admin.createKey({ accountId })).keyId, graceMs: 60_000 });
  await admin.revokeKey({ keyId: (await admin.createKey({ accountId, manage: true })).keyId });
  const { clientId } = await admin.createClient({ accountId, scopes: ['traffic'], expiresAt: '2999-01-01' });
  await admin.createClient({ accountId });
  await admin.revokeClient({ clientId });
  const { accountId: gone } = await admin.createAccount({ name: 'gone' });
  await admin.suspendAccount({ accountId: gone });
  await admin.deleteAccount({ accountId: (await admin.createAccount({ name: 'deleted' })).accountId });
  await sessions.open({ kind: 'account', accountId, keyId: key.keyId });
  await sessions.open({ kind: 'operator', adminTokenHash: 'x' });
  await admin.rotateSigningKey({});
  await admin.rotateSigningKey({ drop: true });
  await consents(accounts, accountId);
  const { parts } = gatewayOn(store, ledger, () => ({ error: 'UPSTREAM_FAILED' }));
  const watches = createWatches(parts);
  const caller: Caller = { accountId, keyId: key.keyId, operations: null, ratePerSecond: null, rateBurst: null };
  const body = { operation: 'traffic', parameters: { domain: 'acme-widgets.com' }, every: '1d', creditsPerMonth: 40, name: 'shop' };
  const { watchId } = await watches.create(caller, {
    ...body,
    fields: ['visits'],
    webhook: { url: 'https://hooks.example.org/secret-path' },
  });
  await watches.edit(caller, watchId, { webhook: { url: 'https://hooks.example.org/other' }, creditsPerMonth: 41 });
  await watches.create(caller, body);
  await watches.remove(caller, (await watches.create(caller, body)).watchId);
  await storeCanaries(store, [{ name: 'c', operation: 'traffic', parameters: { domain: 'a.com' }, facts: { domain: 'a.com' } }], 5);
  const target = { account_id: accountId, watch: 1, form: 'text', sealed: 's', hint: 'h', digest: '1d', created_at: 1, succeeded_at: 1 };
  const failed = { failing_at: 1, disabled_at: 1, error: 'e', address_hash: 'h', confirmed_at: 1 };
  await store.db
    .insertInto('notify_targets')
    .values({ ...target, ...failed })
    .execute();
  await store.db.insertInto('notify_mails').values({ hash: 'h', account_id: accountId, at: 1 }).execute();
  await store.db.insertInto('watch_calendars').values({ account_id: accountId, key_id: 'k', hash: 'h', created_at: 1 }).execute();
  await store.db.insertInto('account_sites').values({ account_id: accountId, own: 'a.com', rivals: '[]', set_at: 1 }).execute();
  for (const [table, row] of Object.entries(REST) as [keyof Tables, never][]) await store.db.insertInto(table).values(row).execute();
  return { bench, accounts, settings };

  /** An app with a grant that was refreshed, one with a code, and one without a consent. */
  async function consents({ oauth: { token } }: OpenAccounts, of: string): Promise<void> {
    const { apps, grants } = oauth.appSignIn ?? assert.fail('apps can sign in');
    const register = async () => {
      const made = await apps.register({ client_name: 'Desk', redirect_uris: ['https://app.example/cb'] });
      const { client_id } = (made.ok ? made.body : assert.fail(made.description)) as { client_id: string };
      const found = await apps.find(client_id);
      return 'fault' in found ? assert.fail(found.fault) : found;
    };
    const [app] = [await register(), await register()];
    const base = settings.SIGHTLINE_PUBLIC_URL ?? '';
    const verifier = 'v'.repeat(43);
    const challenge = hash('sha256', verifier, 'base64url');
    const asks = { app, redirectUri: 'https://app.example/cb', state: null, challenge, scopes: [], resource: base };
    const consent = { actor: 'test', accountId: of, scopes: ['traffic', 'account'] as const, creditsPerDay: 5, days: 30 };
    const codes = [await grants.approve(admin, asks, consent), await grants.approve(admin, asks, consent)];
    const ask = async (form: Record<string, string>) => {
      const answer = await token({
        authorization: undefined,
        contentType: 'application/x-www-form-urlencoded',
        body: new URLSearchParams({ client_id: app.clientId, ...form }).toString(),
      });
      return answer.ok ? String(answer.body.refresh_token) : assert.fail(answer.description);
    };
    const first = await ask({ grant_type: 'authorization_code', code: codes[0] ?? '', code_verifier: verifier });
    await ask({ grant_type: 'refresh_token', refresh_token: first });
  }
}
