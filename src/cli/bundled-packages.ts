import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEPENDENCIES, ROOT } from '../runtime/installation.ts';

const fileOf = (name: string): string => join(ROOT, `dist/packages/${name}-${DEPENDENCIES[name]}.js`);
/** The bundles that `npm run build` makes of packages, by import specifier. The file name has the version: a bundle of another one is not used. */
export const BUNDLED_PACKAGES = new Map([
  ['kysely', fileOf('kysely')],
  ['typebox/schema', fileOf('typebox')],
]);

/** Resolves these imports to the bundles, where they are built: loading 500 small modules costs a start 0.3 ms and 30 kB each. */
export function useBundledPackages(): void {
  const bundles = new Map(
    [...BUNDLED_PACKAGES].filter(([, file]) => existsSync(file)).map(([name, file]) => [name, pathToFileURL(file).href]),
  );
  registerHooks({ resolve: (specifier, context, next) => next(bundles.get(specifier) ?? specifier, context) });
}
