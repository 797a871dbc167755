import type { Static } from 'typebox';
import { codeOf, ERRORS, type ErrorName } from '../errors.ts';
import { amount, count, exactly, flag, list, nullable, oneOf, openRecord, orNull, record, text, textMap, words } from '../schema.ts';

/** `GET /v1/account`: the account, its credits and the credentials of the request. */
export const Account = record({
  accountId: text('Id of the account.'),
  name: text('Name of the account.'),
  credits: record({ balance: count('Credits of the account, held ones included.'), held: count('Credits held for lookups that run.') }),
  key: record({
    keyId: text('Id of the key or of the OAuth client; never the key itself.'),
    label: text('Its label.'),
    createdAt: text('When it was made.'),
    expiresAt: orNull.text('When it ends; null: never.'),
    operations: nullable(words('Ids of the operations that these credentials may use; null: all.')),
  }),
  limits: record({ ratePerSecond: count('Requests a second, sustained.'), burst: count('Requests at once.') }),
});
export type Account = Static<typeof Account>;

const AFTER = 'Cursor: `after` of the next request; null on the last page.';
const pages = { after: orNull.text(AFTER), hasMore: flag('Whether there is another page.') };

/** `GET /v1/account/usage`: requests and credits by day, operation, key and status. */
export const AccountUsage = record({
  from: text('First day, `YYYY-MM-DD`, UTC.'),
  to: text('Last day, included.'),
  days: list(
    record({
      day: text('Day, `YYYY-MM-DD`, UTC.'),
      operation: text('Id of the operation.'),
      keyId: text('Id of the key or of the OAuth client.'),
      status: count('HTTP status.'),
      requests: count('Number of requests.'),
      credits: count('Credits charged.'),
    }),
    'One entry for each day, operation, key and status, in this order.',
  ),
  ...pages,
});
export type AccountUsage = Static<typeof AccountUsage>;

export const ENTRY_KINDS = ['grant', 'hold', 'capture', 'release', 'expire'] as const;
/** `GET /v1/account/ledger`: the ledger entries of the account, newest first. */
export const AccountLedger = record({
  entries: list(
    record({
      at: text('When it was written, RFC 3339.'),
      kind: oneOf(ENTRY_KINDS, 'A hold ends as `capture` (charged), `release` (given back) or `expire`.'),
      credits: count('Change of the credits that the account owns.'),
      held: count('Change of the credits that are held.'),
      receipt: orNull.text('The receipt that it belongs to, as `X-Receipt` says; null for a grant.'),
      keyId: orNull.text('Key or OAuth client that caused it.'),
      operation: orNull.text('Operation that it paid for.'),
      requestId: orNull.text('Id of the request.'),
      label: orNull.text('`X-Request-Id` that the caller sent with it.'),
      note: orNull.text('Words with a grant.'),
      reference: orNull.text('Reference of a grant: the same one is granted once.'),
    }),
  ),
  ...pages,
});
export type AccountLedger = Static<typeof AccountLedger>;

/** `GET /v1/account/price`: what a lookup would cost now. */
export const AccountPrice = record({
  operation: text('Id of the operation.'),
  price: count('Credits that the lookup costs where a source has to be asked; less where fewer results come.'),
  cached: flag('Whether a fresh answer is kept: the lookup would be answered from it.'),
  freshUntil: orNull.text('Until when that answer is fresh; null where none is kept.'),
  charge: count('Credits that the lookup would cost now: 0 from the cache, unless the operator charges for that.'),
});
export type AccountPrice = Static<typeof AccountPrice>;

const REQUEST = {
  requestId: text('Id of the request: `X-Request-Id` of its answer, unless the caller sent one.'),
  label: orNull.text('`X-Request-Id` that the caller sent; several requests may have the same.'),
  at: text('When it arrived, RFC 3339.'),
  operation: text('Id of the operation, or of the account endpoint.'),
  status: count('HTTP status.'),
  code: orNull.text('Code of the error; null for an answer.'),
  source: orNull.text('Source that answered, as `X-Data-Source` names it.'),
  cache: orNull.text('`hit`, `miss`, `stale` or `collapsed` (joined the same lookup while it ran); null where the cache was not asked.'),
  credits: count('Credits charged.'),
  durationMs: amount('Milliseconds from its arrival to its answer.'),
  keyId: text('Key or OAuth client that made it.'),
};
export const AccountRequest = record(REQUEST);
export type AccountRequest = Static<typeof AccountRequest>;

/** `GET /v1/account/requests`: the requests of the account, newest first. */
export const AccountRequests = record({ requests: list(AccountRequest), ...pages });
export type AccountRequests = Static<typeof AccountRequests>;

/** Why a request was charged or not. */
export const CHARGE_RULES = {
  charged: 'This request caused the lookup, which succeeded: it costs its price, less what the source could not deliver.',
  'cached-charged': 'The answer came from the cache, and the operator of this service charges for that.',
  cached: 'The answer came from the cache, which is free.',
  joined: 'The same lookup was already running for another request, which paid for it: joining it is free.',
  stale: 'A kept answer was served instead of a new one: it is free.',
  error: 'Every error is free.',
  account: 'Requests for the own account are free.',
  'no-price': 'The operation costs nothing on this service.',
} as const;
export type ChargeRule = keyof typeof CHARGE_RULES;

