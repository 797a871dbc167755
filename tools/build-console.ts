/**
 * Builds the console: src/console → dist/console, unless the build there is of the same sources. `--force` builds in any case. Without Vite
 * (an installed package carries the build) nothing is done.
 */
import { fileURLToPath } from 'node:url';
import { buildConsole } from './console-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { built, bytes, ms } = await buildConsole(root, { force: process.argv.includes('--force') });
// on standard error: the demo prints JSON on standard output
if (built) console.error(`dist/console: built in ${ms} ms, ${bytes} bytes`);
