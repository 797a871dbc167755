/**
 * The base image of the Dockerfile where its registry cannot be reached: Debian by debootstrap, with npm and the Node of the lock, committed under
 * the name that the Dockerfile has. It trusts the certificate authorities of this machine, because `npm ci` runs inside.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT } from './app-folder.ts';
import { type Arch, nodeOf } from './node-of.ts';

export const DEBIAN_ARCH = { x64: 'amd64', arm64: 'arm64' } as const;
/** Debian packages that Node or a dependency needs and bookworm's minimal system lacks. */
const PACKAGES = ['ca-certificates', 'libatomic1'];
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

export type Buildah = (...args: readonly string[]) => string;

/** A minimal Debian as a tar file, stored in dist because debootstrap takes most of a minute. */
export function debianTar(arch: Arch): string {
  const tar = join(PROJECT, `dist/debian-bookworm-${arch}.tar`);
  if (existsSync(tar)) return tar;
  const box = mkdtempSync(join(tmpdir(), 'sightline-debian-'));
  try {
    // the mirror is named: without it debootstrap asks another host
    // of another processor: unpacked and not set up, which its emulation would take many minutes for
    const foreign = arch === process.arch ? [] : ['--foreign'];
    const options = [...foreign, '--variant=minbase', `--arch=${DEBIAN_ARCH[arch]}`, `--include=${PACKAGES.join(',')}`];
    execFileSync('debootstrap', [...options, 'bookworm', box, 'http://deb.debian.org/debian'], { stdio: ['ignore', 'ignore', 'inherit'] });
    // in a container its first stage makes `proc` a link to itself, which its second one would replace
    const proc = join(box, 'proc');
    if (lstatSync(proc).isSymbolicLink()) {
      rmSync(proc);
      mkdirSync(proc);
    }
    // its first stage unpacks what Debian requires alone, and downloads the rest
    const archives = join(box, 'var/cache/apt/archives');
    for (const file of foreign.length ? readdirSync(archives).filter((name) => PACKAGES.some((one) => name.startsWith(`${one}_`))) : [])
      execFileSync('dpkg-deb', ['--extract', join(archives, file), box]);
    for (const folder of ['var/cache/apt/archives', 'var/lib/apt/lists', 'usr/share/locale'])
      rmSync(join(box, folder), { recursive: true, force: true });
    // the licenses stay, and the links from a package to the folder of another
    execFileSync('find', [join(box, 'usr/share/doc'), '-mindepth', '2', '!', '-type', 'd', '!', '-name', 'copyright', '-delete']);
    chmodSync(box, 0o755);
    mkdirSync(dirname(tar), { recursive: true });
    execFileSync('tar', ['--numeric-owner', '-C', box, '-cf', `${tar}.new`, '.']);
    renameSync(`${tar}.new`, tar);
    return tar;
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

/** The name of the base in the Dockerfile. */
export function baseName(): string {
  const name = /^ARG BASE=(\S+)$/m.exec(readFileSync(join(PROJECT, 'Dockerfile'), 'utf8'))?.[1];
  if (name === undefined) throw new Error('the Dockerfile names no BASE');
  return `docker.io/library/${name}`;
}

/** Commits the base image under a name into the storage of `buildah`, said to be for the processor of `label`. */
export function makeBase(buildah: Buildah, arch: Arch, name: string, label: Arch = arch): void {
  const box = mkdtempSync(join(tmpdir(), 'sightline-base-'));
  try {
    const [bin, lib] = [join(box, 'usr/local/bin'), join(box, 'usr/local/lib/node_modules')];
    for (const folder of [bin, lib, join(box, dirname(AUTHORITIES))]) mkdirSync(folder, { recursive: true });
    copyFileSync(nodeOf(arch), join(bin, 'node'));
    chmodSync(join(bin, 'node'), 0o755);
    const npm = join(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()), '../..');
    cpSync(npm, join(lib, 'npm'), { recursive: true });
    for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name));
    copyFileSync(AUTHORITIES, join(box, AUTHORITIES));
    const container = buildah('from', '--arch', DEBIAN_ARCH[label], 'scratch');
    buildah('add', '--quiet', container, debianTar(arch), '/');
    buildah('add', '--quiet', container, box, '/');
    buildah(
      'config',
      '--arch',
      DEBIAN_ARCH[label],
      '--env',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      '--env',
      `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`,
      container,
    );
    buildah('commit', '--quiet', '--rm', container, name);
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}
