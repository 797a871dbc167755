import { contractView } from '../../contract/contract-view.ts';
import { ServiceError } from '../../contract/errors.ts';
import { assetOf, assetRoute, READ, writeAsset } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE } from '../http/response.ts';
import type { ConsoleDependencies } from '../parts.ts';
import { builtConsoleFolder, createAppFiles, NOT_BUILT } from './app-files.ts';
import { consoleApiRoutes } from './console-api.ts';

const APP_PATH = '/console';

/** The console of one entrance: `GET /`, the app and its API. */
export function consoleRoutes(dependencies: ConsoleDependencies): readonly Route[] {
  const { responder, settings, version, entrance, console } = dependencies;
  const findFile = createAppFiles(console.folder ?? builtConsoleFolder());

  async function serveApp(context: RequestContext): Promise<void> {
    const path = pathOf(context).slice(APP_PATH.length + 1);
    const file = path.startsWith('api/') ? null : await findFile(path);
    if (file === null) throw new ServiceError('NOT_FOUND', `${APP_PATH}/${path.slice(0, 100)}: there is no such file.`);
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

const pathOf = ({ request }: RequestContext): string => (request.url ?? '').split('?', 1)[0] ?? '';

/** Browsers name `text/html` when a person opens a page. */
const wantsHtml = ({ request }: RequestContext): boolean => /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(request.headers.accept ?? '');
