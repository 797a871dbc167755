import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { type Admin, AdminError } from '../accounts/admin-types.ts';
import { ServiceError } from '../contract/errors.ts';
import { faultFinder } from '../contract/fault.ts';
import { credentialOf } from './authenticate.ts';

type Fields = Readonly<Record<string, TSchema>>;
const text = { type: 'string', maxLength: 500 };
const integer = { type: 'integer' };
const orNull = (schema: TSchema) => ({ anyOf: [schema, { type: 'null' }] });
const texts = { type: 'array', items: text, maxItems: 200 };
const body = (required: Fields, optional: Fields = {}): TSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});

const NOTHING = body({});
const ACCOUNT = body({ name: text }, { credits: integer });
const GRANT = body({ credits: integer }, { note: text, reference: text });
const KEY = body(
  {},
  {
    accountId: text,
    label: text,
    expiresAt: orNull(text),
    operations: orNull(texts),
    addresses: orNull(texts),
    creditsPerDay: orNull(integer),
    creditsPerMonth: orNull(integer),
    ratePerSecond: orNull(integer),
    rateBurst: orNull(integer),
  },
);
const REROLL = body({}, { graceMs: integer });
const CLIENT = body({}, { accountId: text, label: text, expiresAt: orNull(text), scopes: orNull(texts) });
const ROTATE = body({}, { drop: { type: 'boolean' } });
const OF_ACCOUNT = body({}, { accountId: text });
const LIMIT = body({}, { limit: { type: 'string', pattern: '^\\d{1,5}$' } });

interface AdminRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of the body, or of the query of a GET. */
  readonly given: TSchema;
  /** `id`: of the path. */
  readonly serve: (admin: Admin, given: never, id: string) => Promise<unknown>;
}
const get = (path: string, given: TSchema, serve: AdminRoute['serve']): AdminRoute => ({ method: 'GET', path, given, serve });
const post = (path: string, given: TSchema, serve: AdminRoute['serve']): AdminRoute => ({ method: 'POST', path, given, serve });

/** What the operator may do over HTTP: the same as by the command line, JSON each way. */
const ROUTES: readonly AdminRoute[] = [
  get('/accounts', NOTHING, (admin) => admin.listAccounts()),
  post('/accounts', ACCOUNT, (admin, given) => admin.createAccount(given)),
  get('/accounts/:id', NOTHING, (admin, _given, accountId) => admin.showAccount({ accountId })),
  post('/accounts/:id/grants', GRANT, (admin, given: { credits: number }, accountId) => admin.grant({ ...given, accountId })),
  get('/keys', OF_ACCOUNT, (admin, given) => admin.listKeys(given)),
  post('/keys', KEY, (admin, given) => admin.createKey(given)),
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
        if (fault) throw new ServiceError('INVALID_REQUEST', `${fault.at || (method === 'GET' ? 'The query' : 'The body')} ${fault.why}.`);
        void reply.header('cache-control', 'no-store');
        return serve(admin, came as never, (request.params as { id?: string }).id ?? '');
      },
    });
  }
}

/** Whatever went wrong on the admin listener, in the one error body. */
export function adminRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof AdminError) return new ServiceError('INVALID_REQUEST', error.message);
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  return statusCode < 500 ? new ServiceError('INVALID_REQUEST', message) : new ServiceError('INTERNAL_ERROR');
}
