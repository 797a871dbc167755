import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { accountEndpoints } from '../contract/account/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { operationList } from '../contract/operations/index.ts';
import { watchEventLoop } from './admission/event-loop.ts';
import { isWithin, withoutPort } from './admission/ip-allow-list.ts';
import { assemble, type GatewayParts } from './assemble.ts';
import { consentRoutes } from './console/consent.ts';
import { addConsole } from './console/console-routes.ts';
import type { Entrance } from './console/entrance.ts';
import { identifyOperator } from './console/identify.ts';
import { watchLastBytes } from './http/connection-drain.ts';
import { preflight, READING } from './http/cors.ts';
import { MAX_HEADER_BYTES, MAX_URL_BYTES } from './http/message-limits.ts';
import { answerParserError, refuseRaw } from './http/parser-errors.ts';
import { normalized } from './http/path.ts';
import { RequestContext } from './http/request-context.ts';
import { createRouting, type Routing, type Serve } from './http/routing.ts';
import { createMcpRoute, MCP_CROSS_ORIGIN, MCP_PATH } from './mcp/route.ts';
import { createAccountRoute } from './routes/account.ts';
import type { RouteDependencies } from './routes/dependencies.ts';
import { createDocs } from './routes/docs.ts';
import { createReadiness } from './routes/health.ts';
import { createLookupRoute } from './routes/lookup.ts';
import { createTokenRoute, oauthRoutes, TOKEN_PATH } from './routes/oauth.ts';
import { appRoutes } from './routes/oauth-apps.ts';
import { assetRoute, createOpenRoute, healthRoute, metricsRoute, type OpenRoute, readyRoute } from './routes/open.ts';

/** Interval at which Node checks for requests that are not complete in time. */
const TIMEOUT_CHECK_MS = 1_000;

export interface Gateway {
  readonly app: FastifyInstance;
  /** Refuses new requests with 503, waits for requests in flight and their captures, then closes. False: some were aborted. */
  drain(): Promise<boolean>;
  readonly inFlight: () => number;
  /**
   * Adds to the admin listener the operator's console and the routes of the contract, on which the operator acts as the account that
   * `X-Sightline-Account` names.
   */
  addOperatorConsole(admin: FastifyInstance, entrance: Entrance): void;
}

