import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { defect, ServiceError } from '../../contract/errors.ts';
import type { Deliverable } from '../../lookups/states.ts';
import { usageRowOf } from '../../lookups/usage-row.ts';
import { after } from '../../runtime/clock.ts';
import { endSpan } from '../../telemetry/trace.ts';
import { asksCacheAlone } from './cache-control.ts';
import { cutOffUnread } from './connections.ts';
import { COMPRESS_FROM_BYTES, compressed, encodingOf } from './encoding.ts';
import { hasBody } from './request.ts';
import { type Charged, createContext, type HttpDependencies, type RequestContext } from './request-context.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers of answers that pages may read, beside those that every page may (Fetch standard, "CORS-safelisted response-header name"). */
const EXPOSED =
  'X-Request-Id, X-Credits-Charged, X-Credits-Remaining, X-Cap-Remaining, X-Receipt, X-Data-Source, X-Fields-Unread, ETag, Age, Cache-Status, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, Allow, Accept-Encoding, WWW-Authenticate';

export type Responder = ReturnType<typeof createResponder>;

/** What a session of the console reads for its own pages, free of charge: account endpoints, and cached answers that it shows again. */
const isOfConsole = ({ caller, request: { method, headers }, operation, charged }: RequestContext): boolean =>
  caller?.session !== undefined &&
  creditsOf(charged) === 0 &&
  (method === 'GET' || method === 'HEAD') &&
  (operation.startsWith('account') || asksCacheAlone(headers['cache-control']));

const receiptOf = (charged: Charged | null): string | null => (charged && charged.credits > 0 ? charged.receipt : null);
/** The credits of the request's own row. */
const creditsOf = (charged: Charged | null): number => (charged === null || charged.elsewhere ? 0 : charged.credits);

/** How long bytes of an unread body are dropped after its answer. */
const LINGER_MS = 1_000;
/**
 * Closes the connection after the answer, but not at once: bytes that still arrive would reset it, and a proxy would lose the answer. Node
 * calls `destroySoon` once the answer is written.
 */
function linger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
  };
}

