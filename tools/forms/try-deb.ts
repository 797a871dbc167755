/**
 * Installs, runs, removes and purges the Debian package in a root directory made by debootstrap, where nothing else is; `--whole` upgrades it as
 * well, and purges it with its data. Needs root.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from './app-folder.ts';
import { DEBIAN_ARCH, debianTar } from './base-image.ts';
import { VERSION } from './checksums.ts';
import { nodeVersion, packageOf } from './node-of.ts';
import { checkBill, tryProgram } from './try-program.ts';

const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const DEB = join(PROJECT, 'dist', `sightline_${VERSION}_${DEBIAN_ARCH[arch]}.deb`);
const DATA = 'var/lib/sightline';
const SETTINGS = 'etc/sightline/sightline.env';

const box = mkdtempSync(join(tmpdir(), 'sightline-debian-'));
const root = join(box, 'root');
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
/** A command of the root directory. Returns what it printed. */
function run(command: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('/usr/sbin/chroot', [root, ...command], { encoding: 'utf8', env, input });
  assert.equal(status, 0, `${command.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}
const has = (path: string): boolean => existsSync(join(root, path));
const modeOf = (path: string): string => (statSync(join(root, path)).mode & 0o777).toString(8);

/** The same package as the next version. */
function nextVersion(): void {
  const tree = join(box, 'next');
  execFileSync('dpkg-deb', ['--raw-extract', DEB, tree]);
  const control = join(tree, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${VERSION}+next`));
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, join(root, 'next.deb')], { stdio: 'ignore' });
  rmSync(tree, { recursive: true });
}

function tryUpgrade(): void {
  appendFileSync(join(root, SETTINGS), 'SIGHTLINE_CONTACT=ops@example.com\n');
  const store = statSync(join(root, DATA, 'sightline.db')).ino;
  nextVersion();
  run(['dpkg', '--install', '/next.deb']);
  assert.match(run(['dpkg-query', '--show', 'sightline']), /\+next\n$/);
  assert.match(readFileSync(join(root, SETTINGS), 'utf8'), /^SIGHTLINE_CONTACT=ops@example\.com$/m, 'the settings of the operator stay');
  assert.equal(statSync(join(root, DATA, 'sightline.db')).ino, store);
  run([
    '/usr/sbin/chroot',
    '--userspec=sightline:sightline',
    '/',
    '/usr/bin/env',
    `SIGHTLINE_DATA_DIR=/${DATA}`,
    'sightline',
    'accounts',
    'list',
  ]);
}

try {
  execFileSync('mkdir', [root]);
  execFileSync('tar', ['--numeric-owner', '-C', root, '-xpf', debianTar(arch)]);
  copyFileSync(DEB, join(root, 'sightline.deb'));
  run(['dpkg', '--install', '/sightline.deb']);
  assert.deepEqual([modeOf(DATA), modeOf(SETTINGS)], ['700', '600']);
  assert.ok(
    has('etc/systemd/system/multi-user.target.wants/sightline.service') ||
      run(['ls', '-l', '/etc/systemd/system/multi-user.target.wants']).includes('sightline'),
  );
  const unit = readFileSync(join(root, 'lib/systemd/system/sightline.service'), 'utf8');
  const [node = '', entry = ''] = /^ExecStart=(\S+) (\S+) serve$/m.exec(unit)?.slice(1) ?? [];
  assert.ok(has(node) && has(entry), `${node} ${entry}`);
  const lib = join(root, 'usr/lib/sightline');
  const bill = readFileSync(join(lib, 'sbom.json'), 'utf8');
  assert.equal(bill, readFileSync(`${DEB}.sbom.json`, 'utf8'));
  checkBill(bill, lib, `${packageOf(arch)}@${nodeVersion(arch)}`);
  assert.match(readFileSync(join(lib, 'LICENSE.node'), 'utf8'), /^Node\.js is licensed/);
  const user = run(['id', '-u', 'sightline']).trim();
  const inside = ['/usr/sbin/chroot', '--userspec=sightline:sightline', root] as const;
  await tryProgram('deb', { command: [...inside, '/usr/bin/sightline'], env: { ...env, SIGHTLINE_DATA_DIR: `/${DATA}` } });
  assert.equal(String(statSync(join(root, DATA, 'sightline.db')).uid), user);

  const isWhole = process.argv.includes('--whole');
  if (isWhole) tryUpgrade();
  run(['dpkg', '--remove', 'sightline']);
  assert.ok(!has('usr/lib/sightline/node') && has(SETTINGS) && has(`${DATA}/sightline.db`), 'removed: settings and data stay');
  run(['dpkg', '--purge', 'sightline']);
  assert.ok(!has(SETTINGS) && has(`${DATA}/sightline.db`), 'purged: the data stays');
  if (isWhole) {
    run(['dpkg', '--install', '/sightline.deb']);
    run(['debconf-set-selections'], 'sightline sightline/data select delete\n');
    run(['dpkg', '--purge', 'sightline']);
    assert.ok(!has(SETTINGS) && !has(DATA), 'purged with "delete": nothing stays');
  }
  console.log(
    isWhole ? 'deb: installed, upgraded, removed, purged with and without the data' : 'deb: installed, removed, purged without the data',
  );
} finally {
  rmSync(box, { recursive: true, force: true });
}
