import type { IncomingMessage } from 'node:http';
import { type ActionName, ADMIN_ACTIONS, type Admin, type AdminActions, MAX_BODY_BYTES } from '../../contract/admin/actions.ts';
import { type AdminAction, type AdminRequest, type FieldsSchema, requestsOf } from '../../contract/admin/define.ts';
import { demandFieldNames } from '../../contract/body-fields.ts';
import { invalid, ServiceError } from '../../contract/errors.ts';
import { isObject } from '../../contract/json-object.ts';
import { misfit } from '../../contract/misfit.ts';
import { createBodyReader } from '../admission/bodies.ts';
import { credentialOf } from '../admission/credentials.ts';
import type { Entrance } from '../console/entrance.ts';
import type { Route } from '../http/listener.ts';
import { queryOf } from '../http/request.ts';
import type { Responder } from '../http/response.ts';

/** An omitted action has no route: a gateway of a fleet does not purge the cache that all gateways share. */
export type OfferedActions = Admin & Partial<AdminActions>;

const MAX_SENDING = 100;

/** The routes of the admin API: an action that may end early takes a signal, which aborts where its client is gone. `entrance`: whose credentials and sessions are accepted; null: none is required, because file modes protect the listener. */
export function adminRoutes(responder: Responder, actions: OfferedActions, entrance: Entrance | null): readonly Route[] {
  const { readJson } = createBodyReader({ mostOfAddress: MAX_SENDING, leave: () => undefined, enter: () => undefined });
  return Object.entries<AdminAction>(ADMIN_ACTIONS).flatMap(([name, action]) => {
    const run = actions[name as ActionName] as ((fields: object, signal: AbortSignal) => Promise<unknown>) | undefined;
    if (!run) return [];
    return requestsOf(action).map(({ method, path, fields }): Route => {
      const read = createFieldReader({ method, fields });
      return {
        methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
        path,
        operation: 'admin',
        ...(method !== 'GET' && { maxBodyBytes: action.maxBytes ?? MAX_BODY_BYTES }),
        async serve(context, params) {
          const { request, response } = context;
          const gone = new AbortController();
          response.once('close', () => {
            if (!response.writableFinished) gone.abort();
          });
          // before the body is read
          if (entrance) await demandOperator(request, entrance);
          const sent = method === 'GET' ? fieldsOf(queryOf(request)) : await readJson(context);
          const given = read(sent);
          demandParams(action, params);
          const result = await run({ ...given, ...params }, gone.signal);
          responder.writeJson(context, result ?? null);
        },
      };
    });
  });
}

/** The fields of the path. Throws INVALID_REQUEST. */
function demandParams({ input: { properties } }: AdminAction, params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    const fault = misfit(properties[name] ?? {}, value, name);
    if (fault) throw invalid(`${name} ${fault.why}.`);
  }
}

/** Throws INVALID_REQUEST for a field that is given twice. */
export function fieldsOf(query: readonly (readonly [string, string])[]): object {
  const twice = query.find(([name], i) => query.findIndex(([other]) => other === name) !== i);
  if (twice) throw invalid(`${twice[0].slice(0, 100)} is given twice.`);
  return Object.fromEntries(query);
}

/** Throws 401 without the token of the admin listener, the operator's key, or a session of the operator. */
export async function demandOperator(request: IncomingMessage, entrance: Entrance): Promise<void> {
  const { authorization } = request.headers;
  const credential = credentialOf(authorization === undefined ? {} : { authorization });
  if (credential.kind === 'given' && (await entrance.operatorBy(credential.value))) return;
  const session = credential.kind === 'none' ? await entrance.sessionOf(request) : 'missing';
  if (typeof session !== 'string') return;
  throw new ServiceError(
    'UNAUTHORIZED',
    "The operator's key or the token of the admin listener is needed, as Authorization: Bearer; the token is in the file admin-token of the data folder.",
    { 'www-authenticate': 'Bearer realm="sightline admin"' },
  );
}

/** Validates the fields of a body or a query. Throws a ServiceError INVALID_REQUEST that names the field. */
export function createFieldReader({ method, fields }: Pick<AdminRequest, 'method' | 'fields'>): (sent: unknown) => object {
  const whole = method === 'GET' ? 'The query' : 'The body';
  const known = Object.keys(fields.properties);
  return (sent) => {
    const read = method === 'GET' ? typedFields(sent as object, fields) : (sent ?? {});
    if (isObject(read)) demandFieldNames(read, known);
    // without the value: it may be a credential
    const fault = misfit(fields, read);
    if (fault) throw invalid(`${fault.pointer || whole} ${fault.why}.`);
    return read;
  };
}

/** The fields of a query, whose values are texts, by the types of the schema. */
const typedFields = (query: object, { properties }: FieldsSchema): object =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => {
      const { type } = (properties[name] ?? {}) as { readonly type?: string };
      if (type === 'integer' && /^\d{1,15}$/.test(String(value))) return [name, Number(value)];
      return [name, type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value];
    }),
  );
