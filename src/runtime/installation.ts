import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const manifest = findPackageJSON('.', import.meta.url) ?? 'package.json';
/** The folder of the checkout or of the installed package, which holds `docs` and what `npm run build` makes, `dist`. */
export const ROOT = dirname(manifest);
const facts: { readonly version: string; readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(manifest, 'utf8'),
);
export const { version: VERSION, dependencies: DEPENDENCIES } = facts;
