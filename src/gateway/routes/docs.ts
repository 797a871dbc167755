import { join } from 'node:path';
import { missing, ServiceError } from '../../contract/errors.ts';
import { describe, type OpenApiOptions } from '../../contract/openapi/document.ts';
import { ROOT } from '../../runtime/installation.ts';
import { NOT_BUILT } from '../console/app-files.ts';
import { readFolder } from '../http/asset-folder.ts';
import { assetOf, assetRoute, READ, writeAsset } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import { pathOf } from '../http/request.ts';
import { JSON_TYPE, type Responder } from '../http/response.ts';

/** Files of this origin only; no inline code or style, no frame, no text that becomes markup. */
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'",
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types sightline-docs",
].join('; ');
const headersOf = (path: string): readonly string[] => (/\.(?:html|svg)$/.test(path) ? ['Content-Security-Policy', POLICY] : []);

/** Where `npm run build` puts the documentation. */
const BUILT = join(ROOT, 'dist/docs');
const PATH = '/docs';
const INDEX = 'index.html';

/** The description for machines, and the documentation: a folder of files. */
export function docsRoutes(responder: Responder, options: OpenApiOptions, folder = BUILT): readonly Route[] {
  const json = async () => assetOf(JSON_TYPE, Buffer.from(JSON.stringify(describe(options))));
  const read = readFolder(folder, headersOf);
  return [
    assetRoute(responder, '/openapi.json', json),
    assetRoute(responder, `${PATH}/openapi.json`, json),
    {
      methods: READ,
      path: PATH,
      operation: 'docs',
      // addresses in the pages are relative
      serve: (context) => responder.write(context, 302, ['Location', `${PATH}/`, 'Cache-Control', 'no-cache'], Buffer.alloc(0)),
    },
    ...[`${PATH}/`, `${PATH}/*`].map(
      (path): Route => ({
        methods: READ,
        path,
        operation: 'docs',
        async serve(context) {
          const files = await read();
          if (!files.has(INDEX)) throw new ServiceError('UNAVAILABLE', NOT_BUILT, { 'retry-after': '60' });
          const name = pathOf(context.request).slice(PATH.length + 1);
          const file = files.get(name === '' || name.endsWith('/') ? name + INDEX : name);
          if (!file) throw missing(`${PATH}/${name.slice(0, 100)}: there is no such page.`);
          await writeAsset(responder, context, file);
        },
      }),
    ),
  ];
}
