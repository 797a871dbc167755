import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ListenOptions, Socket } from 'node:net';
import createRouter from 'find-my-way';
import { invalid, missing, ServiceError } from '../../contract/errors.ts';
import { trackConnections } from './connections.ts';
import { answerParserError, refuseRaw } from './parser-errors.ts';
import { demandLength, demandNoBody, demandWellFormed, MAX_HEADER_BYTES, MAX_URL_BYTES, pathOf } from './request.ts';
import { createContext, type HttpDependencies, leave, type RequestContext } from './request-context.ts';
import type { Responder } from './response.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];
type Params = Readonly<Record<string, string>>;
export type Serve = (context: RequestContext, params: Params) => Promise<void> | void;

export interface Route {
  readonly methods: readonly Method[];
  /** Path template: `{name}` is one segment, a final `*` the rest of the path. */
  readonly path: string;
  readonly operation: string;
  /** The route reads a body of so many bytes at most; default: it reads none. */
  readonly maxBodyBytes?: number;
  /** Writes the answer; what it throws becomes the error response. */
  readonly serve: Serve;
  /** Writes an error. Default: the usual error body. */
  readonly refuse?: (context: RequestContext, error: ServiceError) => void;
  /** Headers that are read here alone, and that pages of other origins may send. */
  readonly requestHeaders?: readonly string[];
  /** Served under overload and during a shutdown too, for monitoring. */
  readonly always?: boolean;
}

/** Decides on every request before it is routed: load, then malformed and oversized requests. */
export interface Arrival {
  /** Counts a request as in flight; each is followed by one `leave`. */
  enter(): void;
  leave(): void;
  demandServable(context: RequestContext): void;
}

export interface ListenerOptions {
  readonly requestTimeoutMs: number;
  readonly addressOf?: (request: IncomingMessage) => string | undefined;
  /** Throws a ServiceError for requests that this listener answers on no path. */
  readonly guard?: (request: IncomingMessage) => void;
  /** For requests without a route; default: their form alone is checked. */
  readonly arrival?: Arrival;
  /** Answers a request to a path that has these routes and none for its method; false: it is refused with 405. */
  readonly preflight?: (context: RequestContext, routes: ReadonlyMap<Method, Route>) => boolean;
  /** Whether a request is in work, for which `close` waits. Default: until every request is answered. */
  readonly isInWork?: () => boolean;
}

export type Listener = ReturnType<typeof createListener>;

const TIMEOUT_CHECK_MS = 1_000;
const KEEP_ALIVE_MS = 72_000;

interface FoundRoute {
  readonly route: Route;
  readonly arrival: Arrival | undefined;
  readonly params: Params;
}

/** Percent-encodings of unreserved characters (RFC 3986, 2.3). */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** Scheme and authority of an absolute-form target, as proxies send it (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]+\/?/i;

/** Path and query of a request target, its unreserved characters decoded (RFC 3986, 6.2.2.2): equivalent spellings reach the same route. */
function normalized(url: string): string {
  const target = url.startsWith('/') ? url : url.replace(ORIGIN, '/');
  if (!target.includes('%')) return target;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return path.replace(UNRESERVED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))) + target.slice(path.length);
}

