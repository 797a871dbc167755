import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { BUNDLED_PACKAGES } from '../src/cli/bundled-packages.ts';
import { ROOT } from '../src/runtime/installation.ts';

/** The package as one file, below the text of its license. */
async function bundleOf(specifier: string): Promise<string> {
  const output = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(import.meta.resolve(specifier)),
      write: false,
      minify: false,
      // the comments name files below `cwd`: the same bytes wherever it is called
      rolldownOptions: { cwd: ROOT, output: { codeSplitting: false } },
    },
  });
  const [chunk, ...others] = 'output' in output ? output.output : [];
  if (chunk?.type !== 'chunk' || others.length) throw new Error(`${specifier} is not one file`);
  const folder = join(ROOT, 'node_modules', specifier.split('/')[0] ?? '');
  const license = readdirSync(folder).find((file) => /^license/i.test(file));
  if (!license) throw new Error(`${folder} has no license`);
  return `/*!\n${readFileSync(join(folder, license), 'utf8')}*/\n${chunk.code}`;
}

/** Builds the files of `BUNDLED_PACKAGES` that are missing. */
export async function bundlePackages(): Promise<void> {
  for (const [specifier, file] of BUNDLED_PACKAGES) {
    if (existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    // renamed, so that no process loads a part of it
    writeFileSync(`${file}.${process.pid}`, await bundleOf(specifier));
    renameSync(`${file}.${process.pid}`, file);
  }
}
