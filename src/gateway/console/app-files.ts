import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { contractView } from '../../contract/contract-view.ts';
import { missing, ServiceError } from '../../contract/errors.ts';
import { ROOT } from '../../runtime/installation.ts';
import { type Asset, assetOf, assetRoute, READ, writeAsset } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import { pathOf } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE } from '../http/response.ts';
import type { ConsoleDependencies } from '../parts.ts';
import { consoleApiRoutes } from './console-api.ts';

/** This origin only; no inline code, `eval`, frame or text that becomes markup. `https:` for images, which the app loads only on request. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'",
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
].join('; ');
const ISOLATION = ['Cross-Origin-Opener-Policy', 'same-origin', 'Cross-Origin-Resource-Policy', 'same-origin'];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};
const INDEX = 'index.html';

/** Where `npm run build` puts the built app. */
const BUILT = join(ROOT, 'dist/console');
export const consoleIsBuilt = (): boolean => existsSync(join(BUILT, INDEX));
export const NOT_BUILT = 'The pages of the service are not built here: run "npm ci && npm run build" in the folder of Sightline.';

/** A file of the built app by its path below `/console/`; other paths are pages, which get `index.html`. Null: no such asset. */
export function createAppFiles(folder: string) {
  let loading: Promise<ReadonlyMap<string, Asset>> | null = null;
  return async (path: string): Promise<Asset | null | 'not built'> => {
    loading ??= loadFiles(folder);
    const files = await loading.catch((error: unknown) => {
      loading = null;
      throw error;
    });
    const index = files.get(INDEX);
    // not remembered: the app may be built while the service runs
    if (!index) loading = null;
    if (!index) return 'not built';
    return files.get(path) ?? (path.startsWith('assets/') ? null : index);
  };
}

async function loadFiles(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = new Map<string, Asset>();
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = relative(folder, file).split(sep).join('/');
    const headers = path.endsWith('.html') ? ['Content-Security-Policy', CONTENT_SECURITY_POLICY, ...ISOLATION] : ISOLATION;
    // the build writes a hash of the content into the names of assets
    const cacheControl = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    files.set(path, assetOf(type, await readFile(file), headers, cacheControl));
  }
  return files;
}

const APP_PATH = '/console';

/** The console of one entrance: `GET /`, the app and its API. */
export function consoleRoutes(dependencies: ConsoleDependencies): readonly Route[] {
  const { responder, settings, version, entrance, console } = dependencies;
  const findFile = createAppFiles(console.folder ?? BUILT);

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
        if (wantsHtml(context))
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
  ];
}

const LINKS = { console: APP_PATH, docs: '/docs', openapi: '/openapi.json', health: '/healthz' };

const wantsHtml = ({ request }: RequestContext): boolean => /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(request.headers.accept ?? '');
