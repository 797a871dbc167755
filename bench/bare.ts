import { openFastify } from './open-peer.ts';
import { resource, say } from './resource.ts';
import { reportServiceTimes } from './service-times.ts';

/** Bare Fastify that sends the same bytes: the reference for the gateway. */
reportServiceTimes();
const body = JSON.stringify(resource('bare.com'));
const app = openFastify();
app.get('/v1/website/whois/domains/:domain', (_request, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body),
);
await app.listen({ port: 0, host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
say({ baseUrl: `http://127.0.0.1:${(app.server.address() as { port: number }).port}` });
