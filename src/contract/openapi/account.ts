import { type AccountEndpoint, accountEndpoints } from '../account/endpoints.ts';
import { camelCase } from '../operations/index.ts';
import { errorResponses, METERED, parameterOf, success } from './responses.ts';
import type { JsonObject } from './schemas.ts';

const ERRORS = [400, 401, 403, 405, 413, 414, 429, 431, 500, 503];

const restOf = ({ rest }: AccountEndpoint): readonly JsonObject[] =>
  rest
    ? [
        {
          ...rest,
          in: 'query',
          required: false,
          style: 'form',
          explode: true,
          schema: { type: 'object', additionalProperties: { type: 'string' } },
        },
      ]
    : [];

const describeEndpoint = (endpoint: AccountEndpoint): JsonObject => ({
  get: {
    operationId: camelCase(endpoint.id),
    tags: ['account'],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: [...endpoint.parameters.map(parameterOf), ...restOf(endpoint), { $ref: '#/components/parameters/RequestId' }],
    responses: {
      '200': success({
        description: endpoint.summary,
        schema: endpoint.resourceName,
        headers: METERED,
        example: endpoint.id,
        csv: endpoint.csv,
      }),
      ...errorResponses(endpoint.path.includes('{') ? [...ERRORS, 404] : ERRORS),
    },
  },
});

/** The account endpoints by path, relative to the URL in `servers`. */
export const accountPaths = (servers: JsonObject): JsonObject =>
  Object.fromEntries(
    accountEndpoints.map((endpoint) => [endpoint.path.replace(/^\/v1/, ''), { ...servers, ...describeEndpoint(endpoint) }]),
  );
