import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { OAuth } from '../accounts/oauth/oauth.ts';
import type { Accounts } from '../accounts/types.ts';
import { ServiceError } from '../contract/errors.ts';
import { operationList } from '../contract/operations/index.ts';
import type { Orchestrator } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { admitAtDoor, MAX_HEADER_BYTES, MAX_URL_BYTES } from './admission/admit.ts';
import { type EventLoop, watchEventLoop } from './admission/event-loop.ts';
import { isWithin, withoutPort } from './admission/ip-allow-list.ts';
import type { SharedPenalties } from './admission/penalties.ts';
import type { Limiter } from './admission/rate-limits.ts';
import { type Desk, deskOf } from './context.ts';
import { watchLastBytes } from './http/connection-drain.ts';
import { preflight } from './http/cors.ts';
import { answerParserError, type ParserError, refuseRaw } from './http/parser-errors.ts';
import { normalized } from './http/path.ts';
import { RequestContext } from './http/request-context.ts';
import { refusalOf, refuse } from './http/response.ts';
import { ACCOUNT_ROUTES, serveAccount } from './routes/account.ts';
import { createDocs } from './routes/docs.ts';
import { createReadiness } from './routes/health.ts';
import { serveLookup } from './routes/lookup.ts';
import { oauthRoutes, serveToken, TOKEN_PATH } from './routes/oauth.ts';
import { assetRoute, healthRoute, metricsRoute, type OpenRoute, readyRoute, serveOpen } from './routes/open.ts';

/** How often requests that take too long to come are looked for. */
const TIMEOUT_CHECK_MS = 1_000;

export interface GatewayParts {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly orchestrator: Orchestrator;
  readonly clock: Clock;
  readonly log: Log;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  readonly version: string;
  readonly metrics: Metrics;
  /** Ms of a clock that never jumps; default: the process's. */
  readonly monotonicMs?: () => number;
  /** Counts requests by address and by account; default: in this process. */
  readonly addressLimiter?: Limiter;
  readonly accountLimiter?: Limiter;
  readonly sharedPenalties?: SharedPenalties;
  readonly eventLoop?: EventLoop;
  /** Token endpoint and the documents about it; without it there are API keys alone. */
  readonly oauth?: OAuth;
}
export interface Gateway {
  readonly app: FastifyInstance;
  /** Refuses newcomers with 503, lets who is in finish, waits for their captures, then closes. False: some had to be cut off. */
  drain(): Promise<boolean>;
  readonly inFlight: () => number;
}

