import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { type Admin, AdminError } from '../../accounts/admin/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import { faultFinder } from '../../contract/validation.ts';
import { credentialOf } from '../admission/credentials.ts';

type Fields = Readonly<Record<string, TSchema>>;
const text = { type: 'string', maxLength: 500 };
const integer = { type: 'integer' };
const orNull = (schema: TSchema) => ({ anyOf: [schema, { type: 'null' }] });
const texts = { type: 'array', items: text, maxItems: 200 };
interface Given extends TSchema {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Fields;
  readonly additionalProperties: false;
}
const body = (required: Fields, optional: Fields = {}): Given => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});

const NOTHING = body({});
const ACCOUNT = body({ name: text }, { credits: integer });
const GRANT = body({ credits: integer }, { note: text, reference: text });
const KEY_FIELDS = {
  label: text,
  expiresAt: orNull(text),
  operations: orNull(texts),
  addresses: orNull(texts),
  creditsPerDay: orNull(integer),
  creditsPerMonth: orNull(integer),
  ratePerSecond: orNull(integer),
  rateBurst: orNull(integer),
};
const KEY = body({}, { accountId: text, ...KEY_FIELDS });
const KEY_EDIT = body({}, KEY_FIELDS);
const NAME = body({ name: text });
const REROLL = body({}, { graceMs: integer });
const CLIENT = body({}, { accountId: text, label: text, expiresAt: orNull(text), scopes: orNull(texts) });
const ROTATE = body({}, { drop: { type: 'boolean' } });
const OF_ACCOUNT = body({}, { accountId: text });
const PAGED = { after: text, limit: { type: 'string', pattern: '^\\d{1,5}$' } };
const USAGE = body({}, { from: text, to: text, ...PAGED });
const STATEMENT = body({}, { receipt: text, ...PAGED });
const LIMIT = body({}, { limit: { type: 'string', pattern: '^\\d{1,5}$' } });

interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Of the body, or of the query of a GET. */
  readonly given: Given;
  /** `id`: of the path. */
  readonly serve: (admin: Admin, given: never, id: string) => Promise<unknown>;
}
const get = (path: string, given: Given, serve: AdminRoute['serve']): AdminRoute => ({ method: 'GET', path, given, serve });
const post = (path: string, given: Given, serve: AdminRoute['serve']): AdminRoute => ({ method: 'POST', path, given, serve });

const patch = (path: string, given: Given, serve: AdminRoute['serve']): AdminRoute => ({ method: 'PATCH', path, given, serve });
const del = (path: string, given: Given, serve: AdminRoute['serve']): AdminRoute => ({ method: 'DELETE', path, given, serve });

type Paged = { readonly limit?: string };
const withLimit = <T extends Paged>({ limit, ...rest }: T) => ({ ...rest, ...(limit !== undefined && { limit: Number(limit) }) });

