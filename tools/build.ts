/**
 * `npm run build` makes what a production install serves or loads and Git does not hold: the console, src/console → dist/console, the
 * documentation, docs → dist/docs, and bundles of two packages. `--if-changed`, for `demo` and `serve`, leaves a build of the same
 * sources, and goes on where Vite is not installed.
 */
import { fileURLToPath } from 'node:url';
import { buildConsole } from './console-build.ts';

const ifChanged = process.argv.includes('--if-changed');
const root = fileURLToPath(new URL('..', import.meta.url));
const result = await buildConsole(root, { force: !ifChanged });
// on standard error: the demo prints JSON on standard output
if (result.state === 'built') console.error(`dist/console: built in ${result.ms} ms, ${result.bytes} bytes`);
if (result.state === 'no-vite') {
  console.error('dist/console is missing or older than its sources, and Vite is not installed here: run "npm ci && npm run build".');
  if (!ifChanged) process.exitCode = 1;
} else {
  const docs = await (await import('./docs/build.ts')).buildDocs(root, { force: !ifChanged });
  if (docs.state === 'built') console.error(`dist/docs: ${docs.pages} pages built in ${docs.ms} ms, ${docs.bytes} bytes`);
  await (await import('./bundled-packages.ts')).bundlePackages();
}
