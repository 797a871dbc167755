/**
 * `npm run docs` writes the documentation as a folder of files, dist/docs: any web server can serve it, and the service does at `/docs`.
 * `--to FOLDER` writes it elsewhere; `--console URL` names the console that its examples lead to.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildDocs } from './docs/build.ts';

const { values } = parseArgs({ options: { to: { type: 'string' }, console: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const target = values.to === undefined ? undefined : resolve(values.to);
const built = await buildDocs(root, {
  force: true,
  ...(target && { target }),
  ...(values.console && { console: values.console.replace(/\/$/, '') }),
});
if (built.state === 'built') console.error(`${target ?? 'dist/docs'}: ${built.pages} pages, ${built.bytes} bytes, in ${built.ms} ms`);
