import { operationList } from '../operations/index.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { errorResponses, METERED, success } from './responses.ts';
import type { Json, JsonObject } from './schemas.ts';

const requestId: Json = { $ref: '#/components/parameters/RequestId' };
const ACCOUNT_ERRORS = [400, 401, 403, 405, 413, 414, 429, 431, 500, 503];
const OPEN_ERRORS = [400, 405, 413, 414, 431, 500, 503];

const query = (name: string, description: string, schema: JsonObject, example: Json, required = false): JsonObject => ({
  name,
  in: 'query',
  required,
  description,
  schema,
  example,
});
const day = (name: string, description: string, example: string) => query(name, description, { type: 'string', format: 'date' }, example);
const limit = (usual: number, maximum: number) =>
  query('limit', 'Entries of a page.', { type: 'integer', minimum: 1, maximum, default: usual }, usual);
const after = (example: string) => query('after', 'Cursor: `after` of the page before.', { type: 'string' }, example);

const about = (
  operationId: string,
  summary: string,
  schema: string,
  parameters: readonly JsonObject[],
  description = 'Free. An access token needs the scope `account`.',
): JsonObject => ({
  get: {
    operationId,
    tags: ['account'],
    summary,
    description,
    parameters: [...parameters, requestId],
    responses: { '200': success(summary, schema, METERED), ...errorResponses(ACCOUNT_ERRORS) },
  },
});

const usage = about(
  'accountUsage',
  'Requests and credits by day, operation, key and status',
  'AccountUsage',
  [
    day('from', 'First day, UTC; default: 29 days before `to`.', '2026-01-01'),
    day('to', 'Last day, UTC, included; default: today.', '2026-01-31'),
    limit(1000, 10_000),
    after('2026-01-03~registration~key_5f0c~200'),
    query('format', 'Form of the answer; without it `Accept` decides.', { type: 'string', enum: ['json', 'csv'] }, 'csv'),
  ],
  'Free. Also as CSV, by `format` or `Accept: text/csv`; there `Link` with `rel="next"` leads to the next page.',
);
/** The same answer as a table (RFC 4180). */
const csv: JsonObject = {
  'text/csv': {
    schema: { type: 'string' },
    example: 'day,operation,keyId,status,requests,credits\r\n2026-01-01,registration,key_5f0c,200,12,9\r\n',
  },
};
function withCsv(path: JsonObject): JsonObject {
  const { get } = path as { get: { responses: { '200': { content: JsonObject } } } & JsonObject };
  const ok = get.responses['200'];
  return { get: { ...get, responses: { ...get.responses, '200': { ...ok, content: { ...ok.content, ...csv } } } } };
}

const ledger = about('accountLedger', 'Every entry that made the balance, newest first', 'AccountLedger', [
  limit(100, 1000),
  after('118.0'),
  query(
    'receipt',
    '`X-Receipt` of an answer: its hold, and how it ended.',
    { type: 'string' },
    'acc_5f0c2d.0198c2a4-6b1e-7c3a-9f10-2b3c4d5e6f70',
  ),
]);

const price = about(
  'accountPrice',
  'What a lookup would cost now',
  'AccountPrice',
  [
    query('operation', 'Id of the operation.', { type: 'string', enum: operationList.map((o) => o.id) }, 'registration', true),
    {
      name: 'parameters',
      in: 'query',
      required: false,
      description: "The operation's own parameters by their names, those of its path included.",
      style: 'form',
      explode: true,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      example: { domain: 'acme-widgets.com' },
    },
  ],
  'Free: nothing is asked of any source, and nothing is held.',
);

const tokenAnswer = (description: string, schema: string, headers: readonly string[]): JsonObject =>
  success(description, schema, ['X-Request-Id', 'Cache-Control', ...headers]);

const token: JsonObject = {
  post: {
    operationId: 'oauthToken',
    tags: ['oauth'],
    summary: 'An access token for client credentials',
    description:
      'RFC 6749, 4.4. The client authenticates by Basic authentication or in the body, not both. Without `scope` the token has all scopes of the client.',
    security: [{ client: [] }, {}],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['grant_type'],
            properties: {
              grant_type: { type: 'string', enum: ['client_credentials'] },
              scope: { type: 'string', description: `Separated by blanks: ${ALL_SCOPES.join(', ')}.` },
              client_id: { type: 'string' },
              client_secret: { type: 'string' },
              resource: { type: 'string', format: 'uri', description: 'Where the token will be used (RFC 8707): this service.' },
            },
          },
          example: { grant_type: 'client_credentials', scope: 'registration account' },
        },
      },
    },
    responses: {
      '200': tokenAnswer('The token.', 'AccessToken', []),
      '400': tokenAnswer('The request, its grant or its scope is wrong.', 'TokenError', []),
      '401': tokenAnswer('The client or its secret is wrong.', 'TokenError', ['WWW-Authenticate']),
      '413': tokenAnswer('The body is too large.', 'TokenError', []),
      '429': tokenAnswer('Too many requests, or too many wrong secrets.', 'TokenError', ['Retry-After', 'RateLimit', 'RateLimit-Policy']),
      '500': tokenAnswer('A defect of the service.', 'TokenError', []),
      '503': tokenAnswer('Overloaded, shutting down, or without store.', 'TokenError', ['Retry-After']),
      ...errorResponses([405, 414, 431]),
    },
  },
};

const document = (operationId: string, summary: string, schema: string): JsonObject => ({
  get: {
    operationId,
    tags: ['oauth'],
    summary,
    security: [],
    responses: { '200': success(summary, schema, ['X-Request-Id', 'Cache-Control']), ...errorResponses(OPEN_ERRORS) },
  },
});

/** The caller's own account, and OAuth. `base`: address of the service; the account and token paths lie under its `/v1`, which the paths' own server names. */
export function accountPaths(base: string): JsonObject {
  const servers = [{ url: `${base}/v1`, description: 'Account and tokens' }];
  const under = (path: JsonObject): JsonObject => ({ servers, ...path });
  return {
    '/account': under(about('account', 'Balance, key and limits of the caller', 'Account', [])),
    '/account/usage': under(withCsv(usage)),
    '/account/ledger': under(ledger),
    '/account/price': under(price),
    '/oauth/token': under(token),
    '/.well-known/oauth-authorization-server': document('oauthServerMetadata', 'The authorization server (RFC 8414)', 'ServerMetadata'),
    '/.well-known/oauth-protected-resource': document('oauthResourceMetadata', 'The protected resource (RFC 9728)', 'ResourceMetadata'),
    '/.well-known/jwks.json': document('oauthKeys', 'Public keys of access tokens (RFC 7517)', 'KeySet'),
  };
}