/** What the operator may do over HTTP: the same as by the command line, JSON each way. */
const ROUTES: readonly AdminRoute[] = [
  get('/accounts', NOTHING, (admin) => admin.listAccounts()),
  post('/accounts', ACCOUNT, (admin, given) => admin.createAccount(given)),
  get('/accounts/:id', NOTHING, (admin, _given, accountId) => admin.showAccount({ accountId })),
  patch('/accounts/:id', NAME, (admin, given: { name: string }, accountId) => admin.renameAccount({ ...given, accountId })),
  post('/accounts/:id/suspend', NOTHING, (admin, _given, accountId) => admin.suspendAccount({ accountId })),
  post('/accounts/:id/resume', NOTHING, (admin, _given, accountId) => admin.resumeAccount({ accountId })),
  del('/accounts/:id', NOTHING, (admin, _given, accountId) => admin.deleteAccount({ accountId })),
  get('/accounts/:id/usage', USAGE, (admin, given: Paged, accountId) => admin.accountUsage({ ...withLimit(given), accountId })),
  get('/accounts/:id/ledger', STATEMENT, (admin, given: Paged, accountId) => admin.accountLedger({ ...withLimit(given), accountId })),
  post('/accounts/:id/grants', GRANT, (admin, given: { credits: number }, accountId) => admin.grant({ ...given, accountId })),
  get('/keys', OF_ACCOUNT, (admin, given) => admin.listKeys(given)),
  post('/keys', KEY, (admin, given) => admin.createKey(given)),
  patch('/keys/:id', KEY_EDIT, (admin, given: object, keyId) => admin.editKey({ ...given, keyId })),
  post('/keys/:id/revoke', NOTHING, (admin, _given, keyId) => admin.revokeKey({ keyId })),
  post('/keys/:id/reroll', REROLL, (admin, given: { graceMs?: number }, keyId) => admin.rerollKey({ ...given, keyId })),
  get('/clients', OF_ACCOUNT, (admin, given) => admin.listClients(given)),
  post('/clients', CLIENT, (admin, given) => admin.createClient(given)),
  post('/clients/:id/revoke', NOTHING, (admin, _given, clientId) => admin.revokeClient({ clientId })),
  post('/signing-keys/rotate', ROTATE, (admin, given) => admin.rotateSigningKey(given)),
  get('/ledger/verify', NOTHING, (admin) => admin.verifyLedger()),
  get('/ledger/anchor', NOTHING, (admin) => admin.anchorLedger()),
  get('/audit/verify', NOTHING, (admin) => admin.verifyAudit()),
  get('/audit', LIMIT, (admin, { limit }: { limit?: string }) => admin.auditLog(limit ? { limit: Number(limit) } : {})),
];

const digest = (value: string): Buffer => hash('sha256', value, 'buffer');

/** Adds accounts, keys, clients and grants to the admin listener, behind its token. */
export function addAdminRoutes(app: FastifyInstance, admin: Admin, token: string): void {
  const wanted = digest(token);
  const authorized = (authorization: string | undefined): boolean => {
    const credential = credentialOf(authorization === undefined ? {} : { authorization });
    return credential.kind === 'given' && timingSafeEqual(digest(credential.value), wanted);
  };
  for (const { method, path, given, serve } of ROUTES) {
    const faultOf = faultFinder(given);
    app.route({
      method,
      url: path,
      // before the body is read
      async onRequest(request) {
        if (!authorized(request.headers.authorization))
          throw new ServiceError(
            'UNAUTHORIZED',
            'The token of the admin listener is needed, as Authorization: Bearer; it is in the file admin-token of the data folder.',
            {
              'www-authenticate': 'Bearer realm="sightline admin"',
            },
          );
      },
      async handler(request, reply) {
        const came = (method === 'GET' ? request.query : request.body) ?? {};
        const fault = await faultOf(came);
        const unknown = (typeof came === 'object' && !Array.isArray(came) ? Object.keys(came) : []).find(
          (name) => !Object.hasOwn(given.properties, name),
        );
        if (unknown !== undefined) {
          const known = Object.keys(given.properties).join(', ');
          throw new ServiceError(
            'INVALID_REQUEST',
            `${JSON.stringify(unknown.slice(0, 100))} is no field here${known && `: there are ${known}`}.`,
          );
        }
        if (fault)
          throw new ServiceError('INVALID_REQUEST', `${fault.at.slice(1) || (method === 'GET' ? 'The query' : 'The body')} ${fault.why}.`);
        void reply.header('cache-control', 'no-store');
        return serve(admin, came as never, (request.params as { id?: string }).id ?? '');
      },
    });
  }
}

/** Whatever went wrong on the admin listener, in the one error body. */
export function adminRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof AdminError) return new ServiceError(error.kind === 'missing' ? 'NOT_FOUND' : 'INVALID_REQUEST', error.message);
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  return statusCode < 500 ? new ServiceError('INVALID_REQUEST', message) : new ServiceError('INTERNAL_ERROR');
}
