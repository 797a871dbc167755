// Few in a process: starts commands.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-before-install-'));
after(() => rmSync(folder, { recursive: true, force: true }));
for (const name of ['bin', 'package.json', 'tools/build.ts', 'tools/test.ts', 'tools/console-build.ts', 'tools/installed.mjs', 'src/cli'])
  cpSync(name, join(folder, name), { recursive: true });

const run = (command: string, args: readonly string[]) =>
  new Promise<{ code: unknown; text: string }>((done) => {
    const env = { ...CHILD_ENVIRONMENT, PATH: process.env.PATH, npm_config_cache: join(folder, 'cache') };
    execFile(command, args, { cwd: folder, env, timeout: 120_000 }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, text: `${stdout}${stderr}` }),
    );
  });
const LINE = 'The packages of this checkout are not installed yet: run "npm ci" first. It installs its Node too.\n';

test('in a fresh checkout the command and the scripts say one line with npm ci, on the Node of this project', async () => {
  for (const args of [['bin/sightline.mjs', 'lookup', 'registration', 'example.com'], ['tools/installed.mjs']])
    assert.deepEqual(await run(process.execPath, args), { code: 1, text: LINE }, args.join(' '));
  for (const script of ['demo', 'serve', 'build', 'test'])
    assert.deepEqual(await run('npm', ['run', '--silent', script]), { code: 1, text: LINE }, script);
});

test('npx sightline says the same', async () => {
  assert.deepEqual(await run('npx', ['--no-install', 'sightline', '--help']), { code: 1, text: LINE });
});

test('after the install nothing is said', async () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('node_modules/commander'), join(folder, 'node_modules/commander'));
  assert.deepEqual(await run(process.execPath, ['tools/installed.mjs']), { code: 0, text: '' });
});
