/** Fastify with its own plugins for limits, cache headers and ETag; keys by hash, usage rows and charges by hooks. See bench/peers.suite.ts. */
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { MAX_AGE_S, openParts, openPeer, RATE } from './peer-parts.ts';

interface Asked extends FastifyRequest {
  account?: string;
}
const fastify = openPeer('fastify') as (options: object) => FastifyInstance;
const plugin = (name: string) => openPeer(name) as FastifyPluginCallback<Readonly<Record<string, unknown>>>;
const parts = openParts();
const app = fastify({ logger: false });
app.decorateRequest('account', undefined);
app.addHook('onRequest', async (request: Asked, reply) => {
  const account = parts.accountOf(request.headers['x-api-key'] as string | undefined);
  if (account === null) return reply.code(401).send({ error: 'unauthorized' });
  request.account = account;
});
await app.register(plugin('@fastify/rate-limit'), {
  max: RATE.perSecond,
  timeWindow: 1_000,
  hook: 'preHandler',
  keyGenerator: (request: Asked) => request.account ?? '',
});
await app.register(plugin('@fastify/caching'), { privacy: 'private', expiresIn: MAX_AGE_S });
await app.register(plugin('@fastify/etag'), {});
app.addHook('onResponse', async (request: Asked, reply) => {
  parts.used({ account: request.account ?? '', path: request.url, status: reply.statusCode, ms: reply.elapsedTime });
});
app.get<{ Params: { domain: string } }>(
  '/v1/website/whois/domains/:domain',
  { schema: { params: { type: 'object', properties: { domain: { type: 'string', maxLength: 253 } } } } },
  async (request, reply) => {
    const { text, costs } = await parts.answer(request.params.domain);
    if (costs && !parts.charge((request as Asked).account ?? '')) return reply.code(402).send({ error: 'insufficient credits' });
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  },
);
await app.listen({ port: 0, host: '127.0.0.1' });
parts.serving((app.server.address() as { port: number }).port);
