import { count, flag, list, nullable, record, text } from '../schema.ts';
import { ACCOUNT, defineActions, fields, line, lines, NO_FIELDS, options } from './define.ts';
import * as answer from './schemas.ts';

const OF_ACCOUNT = options({ accountId: line('only those of this account') });
const KEY_ID = { keyId: line('id of the key') };
const LIMITS = {
  label: line('a name, shown in lists'),
  expiresAt: nullable(line('time of expiry, RFC 3339; null: never')),
  operations: nullable(lines('allowed operations; null: all')),
  addresses: nullable(lines('allowed client addresses (CIDR); null: all')),
  creditsPerDay: nullable(count('most credits a day (UTC); null: no limit')),
  creditsPerMonth: nullable(count('most credits a month (UTC); null: no limit')),
  ratePerSecond: nullable(count('requests per second, sustained; null: the limit of the account')),
  rateBurst: nullable(count('burst of requests; null: the limit of the account')),
};
const STOP_WATCHES = { stopWatches: flag('the watches that check by it stop; without this it is refused while there are any') };
const KEEP_DESCENDANTS = { keepDescendants: flag('the keys that it made stay valid') };
const IN_FORCE = 'in force when the request returns, in a fleet within a second';

export const CREDENTIAL_ACTIONS = defineActions({
  createKey: {
    summary: 'create an API key; the key is shown once',
    requests: ['POST /keys'],
    command: 'keys create',
    input: options({
      ...ACCOUNT,
      ...LIMITS,
      manage: flag('the key may make, change, replace and revoke keys of its account in the console'),
    }),
    answer: answer.NewKey,
    session: 'unlimited manager',
    operatorFields: ['accountId'],
  },
  editKey: {
    summary: `change the given fields of a key; ${IN_FORCE}`,
    requests: ['PATCH /keys/{keyId}'],
    command: 'keys edit <keyId>',
    input: fields(KEY_ID, LIMITS),
    answer: answer.KeySummary,
    session: 'unlimited manager',
  },
  listKeys: {
    summary: 'list keys with their state, each below the key that made it; never the key itself',
    requests: ['GET /keys'],
    command: 'keys list',
    input: OF_ACCOUNT,
    answer: list(answer.ListedKey),
    session: 'any',
    operatorFields: ['accountId'],
  },
  previewRevokeKey: {
    summary: 'tell what would end with a key: the keys that it made, and the watches that nobody would pay for; changes nothing',
    requests: ['GET /keys/{keyId}/revoke'],
    command: 'keys preview-revoke <keyId>',
    input: fields(KEY_ID, KEEP_DESCENDANTS),
    answer: answer.RevokePreview,
    session: 'manager',
    operatorFields: ['keepDescendants'],
  },
  revokeKey: {
    summary: `revoke a key, its sessions and the keys that it made; ${IN_FORCE}`,
    requests: ['POST /keys/{keyId}/revoke'],
    command: 'keys revoke <keyId>',
    input: fields(KEY_ID, { ...KEEP_DESCENDANTS, ...STOP_WATCHES }),
    answer: answer.KeySummary,
    session: 'manager',
    operatorFields: ['keepDescendants'],
  },
  rerollKey: {
    summary: 'replace a key by a new one with the same rights, limits and spent credits, which count together',
    requests: ['POST /keys/{keyId}/reroll'],
    command: 'keys reroll <keyId>',
    input: fields(KEY_ID, { graceMs: count('how long the old key stays valid; default: it is revoked at once') }),
    answer: answer.NewKey,
    session: 'manager',
  },
  showOperatorKey: {
    summary: "show the first characters of the operator's key; answers null where there is none",
    requests: ['GET /operator-key'],
    command: 'operator key',
    input: NO_FIELDS,
    answer: nullable(answer.OperatorKeySummary),
  },
  rerollOperatorKey: {
    summary: "make the key that opens the operator's console, or replace it; the one before and its sessions end at once; shown once",
    requests: ['POST /operator-key'],
    command: 'operator reroll-key',
    input: NO_FIELDS,
    answer: answer.NewOperatorKey,
  },
  createClient: {
    summary: 'create an OAuth client; its secret is shown once',
    requests: ['POST /clients'],
    command: 'clients create',
    input: options({
      ...ACCOUNT,
      label: LIMITS.label,
      expiresAt: LIMITS.expiresAt,
      scopes: nullable(lines('scopes of its access tokens; null: all')),
    }),
    answer: answer.NewClient,
  },
  listClients: {
    summary: 'list OAuth clients with their state; never the secret',
    requests: ['GET /clients'],
    command: 'clients list',
    input: OF_ACCOUNT,
    answer: list(answer.ClientSummary),
  },
  revokeClient: {
    summary: `revoke a client and all of its tokens; ${IN_FORCE}`,
    requests: ['POST /clients/{clientId}/revoke'],
    command: 'clients revoke <clientId>',
    input: fields({ clientId: line('id of the client') }, STOP_WATCHES),
    answer: answer.ClientSummary,
  },
  listGrants: {
    summary: 'list what persons granted to apps that sign in with OAuth, ended grants too; revoking the key of a grant ends it',
    requests: ['GET /grants'],
    command: 'clients grants',
    input: OF_ACCOUNT,
    answer: list(answer.GrantSummary),
  },
  rotateSigningKey: {
    summary: 'sign access tokens with a new key; older keys still verify tokens until these expire',
    requests: ['POST /signing-keys/rotate'],
    command: 'clients rotate',
    input: options({ drop: flag('also reject all tokens signed before: for a key that may be compromised') }),
    answer: record({ kid: text('Id of the key that signs now.'), dropped: count('Keys that no longer verify tokens.') }),
  },
});
