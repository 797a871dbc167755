import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { type Asset, assetOf } from './assets.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** The files of a folder by their paths in it, read when they are first asked for. A folder without files is read again: it may be built meanwhile. */
export function readFolder(folder: string, headersOf: (path: string) => readonly string[]): () => Promise<ReadonlyMap<string, Asset>> {
  let loading: Promise<ReadonlyMap<string, Asset>> | null = null;
  return async () => {
    loading ??= loadFiles(folder, headersOf);
    const files = await loading.catch((error: unknown) => {
      loading = null;
      throw error;
    });
    if (files.size === 0) loading = null;
    return files;
  };
}

async function loadFiles(folder: string, headersOf: (path: string) => readonly string[]): Promise<ReadonlyMap<string, Asset>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = new Map<string, Asset>();
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = relative(folder, file).split(sep).join('/');
    // the build writes a hash of the content into the names of assets
    const cacheControl = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    files.set(path, assetOf(type, await readFile(file), headersOf(path), cacheControl));
  }
  return files;
}
