import { areaList, camelCase, type Operation, operationList } from '../operations/index.ts';
import { type Prices, priceInWords } from '../prices.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { accountPaths } from './account.ts';
import { oauthPaths } from './oauth.ts';
import { REQUEST_HEADERS } from './request-headers.ts';
import {
  ERROR_ANSWERS,
  errorComponents,
  errorResponses,
  HEADERS,
  METERED,
  notModified,
  OPEN_ERRORS,
  parameterOf,
  success,
  VALIDATED,
} from './responses.ts';
import { componentSchemas, type JsonObject } from './schemas.ts';

export interface OpenApiOptions {
  /** Public URL of the service; default `/`. */
  readonly publicUrl?: string | null;
  /** The operator's prices; default: those of the operations. */
  readonly prices?: Prices;
}

/** Tags of endpoints that are not operations. */
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
  parameters: [...operation.parameters.map(parameterOf), ...headerParameters],
  responses: {
    '200': success({
      description: operation.summary,
      schema: operation.resourceName,
      headers: [...METERED, 'X-Receipt', ...VALIDATED],
      example: operation.id,
    }),
    '304': notModified(),
    ...errorResponses(),
  },
});

/** Endpoints other than operations and account endpoints. */
const state: JsonObject = {
  '/healthz': {
    get: {
      operationId: 'health',
      tags: ['service'],
      summary: 'The process runs',
      description: 'Asks nothing else: for the restart policy of a supervisor.',
      security: [],
      responses: {
        '200': success({ description: 'The process runs.', schema: 'Health', headers: ['X-Request-Id'], example: '/healthz' }),
        ...errorResponses(OPEN_ERRORS),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'ready',
      tags: ['service'],
      summary: 'Store and engine answer',
      description: 'Checks store and engine; the result is cached for a second.',
      security: [],
      responses: {
        '200': success({ description: 'Store and engine are available.', schema: 'Ready', headers: ['X-Request-Id'], example: '/readyz' }),
        ...errorResponses(OPEN_ERRORS),
      },
    },
  },
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
export function describe(options: OpenApiOptions = {}): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sightline',
      version: '1.0.0',
      summary: 'Competitor data lookups, answered on request and fresh',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl ?? '/', description: 'This service' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [
      ...areaList.map(({ id, about }) => ({ name: id, description: about })),
      ...Object.entries(TAGS).map(([name, about]) => ({ name, description: about })),
    ],
    paths: {
      ...Object.fromEntries(operationList.map((o) => [o.path, { get: lookup(o, options.prices ?? {}) }])),
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
      parameters: REQUEST_HEADERS,
      headers: HEADERS,
      responses: errorComponents(),
      schemas: componentSchemas(),
    },
  };
}

/** Statuses of the errors in the description. */
export const describedStatuses: readonly number[] = ERROR_ANSWERS.map((a) => a.status);
