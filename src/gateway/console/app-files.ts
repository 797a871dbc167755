import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { contractView } from '../../contract/contract-view.ts';
import { missing, ServiceError } from '../../contract/errors.ts';
import { ROOT } from '../../runtime/installation.ts';
import { readFolder } from '../http/asset-folder.ts';
import { type Asset, assetOf, assetRoute, READ, writeAsset } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import { pathOf, wantsHtml } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE } from '../http/response.ts';
import type { ConsoleDependencies } from '../parts.ts';
import { consoleApiRoutes } from './console-api.ts';
import { setupRoutes } from './setup.ts';

/** This origin only; no inline code, `eval`, frame or text that becomes markup. `https:` for images, which the app loads only on request. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'",
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
].join('; ');
const ISOLATION = ['Cross-Origin-Opener-Policy', 'same-origin', 'Cross-Origin-Resource-Policy', 'same-origin'];

const INDEX = 'index.html';

/** Where `npm run build` puts the built app. */
const BUILT = join(ROOT, 'dist/console');
export const consoleIsBuilt = (): boolean => existsSync(join(BUILT, INDEX));
export const NOT_BUILT = 'The pages of the service are not built here: run "npm ci && npm run build" in the folder of Sightline.';

const headersOf = (path: string): readonly string[] =>
  path.endsWith('.html') ? ['Content-Security-Policy', CONTENT_SECURITY_POLICY, ...ISOLATION] : ISOLATION;

/** A file of the built app by its path below `/console/`; other paths are pages, which get `index.html`. Null: no such asset. */
export function createAppFiles(folder: string) {
  const read = readFolder(folder, headersOf);
  return async (path: string): Promise<Asset | null | 'not built'> => {
    const files = await read();
    const index = files.get(INDEX);
    if (!index) return 'not built';
    return files.get(path) ?? (path.startsWith('assets/') ? null : index);
  };
}

const APP_PATH = '/console';

/** The console of one entrance: `GET /`, the app and its API. */
export function consoleRoutes(dependencies: ConsoleDependencies): readonly Route[] {
  const { responder, settings, version, entrance, console } = dependencies;
  const findFile = createAppFiles(console.folder ?? BUILT);

  async function index(): Promise<Asset> {
    const file = await findFile(INDEX);
    if (file === null || file === 'not built') throw new ServiceError('UNAVAILABLE', NOT_BUILT, { 'retry-after': '60' });
    return file;
  }

  async function serveApp(context: RequestContext): Promise<void> {
    const path = pathOf(context.request).slice(APP_PATH.length + 1);
    const file = path.startsWith('api/') ? null : await findFile(path);
    if (file === null) throw missing(`${APP_PATH}/${path.slice(0, 100)}: there is no such file.`);
    if (file === 'not built') throw new ServiceError('UNAVAILABLE', NOT_BUILT, { 'retry-after': '60' });
    await writeAsset(responder, context, file);
  }

  const app = (path: string): Route => ({ methods: READ, path, operation: 'console', serve: serveApp });
  return [
    {
      methods: READ,
      path: '/',
      operation: 'start',
      serve(context) {
        // the operator's entrance says nothing to who is not signed in
        if (wantsHtml(context.request) || entrance.kind === 'operator')
          responder.write(context, 302, ['Location', APP_PATH, 'Vary', 'Accept', 'Cache-Control', 'no-store'], Buffer.alloc(0));
        else responder.writeJson(context, { service: 'sightline', version, ...LINKS }, ['Vary', 'Accept']);
      },
    },
    app(APP_PATH),
    app(`${APP_PATH}/`),
    app(`${APP_PATH}/*`),
    assetRoute(responder, `${APP_PATH}/api/contract`, async () =>
      assetOf(JSON_TYPE, Buffer.from(JSON.stringify(contractView(settings.SIGHTLINE_PRICES, entrance.kind))), [], 'no-cache'),
    ),
    ...consoleApiRoutes(dependencies),
    ...(console.claiming && entrance.kind === 'account' ? setupRoutes(dependencies, console.claiming, index) : []),
  ];
}

const LINKS = { console: APP_PATH, docs: '/docs', openapi: '/openapi.json', health: '/healthz' };
