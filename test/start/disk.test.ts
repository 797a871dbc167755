// Few in a process: it waits for processes that it starts.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';
import { answerOf, captureOf, exchangeOf, folderOf, sentOf, writerIn } from '../evidence/samples.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const MAIN = resolve('src/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'sightline-disk-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in an unprivileged mount namespace with a small tmpfs on the folder. */
const onDisk = (options: string, ...command: string[]) => onDiskWith({}, options, ...command);
const onDiskWith = (environment: Record<string, string>, options: string, ...command: string[]) =>
  spawnSync('unshare', ['-Urm', 'sh', '-c', `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`, folder, ...command], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...CHILD_ENVIRONMENT, PORT: '0', SIGHTLINE_DATA_DIR: folder, SIGHTLINE_LOG_LEVEL: 'silent', ...environment },
  });

const skip = onDisk('size=64k', 'true').status === 0 ? false : 'this system does not allow mounts in a user namespace';

describe('a disk that is not writable at the start: one line that names the path and the remedy, and exit code 1', { skip }, () => {
  for (const [disk, options, message] of [
    [
      'full before the store is made',
      'size=8k,mode=700',
      /ENOSPC|SIGHTLINE_DATA_DIR must name a folder of this user, on a disk that can be written to/,
    ],
    [
      'full while the schema is made',
      'size=128k,mode=700',
      /^The store in \/.* cannot be written to: .*full.* Free the disk or make it writable/,
    ],
    ['read-only', 'ro,mode=700', /^SIGHTLINE_DATA_DIR is "\/.*", which this user \(\d+\) may not read and write/],
  ] as const)
    test(disk, () => {
      const { status, stderr, stdout } = onDisk(options, process.execPath, MAIN, 'serve');
      assert.equal(status, 1, `${stdout}${stderr}`);
      assert.deepEqual(stderr.trimEnd().split('\n').length, 1, stderr);
      assert.match(stderr, message);
    });
});

test('a full disk under an export for an audit is one line with the cure', { skip }, async () => {
  const source = mkdtempSync(join(tmpdir(), 'sightline-source-'));
  after(() => rmSync(source, { recursive: true, force: true }));
  const service = await startService(readSettings({ PORT: '0', SIGHTLINE_DATA_DIR: source }), { log: silent });
  await service.stop();
  const command = [process.execPath, MAIN, 'export', '--for-audit', join(folder, 'audit')];
  const { status, stderr } = onDiskWith({ SIGHTLINE_DATA_DIR: source }, 'size=128k,mode=700', ...command);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^--for-audit \S+: the copy was not made\. Free the disk of that folder, or name one on another disk\.\n$/);
});

test('a disk that fills up under captures that are handed on: one line, and no half of a folder or file is left', { skip }, async (t) => {
  const source = folderOf(t);
  const writer = writerIn(join(source, 'captures'));
  const ids = [0, 1, 2].map((n) => `44444444-4444-7444-8444-00000000000${n}`);
  for (const id of ids) {
    const page = answerOf({
      url: 'https://apps.shopify.com/widget',
      text: `<html><body>${randomBytes(1_500).toString('hex')}</body></html>`,
    });
    writer.write(captureOf({ id, exchanges: [exchangeOf([sentOf({ url: page.url, answer: page })])] }));
  }
  const at = join(folder, 'handed-on');
  for (const [name, command] of Object.entries({
    'export --case': ['captures', 'export', '--case', at],
    'export --warc': ['captures', 'export', '--warc', at],
    case: ['captures', 'case', ids[0] ?? '', '--yes', '--to', at],
  })) {
    const inside = ['sh', '-c', '"$@" >&2; echo "$?"; ls -A "$0"', folder, process.execPath, MAIN, ...command];
    const { stdout, stderr } = onDiskWith({ SIGHTLINE_DATA_DIR: source }, 'size=4k,mode=700', ...inside);
    assert.equal(stdout, '1\n', `${name}: ${stdout}${stderr}`);
    assert.equal(
      stderr.trimEnd().split('\n').at(-1),
      `${at} cannot be written: ENOSPC: name another ${name === 'case' ? 'folder by --to' : 'one'}.`,
    );
  }
});

/** Root may read everything: it runs a command without that right. */
const asOrdinary = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : ['env'];
const isOrdinary = spawnSync(asOrdinary[0] ?? '', [...asOrdinary.slice(1), 'true']).status === 0;
const skipUser = isOrdinary ? false : 'this system does not let root give up the right to read everything';

test('a folder of another user is one line with the cure, whichever command reads or writes it', { skip: skipUser }, (t) => {
  const top = mkdtempSync(join(tmpdir(), 'sightline-closed-'));
  const closed = join(top, 'captures');
  mkdirSync(closed, { mode: process.getuid?.() === 0 ? 0o700 : 0 });
  if (process.getuid?.() === 0) chownSync(closed, 65_534, 65_534);
  t.after(() => {
    chmodSync(closed, 0o700);
    rmSync(top, { recursive: true });
  });
  const env = { ...CHILD_ENVIRONMENT, SIGHTLINE_DATA_DIR: top };
  for (const command of ['captures list', 'captures verify', 'replay']) {
    const [program = '', ...given] = [...asOrdinary, process.execPath, MAIN, ...command.split(' ')];
    const { status, stderr } = spawnSync(program, given, { env, encoding: 'utf8' });
    const cure = `${closed} is not open to this user (${process.getuid?.()}): run the command as the user of the service, or name another place.\n`;
    assert.deepEqual([status, stderr], [1, cure], command);
  }
});
