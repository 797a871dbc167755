/** Express with the usual middleware for limits and its own ETag; keys by hash, usage rows and charges by middleware. See bench/peers.suite.ts. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { openPeer } from './open-peer.ts';
import { MAX_AGE_S, openParts, RATE } from './peer-parts.ts';

interface Asked extends IncomingMessage {
  readonly params: { readonly domain: string };
  account?: string;
}
interface Reply extends ServerResponse {
  status(code: number): Reply;
  set(name: string, value: string): Reply;
  json(body: object): void;
  send(text: string): void;
}
type Handler = (request: Asked, reply: Reply, next: () => void) => unknown;
interface Express {
  use(handler: Handler): void;
  get(path: string, handler: Handler): void;
  disable(setting: string): void;
  listen(port: number, host: string, done: () => void): Server;
}
const express = openPeer('express') as () => Express;
const { rateLimit } = openPeer('express-rate-limit') as { rateLimit(options: object): Handler };
const parts = openParts();
const app = express();
app.disable('x-powered-by');
app.use((request, reply, next) => {
  const account = parts.accountOf(request.headers['x-api-key'] as string | undefined);
  if (account === null) return reply.status(401).json({ error: 'unauthorized' });
  request.account = account;
  next();
});
app.use(
  rateLimit({
    windowMs: 1_000,
    limit: RATE.perSecond,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (request: Asked) => request.account,
  }),
);
app.use((request, reply, next) => {
  const began = performance.now();
  const path = request.url ?? '';
  reply.on('finish', () => parts.used({ account: request.account ?? '', path, status: reply.statusCode, ms: performance.now() - began }));
  next();
});
app.get('/v1/website/whois/domains/:domain', async (request, reply) => {
  const { text, costs } = await parts.answer(request.params.domain);
  if (costs && !parts.charge(request.account ?? '')) return reply.status(402).json({ error: 'insufficient credits' });
  reply.set('cache-control', `private, max-age=${MAX_AGE_S}`).set('content-type', 'application/json; charset=utf-8').send(text);
});
const server = app.listen(0, '127.0.0.1', () => parts.serving((server.address() as { port: number }).port));