/** `GET /v1/account/requests/{requestId}`: what happened to one request. */
export const RequestExplanation = record({
  ...REQUEST,
  message: orNull.text('Message of the error.'),
  parameters: nullable(textMap('Parameters by their names, as they were sent; null where they were not valid.')),
  freshness: orNull.text('`Cache-Control` of the request; null: none.'),
  attempts: list(
    record({
      source: text('Source that was asked.'),
      outcome: text('`found`, `absent`, `blocked`, `limited`, `unreachable`, `timeout`, `changed`, `refused` or `defect`.'),
      durationMs: count('Milliseconds of the attempt.'),
      reason: orNull.text('Why it did not answer; null where it did.'),
    }),
    'Attempts at sources, in order. None: the answer was kept, or no source was asked.',
  ),
  rule: oneOf(Object.keys(CHARGE_RULES) as ChargeRule[], 'Rule by which it was charged or not.'),
  ruleInWords: text('The same rule as a sentence.'),
  receipt: orNull.text('`X-Receipt`: the ledger lists its entries under it; null where nothing was charged.'),
  unread: words('Fields that are null because their content was not understood, as `X-Fields-Unread` says.'),
  upstreamMs: amount('Milliseconds that sources took.'),
  others: list(
    record({
      requestId: text('Id of the request.'),
      at: text('When it arrived, RFC 3339.'),
      operation: text('Id of the operation, or of the account endpoint.'),
      status: count('HTTP status.'),
    }),
    'Where it was asked for by a label: the other requests with this label, newest first, 1,000 at most.',
  ),
});
export type RequestExplanation = Static<typeof RequestExplanation>;

/** `POST /v1/oauth/token` (RFC 6749, 5.1). */
export const AccessToken = openRecord(
  {
    access_token: text('JWT access token (RFC 9068).'),
    token_type: exactly('Bearer'),
    expires_in: count('Seconds that it lives.'),
    scope: text('Scopes of the token, separated by blanks.'),
  },
  { refresh_token: text('Gives the next pair of tokens, once; for apps to which a person granted access.') },
);
/** Errors of `POST /v1/oauth/token` (RFC 6749, 5.2). */
export const TokenError = record({
  error: oneOf(
    [
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'unsupported_grant_type',
      'invalid_scope',
      'invalid_target',
      'temporarily_unavailable',
      'server_error',
    ],
    'Code of RFC 6749, 5.2 or 4.1.2.1, or RFC 8707, 2.',
  ),
  error_description: text('What was wrong, and what to do.'),
});

/** RFC 8414, 2: metadata of this service as authorization server. */
export const ServerMetadata = openRecord(
  {
    issuer: text('`iss` of its tokens.'),
    authorization_endpoint: text('Where a person lets an app use an account; where apps cannot sign in, a page that says so.'),
    token_endpoint: text('Where tokens are given.'),
    jwks_uri: text('Where its public keys are.'),
    scopes_supported: words('Scopes that there are.'),
    response_types_supported: words('`code`; none where apps cannot sign in.'),
    grant_types_supported: words('Grants of the token endpoint.'),
    token_endpoint_auth_methods_supported: words('How clients authenticate.'),
    service_documentation: text('Page for people.'),
  },
  {
    registration_endpoint: text('Where apps register (RFC 7591).'),
    revocation_endpoint: text('Where an app ends its grant (RFC 7009).'),
    revocation_endpoint_auth_methods_supported: words('`none`: apps have no secret.'),
    response_modes_supported: words('How the code comes back.'),
    code_challenge_methods_supported: words('Methods of PKCE (RFC 7636).'),
    authorization_response_iss_parameter_supported: flag('Answers name the issuer (RFC 9207).'),
    client_id_metadata_document_supported: flag('`client_id` may be the URL of a metadata document.'),
  },
);
/** RFC 9728, 2: metadata of this service as protected resource. */
export const ResourceMetadata = record({
  resource: text('`aud` of the tokens that it accepts.'),
  authorization_servers: words('Issuers whose tokens it accepts.'),
  jwks_uri: text('Where its public keys are.'),
  scopes_supported: words('Scopes that there are.'),
  bearer_methods_supported: words('How a token is sent.'),
  resource_name: text('Name for people.'),
  resource_documentation: text('Page for people.'),
});
/** RFC 7517, 5. */
export const KeySet = record({
  keys: list(
    openRecord(
      { kty: text('Kind of the key.'), kid: text('Its id.'), alg: text('What it signs with.'), use: text('`sig`.') },
      {
        crv: text('Curve of an OKP key.'),
        x: text('Public part of an OKP key.'),
        n: text('Modulus of an RSA key.'),
        e: text('Exponent of an RSA key.'),
      },
    ),
    'Public keys: those that sign, that will sign, and that signed tokens which may still live.',
  ),
});

const VERSION = text('Version of the service.');
/** `GET /healthz`. */
export const Health = record({ status: exactly('ok'), version: VERSION });
/** `GET /readyz`. */
export const Ready = record({
  status: exactly('ready'),
  version: VERSION,
  sunsets: list(
    record({
      source: text('Name of the source.'),
      date: text('Last announced day, `YYYY-MM-DD`.'),
      daysLeft: count('Days until that day; negative after it.'),
      what: text('What ends.'),
      instead: text('What remains.'),
    }),
    'Configured sources whose platform announced the end of the interface, from 180 days before on.',
  ),
});

export const ErrorDetails = record({
  code: oneOf(
    [...new Set((Object.keys(ERRORS) as ErrorName[]).map(codeOf))],
    'Stable code: programs decide by it. New codes may be added; treat one that you do not know by the status.',
  ),
  message: text('What was wrong, with which value, and what to do.'),
});
/** The body of every error. */
export const ErrorSchema = record(
  {
    error: ErrorDetails,
  },
  'Every error has this body.',
);