/** The service as a Fastify app, not listening yet. The routes of the operations come from the contract. */
export function createServer(parts: GatewayParts): Gateway {
  const eventLoop = parts.eventLoop ?? watchEventLoop();
  const { loadShedder, http, routes, entrance, admitOperator } = assemble(parts, eventLoop);
  const { admission, responder } = routes;
  const serveOpen = createOpenRoute(routes);
  const { SIGHTLINE_TRUST_PROXY: proxies, SIGHTLINE_REQUEST_TIMEOUT_MS: requestTimeoutMs } = parts.settings;
  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 72_000,
    requestTimeout: requestTimeoutMs,
    // Fastify's query parser is not used: readQuery is stricter
    rewriteUrl: ({ url = '/' }) => normalized(url),
    routerOptions: { maxParamLength: 2 * MAX_URL_BYTES, querystringParser: () => ({}) },
    ...(proxies.length && { trustProxy: (address: string) => isWithin(proxies, withoutPort(address)) }),
    http: {
      maxHeaderSize: MAX_HEADER_BYTES + MAX_URL_BYTES,
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      // a request without a body gets no stream of events
      optimizeEmptyRequests: true,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    clientErrorHandler: (error, socket) => answerParserError(http, error, socket),
    frameworkErrors: (_error, request, reply) =>
      take(request, reply, (context) => reject(context, new ServiceError('INVALID_REQUEST', 'The path holds a broken percent-encoding.'))),
  });
  const routing = createRouting(
    {
      app,
      http,
      log: parts.log,
      ...(proxies.length && { addressOf: (request: FastifyRequest) => withoutPort(request.ip) }),
    },
    (context) => noRoute(context),
  );
  const { take } = routing;

  /** Refuses a request without a route, after the checks that precede routing. */
  function reject(context: RequestContext, error: ServiceError): void {
    try {
      admission.checkArrival(context);
      responder.refuse(context, error);
    } catch (thrown) {
      responder.refuse(context, responder.refusalOf(context, thrown));
    }
  }

  addContractRoutes(routing, routes);
  for (const open of openRoutes(routes, parts))
    routing.add({ methods: ['GET', 'HEAD'], path: open.path, operation: open.operation, serve: (context) => serveOpen(context, open) });
  if (entrance && parts.console) addConsole(routing, { ...routes, entrance, console: parts.console });

  const { oauth } = parts;
  if (oauth) {
    const serveToken = createTokenRoute(routes, oauth);
    routing.add({ methods: ['POST'], path: TOKEN_PATH, operation: 'oauth-token', serve: serveToken });
    for (const route of appRoutes(routes, oauth)) routing.add(route);
    if (entrance && parts.console && oauth.appSignIn)
      for (const route of consentRoutes({ ...routes, entrance, console: parts.console }, oauth, oauth.appSignIn)) routing.add(route);
  }

  const { SIGHTLINE_PUBLIC_URL: publicUrl, SIGHTLINE_MCP_MAX_CREDITS: maxCredits } = parts.settings;
  const mcp = parts.loadMcp && createMcpRoute(routes, { load: parts.loadMcp, maxCredits, publicUrl, corsOrigins: http.corsOrigins });
  if (mcp) routing.add({ methods: ['POST'], path: MCP_PATH, operation: 'mcp', serve: mcp.serve });

  /** Answers a request without a route: 405 for a known path, 404 otherwise. */
  const noRoute = (context: RequestContext): void => {
    const path = (context.request.url ?? '').split('?', 1)[0] ?? '';
    const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
    const { method } = context.request;
    const allow = routing.allowedAt(path);
    if (allow === null)
      reject(context, new ServiceError('NOT_FOUND', `${method} ${shown}: there is no such path; /docs shows all that there are.`));
    else if (!preflight(responder, http.corsOrigins, context, path === MCP_PATH ? MCP_CROSS_ORIGIN : READING))
      reject(context, new ServiceError('METHOD_NOT_ALLOWED', `${method} ${shown}: this path answers ${allow} alone.`, { allow }));
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setNotFoundHandler((request, reply) => take(request, reply, noRoute));
  // what Fastify refuses of a request without a route (content types, QUERY) is answered like any request without a route
  app.setErrorHandler((error, request, reply) =>
    take(request, reply, (context) => (request.is404 ? noRoute(context) : responder.refuse(context, responder.refusalOf(context, error)))),
  );
  app.server.on('checkExpectation', (request, response) =>
    http.pipeline.inTurn(request, response, () =>
      reject(
        new RequestContext(http, request, response, 'none', '*'),
        new ServiceError('INVALID_REQUEST', 'The expectation of the Expect header is not supported.'),
      ),
    ),
  );
  app.server.on('connect', (request, socket: Socket) =>
    refuseRaw(http, socket, () => {
      const target = (request.url ?? '').slice(0, 100);
      return new ServiceError('METHOD_NOT_ALLOWED', `CONNECT ${target}: this service is no proxy.`, { allow: 'GET, HEAD' });
    }),
  );
  app.addHook('onClose', async () => eventLoop.stop());
  parts.metrics.metrics('sightline_gateway_requests', 'Requests in flight.', () => ({ in_flight: loadShedder.inFlight() }));

  parts.metrics.metrics(
    'sightline_source_sunset_days',
    'Days until the platform of a configured source closes the interface, from 180 days before on; negative after that.',
    () => Object.fromEntries(parts.orchestrator.sunsets().map(({ source, daysLeft }) => [source, daysLeft])),
    'source',
  );

  const lastBytes = watchLastBytes(app.server, parts.clock);
  async function drain(): Promise<boolean> {
    const untilMs = parts.clock.now() + parts.settings.SIGHTLINE_DRAIN_MS;
    const empty = await loadShedder.drain(parts.settings.SIGHTLINE_DRAIN_MS);
    await mcp?.close();
    const closed = new AbortController();
    const cut = lastBytes.cutAfter(empty ? untilMs : 0, closed.signal);
    await app.close();
    closed.abort();
    await cut;
    // the last response is complete only after the close
    await routes.charges.settled();
    return empty;
  }
  return {
    app,
    drain,
    inFlight: loadShedder.inFlight,
    addOperatorConsole(admin, operatorEntrance) {
      if (!parts.console) return;
      const identify = identifyOperator(operatorEntrance, parts.console.adminAs('operator', null));
      const operatorRoutes: RouteDependencies = { ...routes, admission: admitOperator(identify) };
      const adminRouting = createRouting({ app: admin, http, log: parts.log }, noRoute);
      addContractRoutes(adminRouting, operatorRoutes);
      addConsole(adminRouting, { ...operatorRoutes, entrance: operatorEntrance, console: parts.console });
    },
  };
}

/** One route for each operation and each account endpoint of the contract. */
function addContractRoutes(routing: Routing, routes: RouteDependencies): void {
  const serveLookup = createLookupRoute(routes);
  const serveAccount = createAccountRoute(routes);
  const route = (path: string, operation: string, serve: Serve): void => routing.add({ methods: ['GET', 'HEAD'], path, operation, serve });
  for (const operation of operationList) route(operation.path, operation.id, (context, params) => serveLookup(context, operation, params));
  for (const endpoint of accountEndpoints) route(endpoint.path, endpoint.id, (context, params) => serveAccount(context, endpoint, params));
}

function openRoutes(routes: RouteDependencies, parts: GatewayParts): readonly OpenRoute[] {
  const { SIGHTLINE_PUBLIC_URL: publicUrl, SIGHTLINE_METRICS_TOKEN: token } = parts.settings;
  const { oauth } = parts;
  const docs = createDocs({ publicUrl, prices: parts.settings.SIGHTLINE_PRICES });
  return [
    healthRoute(routes),
    readyRoute(routes, createReadiness(routes)),
    ...Object.entries(docs).map(([path, load]) => assetRoute(routes.responder, path, load)),
    ...(token === null ? [] : [metricsRoute(routes, token)]),
    ...(oauth ? oauthRoutes(routes.responder, oauth, publicUrl) : []),
  ];
}
