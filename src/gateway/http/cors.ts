import type { RequestContext } from './request-context.ts';
import type { Responder } from './response.ts';

/** What pages of the allowed origins may send to a path. */
export interface CrossOrigin {
  readonly methods: string;
  readonly headers: string;
}
/** Lookups and account endpoints. */
export const READING: CrossOrigin = {
  methods: 'GET, HEAD',
  headers: 'X-API-Key, Authorization, Cache-Control, If-None-Match, X-Max-Credits, X-Request-Id',
};

/** Answers a CORS preflight request of an allowed origin. False: the request is not one, and nothing was written. */
export function preflight(
  responder: Responder,
  corsOrigins: ReadonlySet<string>,
  context: RequestContext,
  { methods, headers: allowed }: CrossOrigin,
): boolean {
  const { method, headers } = context.request;
  const { origin } = headers;
  if (method !== 'OPTIONS' || origin === undefined || headers['access-control-request-method'] === undefined) return false;
  if (!corsOrigins.has('*') && !corsOrigins.has(origin)) return false;
  const fields = [
    ['Access-Control-Allow-Methods', methods],
    ['Access-Control-Allow-Headers', allowed],
    ['Access-Control-Max-Age', '600'],
    ['Vary', 'Origin'],
  ];
  responder.write(context, 204, fields.flat(), null);
  return true;
}
