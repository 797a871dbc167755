import { type AccountEndpoint, accountEndpoints } from '../account/endpoints.ts';
import { areaList, camelCase, type Operation, operationList, type Prices, priceInWords } from '../operations/index.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { REQUEST_HEADERS } from './request-headers.ts';
import * as answers from './responses.ts';
import { componentSchemas, type JsonObject, reference } from './schemas.ts';

export interface OpenApiOptions {
  readonly publicUrl?: string | null;
  readonly prices?: Prices;
  /** Parameters of the request header that every lookup accepts. */
  readonly headers?: JsonObject;
}

const TAGS: Readonly<Record<string, string>> = {
  account: 'Balance, key, limits, usage, ledger and prices of the caller.',
  oauth: 'Access tokens for OAuth clients.',
  service: 'State of the service.',
};

const headerParameters = Object.keys(REQUEST_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));
const lookup = (operation: Operation, prices: Prices): JsonObject => ({
  operationId: camelCase(operation.id),
  tags: [operation.area.id],
  summary: operation.summary,
  description: `Price: ${priceInWords(prices, operation)}. Every error is free, and so is an answer from the cache unless the operator charges for it. HEAD is answered like GET.`,
  parameters: [...operation.parameters.map(answers.parameterOf), ...headerParameters],
  responses: {
    '200': answers.success({
      description: operation.summary,
      schema: operation.resourceName,
      headers: [...answers.METERED, 'X-Receipt', ...answers.VALIDATED],
      example: operation.id,
    }),
    '304': answers.notModified(),
    ...answers.errorResponses(),
  },
});

const state: JsonObject = {
  '/healthz': answers.openGet('service', 'health', 'The process runs', 'Asks nothing else: for the restart policy of a supervisor.', {
    ...{ description: 'The process runs.', schema: 'Health', headers: [], example: '/healthz' },
  }),
  '/readyz': answers.openGet('service', 'ready', 'Store and engine answer', 'Checks store and engine; the result is cached for a second.', {
    ...{ description: 'Store and engine are available.', schema: 'Ready', headers: [], example: '/readyz' },
  }),
};

const tokenAnswer = (description: string, schema: string, headers: readonly string[], example?: 'oauth-token'): JsonObject =>
  answers.success({ description, schema, headers: ['X-Request-Id', 'Cache-Control', ...headers], example });

const token: JsonObject = {
  post: {
    operationId: 'oauthToken',
    tags: ['oauth'],
    summary: 'An access token for client credentials, a code or a refresh token',
    description:
      'RFC 6749, 4.4. The client authenticates by Basic authentication or in the body, not both. Without `scope` the token has all scopes of the client. Apps to which a person granted access send a code with its PKCE verifier, later their refresh token, and `client_id` without a secret (OAuth 2.1, 4.1.3 and 4.3).',
    security: [{ client: [] }, {}],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['grant_type'],
            properties: {
              grant_type: { type: 'string', enum: ['client_credentials', 'authorization_code', 'refresh_token'] },
              scope: { type: 'string', description: `Separated by blanks: ${ALL_SCOPES.join(', ')}.` },
              client_id: { type: 'string' },
              client_secret: { type: 'string' },
              code: { type: 'string' },
              code_verifier: { type: 'string' },
              redirect_uri: { type: 'string', format: 'uri' },
              refresh_token: { type: 'string' },
              resource: { type: 'string', format: 'uri', description: 'Where the token will be used (RFC 8707): this service.' },
            },
          },
          example: { grant_type: 'client_credentials', scope: 'registration account' },
        },
      },
    },
    responses: {
      '200': tokenAnswer('The token.', 'AccessToken', [], 'oauth-token'),
      '400': tokenAnswer('The request, its grant or its scope is wrong.', 'TokenError', []),
      '401': tokenAnswer('The client or its secret is wrong.', 'TokenError', ['WWW-Authenticate']),
      '413': tokenAnswer('The body is too large.', 'TokenError', []),
      '415': tokenAnswer('The body has a content coding.', 'TokenError', ['Accept-Encoding']),
      '501': tokenAnswer('The request has an unknown transfer coding.', 'TokenError', []),
      '505': tokenAnswer('The request has another HTTP version than 1.1 or 1.0.', 'TokenError', []),
      '429': tokenAnswer('Too many requests, or too many wrong secrets.', 'TokenError', ['Retry-After', 'RateLimit', 'RateLimit-Policy']),
      '500': tokenAnswer('A defect of the service.', 'TokenError', []),
      '503': tokenAnswer('Overloaded, shutting down, or without store.', 'TokenError', ['Retry-After']),
      ...answers.errorResponses([405, 414, 431]),
    },
  },
};

