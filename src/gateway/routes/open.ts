import { hash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import { challenge, credentialOf } from '../admission/credentials.ts';
import { matches } from '../http/cache-headers.ts';
import { refuseBody, refuseMalformed } from '../http/message-limits.ts';
import type { RequestContext } from '../http/request-context.ts';
import { negotiated, type Responder } from '../http/response.ts';
import type { RouteDependencies } from './dependencies.ts';
import type { Asset } from './docs.ts';

/** An endpoint without an account. */
export interface OpenRoute {
  readonly path: string;
  readonly operation: string;
  /** Served under overload and during shutdown too, for monitoring. */
  readonly always?: boolean;
  readonly serve: (context: RequestContext) => Promise<void> | void;
}

/** Serves requests that need no API key. Never rejects. */
export function createOpenRoute({
  admission,
  responder,
}: Pick<RouteDependencies, 'admission' | 'responder'>): (context: RequestContext, route: OpenRoute) => Promise<void> {
  return async (context, route) => {
    admission.enter();
    try {
      if (route.always) refuseMalformed(context.request);
      else admission.checkArrival(context);
      refuseBody(context.request);
      await route.serve(context);
    } catch (thrown) {
      responder.refuse(context, responder.refusalOf(context, thrown));
    } finally {
      admission.leave();
    }
  };
}

export const healthRoute = ({ responder, version }: Pick<RouteDependencies, 'responder' | 'version'>): OpenRoute => ({
  path: '/healthz',
  operation: 'health',
  always: true,
  serve: (context) => responder.writeJson(context, { status: 'ok', version }),
});

export const readyRoute = (
  { responder, version, orchestrator }: Pick<RouteDependencies, 'responder' | 'version' | 'orchestrator'>,
  readiness: () => Promise<ServiceError | null>,
): OpenRoute => ({
  path: '/readyz',
  operation: 'ready',
  async serve(context) {
    const refusal = await readiness();
    if (refusal) throw refusal;
    responder.writeJson(context, { status: 'ready', version, sunsets: orchestrator.sunsets() });
  },
});

export const assetRoute = (responder: Responder, path: string, load: () => Promise<Asset>): OpenRoute => ({
  path,
  operation: 'docs',
  serve: async (context) => writeAsset(responder, context, await load()),
});

/** Writes a file in the content coding that the request prefers, or 304. */
export async function writeAsset(responder: Responder, context: RequestContext, asset: Asset): Promise<void> {
  const cacheControl = asset.cacheControl ?? 'public, max-age=300';
  const headers = ['Cache-Control', cacheControl, 'ETag', asset.etag, 'Vary', responder.vary, ...asset.headers];
  if (matches(context.request.headers['if-none-match'], asset.etag)) {
    responder.write(context, 304, headers, null);
    return;
  }
  const { body, encoding } = await negotiated(context, asset.bytes);
  headers.push('Content-Type', asset.type, 'Content-Length', String(body.length));
  if (encoding) headers.push('Content-Encoding', encoding);
  responder.write(context, 200, headers, body);
}

/** Compares in constant time, whatever the lengths. */
const equal = (a: string, b: string): boolean => timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

/** Prometheus metrics on the public listener, behind their own bearer token. */
export const metricsRoute = (
  { admission, responder, metrics }: Pick<RouteDependencies, 'admission' | 'responder' | 'metrics'>,
  token: string,
): OpenRoute => ({
  path: '/metrics',
  operation: 'metrics',
  always: true,
  async serve(context) {
    const addressKey = await admission.admitAddress(context);
    const credential = credentialOf(context.request.headers);
    if (credential.kind !== 'given' || !equal(credential.value, token)) {
      if (credential.kind !== 'none') await admission.countWrongCredentials(context, addressKey);
      throw new ServiceError('UNAUTHORIZED', 'The token of the metrics is needed, as Authorization: Bearer.', {
        'www-authenticate': challenge(credential.kind !== 'none', null),
      });
    }
    const bytes = Buffer.from(await metrics.text());
    const length = String(bytes.length);
    const headers = ['Content-Type', metrics.registry.contentType, 'Content-Length', length, 'Cache-Control', 'no-store'];
    responder.write(context, 200, headers, bytes);
  },
});
