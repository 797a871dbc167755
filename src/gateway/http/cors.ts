import { ServiceError } from '../../contract/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import type { RequestContext } from './request-context.ts';
import type { Responder } from './response.ts';

/** Headers that pages of the allowed origins may send to every path, and to those that read a body. */
const REQUEST_HEADERS = ['X-API-Key', 'Authorization', 'Cache-Control', 'If-None-Match', 'X-Max-Credits', 'X-Request-Id'];
const BODY_HEADERS = ['Content-Type'];
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

/** Answers a CORS preflight request of an allowed origin by the routes of its path. False: the request is not one, and nothing was written. */
export function preflight(
  responder: Responder,
  corsOrigins: ReadonlySet<string>,
  context: RequestContext,
  /** By method. */
  routes: ReadonlyMap<string, { readonly requestHeaders?: readonly string[] }>,
): boolean {
  const { method, headers } = context.request;
  const { origin } = headers;
  if (method !== 'OPTIONS' || origin === undefined || headers['access-control-request-method'] === undefined) return false;
  if (!corsOrigins.has('*') && !corsOrigins.has(origin)) return false;
  const methods = [...routes.keys()];
  const readsBody = methods.some((each) => !WITHOUT_BODY.has(each));
  const own = [...routes.values()].flatMap((route) => route.requestHeaders ?? []);
  const fields = [
    ['Access-Control-Allow-Methods', methods.join(', ')],
    ['Access-Control-Allow-Headers', [...new Set([...REQUEST_HEADERS, ...(readsBody ? BODY_HEADERS : []), ...own])].join(', ')],
    ['Access-Control-Max-Age', '600'],
  ];
  responder.write(context, 204, fields.flat(), null);
  return true;
}

/** Refuses (403) pages that may not call the service, against DNS rebinding. Allowed: SIGHTLINE_CORS_ORIGINS, the public URL, else loopback, and no `Origin`. */
export function demandKnownOrigin(origin: string | undefined, corsOrigins: ReadonlySet<string>, publicUrl: string | null): void {
  if (origin === undefined || corsOrigins.has('*') || corsOrigins.has(origin)) return;
  if (URL.canParse(origin)) {
    const { origin: parsed, hostname } = new URL(origin);
    if (publicUrl ? parsed === new URL(publicUrl).origin : isLoopback(hostname)) return;
  }
  throw new ServiceError(
    'FORBIDDEN',
    `Pages of the origin ${JSON.stringify(origin.slice(0, 200))} may not call this endpoint. The operator can allow them by SIGHTLINE_CORS_ORIGINS.`,
  );
}
