/**
 * Runs the one file in a root directory that holds it and the shared libraries of the C and C++ compilers, nothing else: no /etc, no /proc, no
 * shell. Then what can go wrong where it unpacks itself, and `upgrade`.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesIn, PROJECT } from './app-folder.ts';
import { nodeVersion, packageOf } from './node-of.ts';
import { checkBill, type Launch, runOnce, tryProgram } from './try-program.ts';

const FILE = join(PROJECT, `dist/sightline-linux-${process.arch}`);
const USER = 61_234;

/** Root with the program and the libraries that it names. */
function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'sightline-bare-'));
  for (const folder of ['tmp', 'home', 'other-home']) mkdirSync(join(root, folder));
  for (const [library] of execFileSync('ldd', [FILE], { encoding: 'utf8' }).matchAll(/\/\S+/g)) {
    mkdirSync(dirname(join(root, library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  copyFileSync(FILE, join(root, 'sightline'));
  chmodSync(root, 0o755);
  for (const folder of ['tmp', 'home', 'other-home']) chmodSync(join(root, folder), 0o1777);
  return root;
}

const root = makeRoot();
const launch = (env: Readonly<Record<string, string>>, wrap: readonly string[] = []): Launch => {
  const [program = '', ...args] = [...wrap, '/usr/sbin/chroot', `--userspec=${USER}:${USER}`, root, '/sightline'];
  return { command: [program, ...args], env };
};
const refusal = (run: Launch): string => {
  const { status, stdout, stderr } = runOnce(run, ['--version']);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^sightline: [^\n]+\nSet XDG_CACHE_HOME to a folder that this user may write, with 40 MB free\.\n$/);
  return stderr;
};
/** Inside a mount namespace of its own, in which the folder is a small or read-only file system. */
const mounted = (options: string): readonly string[] => [
  '/usr/bin/unshare',
  '--mount',
  '/bin/sh',
  '-c',
  `mount -t tmpfs -o ${options} tmpfs ${root}/other-home && exec "$@"`,
  'sh',
];

async function tryUnpacking(): Promise<void> {
  const cache = join(root, 'other-home/cache');
  const env = { XDG_CACHE_HOME: '/other-home/cache' };
  const { command } = launch(env);
  const many = Array.from({ length: 6 }, () =>
    spawn(command[0], [...command.slice(1), '--version'], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  for (const [status] of await Promise.all(many.map((child) => once(child, 'exit')))) assert.equal(status, 0);
  const versions = () => readdirSync(join(cache, 'sightline')).filter((name) => name !== 'compiled');
  assert.equal(versions().length, 1, 'six first starts at once leave one folder');
  assert.equal(statSync(join(cache, 'sightline')).mode & 0o777, 0o700);

  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const unpacked = join(cache, 'sightline', versions()[0] ?? '');
  checkBill(readFileSync(`${FILE}.sbom.json`, 'utf8'), unpacked, `${packageOf(arch)}@${nodeVersion(arch)}`);
  assert.match(readFileSync(join(unpacked, 'LICENSE.node'), 'utf8'), /^Node\.js is licensed/);
  const cut = join(unpacked, filesIn(unpacked)[7] ?? '');
  const before = readFileSync(cut);
  truncateSync(cut);
  assert.equal(runOnce(launch(env), ['--version']).status, 0);
  assert.deepEqual([readFileSync(cut), versions().length], [before, 1], 'a damaged file is unpacked anew');

  chmodSync(join(cache, 'sightline'), 0o777);
  assert.match(refusal(launch(env)), /may be written by other users/);
  chmodSync(join(cache, 'sightline'), 0o700);
  assert.match(refusal(launch({})), /no HOME/);
  assert.match(refusal(launch({ HOME: '/nonexistent' })), /EACCES/);
  assert.match(refusal(launch({ HOME: '/other-home' }, mounted('size=8m,mode=1777'))), /ENOSPC/);
  assert.match(refusal(launch({ HOME: '/other-home' }, mounted('ro,mode=1777'))), /EROFS/);
  console.log('one file: six first starts at once, a damaged file, a folder of others, no home, no right, a full and a read-only disk');
}

function tryUpgrade(): void {
  const folder = join(root, 'program');
  mkdirSync(folder);
  linkSync(join(root, 'sightline'), join(folder, 'sightline'));
  const run = (args: readonly string[], user = '0', wrap: readonly string[] = []) => {
    const [program = '', ...rest] = [...wrap, '/usr/sbin/chroot', `--userspec=${user}:${user}`, root, '/program/sightline', ...args];
    return spawnSync(program, rest, { encoding: 'utf8', env: { HOME: user === '0' ? '/home' : '/other-home' } });
  };
  chmodSync(join(root, 'home'), 0o755);
  rmSync(join(root, 'home/.cache'), { recursive: true, force: true });
  const inode = statSync(join(folder, 'sightline')).ino;
  // the same version of another build: what follows the end of an executable is not read
  copyFileSync(FILE, join(root, 'next'));
  appendFileSync(join(root, 'next'), '\n');
  const refused = (from: string, user?: string, wrap?: readonly string[]): string => {
    const { status, stdout, stderr } = run(['upgrade', '--from', from], user, wrap);
    assert.deepEqual([status, stdout], [1, ''], from);
    assert.match(stderr, /^[^\n]+: nothing was replaced\.\n$/);
    return stderr;
  };
  assert.match(refused('/next', String(USER)), /^\/program cannot be written: EACCES/);
  const small = [
    '/usr/bin/unshare',
    '--mount',
    '/bin/sh',
    '-c',
    `mount -t tmpfs -o size=200m tmpfs ${folder} && cp ${root}/sightline ${folder}/ && exec "$@"`,
    'sh',
  ];
  assert.match(refused('/next', '0', small), /^\/program cannot be written: ENOSPC/);
  writeFileSync(join(root, 'cut'), readFileSync(FILE).subarray(0, 100_000_000));
  assert.match(refused('/cut'), /is no sightline that runs on this machine, or is damaged \(/);
  const upgraded = run(['upgrade', '--from', '/next']);
  assert.equal(upgraded.status, 0, upgraded.stderr);
  assert.match(refused('/next'), /is the program that is there already/);
  assert.equal(statSync(join(folder, 'sightline.old')).ino, inode);
  assert.notEqual(statSync(join(folder, 'sightline')).ino, inode);
  assert.equal(run(['--version']).status, 0);
  assert.deepEqual(readdirSync(folder).sort(), ['sightline', 'sightline.old']);
  console.log('one file: upgrade replaces it and keeps the old one; not where it has no right or no room, of a cut file, or twice');
}

try {
  console.log(`one file: ${filesIn(root).length} files in the root: ${filesIn(root).join(' ')}`);
  await tryProgram('one file', launch({ HOME: '/home', SIGHTLINE_DATA_DIR: '/home/data' }));
  await tryUnpacking();
  tryUpgrade();
} finally {
  rmSync(root, { recursive: true, force: true });
}
