import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './source-hash.ts';

/** File in the build that holds the hash of its sources. */
const STAMP = '.sources.sha256';
/** The inputs of the build: its sources, the files that they import, and the versions of the tools. */
const SOURCES = [
  'src/console/**/*',
  'src/client/**/*.ts',
  'src/bulk/**/*.ts',
  'src/contract/**/*.ts',
  'src/runtime/clock.ts',
  'package-lock.json',
  'tools/console-build.ts',
];

export type Built =
  | { readonly state: 'built'; readonly bytes: number; readonly ms: number }
  /** The build is of the same sources, or there are no sources: a published package contains the build alone. */
  | { readonly state: 'current' }
  /** The build is missing or of other sources, and Vite, a development package, is not installed. */
  | { readonly state: 'no-vite' };

/**
 * Builds `src/console` of the checkout into `dist/console` where that is missing or of other sources. The build is made beside it and renamed,
 * so that processes that build at the same time don't mix their files.
 */
export async function buildConsole(root: string, { force = false } = {}): Promise<Built> {
  const source = join(root, 'src/console');
  if (!existsSync(join(source, 'index.html'))) return { state: 'current' };
  const stamp = hashOf(root, SOURCES);
  const target = join(root, 'dist/console');
  const stampFile = join(target, STAMP);
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return { state: 'current' };
  let vite: typeof import('vite');
  try {
    vite = await import('vite');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return { state: 'no-vite' };
    throw error;
  }
  const begun = performance.now();
  const fresh = `${target}.${process.pid}`;
  const output = await vite.build({
    configFile: false,
    root: source,
    base: '/console/',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: fresh,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // what every page needs is one file: small files cost their headers
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              {
                name: 'core',
                test: /preload-helper|node_modules\/@?preact|console\/(?:app\/(?:place|session|operations|keys)|parts\/(?:icons|display|controls|page|format)|workbench\/(?:request|lookup-rows))\.tsx?$/,
              },
              { name: 'code-names', test: /code-names\.ts$/ },
              { name: 'workbench', test: /console\/workbench\/(?:workbench|answer|parse-in-slices|lookups|query-bar|code-choices)\.tsx?$/ },
            ],
          },
        },
      },
    },
  });
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, STAMP), stamp);
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // another process has put its own build of the same sources there
    if (!existsSync(stampFile)) throw error;
  }
  const chunks = Array.isArray(output) ? output.flatMap((o) => o.output) : 'output' in output ? output.output : [];
  const bytes = chunks.reduce((sum, c) => sum + (c.type === 'chunk' ? c.code.length : c.source.length), 0);
  return { state: 'built', bytes, ms: Math.round(performance.now() - begun) };
}
