import type { TSchema } from 'typebox';
import type { Admin } from '../../accounts/admin/types.ts';
import type { CanaryResult } from '../../orchestrator/canaries.ts';
import type { SourceState } from '../../orchestrator/source-states.ts';

/** Admin actions of a running server: those of `Admin`, and actions on the process. */
export interface AdminActions extends Admin {
  /** Breaker and health of each source as this process sees them, its rest and its spending of today. */
  listSources(): Promise<{ readonly sources: readonly SourceState[]; readonly canaries: readonly CanaryResult[] }>;
  /** Members of the fleet at the last heartbeat; `up` is false while Redis is unavailable. Null: a single process. */
  showFleet(): Promise<{ readonly up: boolean; readonly gateways: number; readonly workers: number } | null>;
  /** Purges cached answers of an operation: all, or those of one lookup. `parameters` is text by name, as in a request's query. */
  purgeCache(p: { operation: string; parameters?: Readonly<Record<string, string>> }): Promise<{ readonly dropped: number }>;
  /** A link that signs in to the console of this server: as the account, or without one as the operator. */
  createConsoleLink(p?: { accountId?: string }): Promise<ConsoleLink>;
}

export interface ConsoleLink {
  /** The one-time code is in the fragment, which browsers send to no server. */
  readonly url: string;
  /** Null: for the operator. */
  readonly accountId: string | null;
  /** RFC 3339. */
  readonly expiresAt: string;
}

type Fields = Readonly<Record<string, TSchema>>;
export interface ObjectSchema extends TSchema {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Fields;
  readonly additionalProperties: false;
}

export interface AdminRoute {
  readonly action: keyof AdminActions;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path parameters, such as `:accountId`, are fields of the action too. */
  readonly path: string;
  /** Schema of the body, or of the query for GET. */
  readonly fields: ObjectSchema;
  readonly maxBytes: number;
}

const text = { type: 'string', maxLength: 500 };
const integer = { type: 'integer' };
const texts = { type: 'array', items: text, maxItems: 200 };
const orNull = (schema: TSchema) => ({ anyOf: [schema, { type: 'null' }] });
const fields = (required: Fields, optional: Fields = {}): ObjectSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});

const NONE = fields({});
const KEY_LIMITS = {
  label: text,
  expiresAt: orNull(text),
  operations: orNull(texts),
  addresses: orNull(texts),
  creditsPerDay: orNull(integer),
  creditsPerMonth: orNull(integer),
  ratePerSecond: orNull(integer),
  rateBurst: orNull(integer),
};
const GRANT = { note: text, reference: text };
const PAGE = { after: text, limit: integer };
const OF_ACCOUNT = fields({}, { accountId: text });
const MAX_BYTES = 65_536;
/** Size of hourly anchors over one year for 100 accounts. */
const MAX_ANCHOR_BYTES = 134_217_728;
const ANCHOR = fields({}, { anchor: { type: 'string' } });

const route = (
  action: AdminRoute['action'],
  method: AdminRoute['method'],
  path: string,
  schema: ObjectSchema = NONE,
  maxBytes = MAX_BYTES,
): AdminRoute => ({ action, method, path, fields: schema, maxBytes });

/**
 * The admin API: the same routes on the admin listener and on the Unix socket in the data folder. An action with two routes takes the first
 * whose path parameters are given.
 */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  route('listAccounts', 'GET', '/accounts'),
  route('createAccount', 'POST', '/accounts', fields({ name: text }, { credits: integer })),
  route('ensureFirstAccount', 'POST', '/accounts/first'),
  route('showAccount', 'GET', '/accounts/:accountId'),
  route('showAccount', 'GET', '/account'),
  route('renameAccount', 'PATCH', '/accounts/:accountId', fields({ name: text })),
  route('suspendAccount', 'POST', '/accounts/:accountId/suspend'),
  route('resumeAccount', 'POST', '/accounts/:accountId/resume'),
  route('deleteAccount', 'DELETE', '/accounts/:accountId'),
  route('accountUsage', 'GET', '/accounts/:accountId/usage', fields({}, { from: text, to: text, ...PAGE })),
  route('accountLedger', 'GET', '/accounts/:accountId/ledger', fields({}, { receipt: text, ...PAGE })),
  route(
    'accountRequests',
    'GET',
    '/accounts/:accountId/requests',
    fields({}, { operation: text, status: integer, label: text, from: text, to: text, ...PAGE }),
  ),
  route('explainRequest', 'GET', '/requests/:requestId'),
  route('grant', 'POST', '/accounts/:accountId/grants', fields({ credits: integer }, GRANT)),
  route('grant', 'POST', '/grants', fields({ credits: integer }, GRANT)),
  route('listKeys', 'GET', '/keys', OF_ACCOUNT),
  route('createKey', 'POST', '/keys', fields({}, { accountId: text, manage: { type: 'boolean' }, ...KEY_LIMITS })),
  route('editKey', 'PATCH', '/keys/:keyId', fields({}, KEY_LIMITS)),
  route('revokeKey', 'POST', '/keys/:keyId/revoke', fields({}, { keepDescendants: { type: 'boolean' } })),
  route('rerollKey', 'POST', '/keys/:keyId/reroll', fields({}, { graceMs: integer })),
  route('listClients', 'GET', '/clients', OF_ACCOUNT),
  route('listGrants', 'GET', '/grants', OF_ACCOUNT),
  route('createClient', 'POST', '/clients', fields({}, { accountId: text, label: text, expiresAt: orNull(text), scopes: orNull(texts) })),
  route('revokeClient', 'POST', '/clients/:clientId/revoke'),
  route('rotateSigningKey', 'POST', '/signing-keys/rotate', fields({}, { drop: { type: 'boolean' } })),
  route('verifyLedger', 'POST', '/ledger/verify', ANCHOR, MAX_ANCHOR_BYTES),
  route('verifyLedger', 'GET', '/ledger/verify'),
  route('anchorLedger', 'GET', '/ledger/anchor'),
  route('verifyAudit', 'POST', '/audit/verify', ANCHOR, MAX_ANCHOR_BYTES),
  route('verifyAudit', 'GET', '/audit/verify'),
  route('listSources', 'GET', '/sources'),
  route('showFleet', 'GET', '/fleet'),
  route('auditLog', 'GET', '/audit', fields({}, { limit: integer })),
  route('createConsoleLink', 'POST', '/console-links', OF_ACCOUNT),
  route(
    'purgeCache',
    'POST',
    '/cache/purge',
    fields({ operation: text }, { parameters: { type: 'object', additionalProperties: { type: 'string', maxLength: 4_000 } } }),
  ),
];
