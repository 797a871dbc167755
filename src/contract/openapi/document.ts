import { demandInWords } from '../account/demands.ts';
import { type AccountEndpoint, accountEndpoints } from '../account/endpoints.ts';
import { areaList, camelCase, type Operation, operationList, type Prices, priceInWords } from '../operations/index.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { REQUEST_HEADERS } from './request-headers.ts';
import * as answers from './responses.ts';
import { componentSchemas, type JsonObject, reference } from './schemas.ts';
import texts from './texts.json' with { type: 'json' };

export interface OpenApiOptions {
  readonly publicUrl?: string | null;
  readonly prices?: Prices;
}

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

const SCOPES = `${ALL_SCOPES.join(', ')}.`;
const tokenAnswer = (description: string, schema: string, headers: readonly string[], example?: 'oauth-token'): JsonObject =>
  answers.success({ description, schema, headers: ['X-Request-Id', 'Cache-Control', ...headers], example });
const tokenErrors = Object.entries(texts.errors).map(([status, [text = '', ...headers]]) => [
  status,
  tokenAnswer(text, 'TokenError', headers),
]);
const scope = { ...texts.form.scope, description: `Separated by blanks: ${SCOPES}` };
const form = {
  schema: { type: 'object', required: ['grant_type'], properties: { ...texts.form, scope } },
  example: { grant_type: 'client_credentials', scope: 'registration account' },
};
const token: JsonObject = {
  ...texts.token,
  requestBody: { required: true, content: { 'application/x-www-form-urlencoded': form } },
  responses: {
    '200': tokenAnswer('The token.', 'AccessToken', [], 'oauth-token'),
    ...Object.fromEntries(tokenErrors),
    ...answers.errorResponses([405, 414, 431]),
  },
};
const documents = Object.entries(texts.documents).map(([path, [id = '', summary = '', about = '', schema = '']]) => {
  const answer = { description: summary, schema, headers: ['Cache-Control'], example: path as answers.Example };
  return [path, answers.openGet('oauth', id, summary, about, answer)];
});
const oauthPaths: JsonObject = { '/v1/oauth/token': { post: token }, ...Object.fromEntries(documents) };

/** The OpenAPI 3.1 description of the service, generated from the table of operations. Pure: equal options give equal documents. */
export function describe({ publicUrl, prices = {} }: OpenApiOptions = {}): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sightline',
      version: '1.0.0',
      summary: 'Competitor data lookups, answered on request and fresh',
      description: texts.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/', description: 'This service' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [
      ...areaList.map(({ id, about }) => ({ name: id, description: about })),
      ...Object.entries(texts.tags).map(([name, about]) => ({ name, description: about })),
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
        bearer: { type: 'http', scheme: 'bearer', description: `${texts.bearer}${SCOPES}` },
      },
      parameters: REQUEST_HEADERS,
      headers: answers.HEADERS,
      responses: answers.errorComponents(),
      schemas: componentSchemas(),
    },
  };
}

const ERRORS = [400, 401, 403, 405, 413, 414, 415, 429, 431, 500, 501, 503, 505];

/** What its parameters name may not be there. */
const isOfOne = ({ path, parameters }: AccountEndpoint): boolean => path.includes('{') || parameters.some(({ name }) => name === 'watch');

const describeEndpoint = (endpoint: AccountEndpoint): JsonObject => ({
  [endpoint.method?.toLowerCase() ?? 'get']: {
    operationId: camelCase(endpoint.id),
    tags: ['account'],
    summary: endpoint.summary,
    description: `${endpoint.description} ${demandInWords(endpoint.id)}`,
    parameters: [
      ...[...endpoint.parameters, ...(endpoint.rest ?? [])].map(answers.parameterOf),
      { $ref: '#/components/parameters/RequestId' },
      ...(endpoint.isCharged ? [{ $ref: '#/components/parameters/MaxCredits' }] : []),
    ],
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: reference(endpoint.body.name) } } },
    }),
    responses: {
      [endpoint.status ?? 200]: answers.success({
        description: endpoint.summary,
        schema: endpoint.status === 204 ? null : endpoint.resourceName,
        headers: [...answers.METERED, ...(endpoint.isCharged ? ['X-Receipt'] : []), ...(endpoint.headers ?? [])],
        example: (endpoint.exampleOf ?? endpoint.id) as answers.Example,
        texts: endpoint.texts,
      }),
      ...answers.errorResponses([...ERRORS, ...(isOfOne(endpoint) ? [404] : []), ...(endpoint.isCharged ? [402] : [])]),
    },
  },
});

function accountPaths(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of accountEndpoints) paths[endpoint.path] = { ...paths[endpoint.path], ...describeEndpoint(endpoint) };
  return paths;
}
