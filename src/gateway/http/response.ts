import type { ServerResponse } from 'node:http';
import type { RequestDetails } from '../../accounts/types.ts';
import { codeOf, defect, ServiceError } from '../../contract/errors.ts';
import { endSpan } from '../../telemetry/trace.ts';
import { cutOffUnread } from './connection-drain.ts';
import type { HttpDependencies } from './dependencies.ts';
import { COMPRESS_FROM_BYTES, encoded, encodingOf } from './encoding.ts';
import { hasBody } from './message-limits.ts';
import type { RequestContext } from './request-context.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

const EXPOSED =
  'X-Request-Id, X-Credits-Charged, X-Credits-Remaining, X-Receipt, X-Data-Source, X-Fields-Unread, ETag, Age, Cache-Status, RateLimit, RateLimit-Policy, Retry-After, Server-Timing';

/** Writes responses, and records each in metrics, usage and trace. */
export interface Responder {
  /** `Vary` of responses with a negotiated coding. */
  readonly vary: string;
  /** Milliseconds since the request arrived, with fractions. */
  durationMs(context: RequestContext): number;
  /** Writes the whole response, unless the client is gone. HEAD gets the same headers and no body. `headers` is flat, and is modified. */
  write(context: RequestContext, status: number, headers: string[], body: Buffer | null): void;
  /** A small JSON body for this request only. `more`: further headers, flat. */
  writeJson(context: RequestContext, body: unknown, more?: readonly string[]): void;
  /** Writes the error body. `more`: further headers, flat. Nothing is charged. */
  refuse(context: RequestContext, error: ServiceError, more?: readonly string[]): void;
  /** Writes anything thrown as an error response; a defect is logged with its cause. */
  refusalOf(context: RequestContext, thrown: unknown): ServiceError;
  logDefect(context: RequestContext, cause: unknown): void;
  /** Adds the headers of every response: id, credits, limits, security, CORS. `headers` is flat, and is modified. */
  withCommon(context: RequestContext, headers: string[]): string[];
  /** Closes the connection of a client that does not read its response. */
  limitSending(response: ServerResponse): void;
  /** Records a request whose response was written elsewhere. */
  conclude(context: RequestContext, status: number, error: ServiceError | null): void;
}

