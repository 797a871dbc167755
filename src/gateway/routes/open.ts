import { hash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import { admitAddress, admitAtDoor, countWrongCredentials, refuseBody, refuseMalformed } from '../admission/admit.ts';
import { challenge, credentialOf } from '../admission/credentials.ts';
import { matches } from '../http/cache-headers.ts';
import type { RequestContext } from '../http/request-context.ts';
import { negotiated, refusalOf, refuse, write, writeJson } from '../http/response.ts';
import type { Asset } from './docs.ts';

/** Something that needs no account. */
export interface OpenRoute {
  readonly path: string;
  readonly operation: string;
  /** Answered while the service sheds or drains: whoever watches it must see it then above all. */
  readonly always?: boolean;
  readonly serve: (x: RequestContext) => Promise<void> | void;
}

/** One request that needs no credentials. Never rejects. */
export async function serveOpen(x: RequestContext, route: OpenRoute): Promise<void> {
  const { loadShedder } = x.desk;
  loadShedder.enter();
  try {
    if (route.always) refuseMalformed(x.request);
    else admitAtDoor(x);
    refuseBody(x.request);
    await route.serve(x);
  } catch (thrown) {
    refuse(x, refusalOf(x, thrown));
  } finally {
    loadShedder.leave();
  }
}

export const healthRoute = (): OpenRoute => ({
  path: '/healthz',
  operation: 'health',
  always: true,
  serve: (x) => writeJson(x, { status: 'ok', version: x.desk.version }),
});

export const readyRoute = (ready: () => Promise<ServiceError | null>): OpenRoute => ({
  path: '/readyz',
  operation: 'ready',
  async serve(x) {
    const refusal = await ready();
    if (refusal) throw refusal;
    writeJson(x, { status: 'ready', version: x.desk.version });
  },
});

export const assetRoute = (path: string, load: () => Promise<Asset>): OpenRoute => ({
  path,
  operation: 'docs',
  async serve(x) {
    const asset = await load();
    const headers = ['Cache-Control', 'public, max-age=300', 'ETag', asset.etag, 'Vary', x.desk.vary, ...asset.headers];
    if (matches(x.request.headers['if-none-match'], asset.etag)) {
      write(x, 304, headers, null);
      return;
    }
    const { body, encoding } = await negotiated(x, asset.bytes);
    headers.push('Content-Type', asset.type, 'Content-Length', String(body.length));
    if (encoding) headers.push('Content-Encoding', encoding);
    write(x, 200, headers, body);
  },
});

/** In a time that tells nothing of the wanted one, its length included. */
const same = (a: string, b: string): boolean => timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

/** Figures for Prometheus; on the public listener behind a token of their own. */
export const metricsRoute = (token: string | null): OpenRoute => ({
  path: '/metrics',
  operation: 'metrics',
  always: true,
  async serve(x) {
    if (token !== null) {
      const from = await admitAddress(x);
      const credential = credentialOf(x.request.headers);
      if (credential.kind !== 'given' || !same(credential.value, token)) {
        if (credential.kind !== 'none') await countWrongCredentials(x, from);
        throw new ServiceError('UNAUTHORIZED', 'The token of the metrics is needed, as Authorization: Bearer.', {
          'www-authenticate': challenge(credential.kind !== 'none', null),
        });
      }
    }
    const bytes = Buffer.from(await x.desk.metrics.text());
    write(
      x,
      200,
      ['Content-Type', x.desk.metrics.registry.contentType, 'Content-Length', String(bytes.length), 'Cache-Control', 'no-store'],
      bytes,
    );
  },
});