/** A path template as a pattern for whole paths. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/** The service as Fastify: one loop over the contract makes every route. Nothing is listened to yet. */
export function createServer(parts: GatewayParts): Gateway {
  const eventLoop = parts.eventLoop ?? watchEventLoop();
  const desk = deskOf(parts, eventLoop);
  const { SIGHTLINE_TRUST_PROXY: proxies, SIGHTLINE_REQUEST_TIMEOUT_MS: requestTimeoutMs } = parts.settings;
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    requestTimeout: requestTimeoutMs,
    // its own parse of the query is never used: ours refuses what it would let pass
    rewriteUrl: ({ url = '/' }) => normalized(url),
    routerOptions: { maxParamLength: 2 * MAX_URL_BYTES, querystringParser: () => ({}) },
    ...(proxies.length && { trustProxy: (address: string) => isWithin(proxies, withoutPort(address)) }),
    http: {
      maxHeaderSize: MAX_HEADER_BYTES + MAX_URL_BYTES,
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    // its type knows the packet as JSON; it is the Buffer itself
    clientErrorHandler: (error, socket) => answerParserError(desk, error as unknown as ParserError, socket),
    frameworkErrors: (_error, request, reply) =>
      take(request, reply, (x) => reject(x, new ServiceError('INVALID_REQUEST', 'The path holds a broken percent-encoding.'))),
  });
  /** Takes the request out of Fastify's hands, and answers it in its turn. */
  const take = (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: (x: RequestContext) => Promise<void> | void,
    { operation, path } = { operation: 'none', path: '*' },
  ): void => {
    reply.hijack();
    desk.pipeline.inTurn(request.raw, reply.raw, () => {
      const x = new RequestContext(desk, request.raw, reply.raw, operation, path, proxies.length ? withoutPort(request.ip) : undefined);
      answer(x)?.catch((error: unknown) => abandon(x, error));
    });
  };
  const patterns: { readonly pattern: RegExp; readonly allow: string }[] = [];
  const route = (
    path: string,
    operation: string,
    serve: (x: RequestContext, params: Readonly<Record<string, string>>) => Promise<void>,
  ): void => {
    patterns.push({ pattern: patternOf(path), allow: 'GET, HEAD' });
    app.route({
      method: ['GET', 'HEAD'],
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      handler(request, reply) {
        const params = request.params as Record<string, string>;
        // an empty segment names nothing
        if (Object.values(params).includes('')) take(request, reply, noRoute);
        else take(request, reply, (x) => serve(x, params), { operation, path });
      },
    });
  };

  for (const operation of operationList) route(operation.path, operation.id, (x, params) => serveLookup(x, operation, params));
  for (const account of ACCOUNT_ROUTES) route(account.path, account.operation, (x) => serveAccount(x, account));
  for (const open of openRoutes(desk, parts)) route(open.path, open.operation, (x) => serveOpen(x, open));

  const { oauth } = parts;
  if (oauth) {
    patterns.push({ pattern: patternOf(TOKEN_PATH), allow: 'POST' });
    app.route({
      method: 'POST',
      url: TOKEN_PATH,
      // before Fastify looks at the body: it is read, and judged, by the endpoint itself
      onRequest: (request, reply) => take(request, reply, (x) => serveToken(x, oauth), { operation: 'oauth-token', path: TOKEN_PATH }),
      handler: () => undefined,
    });
  }

  /** No route: 405 where the path is one of ours, 404 elsewhere. A body is not read: the connection ends with the answer. */
  const noRoute = (x: RequestContext): void => {
    const path = (x.request.url ?? '').split('?', 1)[0] ?? '';
    const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
    const { method } = x.request;
    const known = patterns.find((p) => p.pattern.test(path));
    if (!known) reject(x, new ServiceError('NOT_FOUND', `${method} ${shown}: there is no such path; /docs shows all that there are.`));
    else if (!preflight(x))
      reject(
        x,
        new ServiceError('METHOD_NOT_ALLOWED', `${method} ${shown}: this path answers ${known.allow} alone.`, { allow: known.allow }),
      );
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setNotFoundHandler((request, reply) => take(request, reply, noRoute));
  // what Fastify refuses of a request that has no route here (content types, QUERY) has no route still
  app.setErrorHandler((error, request, reply) =>
    take(request, reply, (x) => (request.is404 ? noRoute(x) : refuse(x, refusalOf(x, error)))),
  );
  app.server.on('checkExpectation', (request, response) =>
    desk.pipeline.inTurn(request, response, () =>
      reject(
        new RequestContext(desk, request, response, 'none', '*'),
        new ServiceError('INVALID_REQUEST', 'The Expect header asks for what is not done here.'),
      ),
    ),
  );
  app.server.on('connect', (request, socket: Socket) =>
    refuseRaw(desk, socket, () => {
      const target = (request.url ?? '').slice(0, 100);
      return new ServiceError('METHOD_NOT_ALLOWED', `CONNECT ${target}: this service is no proxy.`, { allow: 'GET, HEAD' });
    }),
  );
  app.addHook('onClose', async () => eventLoop.stop());
  parts.metrics.metrics('sightline_gateway_requests', 'Requests that are in now.', () => ({ in_flight: desk.loadShedder.inFlight() }));

  const lastBytes = watchLastBytes(app.server, desk.clock);
  async function drain(): Promise<boolean> {
    const untilMs = desk.clock.now() + parts.settings.SIGHTLINE_DRAIN_MS;
    const empty = await desk.loadShedder.drain(parts.settings.SIGHTLINE_DRAIN_MS);
    const closed = new AbortController();
    const cut = lastBytes.cutAfter(empty ? untilMs : 0, closed.signal);
    await app.close();
    closed.abort();
    await cut;
    // the last byte of the last answer has left only now
    await Promise.all(desk.settlements);
    return empty;
  }
  return { app, drain, inFlight: desk.loadShedder.inFlight };
}

/** Not even the refusal could be written: a defect of ours. The log learns of it, and the client is not left waiting. */
function abandon(x: RequestContext, error: unknown): void {
  x.desk.log.error({ err: error, requestId: x.requestId, operation: x.operation }, 'a request could not be answered');
  if (!x.response.writableEnded) x.response.destroy();
}

/** A refusal that comes before any route: the door's own refusals go first. */
function reject(x: RequestContext, error: ServiceError): void {
  try {
    admitAtDoor(x);
    refuse(x, error, bodyComes(x) ? ['Connection', 'close'] : []);
  } catch (thrown) {
    refuse(x, refusalOf(x, thrown));
  }
}
const bodyComes = (x: RequestContext): boolean =>
  x.request.headers['transfer-encoding'] !== undefined || (x.request.headers['content-length'] ?? '0') !== '0';

function openRoutes(desk: Desk, parts: GatewayParts): readonly OpenRoute[] {
  const { SIGHTLINE_PUBLIC_URL: publicUrl, SIGHTLINE_METRICS_TOKEN: token } = parts.settings;
  const { oauth } = parts;
  const docs = createDocs({ publicUrl, prices: parts.settings.SIGHTLINE_PRICES });
  return [
    healthRoute(),
    readyRoute(createReadiness(desk)),
    ...Object.entries(docs).map(([path, load]) => assetRoute(path, load)),
    ...(token === null ? [] : [metricsRoute(token)]),
    ...(oauth ? oauthRoutes(oauth, publicUrl) : []),
  ];
}
