import { type AccountEndpoint, accountEndpoints } from '../account/endpoints.ts';
import { camelCase } from '../operations/index.ts';
import { errorResponses, METERED, parameterOf, success } from './responses.ts';
import type { JsonObject } from './schemas.ts';

const ERRORS = [400, 401, 403, 405, 413, 414, 415, 429, 431, 500, 501, 503, 505];

const describeEndpoint = (endpoint: AccountEndpoint): JsonObject => ({
  get: {
    operationId: camelCase(endpoint.id),
    tags: ['account'],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: [...[...endpoint.parameters, ...(endpoint.rest ?? [])].map(parameterOf), { $ref: '#/components/parameters/RequestId' }],
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

/** The account endpoints by path. */
export const accountPaths = (): JsonObject => Object.fromEntries(accountEndpoints.map((e) => [e.path, describeEndpoint(e)]));
