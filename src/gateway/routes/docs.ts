import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import { describe, type OpenApiOptions } from '../../contract/openapi/document.ts';
import { JSON_TYPE } from '../http/response.ts';

/** A static file. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  readonly headers: readonly string[];
  /** Default: five minutes. */
  readonly cacheControl?: string;
}
const asset = (type: string, bytes: Buffer, headers: readonly string[] = []): Asset => ({
  type,
  bytes,
  // weak: the bytes sent depend on the content coding
  etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  headers,
});

/** No requests to other hosts: no CDN, fonts, proxy or telemetry. Scalar writes its styles into the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const CONFIGURATION = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
};
const page = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sightline API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. The OpenAPI description is <a href="/openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" data-configuration="${JSON.stringify(CONFIGURATION).replaceAll('"', '&quot;')}"></script>
<script src="/docs/scalar.js"></script>
</body>
</html>
`;

/** Scalar's bundle, as its package serves it. Loaded when the docs are first opened: 4 MB that lookups do not need. */
async function scalarBundle(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const inner = Fastify({ logger: false });
  await inner.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const answer = await inner.inject('/docs/js/scalar.js');
  await inner.close();
  if (answer.statusCode !== 200) throw new Error(`Scalar's bundle was not found: ${answer.statusCode}`);
  return answer.rawPayload;
}

/** `/openapi.json`, `/docs` and its script: each created when it is first requested. */
export function createDocs(options: OpenApiOptions): Readonly<Record<string, () => Promise<Asset>>> {
  const once = (make: () => Promise<Asset>) => {
    let made: Promise<Asset> | null = null;
    return () => {
      made ??= make().catch((error: unknown) => {
        made = null;
        throw error;
      });
      return made;
    };
  };
  const html = async () => asset('text/html; charset=utf-8', Buffer.from(page()), ['Content-Security-Policy', POLICY]);
  return {
    '/openapi.json': once(async () => asset(JSON_TYPE, Buffer.from(JSON.stringify(describe(options))))),
    '/docs': once(html),
    '/docs/': once(html),
    '/docs/scalar.js': once(async () => asset('text/javascript; charset=utf-8', await scalarBundle())),
  };
}
