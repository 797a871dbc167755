import Fastify, { type FastifyInstance } from 'fastify';
import type { Admin } from '../../accounts/admin/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { addAdminRoutes, adminRefusal } from './routes.ts';

export interface AdminParts {
  readonly metrics: Metrics;
  readonly version: string;
  /** Accounts, keys and grants, behind this token; without it there are figures alone. */
  readonly manage?: { readonly admin: Admin; readonly token: string; readonly log: Log };
}

/** What is under way at the end has so long. */
const CLOSING_MS = 1_000;

/** The operator's listener, for loopback alone: figures and whether the process runs without a token, everything else behind one. */
export function createAdminServer({ metrics, version, manage }: AdminParts): FastifyInstance {
  const app = Fastify({ logger: false, bodyLimit: 65_536 });
  app.get('/metrics', async (_request, reply) => {
    void reply.header('content-type', metrics.registry.contentType).header('cache-control', 'no-store');
    return metrics.text();
  });
  app.get('/healthz', () => ({ status: 'ok', version }));
  app.setErrorHandler((error, _request, reply) => {
    const refusal = adminRefusal(error);
    if (refusal.status >= 500) manage?.log.error({ err: error }, 'the admin listener failed');
    return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(new ServiceError('NOT_FOUND', 'There is no such path.').body));
  // a request that never comes whole must not hold up the end
  app.addHook('preClose', async () => {
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSING_MS);
    app.server.once('close', () => clearTimeout(cut));
  });
  if (manage) addAdminRoutes(app, manage.admin, manage.token);
  return app;
}
