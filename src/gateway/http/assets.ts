import { hash } from 'node:crypto';
import { matches } from './cache-control.ts';
import type { Route } from './listener.ts';
import type { RequestContext } from './request-context.ts';
import { negotiated, type Responder } from './response.ts';

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: readonly string[];
  readonly cacheControl: string;
}
export const assetOf = (type: string, bytes: Buffer, headers: readonly string[] = [], cacheControl = 'public, max-age=300'): Asset => ({
  type,
  bytes,
  // weak: the bytes sent depend on the content coding
  etag: `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
  headers,
  cacheControl,
});

export const READ = ['GET', 'HEAD'] as const;

/** The route of a file that is made when it is first requested; a failure is not cached. */
export function assetRoute(responder: Responder, path: string, make: () => Promise<Asset>): Route {
  let made: Promise<Asset> | null = null;
  return {
    methods: READ,
    path,
    operation: 'docs',
    async serve(context) {
      made ??= make().catch((error: unknown) => {
        made = null;
        throw error;
      });
      await writeAsset(responder, context, await made);
    },
  };
}

/** Writes a file in the content coding that the request prefers, or 304. */
export async function writeAsset(responder: Responder, context: RequestContext, asset: Asset): Promise<void> {
  const headers = ['Cache-Control', asset.cacheControl, 'ETag', asset.etag, 'Vary', 'Accept-Encoding', ...asset.headers];
  if (matches(context.request.headers['if-none-match'], asset.etag)) {
    responder.write(context, 304, headers, null);
    return;
  }
  const { body, encoding } = await negotiated(context, asset.bytes, true);
  headers.push('Content-Type', asset.type);
  if (encoding) headers.push('Content-Encoding', encoding);
  responder.write(context, 200, headers, body);
}
