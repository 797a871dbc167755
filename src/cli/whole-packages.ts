import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const manifest = pathToFileURL(findPackageJSON('.', import.meta.url) ?? 'package.json');
const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Readonly<Record<string, string>> };
const fileOf = (specifier: string): URL =>
  new URL(`dist/packages/${specifier.replace('/', '-')}-${dependencies[specifier.split('/')[0] ?? '']}.js`, manifest);

/** Where `npm run build` puts packages of many modules as one file each, by what imports them. A file of another version is not found. */
export const WHOLE_PACKAGES: ReadonlyMap<string, URL> = new Map(
  ['kysely', 'typebox/schema'].map((specifier) => [specifier, fileOf(specifier)]),
);

/** Loads the files that are built instead of their packages: each of 500 modules costs a start 0.3 ms and 30 kB, whatever its size. */
export function useWholePackages(): void {
  const built = new Map([...WHOLE_PACKAGES].filter(([, file]) => existsSync(file)));
  registerHooks({
    resolve(specifier, context, next) {
      const file = built.get(specifier);
      return file ? { url: file.href, shortCircuit: true } : next(specifier, context);
    },
  });
}
