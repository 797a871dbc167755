/**
 * `npm run app` makes dist/app, the folder that runs in every form but the npm package: the files of that package, beside them the packages of
 * `dependencies` as the lock names them, those of a fleet included. Nothing in it depends on the processor. The same commit gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, lutimesSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
export const APP = join(PROJECT, 'dist/app');
/** Time of every file of every form, seconds: the same bytes whenever they are made. */
export const BUILT_AT = 1_767_225_600;

const RUNS = /\.(?:c?js|mjs|json|node|wasm|lua)$/;
/** Files of a package that only its authors need. */
const OF_AUTHORS = /(?:^|\/)(?:tests?|__tests__|bench|benchmarks?|examples?|fixtures)\/|\.(?:test|spec)\.[cm]?js$/;
const LICENSE = /^(?:licen[cs]e|notice|copying)/i;

/** The packages of the lock that run in production, without declarations, source maps, sources and pages. */
function installPackages(target: string): void {
  const box = mkdtempSync(join(tmpdir(), 'sightline-packages-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(PROJECT, file), join(box, file));
    execFileSync('npm', ['ci', '--omit=dev', '--omit=optional', '--no-progress', '--prefer-offline'], {
      cwd: box,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const from = join(box, 'node_modules');
    for (const file of filesIn(from)) {
      if (file.startsWith('.') || OF_AUTHORS.test(file) || !(RUNS.test(file) || LICENSE.test(basename(file)))) continue;
      mkdirSync(dirname(join(target, file)), { recursive: true });
      cpSync(join(from, file), join(target, file));
    }
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

/** The files below a folder, by their paths in it, in one order everywhere. */
export const filesIn = (folder: string): readonly string[] =>
  globSync('**/{*,.*}', { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();

/** The same modes and times wherever the folder is made, whatever the umask. */
export function normalise(folder: string): void {
  for (const path of [...globSync('**/{*,.*}', { cwd: folder }), '.']) {
    const file = join(folder, path);
    const isRun = statSync(file).isDirectory() || /^(?:.*\/)?bin\/[^/]+$/.test(path);
    chmodSync(file, isRun ? 0o755 : 0o644);
    lutimesSync(file, BUILT_AT, BUILT_AT);
  }
}

/** Makes dist/app, or takes the one that is there. */
export function provideApp(isReused: boolean): void {
  if (!isReused) makeApp();
  else if (!existsSync(join(APP, 'package.json'))) throw new Error('--keep-app, but there is no dist/app: run "npm run app" first.');
}

/** Deletes dist/app and makes it again. */
export function makeApp(): void {
  execFileSync('npm', ['run', '--silent', 'package'], { cwd: PROJECT, stdio: ['ignore', 'ignore', 'inherit'] });
  const fresh = `${APP}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  cpSync(join(PROJECT, 'dist/sightline'), fresh, { recursive: true, filter: (path) => !path.endsWith('.d.ts') });
  // of the package as npm installs it; each form has its own
  rmSync(join(fresh, 'sbom.json'));
  installPackages(join(fresh, 'node_modules'));
  normalise(fresh);
  rmSync(APP, { recursive: true, force: true });
  renameSync(fresh, APP);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  makeApp();
  const files = filesIn(APP);
  const bytes = files.reduce((sum, file) => sum + statSync(join(APP, file)).size, 0);
  console.log(`dist/app: ${files.length} files, ${bytes} bytes`);
}