const document = (path: answers.Example, operationId: string, summary: string, description: string, schema: string): JsonObject => ({
  [path]: answers.openGet('oauth', operationId, summary, description, {
    description: summary,
    schema,
    headers: ['Cache-Control'],
    example: path,
  }),
});

const oauthPaths: JsonObject = {
  '/v1/oauth/token': token,
  ...document(
    '/.well-known/oauth-authorization-server',
    'oauthServerMetadata',
    'The authorization server (RFC 8414)',
    'Where tokens are given, for which grants and scopes, and how clients authenticate.',
    'ServerMetadata',
  ),
  ...document(
    '/.well-known/oauth-protected-resource',
    'oauthResourceMetadata',
    'The protected resource (RFC 9728)',
    'Which audience and scopes a token needs here, and whose tokens are accepted.',
    'ResourceMetadata',
  ),
  ...document(
    '/.well-known/jwks.json',
    'oauthKeys',
    'Public keys of access tokens (RFC 7517)',
    'For services that verify the tokens of this authorization server themselves.',
    'KeySet',
  ),
};

const description = `Public data about competitors, read on request from several external sources. Every operation is a GET and answers with JSON.

**Credits.** The account that causes a lookup pays once it succeeds. Every error is free, and so is an answer from the cache and joining a
lookup that already runs. \`X-Max-Credits\` sets the most that an answer may cost.

**Freshness.** Standard HTTP: \`Cache-Control\` of the request says how fresh an answer must be; \`Age\`, \`ETag\` and \`Cache-Status\` say how it
came about. Nothing stale is served unless asked for.

**Presence.** Every field is always there; what the source does not state is null (arrays: empty).

**Errors.** Decide by \`error.code\`. Each status lists the codes that it has today. New codes may be added: treat one that you do not know by its
status.`;

const BEARER = `API key or OAuth access token. A client gets a token at \`POST /v1/oauth/token\` with the grant \`client_credentials\` (RFC 6749),
an app with a code that a person gave it (OAuth 2.1);
the endpoint and the scopes also stand in \`/.well-known/oauth-authorization-server\` (RFC 8414). Scopes: ${ALL_SCOPES.join(', ')}.`;

/** The OpenAPI 3.1 description of the service, generated from the table of operations. Pure: equal options give equal documents. */
export function describe({ publicUrl, prices = {}, headers = REQUEST_HEADERS }: OpenApiOptions = {}): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sightline',
      version: '1.0.0',
      summary: 'Competitor data lookups, answered on request and fresh',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/', description: 'This service' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [
      ...areaList.map(({ id, about }) => ({ name: id, description: about })),
      ...Object.entries(TAGS).map(([name, about]) => ({ name, description: about })),
    ],
    paths: {
      ...Object.fromEntries(operationList.map((o) => [o.path, { get: lookup(o, prices) }])),
      ...accountPaths(),
      ...oauthPaths,
      ...state,
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key; recommended from server to server.' },
        client: { type: 'http', scheme: 'basic', description: 'Client id and secret, at the token endpoint alone.' },
        bearer: { type: 'http', scheme: 'bearer', description: BEARER },
      },
      parameters: headers,
      headers: answers.HEADERS,
      responses: answers.errorComponents(),
      schemas: componentSchemas(),
    },
  };
}

const ERRORS = [400, 401, 403, 405, 413, 414, 415, 429, 431, 500, 501, 503, 505];

const describeEndpoint = (endpoint: AccountEndpoint): JsonObject => ({
  [endpoint.method?.toLowerCase() ?? 'get']: {
    operationId: camelCase(endpoint.id),
    tags: ['account'],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: [
      ...[...endpoint.parameters, ...(endpoint.rest ?? [])].map(answers.parameterOf),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: reference(endpoint.body.name) } } },
    }),
    responses: {
      '200': answers.success({
        description: endpoint.summary,
        schema: endpoint.resourceName,
        headers: answers.METERED,
        example: (endpoint.exampleOf ?? endpoint.id) as answers.Example,
        csv: endpoint.csv,
      }),
      ...answers.errorResponses(endpoint.path.includes('{') ? [...ERRORS, 404] : ERRORS),
    },
  },
});

function accountPaths(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of accountEndpoints) paths[endpoint.path] = { ...paths[endpoint.path], ...describeEndpoint(endpoint) };
  return paths;
}
