import type { RequestContext } from './request-context.ts';
import type { Responder } from './response.ts';

const ALLOWED = 'X-API-Key, Authorization, Cache-Control, If-None-Match, X-Max-Credits, X-Request-Id';

/** Answers a CORS preflight request of an allowed origin. False: the request is not one, and nothing was written. */
export function preflight(responder: Responder, corsOrigins: ReadonlySet<string>, context: RequestContext): boolean {
  const { method, headers } = context.request;
  const { origin } = headers;
  if (method !== 'OPTIONS' || origin === undefined || headers['access-control-request-method'] === undefined) return false;
  if (!corsOrigins.has('*') && !corsOrigins.has(origin)) return false;
  const fields = [
    ['Access-Control-Allow-Methods', 'GET, HEAD'],
    ['Access-Control-Allow-Headers', ALLOWED],
    ['Access-Control-Max-Age', '600'],
    ['Vary', 'Origin'],
  ];
  responder.write(context, 204, fields.flat(), null);
  return true;
}
