import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { describe, type OpenApiOptions } from '../../contract/openapi/document.ts';
import { UNSENT_HEADERS } from '../../contract/openapi/request-headers.ts';
import { ROOT } from '../../runtime/installation.ts';
import { NOT_BUILT } from '../console/app-files.ts';
import { assetOf, assetRoute } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import { JSON_TYPE, type Responder } from '../http/response.ts';

/** No requests to other hosts: no CDN, fonts, proxy or telemetry. Scalar writes its styles into the page. */
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:",
  "connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

const CONFIGURATION = {
  url: '/docs/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
};
const PAGE = `<!doctype html>
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

/** Where `npm run build` puts Scalar's script. */
const SCRIPT = join(ROOT, 'dist/docs/scalar.js');

/** Loaded when the docs are first opened: 4 MB that lookups do not need. */
const script = (): Promise<Buffer> =>
  readFile(SCRIPT).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new ServiceError('UNAVAILABLE', NOT_BUILT, { 'retry-after': '60' });
  });

export function docsRoutes(responder: Responder, options: OpenApiOptions): readonly Route[] {
  const json = (shown: OpenApiOptions) => assetOf(JSON_TYPE, Buffer.from(JSON.stringify(describe(shown))));
  const html = async () => assetOf('text/html; charset=utf-8', Buffer.from(PAGE), ['Content-Security-Policy', POLICY]);
  return [
    assetRoute(responder, '/openapi.json', async () => json(options)),
    assetRoute(responder, '/docs/openapi.json', async () => json({ ...options, headers: UNSENT_HEADERS })),
    assetRoute(responder, '/docs', html),
    assetRoute(responder, '/docs/', html),
    assetRoute(responder, '/docs/scalar.js', async () => assetOf('text/javascript; charset=utf-8', await script())),
  ];
}
