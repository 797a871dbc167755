import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import Type, { type TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Admin, AdminError } from '../accounts/admin-types.ts';
import { ServiceError } from '../contract/errors.ts';
import { credentialOf } from './authenticate.ts';

const text = Type.String({ maxLength: 500 });
const list = Type.Union([Type.Array(text, { maxItems: 200 }), Type.Null()]);
const whole = Type.Union([Type.Integer(), Type.Null()]);
const instant = Type.Union([text, Type.Null()]);
const body = <P extends Parameters<typeof Type.Object>[0]>(fields: P) => Type.Object(fields, { additionalProperties: false });

const NOTHING = body({});
const ACCOUNT = body({ name: text, credits: Type.Optional(Type.Integer()) });
const GRANT = body({ credits: Type.Integer(), note: Type.Optional(text), reference: Type.Optional(text) });
const KEY = body({
  accountId: Type.Optional(text),
  label: Type.Optional(text),
  expiresAt: Type.Optional(instant),
  operations: Type.Optional(list),
  addresses: Type.Optional(list),
  creditsPerDay: Type.Optional(whole),
  creditsPerMonth: Type.Optional(whole),
  ratePerSecond: Type.Optional(whole),
  rateBurst: Type.Optional(whole),
});
const REROLL = body({ graceMs: Type.Optional(Type.Integer()) });
const CLIENT = body({
  accountId: Type.Optional(text),
  label: Type.Optional(text),
  expiresAt: Type.Optional(instant),
  scopes: Type.Optional(list),
});
const ROTATE = body({ drop: Type.Optional(Type.Boolean()) });
const OF_ACCOUNT = body({ accountId: Type.Optional(text) });
const LIMIT = body({ limit: Type.Optional(Type.String({ pattern: '^\\d{1,5}$' })) });

interface AdminRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of the body, or of the query of a GET. */
  readonly given: TObject;
  /** `id`: of the path. */
  readonly serve: (admin: Admin, given: never, id: string) => Promise<unknown>;
}
const get = (path: string, given: TObject, serve: AdminRoute['serve']): AdminRoute => ({ method: 'GET', path, given, serve });
const post = (path: string, given: TObject, serve: AdminRoute['serve']): AdminRoute => ({ method: 'POST', path, given, serve });

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
    const check = Compile(given);
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
        if (!check.Check(came)) {
          const fault = check.Errors(came)[0];
          throw new ServiceError(
            'INVALID_REQUEST',
            `${fault?.instancePath || (method === 'GET' ? 'The query' : 'The body')} ${fault?.message ?? 'is wrong'}.`,
          );
        }
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
