/** Every kind of caller of one account, and what DECISIONS lets each do. */

import assert from 'node:assert/strict';
import type { OperationId } from '../../src/contract/operations/index.ts';
import { createAdminServer } from '../../src/gateway/admin/server.ts';
import { createEntrance } from '../../src/gateway/console/entrance.ts';
import { inject } from '../support/inject.ts';
import { type CodeService, OWN, openCodeService } from './oauth-code-client.ts';
import { type Reply, tickingClock } from './test-service.ts';

const ADMIN_TOKEN = 'admin-token-of-this-test';

export interface Kind {
  readonly name: string;
  readonly headers: Record<string, string>;
  /** The request is refused with 401, whatever it is for. */
  readonly isOut?: true;
  /** Scopes of a token; absent: no token. */
  readonly scopes?: readonly string[];
  /** Operations of the key; absent: all. */
  readonly operations?: readonly OperationId[];
  readonly session?: 'manages' | 'reads';
  /** On the admin listener, as the account. */
  readonly isOperator?: true;
  /** It manages the account. */
  readonly manages?: true;
  /** Credits that it may spend a day. */
  readonly cap?: number;
  /** A credential in a header by which its own watch is made. Absent: its own. */
  readonly maker?: Record<string, string>;
}

export async function openRights(settings: Record<string, string> = {}) {
  const many = { perSecond: 10_000, burst: 100_000 };
  const limits = { address: many, wrongCredentials: many, ...JSON.parse(settings.SIGHTLINE_PROTECTION ?? '{}') };
  const service = await openCodeService({
    watches: true,
    settings: {
      SIGHTLINE_RATE_PER_SECOND: '10000',
      SIGHTLINE_RATE_BURST: '100000',
      SIGHTLINE_FREE_CREDITS: '100000',
      ...settings,
      SIGHTLINE_PROTECTION: JSON.stringify(limits),
    },
    ...(settings.DATABASE_URL && { clock: tickingClock() }),
  });
  const { accounts, gateway, first } = service;
  const entrance = createEntrance(accounts.sessions, { adminToken: ADMIN_TOKEN, publicUrl: null });
  const manage = { actions: accounts.admin as never, entrance };
  const admin = createAdminServer({ http: gateway.http, version: '0.0.0', manage });
  gateway.addOperatorConsole(admin, entrance);
  const send = async (kind: Pick<Kind, 'headers' | 'isOperator'>, method: string, url: string, body?: object): Promise<Reply> => {
    const r = await inject(kind.isOperator ? admin : gateway.app, {
      ...{ method: method as 'GET', url },
      headers: { ...kind.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    });
    const json = /json/.test(String(r.headers['content-type'])) && r.body !== '';
    return { status: r.statusCode, headers: r.headers as never, text: r.body, body: json ? JSON.parse(r.body) : {} };
  };
  const as = { 'x-sightline-account': first.accountId };
  const operator = entrance.operator ?? assert.fail('the entrance is the operator’s');
  const { token } = await accounts.sessions.open(operator);
  const operators: readonly Kind[] = [
    { name: 'operator by token', headers: { ...as, authorization: `Bearer ${ADMIN_TOKEN}` }, isOperator: true, manages: true },
    {
      name: 'session of the operator',
      headers: { ...as, cookie: `sightline_operator=${token}`, ...OWN },
      isOperator: true,
      manages: true,
      session: 'manages',
    },
  ];
  return { service, send, kinds: [...(await kindsOf(service)), ...operators] };
}

export type Rights = Awaited<ReturnType<typeof openRights>>;
const byKey = (key: string) => ({ 'x-api-key': key });
const byToken = (token: unknown) => ({ authorization: `Bearer ${token}` });

/** Asks the person of a key for consent, and redeems the code. */
export async function consent(service: CodeService, scopes: readonly string[], { key = service.first.key, creditsPerDay = 50 } = {}) {
  const app = await service.app();
  const person = await service.signIn(key);
  const fields = new URLSearchParams({
    ...{ request: service.query(app, { scope: scopes.join(' ') }), decision: 'allow', creditsPerDay: String(creditsPerDay), days: '30' },
  });
  for (const scope of scopes) fields.append('scope', scope);
  const decided = await inject(service.gateway.app, {
    ...{ method: 'POST', url: '/console/consent', payload: fields.toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: person.cookie, ...OWN },
  });
  const code = String(new URL(String(decided.headers.location)).searchParams.get('code'));
  const { access_token: token, refresh_token: refresh } = (await service.redeem(app, code)).body;
  return { app, token: String(token), refresh: String(refresh) };
}

async function kindsOf(service: CodeService): Promise<readonly Kind[]> {
  const { admin, sessions } = service.accounts;
  const { accountId } = service.first;
  const keyOf = async (input: object) => (await admin.createKey({ accountId, ...input })).key;
  const sessionOf = async (keyId: string | null) => {
    const { token } = await sessions.open({ kind: 'account', accountId, keyId });
    return { cookie: `sightline_account=${token}`, ...OWN };
  };

  const plain = await admin.createKey({ accountId });
  const restricted = await admin.createKey({ accountId, operations: ['registration'] });
  const gone = await admin.createKey({ accountId });
  const old = await admin.createKey({ accountId });
  const oldOf = byKey(old.key);
  const limited = await admin.createKey({ accountId, manage: true, creditsPerDay: 1 });
  const kinds: Kind[] = [
    { name: 'first key', headers: byKey(service.first.key), manages: true },
    { name: 'key for registration', headers: byKey(restricted.key), operations: ['registration'] },
    { name: 'key for traffic', headers: byKey(await keyOf({ operations: ['traffic'] })), operations: ['traffic'] },
    { name: 'key with a cap', headers: byKey(await keyOf({ creditsPerDay: 1 })), cap: 1 },
    { name: 'managing key with a cap', headers: byKey(limited.key), cap: 1 },
    { name: 'key without --manage', headers: byKey(plain.key) },
    { name: 'its session', headers: await sessionOf(plain.keyId), session: 'reads', maker: byKey(plain.key) },
    {
      ...{ name: 'session of the key for registration', headers: await sessionOf(restricted.keyId), session: 'reads' },
      ...{ operations: ['registration'], maker: byKey(restricted.key) },
    },
    { name: 'session of the first key', headers: await sessionOf(service.first.keyId), session: 'manages', manages: true },
    { name: 'session by a link', headers: await sessionOf(null), session: 'manages', manages: true },
    { name: 'session of the managing key with a cap', headers: await sessionOf(limited.keyId), session: 'manages', cap: 0 },
    { name: 'nobody', headers: {}, isOut: true },
    { name: 'unknown key', headers: byKey('sl_nosuch'), isOut: true },
  ];
  for (const scopes of [
    ['registration', 'traffic', 'account', 'watches'],
    ['account'],
    ['registration'],
    ['watches'],
    ['account', 'watches'],
    ['registration', 'account'],
    ['registration', 'watches'],
    ['registration', 'account', 'watches'],
  ]) {
    const client = await admin.createClient({ accountId, scopes });
    kinds.push({ name: `client: ${scopes.join(' ')}`, headers: byToken(await service.token(client)), scopes });
    kinds.push({ name: `grant: ${scopes.join(' ')}`, headers: byToken((await consent(service, scopes)).token), scopes });
  }
  const all = await admin.createClient({ accountId });
  const every = ['registration', 'traffic', 'account', 'watches'];
  kinds.push({ name: 'client without scopes', headers: byToken(await service.token(all)), scopes: every });
  const narrowed = await service.token(all, 'account traffic');
  kinds.push({ name: 'narrowed token of it', headers: byToken(narrowed), scopes: ['account', 'traffic'] });

  const ended = await consent(service, every);
  await service.post('/v1/oauth/revoke', `token=${ended.refresh}&client_id=${ended.app}`);
  kinds.push({ name: 'grant that ended', headers: byToken(ended.token), isOut: true });
  const person = await admin.createKey({ accountId, manage: true });
  const orphan = await consent(service, every, { key: person.key });
  await admin.revokeKey({ keyId: person.keyId });
  kinds.push({ name: 'grant of a revoked key', headers: byToken(orphan.token), isOut: true });
  await admin.revokeKey({ keyId: gone.keyId });
  kinds.push({ name: 'revoked key', headers: byKey(gone.key), isOut: true });
  const reroll = await admin.rerollKey({ keyId: old.keyId, graceMs: 3_600_000 });
  kinds.push({ name: 'rerolled key', headers: byKey(reroll.key), maker: oldOf });
  return kinds;
}
