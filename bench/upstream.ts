import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { resource, say } from './resource.ts';
import { largePage } from './searchengine.ts';

/** A local upstream that answers 10 kB of JSON at once, or after BENCH_UPSTREAM_MS. */
const delayMs = Number(process.env.BENCH_UPSTREAM_MS ?? 0);
/** For paths that begin with `/page-`: a result page of 600 kB that is compressed to a quarter, as recorded pages are (to a third or a quarter). */
const page = gzipSync(`${largePage(400_000)}<script>var data = "${randomBytes(150_000).toString('base64')}";</script>`);
let asked = 0;
const server = createServer((request, response) => {
  if (request.url === '/count') return void response.end(JSON.stringify({ asked }));
  asked++;
  if (request.url?.startsWith('/page-')) {
    const type = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
    response.writeHead(200, { ...type, 'content-length': page.length });
    return void response.end(page);
  }
  const body = JSON.stringify(resource(request.url?.slice(1) ?? ''));
  const answer = (): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
  if (delayMs) setTimeout(answer, delayMs);
  else answer();
});
process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => say({ baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));
