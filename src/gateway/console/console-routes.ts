import { hash } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE } from '../http/response.ts';
import type { Routing } from '../http/routing.ts';
import type { Asset } from '../routes/docs.ts';
import { assetRoute, createOpenRoute, type OpenRoute, writeAsset } from '../routes/open.ts';
import { builtConsoleFolder, createAppFiles, NOT_BUILT } from './app-files.ts';
import { consoleApiRoutes } from './console-api.ts';
import { contractView } from './contract-view.ts';
import type { ConsoleDependencies } from './dependencies.ts';

const APP_PATH = '/console';

/** Adds the console of one entrance: `GET /`, the app and its API. */
export function addConsole(routing: Routing, dependencies: ConsoleDependencies): void {
  const serveOpen = createOpenRoute(dependencies);
  for (const open of openRoutes(dependencies))
    routing.add({ methods: ['GET', 'HEAD'], path: open.path, operation: open.operation, serve: (context) => serveOpen(context, open) });
  for (const route of consoleApiRoutes(dependencies)) routing.add(route);
}

function openRoutes({ responder, settings, version, console }: ConsoleDependencies): readonly OpenRoute[] {
  const findFile = createAppFiles(console.folder ?? builtConsoleFolder());
  let contract: Asset | null = null;

  async function serveApp(context: RequestContext): Promise<void> {
    const path = pathOf(context).slice(APP_PATH.length + 1);
    const file = path.startsWith('api/') ? null : await findFile(path);
    if (file === null) throw new ServiceError('NOT_FOUND', `${APP_PATH}/${path.slice(0, 100)}: there is no such file.`);
    if (file === 'not built') throw new ServiceError('UNAVAILABLE', NOT_BUILT, { 'retry-after': '60' });
    await writeAsset(responder, context, file);
  }

  const app = (path: string): OpenRoute => ({ path, operation: 'console', serve: serveApp });
  return [
    {
      path: '/',
      operation: 'start',
      serve(context) {
        if (wantsHtml(context)) {
          const headers = ['Location', APP_PATH, 'Vary', 'Accept', 'Content-Length', '0', 'Cache-Control', 'no-store'];
          responder.write(context, 302, headers, null);
        } else responder.writeJson(context, { service: 'sightline', version, ...LINKS }, ['Vary', 'Accept']);
      },
    },
    app(APP_PATH),
    app(`${APP_PATH}/`),
    app(`${APP_PATH}/*`),
    assetRoute(responder, `${APP_PATH}/api/contract`, async () => {
      contract ??= jsonAsset(contractView(settings.SIGHTLINE_PRICES));
      return contract;
    }),
  ];
}

const LINKS = { console: APP_PATH, docs: '/docs', openapi: '/openapi.json', health: '/healthz' };

const pathOf = ({ request }: RequestContext): string => (request.url ?? '').split('?', 1)[0] ?? '';

/** Browsers name `text/html` when a person opens a page. */
const wantsHtml = ({ request }: RequestContext): boolean => /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(request.headers.accept ?? '');

function jsonAsset(json: object): Asset {
  const bytes = Buffer.from(JSON.stringify(json));
  const etag = `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  return { type: JSON_TYPE, bytes, etag, headers: [], cacheControl: 'no-cache' };
}
