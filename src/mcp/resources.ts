import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import type { OpenApiOptions } from '../contract/openapi/document.ts';

/** A document that clients may read. */
export interface Page {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly mimeType: string;
  read(): Promise<string>;
}

/** Beside package.json, wherever the sources are. */
const DOCS = join(dirname(findPackageJSON('.', import.meta.url) ?? '.'), 'docs');

/** The OpenAPI description, and the pages of `docs/`. */
export function createPages(options: OpenApiOptions): readonly Page[] {
  const openApi: Page = {
    name: 'openapi',
    uri: 'sightline://openapi.json',
    title: 'OpenAPI description',
    mimeType: 'application/json',
    read: async () => JSON.stringify((await import('../contract/openapi/document.ts')).describe(options)),
  };
  const docs = readdirSync(DOCS)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file): Page => {
      const name = file.slice(0, -'.md'.length);
      return {
        name,
        uri: `sightline://docs/${file}`,
        title: `Docs: ${name}`,
        mimeType: 'text/markdown',
        read: () => readFile(join(DOCS, file), 'utf8'),
      };
    });
  return [openApi, ...docs];
}
