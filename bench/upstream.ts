import { createServer } from 'node:http';
import { resource, say } from './resource.ts';

/** A local upstream that answers 10 kB of JSON at once. */
const server = createServer((request, response) => {
  const body = JSON.stringify(resource(request.url?.slice(1) ?? ''));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => say({ baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));
