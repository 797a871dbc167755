import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT } from './app-folder.ts';

export const ARCHES = ['x64', 'arm64'] as const;
export type Arch = (typeof ARCHES)[number];

/** The npm package that holds Node for a processor. */
export const packageOf = (arch: Arch): string => `node-linux-${arch}`;
const manifest: { readonly optionalDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
);
export const nodeVersion = (arch: Arch): string => {
  const version = manifest.optionalDependencies[packageOf(arch)];
  if (version === undefined) throw new Error(`package.json has no ${packageOf(arch)}`);
  return version;
};

/** The licenses of Node and of what is compiled into it: a form that brings Node brings them. The same for every processor. */
export const NODE_LICENSE = join(PROJECT, 'node_modules', packageOf(process.arch === 'arm64' ? 'arm64' : 'x64'), 'LICENSE');

/** The program of Node for a processor, of the version that the lock names: the installed one, else npm fetches it and verifies its sum. */
export function nodeOf(arch: Arch): string {
  const installed = join(PROJECT, 'node_modules', packageOf(arch), 'bin/node');
  if (existsSync(installed)) return installed;
  const stored = join(PROJECT, `dist/node/${packageOf(arch)}-${nodeVersion(arch)}`);
  if (existsSync(stored)) return stored;
  const box = mkdtempSync(join(tmpdir(), 'sightline-node-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(PROJECT, file), join(box, file));
    execFileSync('npm', ['ci', '--omit=dev', `--cpu=${arch}`, '--os=linux', '--no-progress', '--prefer-offline'], {
      cwd: box,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    mkdirSync(join(PROJECT, 'dist/node'), { recursive: true });
    cpSync(join(box, 'node_modules', packageOf(arch), 'bin/node'), `${stored}.${process.pid}`);
    renameSync(`${stored}.${process.pid}`, stored);
    return stored;
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

// for the Dockerfile: copies the Node for a processor, under the name that Docker has for it, to a file, and its licenses beside it
if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [, , name = '', target = ''] = process.argv;
  copyFileSync(nodeOf(name === 'arm64' ? 'arm64' : 'x64'), target);
  chmodSync(target, 0o755);
  copyFileSync(NODE_LICENSE, `${target}.LICENSE`);
}
