import Fastify, { type FastifyInstance } from 'fastify';
import { ServiceError } from '../../contract/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Entrance } from '../console/entrance.ts';
import { MAX_URL_BYTES } from '../http/message-limits.ts';
import { normalized } from '../http/path.ts';
import { addAdminRoutes, adminRefusal, type OfferedActions } from './routes.ts';

export interface AdminServerDependencies {
  readonly metrics: Metrics;
  readonly version: string;
  /**
   * The admin API; without it the server has only metrics and health. `token`: null for a listener protected by file modes. `entrance`: whose
   * sessions of the operator are accepted in place of the token.
   */
  readonly manage?: {
    readonly actions: OfferedActions;
    readonly token: string | null;
    readonly entrance?: Entrance;
    readonly log: Log;
  };
  /** Default: REQUEST_TIMEOUT_MS. */
  readonly requestTimeoutMs?: number;
}

/** Time until a request has arrived completely. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Host of a listener on loopback; behind a tunnel or a forwarded port it is the same. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** At a shutdown, connections still open after this time are closed. */
const CLOSING_MS = 1_000;

/** The operator's HTTP server: metrics and health without a token, the admin API with one. For loopback or a Unix socket only. */
export function createAdminServer({
  metrics,
  version,
  manage,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: AdminServerDependencies): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: 65_536,
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    },
    // the routes of the contract are served here too: paths mean what they mean on the public listener
    rewriteUrl: ({ url = '/' }) => normalized(url),
    routerOptions: { maxParamLength: 2 * MAX_URL_BYTES },
  });
  // a page of another site whose name was made to resolve to loopback (DNS rebinding)
  if (manage)
    app.addHook('onRequest', async ({ headers: { host = '' } }) => {
      if (LOOPBACK.test(host)) return;
      throw new ServiceError(
        'FORBIDDEN',
        `Host is ${JSON.stringify(host.slice(0, 100))}: the admin listener answers to localhost and 127.0.0.1 alone. Let a proxy in front of it send that.`,
      );
    });
  app.get('/metrics', async (_request, reply) => {
    void reply.header('content-type', metrics.registry.contentType).header('cache-control', 'no-store');
    return metrics.text();
  });
  app.get('/healthz', () => ({ status: 'ok', version }));
  app.setErrorHandler((error, _request, reply) => {
    const refusal = adminRefusal(error);
    if (refusal.status >= 500) manage?.log.error({ err: error }, 'admin API: request failed');
    return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(new ServiceError('NOT_FOUND', 'There is no such path.').body));
  // an incomplete request must not delay the shutdown
  app.addHook('preClose', async () => {
    const cut = setTimeout(() => app.server.closeAllConnections(), CLOSING_MS);
    app.server.once('close', () => clearTimeout(cut));
  });
  if (manage) addAdminRoutes(app, manage.actions, manage.token, manage.entrance);
  return app;
}
