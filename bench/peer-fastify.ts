/** Fastify with its own plugins for limits, cache headers and ETag; keys by hash, usage rows and charges by hooks. See bench/peers.suite.ts. */
import { type FastifyRequest, openFastify, openPeer } from './open-peer.ts';
import { MAX_AGE_S, openParts, RATE } from './peer-parts.ts';

const parts = openParts();
const app = openFastify();
app.decorateRequest('account', undefined);
app.addHook('onRequest', async (request, reply) => {
  const account = parts.accountOf(request.headers['x-api-key']);
  if (account === null) return reply.code(401).send({ error: 'unauthorized' });
  request.account = account;
});
await app.register(openPeer('@fastify/rate-limit'), {
  max: RATE.perSecond,
  timeWindow: 1_000,
  hook: 'preHandler',
  keyGenerator: (request: FastifyRequest) => request.account ?? '',
});
await app.register(openPeer('@fastify/caching'), { privacy: 'private', expiresIn: MAX_AGE_S });
await app.register(openPeer('@fastify/etag'), {});
app.addHook('onResponse', async (request, reply) => {
  parts.used({ account: request.account ?? '', path: request.url, status: reply.statusCode, ms: reply.elapsedTime });
});
app.get(
  '/v1/website/whois/domains/:domain',
  { schema: { params: { type: 'object', properties: { domain: { type: 'string', maxLength: 253 } } } } },
  async (request, reply) => {
    const { text, costs } = await parts.answer(request.params.domain);
    if (costs && !parts.charge(request.account ?? '')) return reply.code(402).send({ error: 'insufficient credits' });
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  },
);
await app.listen({ port: 0, host: '127.0.0.1' });
parts.serving((app.server.address() as { port: number }).port);
