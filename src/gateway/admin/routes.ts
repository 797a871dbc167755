import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Admin, AdminError } from '../../accounts/admin/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import { faultFinder } from '../../contract/validation.ts';
import { credentialOf } from '../admission/credentials.ts';
import type { Entrance } from '../console/entrance.ts';
import { ADMIN_ROUTES, type AdminActions, type AdminRoute, type ObjectSchema } from './actions.ts';

/** An omitted action has no route: a gateway of a fleet does not purge the cache that all gateways share. */
export type OfferedActions = Admin & Partial<AdminActions>;

/**
 * Adds the routes of the admin API. `token`: the required bearer token; null: none, for a listener protected by file modes. `entrance`: a
 * session of the operator is accepted in its place.
 */
export function addAdminRoutes(
  app: FastifyInstance,
  actions: OfferedActions,
  token: string | null,
  entrance: Entrance | null = null,
): void {
  for (const route of ADMIN_ROUTES) {
    if (!actions[route.action]) continue;
    const run = actions[route.action] as (fields: object) => Promise<unknown>;
    const read = createFieldReader(route);
    app.route({
      method: route.method,
      url: route.path,
      bodyLimit: route.maxBytes,
      // before the body is read
      ...(token !== null && { onRequest: demandOperator(token, entrance) }),
      async handler(request, reply) {
        const fields = await read(route.method === 'GET' ? request.query : request.body);
        const result = await run({ ...fields, ...(request.params as Record<string, string>) });
        return reply
          .header('cache-control', 'no-store')
          .type('application/json; charset=utf-8')
          .send(JSON.stringify(result ?? null));
      },
    });
  }
}

const digest = (value: string): Buffer => hash('sha256', value, 'buffer');

function demandOperator(token: string, entrance: Entrance | null) {
  const wanted = digest(token);
  return async ({ headers: { authorization }, raw }: FastifyRequest): Promise<void> => {
    const credential = credentialOf(authorization === undefined ? {} : { authorization });
    if (credential.kind === 'given' && timingSafeEqual(digest(credential.value), wanted)) return;
    const session = credential.kind === 'none' && entrance ? await entrance.sessionOf(raw) : 'missing';
    if (typeof session !== 'string') return;
    throw new ServiceError(
      'UNAUTHORIZED',
      'The token of the admin listener is needed, as Authorization: Bearer; it is in the file admin-token of the data folder.',
      { 'www-authenticate': 'Bearer realm="sightline admin"' },
    );
  };
}

/** Validates the fields of a body or a query. Throws a ServiceError INVALID_REQUEST that names the field. */
export function createFieldReader({ method, fields }: Pick<AdminRoute, 'method' | 'fields'>): (sent: unknown) => Promise<object> {
  const faultOf = faultFinder(fields);
  const whole = method === 'GET' ? 'The query' : 'The body';
  const known = Object.keys(fields.properties).join(', ');
  return async (sent) => {
    const read = method === 'GET' ? withNumbers(sent as object, fields) : (sent ?? {});
    const unknown = (typeof read === 'object' && !Array.isArray(read) ? Object.keys(read) : []).find(
      (name) => !Object.hasOwn(fields.properties, name),
    );
    if (unknown !== undefined)
      throw new ServiceError(
        'INVALID_REQUEST',
        `${JSON.stringify(unknown.slice(0, 100))} is no field here${known && `: there are ${known}`}.`,
      );
    const fault = await faultOf(read);
    if (fault) throw new ServiceError('INVALID_REQUEST', `${fault.at.slice(1) || whole} ${fault.why}.`);
    return read;
  };
}

/** Converts query values to integers where the schema requires integers. */
const withNumbers = (query: object, { properties }: ObjectSchema): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      (properties[name] as { type?: string } | undefined)?.type === 'integer' && /^\d{1,15}$/.test(String(value)) ? Number(value) : value,
    ]),
  );

/** Sends an error of the admin API with the common error body. */
export function adminRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof AdminError) return new ServiceError(error.kind === 'missing' ? 'NOT_FOUND' : 'INVALID_REQUEST', error.message);
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  return statusCode < 500 ? new ServiceError('INVALID_REQUEST', message) : new ServiceError('INTERNAL_ERROR');
}