export function createResponder(http: HttpDependencies) {
  const { clock, monotonicMs, log, metrics, load, corsOrigins, securityHeaders } = http;

  const durationMs = (context: RequestContext): number => monotonicMs() - context.begunMs;

  /** Adds the headers of every response: id, credits, limits, security, CORS. `headers` is flat, and is modified. */
  function withCommon(context: RequestContext, headers: string[]): string[] {
    headers.push('X-Request-Id', context.label ?? context.requestId, ...securityHeaders);
    const { caller, charged, remaining, rateLimit } = context;
    if (caller) headers.push('X-Credits-Charged', String(charged?.credits ?? 0));
    const receipt = receiptOf(charged);
    if (receipt !== null) headers.push('X-Receipt', receipt);
    if (caller && remaining !== null) headers.push('X-Credits-Remaining', String(remaining));
    if (rateLimit) headers.push('RateLimit', rateLimit.fields, 'RateLimit-Policy', rateLimit.policies);
    // an open connection would delay the shutdown; after an ignored Upgrade, Node's parser drops what follows on the connection; close
    // instead of draining a body that no handler reads
    const { request } = context;
    const isUnread = hasBody(request) && !request.readableEnded;
    if (isUnread) linger(request.socket);
    if (load.draining() || request.headers.upgrade !== undefined || isUnread) headers.push('Connection', 'close');
    if (corsOrigins.size > 0) pushCors(context, headers);
    return headers;
  }

  function pushCors(context: RequestContext, headers: string[]): void {
    const { origin } = context.request.headers;
    // an answer without the header differs by the origin as well
    addVary(headers, 'Origin');
    if (origin === undefined) return;
    if (corsOrigins.has('*')) headers.push('Access-Control-Allow-Origin', '*');
    else if (corsOrigins.has(origin)) headers.push('Access-Control-Allow-Origin', origin);
    else return;
    headers.push('Access-Control-Expose-Headers', EXPOSED);
  }

  /** Closes the connection of a client that does not read the rest of its response. */
  function limitSending(response: ServerResponse): void {
    const { socket } = response;
    if (socket && socket.writableLength > 0) cutOffUnread(socket, response, clock, http.sendTimeoutMs);
  }

  /** Resolves once `sent` does, or the connection has ended, which it does if the client does not read. */
  async function whenRead(response: ServerResponse, sent: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const ended = new AbortController();
    const cancel = after(clock, http.sendTimeoutMs, () => response.socket?.destroy());
    await Promise.race([sent(ended.signal), once(response, 'close', { signal: ended.signal })]);
    cancel();
    ended.abort();
  }
  /** Resolves once the client has read what was written, or its connection has ended. */
  const drained = (response: ServerResponse): Promise<void> => whenRead(response, (signal) => once(response, 'drain', { signal }));
  /** Writes a part of a body. Resolves once the bytes are no longer needed. */
  const writePart = (response: ServerResponse, bytes: Buffer): Promise<void> =>
    whenRead(
      response,
      // Node 26 fails the write before it says that the connection ended: then the end is waited for
      () => new Promise<void>((resolve) => response.write(bytes, (error) => (!error || response.destroyed) && resolve())),
    );

  /** Ends the exchange: metrics, span, and the row of the request log. */
  function conclude(context: RequestContext, status: number, error: ServiceError | null): void {
    const { caller, operation, charged, target, lookup, request } = context;
    const durationMs = monotonicMs() - context.begunMs;
    const credits = creditsOf(charged);
    metrics.request(operation, status, durationMs);
    const { source = null, cache = null } = lookup?.facts ?? {};
    endSpan(context.span, { status, credits, code: error?.code ?? null, source, cache });
    if (!caller || isOfConsole(context)) return;
    const end = { operation, status, error, durationMs, credits, receipt: receiptOf(charged), target };
    http.usage.record(
      usageRowOf(context, caller, { ...end, cacheControl: request.headers['cache-control'], lookup: lookup?.facts ?? null }),
    );
  }

  /** Writes the whole response, unless the client is gone. `headers` is flat, and is modified. HEAD gets the same headers and no body. */
  function write(context: RequestContext, status: number, headers: string[], body: Buffer | null, error: ServiceError | null = null): void {
    const { response } = context;
    if (body) headers.push('Content-Length', String(body.length));
    if (!response.destroyed && !response.headersSent) {
      response.writeHead(status, withCommon(context, headers));
      if (body) response.end(body);
      else response.end();
      limitSending(response);
    }
    conclude(context, status, error);
  }

  /** Writes the error body. `more`: further headers, flat. Nothing is charged. */
  function refuse(context: RequestContext, error: ServiceError, more: readonly string[] = []): void {
    context.charged = null;
    // an error that names its own limit
    if (error.headers.ratelimit !== undefined) context.rateLimit = null;
    const headers = ['Content-Type', JSON_TYPE, ...more, ...Object.entries(error.headers).flat()];
    if (error.status === 401 && error.headers['www-authenticate'] === undefined)
      headers.push('WWW-Authenticate', 'Bearer realm="sightline"');
    if (!more.includes('Cache-Control')) headers.push('Cache-Control', context.caller ? 'private, no-store' : 'no-store');
    write(context, error.status, headers, Buffer.from(JSON.stringify(error.body)), error);
  }

  return {
    durationMs,
    write,
    /** A small JSON body. `more`: further headers, flat; without a `Cache-Control` the body is for this request only. */
    writeJson(context: RequestContext, body: unknown, more: readonly string[] = [], status = 200): void {
      const caching = more.includes('Cache-Control') ? [] : ['Cache-Control', 'private, no-store'];
      write(context, status, ['Content-Type', JSON_TYPE, ...caching, ...more], Buffer.from(JSON.stringify(body)));
    },
    refuse,
    withCommon,
    limitSending,
    drained,
    writePart,
    conclude,
    /** One of several lookups that the message of a request asks for: admitted, recorded and reported like a request of its own. */
    partOf: ({ request, response, address }: RequestContext, operation: string): RequestContext =>
      createContext(http, { request, response, operation, route: '/mcp', address }),
    /** Anything thrown as an error; a defect is logged with its cause. */
    refusalOf(context: RequestContext, thrown: unknown): ServiceError {
      const error = thrown instanceof ServiceError ? thrown : defect(thrown);
      const { requestId, operation } = context;
      if (error.failure === 'INTERNAL_ERROR' && error.cause !== undefined)
        log.error({ err: error.cause, requestId, operation }, 'request failed: internal error');
      return error;
    },
    /** Logs a lookup: attempts at sources and failures at info and above, answers from the cache at debug. `message`: of its error. */
    report(context: RequestContext, status: number, message: string | null): void {
      const { requestId, label, operation, caller, charged, lookup } = context;
      const { source = null, cache = null, attempts = [] } = lookup?.facts ?? {};
      const level = status >= 500 && status !== 501 && status !== 504 ? 'warn' : cache === 'hit' || status < 500 ? 'debug' : 'info';
      const shown = attempts.length && level === 'debug' ? 'info' : level;
      if (!log.isLevelEnabled(shown)) return;
      const request = { requestId, ...(label !== null && { label }), operation, status, ms: tenths(durationMs(context)) };
      const paid = { account: caller?.accountId, key: caller?.keyId, credits: creditsOf(charged) };
      log[shown]({ ...request, ...paid, source, cache, ...(attempts.length && { attempts }) }, message ?? 'answered');
    },
  };
}

/** `headers` is flat, and is modified. */
function addVary(headers: string[], name: string): void {
  for (let i = 0; i < headers.length; i += 2)
    if (headers[i] === 'Vary') {
      headers[i + 1] += `, ${name}`;
      return;
    }
  headers.push('Vary', name);
}

export const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export interface Coded {
  readonly body: Buffer;
  readonly encoding: string | null;
}
/** The body in the content coding that the request prefers; a promise only where it must be compressed first. */
export function negotiated({ request }: RequestContext, bytes: Buffer, isFile = false): Coded | Promise<Coded> {
  const encoding = bytes.length >= COMPRESS_FROM_BYTES ? encodingOf(request.headers['accept-encoding']) : null;
  if (encoding === null) return { body: bytes, encoding };
  const body = compressed(bytes, encoding, isFile);
  return Buffer.isBuffer(body) ? { body, encoding } : body.then((made) => ({ body: made, encoding }));
}

/** Writes an answer whose hold is valid: it is charged after its last byte, or when its client has left or does not read it. */
export function writeDeliverable(context: RequestContext, answer: Deliverable, write: () => void): void {
  const { response } = context;
  context.charged = answer;
  if (answer.credits > 0) whenSent(response, () => answer.delivered());
  else answer.delivered();
  write();
  if (answer.credits === 0 || (response.socket?.writableLength ?? 0) === 0) return;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  answer.deliveredLate(closed.signal);
}

/** Runs `then` exactly once: after the last byte or the disconnection, or now if either has happened. Call it before the response is written. */
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