export function createResponder(http: HttpDependencies): Responder {
  const { clock, monotonicMs, log, metrics, load, corsOrigins, securityHeaders } = http;

  const durationMs = (context: RequestContext): number => monotonicMs() - context.begunMs;

  /** Adds the headers of every response: id, credits, limits, security, CORS. */
  function withCommon(context: RequestContext, headers: string[]): string[] {
    headers.push('X-Request-Id', context.label ?? context.requestId, ...securityHeaders);
    if (context.caller) headers.push('X-Credits-Charged', String(context.charged));
    if (context.charged > 0 && context.receipt !== null) headers.push('X-Receipt', context.receipt);
    if (context.caller && context.remaining !== null) headers.push('X-Credits-Remaining', String(context.remaining));
    if (context.rateLimit !== null && context.rateLimitPolicy !== null)
      headers.push('RateLimit', context.rateLimit, 'RateLimit-Policy', context.rateLimitPolicy);
    // an open connection would delay the shutdown; after an ignored Upgrade, Node's parser drops what follows on the connection; the rest of
    // a body that was not read would be read for nothing
    const { request } = context;
    const isUnread = hasBody(request) && !request.readableEnded;
    if (load.draining() || request.headers.upgrade !== undefined || isUnread) headers.push('Connection', 'close');
    if (corsOrigins.size > 0) pushCors(context, headers);
    return headers;
  }

  function pushCors(context: RequestContext, headers: string[]): void {
    const { origin } = context.request.headers;
    if (origin === undefined) return;
    if (corsOrigins.has('*')) headers.push('Access-Control-Allow-Origin', '*');
    else if (corsOrigins.has(origin)) headers.push('Access-Control-Allow-Origin', origin);
    else return;
    headers.push('Access-Control-Expose-Headers', EXPOSED);
  }

  /** Closes the connection of a client that does not read its response. */
  function limitSending(response: ServerResponse): void {
    const { socket } = response;
    if (socket && socket.writableLength > 0) cutOffUnread(socket, response, clock, http.sendTimeoutMs);
  }

  /** Metrics, usage and span of a request, recorded once with its response. */
  function conclude(context: RequestContext, status: number, error: ServiceError | null): void {
    const code = error && codeOf(error.failure);
    const ms = durationMs(context);
    metrics.request(context.operation, status, ms);
    if (context.charged > 0) metrics.charged(context.operation, context.charged);
    endSpan(context.span, { status, code, source: context.source, cache: context.cache, credits: context.charged });
    if (!context.caller) return;
    http.recordUsage({
      at: context.at,
      accountId: context.caller.accountId,
      keyId: context.caller.keyId,
      requestId: context.requestId,
      label: context.label,
      operation: context.operation,
      status,
      code,
      credits: context.charged,
      source: context.source,
      cache: context.cache,
      durationMs: ms,
      upstreamMs: context.upstreamMs,
      target: context.target,
      details: detailsOf(context, error),
    });
  }

  function write(context: RequestContext, status: number, headers: string[], body: Buffer | null): void {
    const { response } = context;
    if (!response.destroyed && !response.headersSent) {
      response.writeHead(status, withCommon(context, headers));
      if (body) response.end(body);
      else response.end();
      limitSending(response);
    }
    conclude(context, status, null);
  }

  function refuse(context: RequestContext, error: ServiceError, more: readonly string[] = []): void {
    context.charged = 0;
    const bytes = Buffer.from(JSON.stringify(error.body));
    const headers = withCommon(context, ['Content-Type', JSON_TYPE, 'Content-Length', String(bytes.length), ...more]);
    if (!more.includes('Cache-Control')) headers.push('Cache-Control', context.caller ? 'private, no-store' : 'no-store');
    for (const [name, value] of Object.entries(error.headers)) headers.push(name, value);
    const { response } = context;
    if (!response.destroyed && !response.headersSent) {
      response.writeHead(error.status, headers);
      response.end(bytes);
      limitSending(response);
    }
    conclude(context, error.status, error);
  }

  const logDefect = (context: RequestContext, cause: unknown): void =>
    log.error({ err: cause, requestId: context.requestId, operation: context.operation }, 'request failed: internal error');

  return {
    vary: corsOrigins.size ? 'Accept-Encoding, Origin' : 'Accept-Encoding',
    durationMs,
    write,
    writeJson(context, body, more = []) {
      const bytes = Buffer.from(JSON.stringify(body));
      const length = String(bytes.length);
      write(context, 200, ['Content-Type', JSON_TYPE, 'Content-Length', length, 'Cache-Control', 'private, no-store', ...more], bytes);
    },
    refuse,
    withCommon,
    limitSending,
    conclude,
    refusalOf(context, thrown) {
      const error = thrown instanceof ServiceError ? thrown : defect(thrown);
      if (error.failure === 'INTERNAL_ERROR' && error.cause !== undefined) logDefect(context, error.cause);
      return error;
    },
    logDefect,
  };
}

/** What the request log keeps beyond its columns; null where there is nothing, as for most answers from the cache. */
function detailsOf({ request, attempts, unread, charged, receipt }: RequestContext, error: ServiceError | null): RequestDetails | null {
  const cacheControl = request.headers['cache-control'];
  const paid = charged > 0 && receipt !== null;
  if (!attempts.length && !paid && !error && !unread.length && cacheControl === undefined) return null;
  return {
    ...(cacheControl !== undefined && { cacheControl: cacheControl.slice(0, 200) }),
    ...(error && { message: error.message }),
    ...(paid && { receipt }),
    ...(attempts.length && { attempts }),
    ...(unread.length && { unread }),
  };
}

/** The body in the content coding that the request prefers, and the coding's name. A promise only if the body must be compressed first. */
export function negotiated(
  context: RequestContext,
  bytes: Buffer,
): { body: Buffer; encoding: string | null } | Promise<{ body: Buffer; encoding: string }> {
  const encoding = bytes.length >= COMPRESS_FROM_BYTES ? encodingOf(context.request.headers['accept-encoding']) : null;
  if (!encoding) return { body: bytes, encoding: null };
  const body = encoded(bytes, encoding);
  return body instanceof Promise ? body.then((made) => ({ body: made, encoding })) : { body, encoding };
}

/**
 * Runs `then` exactly once: after the last byte was sent, after the client disconnected, or immediately where either has already happened.
 * Call it before the response is written.
 */
export function whenSent(response: ServerResponse, then: () => void): void {
  if (response.destroyed || response.writableFinished) {
    then();
    return;
  }
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    then();
  };
  response.once('finish', end);
  response.once('close', end);
}
