import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../telemetry/log.ts';
import type { HttpDependencies } from './dependencies.ts';
import { RequestContext } from './request-context.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
export type Serve = (context: RequestContext, params: Readonly<Record<string, string>>) => Promise<void> | void;

export interface Route {
  readonly methods: readonly Method[];
  /** Path template: `{name}` is one segment, a final `*` the rest of the path. */
  readonly path: string;
  /** Id of the operation, or the name of another endpoint: for metrics and usage. */
  readonly operation: string;
  readonly serve: Serve;
}

export interface RoutingDependencies {
  readonly app: FastifyInstance;
  readonly http: HttpDependencies;
  readonly log: Log;
  /** Client address; default: that of the connection. */
  readonly addressOf?: (request: FastifyRequest) => string | undefined;
}

/** Routes of one Fastify app whose requests are answered without Fastify's replies. */
export interface Routing {
  add(route: Route): void;
  /** Detaches the request from Fastify, and answers it once earlier requests of its connection are answered. */
  take(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: (context: RequestContext) => Promise<void> | void,
    route?: { readonly operation: string; readonly path: string },
  ): void;
  /** Value of `Allow` for a path that has routes; null if it has none. */
  allowedAt(path: string): string | null;
}

/** `noRoute` answers a request whose path has an empty segment. */
export function createRouting({ app, http, log, addressOf }: RoutingDependencies, noRoute: (context: RequestContext) => void): Routing {
  const patterns: { readonly pattern: RegExp; readonly methods: readonly Method[] }[] = [];

  const take: Routing['take'] = (request, reply, answer, { operation, path } = { operation: 'none', path: '*' }) => {
    reply.hijack();
    http.pipeline.inTurn(request.raw, reply.raw, () => {
      const context = new RequestContext(http, request.raw, reply.raw, operation, path, addressOf?.(request));
      answer(context)?.catch((error: unknown) => abandon(context, error));
    });
  };

  /** Last resort: not even an error response could be written. Logs the defect and closes the connection. */
  function abandon(context: RequestContext, error: unknown): void {
    log.error({ err: error, requestId: context.requestId, operation: context.operation }, 'no response could be written');
    if (!context.response.writableEnded) context.response.destroy();
  }

  return {
    take,
    add({ methods, path, operation, serve }) {
      patterns.push({ pattern: patternOf(path), methods });
      const answer = (request: FastifyRequest, reply: FastifyReply): void => {
        const params = request.params as Record<string, string>;
        // an empty path segment is no value
        if (Object.entries(params).some(([name, value]) => value === '' && name !== '*')) take(request, reply, noRoute);
        else take(request, reply, (context) => serve(context, params), { operation, path });
      };
      const url = path.replace(/\{(\w+)\}/g, ':$1');
      if (methods.every((method) => method === 'GET' || method === 'HEAD')) app.route({ method: [...methods], url, handler: answer });
      // before Fastify parses a body: the endpoint reads it
      else app.route({ method: [...methods], url, onRequest: answer, handler: () => undefined });
    },
    allowedAt(path) {
      const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((known) => known.methods);
      return methods.length ? [...new Set(methods)].join(', ') : null;
    },
  };
}

/** A path template as a regular expression that matches the whole path. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\*$/, '.*')
      .replace(/\{\w+\}/g, '[^/]+')}$`,
  );
