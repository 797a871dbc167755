import Fastify, { type FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

export interface AdminParts {
  readonly metrics: Metrics;
  readonly version: string;
}

/** The operator's listener, for loopback alone: figures without a token, and whether the process runs. */
export function createAdminServer(parts: AdminParts): FastifyInstance {
  const app = Fastify({ logger: false });
  app.get('/metrics', async (_request, reply) => {
    void reply.header('content-type', parts.metrics.registry.contentType).header('cache-control', 'no-store');
    return parts.metrics.text();
  });
  app.get('/healthz', () => ({ status: 'ok', version: parts.version }));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: { code: 'NOT_FOUND', message: 'There is no such path.' } }));
  return app;
}
