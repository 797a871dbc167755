import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashOf } from '../source-hash.ts';

/** File in the build that holds the hash of its sources. */
const STAMP = '.sources.sha256';
/** The inputs of the site: pages, contract, styles, fonts, and the code that writes it. */
const SOURCES = [
  '[A-Z]*.md',
  'docs/**/*',
  'src/contract/**/*',
  'src/client/{methods,pages}.ts',
  'src/console/{styles,fonts}/*',
  'src/console/parts/icons.json',
  'src/console/workbench/snippets.ts',
  'tools/docs/**/*',
  'package-lock.json',
];

export interface DocsOptions {
  readonly force?: boolean;
  /** Where the site is written; default: `dist/docs`. */
  readonly target?: string;
  /** Address of the console that examples lead to; default: the one beside `/docs` of the same service. */
  readonly console?: string;
}
export type DocsBuilt =
  | { readonly state: 'built'; readonly pages: number; readonly bytes: number; readonly ms: number }
  | { readonly state: 'current' }
  /** The site is missing or of other sources, and the packages that write it are not installed. */
  | { readonly state: 'no-tools' };

/**
 * Writes the documentation of a checkout as a folder of files, where it is missing or of other sources. Guides and reference need no server:
 * every address in them is relative. It is made beside its place and renamed, so that processes that build at the same time don't mix files.
 */
export async function buildDocs(
  root: string,
  { force = false, target = join(root, 'dist/docs'), console = '../console' }: DocsOptions = {},
): Promise<DocsBuilt> {
  // a published package holds the site alone
  if (!existsSync(join(root, 'tools/docs'))) return { state: 'current' };
  const stamp = hashOf(root, SOURCES, console);
  const stampFile = join(target, STAMP);
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return { state: 'current' };
  if (existsSync(target) && !existsSync(stampFile) && readdirSync(target).some((file) => file !== 'scalar.js'))
    throw new Error(`${target} holds other files than these pages: name an empty folder.`);
  const begun = performance.now();
  let makeSite: typeof import('./site.ts').makeSite;
  try {
    ({ makeSite } = await import('./site.ts'));
  } catch (error) {
    // an install without development packages
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return { state: 'no-tools' };
    throw error;
  }
  const files = await makeSite(root, console);
  const fresh = `${target}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    if (typeof content === 'string') writeFileSync(join(fresh, path), content);
    else cpSync(content.copyOf, join(fresh, path));
  }
  writeFileSync(join(fresh, STAMP), stamp);
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // another process has put its own build of the same sources there
    if (!existsSync(stampFile)) throw error;
  }
  const bytes = globSync('**/*', { cwd: target }).reduce((sum, path) => sum + statSync(join(target, path)).size, 0);
  return {
    state: 'built',
    pages: [...files.keys()].filter((path) => path.endsWith('.html')).length,
    bytes,
    ms: Math.round(performance.now() - begun),
  };
}
