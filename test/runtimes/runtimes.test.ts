// Own process: it waits for processes that it starts.
/** The client in runtimes that nobody here wrote. `npm ci --prefix test/runtimes` installs them; SIGHTLINE_TEST_REQUIRE=runtimes runs them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { bundled } from '../client/bundle.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';

const skip = process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('runtimes')
  ? false
  : 'SIGHTLINE_TEST_REQUIRE does not name "runtimes": Deno, Bun and workerd with a lock file of their own';

let service: Running;
let folder: string;
before(async () => {
  if (skip) return;
  service = await startWhole();
  folder = mkdtempSync(join(tmpdir(), 'sightline-runtimes-'));
  writeFileSync(join(folder, 'cases.js'), await bundled('test/client/cases.ts'));
  writeFileSync(join(folder, 'client.js'), await bundled('src/client/index.ts'));
  writeFileSync(join(folder, 'suite.js'), SUITE);
});
after(async () => {
  if (skip) return;
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the suite of the client and one lookup at the running service, charged once. */
const SUITE = `
import { CASES } from './cases.js';
import { Sightline } from './client.js';
export async function suite(baseUrl, apiKey) {
  const failures = [];
  for (const [name, run] of Object.entries(CASES)) await run().catch((error) => failures.push(name + ': ' + error));
  const { data, credits } = await new Sightline({ baseUrl, apiKey }).registration.domain({ domain: 'acme-widgets.com' }).withResponse();
  return { cases: Object.keys(CASES).length, failures, domain: data.domain, remaining: typeof credits.remaining };
}
`;

/** The program of a package for this machine: install scripts, which would put it into place, do not run. */
const program = (pattern: string): string => resolve(globSync(`test/runtimes/node_modules/${pattern}`)[0] ?? `no ${pattern}`);

async function run(command: string, ...args: string[]): Promise<string> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((go, fail) => child.on('error', fail).on('close', go));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${out}${err}`);
  return out + err;
}
function judge(printed: string): void {
  const { cases, ...said } = JSON.parse(/\{"cases".*\}/.exec(printed)?.[0] ?? '{}');
  assert.deepEqual(said, { failures: [], domain: 'acme-widgets.com', remaining: 'number' }, printed);
  assert.ok(cases > 20, `${cases} cases`);
}

for (const [name, pattern, ...args] of [
  ['Bun', '@oven/bun-*/bin/bun'],
  ['Deno', '@deno/*/deno', 'run', '--no-config', '--allow-net', '--allow-env'],
] as const)
  test(`the suite of the client passes in ${name}, and a lookup is answered`, { skip }, async () => {
    const main = `import { suite } from './suite.js'; console.log(JSON.stringify(await suite('${service.baseUrl}', '${service.key}')));`;
    writeFileSync(join(folder, 'main.js'), main);
    judge(await run(program(pattern), ...args, 'main.js'));
  });

for (const [compatibilityDate, flags] of [
  // one case of the suite makes a stream of its own
  ['2021-11-03', '"streams_enable_constructors"'],
  ['2026-07-01', ''],
])
  test(`the suite of the client passes in workerd as of ${compatibilityDate}, bundled by esbuild`, { skip }, async () => {
    const main = `import { suite } from './suite.js';
      export default { async test() { console.log(JSON.stringify(await suite('${service.baseUrl}', '${service.key}'))); } };`;
    writeFileSync(join(folder, 'worker.js'), main);
    await run(program('@esbuild/*/bin/esbuild'), 'worker.js', '--bundle', '--format=esm', '--platform=browser', '--outfile=bundle.js');
    const config = `using Workerd = import "/workerd/workerd.capnp";
      const config :Workerd.Config = (services = [
        (name = "main", worker = (modules = [(name = "worker", esModule = embed "bundle.js")], compatibilityDate = "${compatibilityDate}", compatibilityFlags = [${flags}])),
        (name = "internet", network = (allow = ["private", "local"])) ]);`;
    writeFileSync(join(folder, 'config.capnp'), config);
    judge(await run(program('@cloudflare/workerd-*/bin/workerd'), 'test', 'config.capnp'));
  });
