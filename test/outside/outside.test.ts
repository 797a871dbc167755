// Own process: it waits for processes that it starts.
// In the gate alone: packages of test/outside with a lock file of their own.
/** Judges that nobody here wrote. `npm ci --prefix test/outside` installs them; SIGHTLINE_TEST_REQUIRE=outside runs them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';
import { PROGRAMS } from './programs.ts';

const skip = process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('outside')
  ? false
  : 'SIGHTLINE_TEST_REQUIRE does not name "outside": generators and linters with a lock file of their own';
const TOOLS = resolve('test/outside/node_modules');
const ENDPOINTS = ['account', 'account-usage', 'account-ledger', 'account-requests', 'account-price', 'account-request', 'token'];

let service: Running;
let folder: string;
before(async () => {
  if (skip) return;
  service = await startWhole({ ...SANDBOX_SETTINGS });
  folder = mkdtempSync(join(tmpdir(), 'sightline-outside-'));
  symlinkSync(TOOLS, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${service.baseUrl}/openapi.json`)).text());
});
after(async () => {
  if (skip) return;
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in the folder, while the service of this process answers it. Returns its standard output. */
async function run(command: string, ...args: string[]): Promise<string> {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${out}${err}`);
  return out;
}
const tool = (name: string): string => join(TOOLS, '.bin', name);

for (const [name, program] of Object.entries(PROGRAMS))
  test(`a client generated from the live description calls every operation, the account and the token endpoint: ${name}`, {
    skip,
  }, async (t) => {
    if (name === 'hey-api') await run(tool('openapi-ts'), '-i', 'openapi.json', '-o', 'hey', '-c', '@hey-api/client-fetch');
    else await run(tool('openapi-typescript'), 'openapi.json', '-o', 'schema.d.ts');
    writeFileSync(join(folder, `${name}.ts`), program);
    const compilerOptions = {
      strict: true,
      skipLibCheck: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      outDir: 'out',
    };
    for (const form of [
      { module: 'esnext', moduleResolution: 'bundler', noEmit: true },
      { module: 'node20', moduleResolution: 'node16' },
    ]) {
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...form }, files: [`${name}.ts`] }),
      );
      await run(tool('tsc'), '-p', '.');
    }
    const { clientId, clientSecret } = await service.admin.createClient({ accountId: service.accountId, label: name });
    const out = await run('node', `out/${name}.js`, service.baseUrl, service.key, clientId, clientSecret);
    const { seen, ...read } = JSON.parse(out);
    t.diagnostic(
      Object.entries(seen)
        .map(([id, status]) => `${id} ${status}`)
        .join(', '),
    );
    assert.deepEqual(seen, Object.fromEntries([...operationList.map(({ id }) => id), ...ENDPOINTS].map((id) => [id, '200'])));
    // the price is that of the lookup above, which the cache answers now
    assert.deepEqual(read, { rank: 1, charge: 0, bearer: true });
  });

test('Spectral finds no error, and no warning about descriptions or examples', { skip }, async () => {
  writeFileSync(join(folder, 'ruleset.yaml'), "extends: ['spectral:oas']\n");
  const found = JSON.parse(
    await run(tool('spectral'), 'lint', 'openapi.json', '-r', 'ruleset.yaml', '-f', 'json', '--fail-severity', 'error'),
  );
  const refused = (found as { code: string; severity: number; path: string[] }[]).filter(
    ({ code, severity }) => severity === 0 || /description|example/.test(code),
  );
  assert.deepEqual(refused, []);
});

test('Redocly finds no fault in the description that is committed', { skip }, async () => {
  await run(tool('redocly'), 'lint', resolve('openapi.json'), '--config', resolve('redocly.yaml'));
});
