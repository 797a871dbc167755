import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

/** One minified module for browsers. Fails where a Node built-in or a package is imported. */
export async function bundled(entry: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bundle-'));
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      build: {
        outDir: folder,
        minify: true,
        lib: { entry: resolve(entry), formats: ['es'], fileName: () => 'bundle.js' },
        rollupOptions: { external: (id: string) => !/^[./]/.test(id) },
      },
    });
    const code = readFileSync(join(folder, 'bundle.js'), 'utf8');
    const imported = [...code.matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)].map(([, name]) => name);
    if (imported.length) throw new Error(`${entry} imports ${imported.join(', ')}`);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
