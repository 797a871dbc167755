// In the gate alone: it runs another language.
/** The Python client against the demo and a proxy of faults; its own tests are in clients/python/tests. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { operationList } from '../../src/contract/operations/index.ts';

const FOLDER = 'clients/python';
const REQUIRED = process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('python') ?? false;
const version = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 10))'], { encoding: 'utf8' }).stdout?.trim();
const skip = version === 'True' || REQUIRED ? false : 'python3 of 3.10 or newer is not here';

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** The required parameters of every operation by their examples. */
const EXAMPLES = Object.fromEntries(
  operationList.map((o) => [o.id, Object.fromEntries(o.parameters.filter((p) => p.required).map((p) => [snake(p.name), p.example]))]),
);

let demo: ChildProcess | null = null;
let started: Record<string, string> = {};
before(async () => {
  if (skip) return;
  demo = spawn(process.execPath, ['bin/sightline.mjs', 'demo', '--json', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  assert.ok(demo.stdout);
  const [line] = (await once(createInterface(demo.stdout), 'line')) as [string];
  started = JSON.parse(line) as Record<string, string>;
});
after(async () => {
  if (!demo || demo.exitCode !== null) return;
  demo.kill('SIGTERM');
  await once(demo, 'exit');
});

const python = async (args: readonly string[], environment: Record<string, string> = {}) => {
  const child = spawn('python3', args, {
    cwd: FOLDER,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: 'src:tests', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
};

test('the tests of the Python client pass', { skip }, async () => {
  const { baseUrl = '', apiKey = '', clientId = '', clientSecret = '' } = started;
  const { code, output } = await python(['-m', 'unittest', 'discover', '-s', 'tests', '-v'], {
    SIGHTLINE_URL: baseUrl,
    SIGHTLINE_API_KEY: apiKey,
    SIGHTLINE_CLIENT_ID: clientId,
    SIGHTLINE_CLIENT_SECRET: clientSecret,
    SIGHTLINE_EXAMPLES: JSON.stringify(EXAMPLES),
  });
  assert.equal(code, 0, output);
  assert.match(output, /Ran 2\d tests/);
});

test('the client imports nothing but the standard library', { skip }, async () => {
  const { code, output } = await python(['-S', '-c', 'import sightline, sys; print(sightline.Sightline)']);
  assert.equal(code, 0, output);
  const compiled = await python([
    '-c',
    `import ast,glob\nfor f in glob.glob('src/sightline/*.py'): ast.parse(open(f).read(), feature_version=(3, 10))`,
  ]);
  assert.equal(compiled.code, 0, compiled.output);
});

test('the folder is a package from which a wheel is made', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-wheel-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const python3 = ['python3', '/usr/bin/python3'].find(
    (file) => spawnSync(file, ['-c', 'import setuptools, wheel, pip'], { stdio: 'ignore' }).status === 0,
  );
  if (python3 === undefined) return t.skip('pip, setuptools and wheel are not here');
  // the build writes beside the sources
  cpSync(FOLDER, join(folder, 'source'), { recursive: true });
  const made = spawnSync(python3, ['-m', 'pip', 'wheel', '-q', '--no-deps', '--no-build-isolation', '-w', folder, join(folder, 'source')], {
    encoding: 'utf8',
  });
  assert.equal(made.status, 0, made.stderr);
  const [wheel = ''] = readdirSync(folder).filter((name) => name.endsWith('.whl'));
  const run = await python(['-S', '-c', 'import sightline; print(sightline.__file__)'], { PYTHONPATH: join(folder, wheel) });
  assert.match(run.output, /sightline-0\.1\.0-py3-none-any\.whl\/sightline/);
});
