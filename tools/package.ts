/**
 * Builds dist/ for publishing: Node refuses to strip types under node_modules, so a published package contains JavaScript. Every .ts file
 * of src/ and sandbox/ becomes a .js file at the same path, and its `./x.ts` specifiers become `./x.js`. Other files are copied; tests,
 * fixtures and expected test results are excluded. The public module sightline/client also gets its declarations. The console
 * is built into dist/console.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { buildConsole } from './console-build.ts';

/** Specifiers only: a quoted relative path that ends in .ts. */
const namingJs = (code: string): string => code.replace(/((['"])\.{1,2}\/[^'"\n]*)\.ts\2/g, '$1.js$2');

rmSync('dist', { recursive: true, force: true });
let made = 0;
for (const file of globSync(['src/**/*', 'sandbox/**/*'], { withFileTypes: true })) {
  if (!file.isFile()) continue;
  const path = join(file.parentPath, file.name);
  if (/\.test\.ts$|\.md$|\/fixtures\/|\/expected\.ts$|^src\/console\//.test(path)) continue;
  const target = join('dist', path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  if (!path.endsWith('.ts')) {
    cpSync(path, target);
    continue;
  }
  const script = stripTypeScriptTypes(readFileSync(path, 'utf8'), { mode: 'strip' });
  writeFileSync(target, namingJs(script));
  made++;
}
execFileSync('node_modules/.bin/tsc', ['-p', 'tools/client-declarations.json'], { stdio: 'inherit' });
for (const file of globSync('dist/src/**/*.d.ts')) writeFileSync(file, namingJs(readFileSync(file, 'utf8')));
await buildConsole(process.cwd());
console.log(`dist: ${made} modules`);
