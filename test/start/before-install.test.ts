// Few in a process: starts commands.
// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

/** `npm run services` installs what tests need, before or after. */
const WITHOUT_PACKAGES: readonly string[] = ['services'];
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
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };
const LINE = 'The packages of this checkout are not installed yet: run "npm ci" first. It installs its Node too.\n';

test('in a fresh checkout the command and every script say one line with npm ci, on the Node of this project', async () => {
  for (const args of [['bin/sightline.mjs', 'lookup', 'registration', 'example.com'], ['tools/installed.mjs']])
    assert.deepEqual(await run(process.execPath, args), { code: 1, text: LINE }, args.join(' '));
  assert.deepEqual(await run('npm', ['run', '--silent', 'demo']), { code: 1, text: LINE });
  // as npm does, without its start, which takes ten times as long
  for (const [name, script] of Object.entries(scripts).filter(([name]) => !WITHOUT_PACKAGES.includes(name)))
    assert.deepEqual(await run('sh', ['-c', script]), { code: 1, text: LINE }, name);
});

test('a script that is left out imports nothing of a package', () => {
  for (const name of WITHOUT_PACKAGES) {
    const file = /^node (\S+)$/.exec(scripts[name] ?? '')?.[1] ?? '';
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g))
      assert.ok(isBuiltin(from), `${file}: ${from}`);
  }
});

test('npx sightline says the same', async () => {
  assert.deepEqual(await run('npx', ['--no-install', 'sightline', '--help']), { code: 1, text: LINE });
});

test('after the install nothing is said', async () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('node_modules/commander'), join(folder, 'node_modules/commander'));
  assert.deepEqual(await run(process.execPath, ['tools/installed.mjs']), { code: 0, text: '' });
  const text = 'The packages of test/mutation are not installed yet: run "npm ci --prefix test/mutation" first.\n';
  assert.deepEqual(await run(process.execPath, ['tools/installed.mjs', 'test/mutation']), { code: 1, text });
});
