import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEPENDENCIES, ROOT } from '../runtime/installation.ts';

const fileOf = (name: string): string => join(ROOT, `dist/packages/${name}-${DEPENDENCIES[name]}.js`);
/** Where `npm run build` puts packages of many modules as one file each, by their specifiers. A file of another version is not found. */
export const WHOLE_PACKAGES = new Map([
  ['kysely', fileOf('kysely')],
  ['typebox/schema', fileOf('typebox')],
]);

/** Loads the files that are built instead of their packages: each of 500 modules costs a start 0.3 ms and 30 kB, whatever its size. */
export function useWholePackages(): void {
  const built = new Map([...WHOLE_PACKAGES].filter(([, file]) => existsSync(file)).map(([name, file]) => [name, pathToFileURL(file).href]));
  registerHooks({ resolve: (specifier, context, next) => next(built.get(specifier) ?? specifier, context) });
}
