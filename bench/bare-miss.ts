/**
 * The reference for a miss: bare Fastify with a handler that does the work of a miss itself. It requests BENCH_UPSTREAM by undici, parses the
 * answer, checks it against the schema of the operation, and sends it with an entity tag.
 */
import { hash } from 'node:crypto';
import { Compile } from 'typebox/schema';
import { Agent, request } from 'undici';
import { OPERATIONS } from '../src/contract/operations/index.ts';
import { openFastify } from './open-peer.ts';
import { say } from './resource.ts';

const agent = new Agent({ connections: 50 });
const schema = Compile(OPERATIONS.registration.resource);
const app = openFastify();
app.get('/v1/website/whois/domains/:domain', async ({ params }, reply) => {
  const { body } = await request(`${process.env.BENCH_UPSTREAM}/${params.domain}`, { dispatcher: agent });
  const value: unknown = JSON.parse(await body.text());
  if (!schema.Check(value)) throw new Error('The answer does not match the schema.');
  const text = JSON.stringify(value);
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('etag', `"${hash('sha256', text, 'base64url')}"`)
    .send(text);
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
say({ baseUrl: `http://127.0.0.1:${(app.server.address() as { port: number }).port}` });
