/**
 * `npm run image` builds the Dockerfile with buildah into dist/sightline-image-<arch>.tar, which `docker load` reads, lists its layers and
 * searches them. Needs root, buildah and, where the registry of the base image cannot be reached, debootstrap.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT_AT, filesIn, PROJECT } from './app-folder.ts';
import { type Buildah, baseName, DEBIAN_ARCH, makeBase } from './base-image.ts';
import { describeForm, VERSION } from './checksums.ts';
import { ARCHES, type Arch } from './node-of.ts';

const MAX_BYTES = 210_000_000;

const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch } } });
const arch = ARCHES.find((name) => name === values.arch);
if (!arch) throw new Error(`--arch is ${values.arch}, but it must be ${ARCHES.join(' or ')}`);

const storage = mkdtempSync(join(tmpdir(), 'sightline-image-'));
const STORAGE = ['--root', join(storage, 'root'), '--runroot', join(storage, 'run'), '--storage-driver', 'vfs'];
const buildah: Buildah = (...args) =>
  execFileSync('buildah', [...STORAGE, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim();

/**
 * Brings the base from its registry; where that does not answer it is made here. Of a local name buildah knows one image: the base of the
 * machine that builds has a name of its own where the image is for another processor.
 */
function bringBase(arch: Arch): readonly string[] {
  try {
    execFileSync('buildah', [...STORAGE, 'pull', '--quiet', '--arch', DEBIAN_ARCH[arch], baseName()], { stdio: 'ignore', timeout: 60_000 });
    console.log(`${baseName()}: from its registry`);
    return [];
  } catch {
    console.log(`${baseName()}: made by debootstrap, its registry does not answer`);
    makeBase(buildah, arch, baseName());
    if (arch === process.arch) return [];
    // buildah 1.28 finds local images of the target alone, whatever the stage asks for
    makeBase(buildah, process.arch === 'arm64' ? 'arm64' : 'x64', 'localhost/base-of-this-machine', arch);
    return ['--build-arg', 'BUILD_BASE=localhost/base-of-this-machine'];
  }
}

/** No source that production does not need, no test, no secret, in no layer. */
function search(folder: string): void {
  const files = filesIn(folder);
  const needless = /(?<!\.d)\.tsx?$|\.test\.|\.map$|(?:^|\/)(?:fixtures|tests?)\/|\.npmrc$|\.npm\/|\.env$|\.git\//;
  assert.deepEqual(
    files.filter((path) => needless.test(path)),
    [],
    'only what production needs',
  );
  const texts = files.filter((path) => !/(?:^|\/)bin\/node$|\.so[.\d]*$/.test(path));
  const secret = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[\w+/=]{60}|_authToken=|\b(?:sl|slo)_[0-9A-Za-z]{33}\b/;
  assert.deepEqual(
    texts.filter((path) => secret.test(readFileSync(join(folder, path), 'utf8'))),
    [],
    'no secret',
  );
}

/** Prints each layer with its size, and searches it. */
function listLayers(archive: string): void {
  const box = mkdtempSync(join(tmpdir(), 'sightline-layers-'));
  try {
    execFileSync('tar', ['-xf', archive, '-C', box]);
    const [manifest] = JSON.parse(readFileSync(join(box, 'manifest.json'), 'utf8')) as { readonly Layers: readonly string[] }[];
    assert.ok(manifest);
    let sum = 0;
    for (const [at, name] of manifest.Layers.entries()) {
      const folder = join(box, `layer-${at}`);
      mkdirSync(folder);
      execFileSync('tar', ['-xf', join(box, name), '-C', folder]);
      const files = filesIn(folder);
      const bytes = files.reduce((all, path) => all + statSync(join(folder, path)).size, 0);
      sum += bytes;
      const shown = [...new Set(files.map((path) => path.split('/').slice(0, 2).join('/')))].slice(0, 8).join(' ');
      console.log(`layer ${at + 1}: ${(bytes / 1e6).toFixed(1)} MB, ${files.length} files: ${shown}`);
      search(folder);
    }
    console.log(`all layers: ${(sum / 1e6).toFixed(1)} MB`);
    assert.ok(sum <= MAX_BYTES, `the layers have ${sum} bytes, at most ${MAX_BYTES}`);
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

/**
 * Writes the archive again without what buildah draws at random (host name, ids of containers), as one time and owner, with the files that
 * `docker load` reads.
 */
function makeReproducible(archive: string): void {
  const box = mkdtempSync(join(tmpdir(), 'sightline-archive-'));
  try {
    execFileSync('tar', ['-xf', archive, '-C', box]);
    const [manifest] = JSON.parse(readFileSync(join(box, 'manifest.json'), 'utf8')) as {
      Config: string;
      readonly Layers: readonly string[];
    }[];
    assert.ok(manifest);
    const {
      container: _,
      container_config: __,
      parent: ___,
      config,
      history,
      ...image
    } = JSON.parse(readFileSync(join(box, manifest.Config), 'utf8'));
    const steps = history.map(({ comment: _, ...step }: Readonly<Record<string, unknown>>) => step);
    const text = JSON.stringify({ ...image, config: { ...config, Hostname: '' }, history: steps });
    manifest.Config = `${createHash('sha256').update(text).digest('hex')}.json`;
    writeFileSync(join(box, manifest.Config), text);
    writeFileSync(join(box, 'manifest.json'), JSON.stringify([manifest]));
    const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rw,go=r', `--mtime=@${BUILT_AT}`];
    execFileSync('tar', [...owner, '-C', box, '-cf', archive, 'manifest.json', manifest.Config, ...manifest.Layers]);
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

const begun = performance.now();
const archive = join(PROJECT, `dist/sightline-image-${arch}.tar`);
try {
  const bases = bringBase(arch);
  const tag = `sightline:${VERSION}`;
  const platform = ['--platform', `linux/${DEBIAN_ARCH[arch]}`, '--build-arg', `TARGETARCH=${DEBIAN_ARCH[arch]}`, ...bases];
  // a stage is one layer, and its files are of one time
  const form = ['--format', 'docker', '--timestamp', String(BUILT_AT), '--layers=false', '--tag', tag];
  buildah('bud', '--quiet', '--isolation', 'chroot', '--pull-never', ...platform, ...form, PROJECT);
  rmSync(archive, { force: true });
  buildah('push', '--quiet', tag, `docker-archive:${archive}:${tag}`);
  makeReproducible(archive);
  listLayers(archive);
  console.log(
    `dist/sightline-image-${arch}.tar: ${statSync(archive).size} bytes, SHA-256 ${describeForm(archive, arch)}, ${Math.round((performance.now() - begun) / 1000)} s`,
  );
} finally {
  rmSync(storage, { recursive: true, force: true });
}