export function createListener(http: HttpDependencies, responder: Responder, options: ListenerOptions) {
  const { requestTimeoutMs, addressOf, guard, preflight } = options;
  const router = createRouter({ maxParamLength: 2 * MAX_URL_BYTES, querystringParser: () => ({}), onBadUrl: () => undefined });
  const routes: Route[] = [];
  /** Paths without a parameter. */
  const literal = new Set<string>();
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES + MAX_URL_BYTES,
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      // a request without a body gets no stream of events
      optimizeEmptyRequests: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs),
    },
    take,
  );
  // their size is limited, whatever their number
  server.maxHeadersCount = 0;

  function find(method: string, target: string): FoundRoute | null {
    const found = router.find(method as Method, target);
    if (!found) return null;
    const params = found.params as Record<string, string>;
    let hasParameters = false;
    // an empty path segment is no value
    for (const name in params) {
      if (name === '*') continue;
      if (params[name] === '') return null;
      hasParameters = true;
    }
    // the router stores nothing for a path that it cannot decode
    const { route, arrival } = (found.store as Omit<FoundRoute, 'params'> | null) ?? { route: undecodable, arrival: options.arrival };
    // a path of its own is no value of another one, whatever its methods
    if (hasParameters && literal.has(target.split('?', 1)[0] ?? '')) return null;
    return { route, arrival, params };
  }

  /** Answers the request once earlier requests of its connection are answered. */
  function take(request: IncomingMessage, response: ServerResponse): void {
    request.url = normalized(request.url ?? '/');
    const found = find(request.method ?? '', request.url) ?? { route: unknownAt(request), arrival: options.arrival, params: {} };
    answerInTurn(request, response, found);
  }

  function answerInTurn(request: IncomingMessage, response: ServerResponse, { route, arrival, params }: FoundRoute): void {
    http.pipeline.inTurn(request, response, () => {
      const { operation, path, maxBodyBytes } = route;
      const context = createContext(http, { request, response, operation, route: path, address: addressOf?.(request), maxBodyBytes });
      void answer(context, route, arrival, params).catch((error: unknown) => abandon(context, error));
    });
  }

  async function answer(context: RequestContext, route: Route, arrival: Arrival | undefined, params: Params): Promise<void> {
    const { request } = context;
    arrival?.enter();
    context.onLeave = arrival?.leave ?? null;
    try {
      guard?.(request);
      // under load too
      if (route === unknown && preflight) {
        const routes = routesAt(context);
        if (routes.size > 0 && preflight(context, routes)) return;
      }
      if (arrival && !route.always) arrival.demandServable(context);
      else demandWellFormed(request);
      if (route.methods[0] === 'GET') demandNoBody(request);
      else if (route.maxBodyBytes !== undefined) demandLength(request, route.maxBodyBytes);
      await route.serve(context, params);
    } catch (thrown) {
      const error = responder.refusalOf(context, thrown);
      if (route.refuse) route.refuse(context, error);
      else responder.refuse(context, error);
    } finally {
      leave(context);
    }
  }

  /** The routes of the path, by method. */
  function routesAt({ request }: RequestContext): ReadonlyMap<Method, Route> {
    const path = pathOf(request);
    return new Map(
      METHODS.flatMap((method) => {
        const found = find(method, path);
        return found ? [[method, found.route] as const] : [];
      }),
    );
  }
  const refusing = (error: (context: RequestContext) => ServiceError): Route => ({
    methods: [],
    path: '*',
    operation: 'none',
    serve(context) {
      throw error(context);
    },
  });
  /** Of a method that has no routes the router decodes no path. */
  const unknownAt = ({ url = '' }: IncomingMessage): Route => (find('GET', url)?.route === undecodable ? undecodable : unknown);
  const undecodable = refusing(() => invalid('The path holds a broken percent-encoding.'));
  const unexpected = refusing(() => invalid('The expectation of the Expect header is not supported.'));
  const unknown = refusing((context) => {
    const { method = '' } = context.request;
    const path = pathOf(context.request);
    const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
    const allow = [...routesAt(context).keys()].join(', ');
    return allow === ''
      ? missing(`${method} ${shown}: there is no such path; /docs shows all that there are.`)
      : new ServiceError('METHOD_NOT_ALLOWED', `${method} ${shown}: this path answers ${allow} alone.`, { allow });
  });

  /** Last resort: not even an error response could be written. Logs the defect and closes the connection. */
  function abandon(context: RequestContext, error: unknown): void {
    http.log.error({ err: error, requestId: context.requestId, operation: context.operation }, 'no response could be written');
    if (!context.response.writableEnded) context.response.destroy();
  }

  const connections = trackConnections(server, http);
  server.on('clientError', (error, socket) => answerParserError(http, error, socket as Socket));
  server.on('checkExpectation', (request, response) =>
    answerInTurn(request, response, { route: unexpected, arrival: options.arrival, params: {} }),
  );
  server.on('connect', (request, socket) =>
    refuseRaw(http, socket as Socket, () => {
      const target = (request.url ?? '').slice(0, 100);
      return new ServiceError('METHOD_NOT_ALLOWED', `CONNECT ${target}: this service is no proxy.`, { allow: 'GET, HEAD' });
    }),
  );

  return {
    server,
    routes: routes as readonly Route[],
    /** `arrival`: counts the requests of the route, and may refuse them; default: they are served under any load. */
    add(route: Route, arrival?: Arrival): void {
      routes.push(route);
      if (!/[{*]/.test(route.path)) literal.add(route.path);
      router.on([...route.methods], route.path.replace(/\{(\w+)\}/g, ':$1'), () => undefined, { route, arrival });
    },
    async listen(where: ListenOptions): Promise<void> {
      server.listen(where);
      await once(server, 'listening');
    },
    /**
     * Accepts no more connections than those that wait already, and resolves when all are closed: once no request is in work and no response is
     * being sent, or at `untilMs`.
     */
    async close(untilMs?: number): Promise<void> {
      if (untilMs !== undefined) await connections.accepting(untilMs);
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      if (untilMs === undefined) return ended;
      const closed = new AbortController();
      const cut = connections.cutAfter(untilMs, options.isInWork, closed.signal);
      await ended;
      closed.abort();
      await cut;
    },
  };
}
