import type { ServerResponse } from 'node:http';
import { codeOf, defect, ServiceError } from '../../contract/errors.ts';
import { endSpan } from '../../telemetry/trace.ts';
import { cutOffUnread } from './connection-drain.ts';
import { COMPRESS_FROM_BYTES, encoded, encodingOf } from './encoding.ts';
import type { RequestContext } from './request-context.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Adds the headers that do not depend on the answer: id, credits, limits, security, CORS. Flat, as `writeHead` takes them. */
function withCommon(x: RequestContext, headers: string[]): string[] {
  headers.push('X-Request-Id', x.requestId, ...x.desk.securityHeaders);
  if (x.caller) headers.push('X-Credits-Charged', String(x.charged));
  if (x.charged > 0 && x.receipt !== null) headers.push('X-Receipt', x.receipt);
  if (x.caller && x.remaining !== null) headers.push('X-Credits-Remaining', String(x.remaining));
  if (x.rateLimit !== null && x.rateLimitPolicy !== null) headers.push('RateLimit', x.rateLimit, 'RateLimit-Policy', x.rateLimitPolicy);
  // a connection that stays open would hold up the shutdown; after an offer to upgrade, which is ignored, Node's parser drops what follows
  if (x.desk.loadShedder.draining() || x.request.headers.upgrade !== undefined) headers.push('Connection', 'close');
  if (x.desk.corsOrigins.size > 0) pushCors(x, headers);
  return headers;
}

const EXPOSED =
  'X-Request-Id, X-Credits-Charged, X-Credits-Remaining, X-Receipt, X-Data-Source, ETag, Age, Cache-Status, RateLimit, RateLimit-Policy, Retry-After, Server-Timing';
function pushCors(x: RequestContext, headers: string[]): void {
  const { origin } = x.request.headers;
  if (origin === undefined) return;
  const { corsOrigins } = x.desk;
  if (corsOrigins.has('*')) headers.push('Access-Control-Allow-Origin', '*');
  else if (corsOrigins.has(origin)) headers.push('Access-Control-Allow-Origin', origin);
  else return;
  headers.push('Access-Control-Expose-Headers', EXPOSED);
}

/** Writes the answer, whole, unless the client has left. HEAD gets the same headers and no body. `headers` is used up. */
export function write(x: RequestContext, status: number, headers: string[], body: Buffer | null): void {
  const { response } = x;
  if (!response.destroyed && !response.headersSent) {
    response.writeHead(status, withCommon(x, headers));
    if (body) response.end(body);
    else response.end();
    boundSending(x);
  }
  conclude(x, status, null);
}

function boundSending({ response, desk }: RequestContext): void {
  const { socket } = response;
  if (socket && socket.writableLength > 0) cutOffUnread(socket, response, desk.clock, desk.settings.SIGHTLINE_SEND_TIMEOUT_MS);
}

/** The body in the coding that the request wants, and the headers that say so. A promise only where it must first be made. */
export function negotiated(
  x: RequestContext,
  bytes: Buffer,
): { body: Buffer; encoding: string | null } | Promise<{ body: Buffer; encoding: string }> {
  const encoding = bytes.length >= COMPRESS_FROM_BYTES ? encodingOf(x.request.headers['accept-encoding']) : null;
  if (!encoding) return { body: bytes, encoding: null };
  const body = encoded(bytes, encoding);
  return body instanceof Promise ? body.then((made) => ({ body: made, encoding })) : { body, encoding };
}

/** A small JSON body that is made for this request alone. */
export function writeJson(x: RequestContext, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  write(x, 200, ['Content-Type', JSON_TYPE, 'Content-Length', String(bytes.length), 'Cache-Control', 'private, no-store'], bytes);
}

/** The exact error body. `more`: headers that belong to this refusal, flat. Nothing was charged. */
export function refuse(x: RequestContext, error: ServiceError, more: readonly string[] = []): void {
  x.charged = 0;
  const bytes = Buffer.from(JSON.stringify(error.body));
  const headers = withCommon(x, ['Content-Type', JSON_TYPE, 'Content-Length', String(bytes.length), ...more]);
  if (!more.includes('Cache-Control')) headers.push('Cache-Control', x.caller ? 'private, no-store' : 'no-store');
  for (const [name, value] of Object.entries(error.headers)) headers.push(name, value);
  const { response } = x;
  if (!response.destroyed && !response.headersSent) {
    response.writeHead(error.status, headers);
    response.end(bytes);
    boundSending(x);
  }
  conclude(x, error.status, codeOf(error.failure));
}

/** Whatever was thrown, as a refusal: what is no refusal of ours is a defect, and only the log learns of it. */
export function refusalOf(x: RequestContext, thrown: unknown): ServiceError {
  const error = thrown instanceof ServiceError ? thrown : defect(thrown);
  if (error.failure === 'INTERNAL_ERROR' && error.cause !== undefined) logDefect(x, error.cause);
  return error;
}

export const logDefect = (x: RequestContext, cause: unknown): void =>
  x.desk.log.error({ err: cause, requestId: x.requestId, operation: x.operation }, 'a request failed by a defect');

/** Metrics, usage and span: once for each request, as it is answered. */
function conclude(x: RequestContext, status: number, code: string | null): void {
  const { desk } = x;
  const durationMs = x.durationMs;
  desk.metrics.request(x.operation, status, durationMs);
  if (x.charged > 0) desk.metrics.charged(x.operation, x.charged);
  endSpan(x.span, { status, code, source: x.source, cache: x.cache, credits: x.charged });
  if (!x.caller) return;
  desk.accounts.record({
    at: x.at,
    accountId: x.caller.accountId,
    keyId: x.caller.keyId,
    requestId: x.requestId,
    operation: x.operation,
    status,
    code,
    credits: x.charged,
    source: x.source,
    cache: x.cache,
    durationMs,
    upstreamMs: x.upstreamMs,
  });
}

/**
 * Runs `then` once: when the last byte has left or the client has, at once where that is past, or when what it returns is called. To be
 * called before the answer is written.
 */
export function whenSent(response: ServerResponse, then: () => void): () => void {
  if (response.destroyed || response.writableFinished) {
    then();
    return () => {};
  }
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    then();
  };
  response.once('finish', end);
  response.once('close', end);
  return end;
}
