/**
 * `npm run deb` makes dist/sightline_<version>_<arch>.deb with debhelper: dist/app and the Node of the lock in /usr/lib/sightline, the unit of
 * deploy/systemd, and what stands in deploy/debian. Needs the Debian packages debhelper and lintian.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { APP, BUILT_AT, PROJECT, provideApp } from './app-folder.ts';
import { DEBIAN_ARCH } from './base-image.ts';
import { billOf, describeForm, VERSION } from './checksums.ts';
import { NODE_LICENSE, nodeOf } from './node-of.ts';

const { values } = parseArgs({
  options: { 'keep-app': { type: 'boolean', default: false }, 'no-lintian': { type: 'boolean', default: false } },
});
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const date = new Date(BUILT_AT * 1000).toUTCString().replace('GMT', '+0000');
const changelog = `sightline (${VERSION}) unstable; urgency=medium

  * Version ${VERSION}: /usr/lib/sightline/CHANGELOG.md.

 -- Sightline maintainers <maintainers@sightline.example>  ${date}
`;

/** The unit, with the paths of the package. */
const unit = (): string =>
  readFileSync(join(PROJECT, 'deploy/systemd/sightline.service'), 'utf8')
    .replaceAll('/opt/sightline/node_modules/.bin/node', '/usr/lib/sightline/node')
    .replaceAll('/opt/sightline', '/usr/lib/sightline');

/** Writes the files that `dpkg-buildpackage` reads. `tree`: the files that the package installs. */
function makeSource(folder: string): void {
  const debian = join(folder, 'debian');
  cpSync(join(PROJECT, 'deploy/debian'), debian, { recursive: true });
  const lib = join(folder, 'tree/usr/lib/sightline');
  for (const made of [lib, join(folder, 'tree/usr/bin'), join(folder, 'tree/etc/sightline')]) mkdirSync(made, { recursive: true });
  cpSync(APP, lib, { recursive: true, preserveTimestamps: true });
  // its text is in the copyright file, as Debian wants it
  rmSync(join(lib, 'LICENSE'));
  // they are run by the Node of the package, not by one that the first line finds
  for (const program of globSync('**/bin/*.mjs', { cwd: lib })) {
    writeFileSync(join(lib, program), readFileSync(join(lib, program), 'utf8').replace(/^#!.*\n/, ''));
    chmodSync(join(lib, program), 0o644);
  }
  copyFileSync(nodeOf(arch), join(lib, 'node'));
  chmodSync(join(lib, 'node'), 0o755);
  copyFileSync(NODE_LICENSE, join(lib, 'LICENSE.node'));
  writeFileSync(join(lib, 'sbom.json'), billOf(arch));
  renameSync(join(debian, 'sightline.sh'), join(folder, 'tree/usr/bin/sightline'));
  chmodSync(join(folder, 'tree/usr/bin/sightline'), 0o755);
  renameSync(join(debian, 'sightline.env'), join(folder, 'tree/etc/sightline/sightline.env'));
  writeFileSync(join(debian, 'sightline.service'), unit());
  writeFileSync(join(debian, 'sightline.install'), 'tree/* /\n');
  writeFileSync(join(debian, 'changelog'), changelog);
}

provideApp(values['keep-app']);
const box = mkdtempSync(join(tmpdir(), 'sightline-deb-'));
try {
  const source = join(box, 'sightline');
  makeSource(source);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(BUILT_AT), DEB_BUILD_OPTIONS: 'noautodbgsym' };
  execFileSync('dpkg-buildpackage', ['--build=binary', '--no-sign', '--no-check-builddeps'], {
    cwd: source,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [made = ''] = globSync('*.deb', { cwd: box });
  const target = join(PROJECT, 'dist', `sightline_${VERSION}_${DEBIAN_ARCH[arch]}.deb`);
  copyFileSync(join(box, made), `${target}.new`);
  renameSync(`${target}.new`, target);
  if (!values['no-lintian'])
    execFileSync(
      'lintian',
      ['--fail-on', 'error', '--allow-root', '--tag-display-limit', '0', '--suppress-tags', 'no-manual-page', target],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
  console.log(`${target.slice(PROJECT.length)}: ${statSync(target).size} bytes, SHA-256 ${describeForm(target, arch)}`);
} finally {
  rmSync(box, { recursive: true, force: true });
}
