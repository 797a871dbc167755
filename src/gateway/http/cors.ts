import type { RequestContext } from './request-context.ts';
import { write } from './response.ts';

const ALLOWED = 'X-API-Key, Authorization, Cache-Control, If-None-Match, X-Max-Credits, X-Request-Id';

/** Answers a browser's question whether it may ask, where the setting allows its origin. False: it is no such question. */
export function preflight(x: RequestContext): boolean {
  const { method, headers } = x.request;
  const { corsOrigins } = x.desk;
  const { origin } = headers;
  if (method !== 'OPTIONS' || origin === undefined || headers['access-control-request-method'] === undefined) return false;
  if (!corsOrigins.has('*') && !corsOrigins.has(origin)) return false;
  write(
    x,
    204,
    [
      'Access-Control-Allow-Methods',
      'GET, HEAD',
      'Access-Control-Allow-Headers',
      ALLOWED,
      'Access-Control-Max-Age',
      '600',
      'Vary',
      'Origin',
    ],
    null,
  );
  return true;
}
