// Own process: it waits for processes that it starts.
// In the gate alone: it builds or installs packages.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { publint } from 'publint';
import { BUNDLED_PACKAGES } from '../src/cli/bundled-packages.ts';
import { copyCheckout } from './support/project-copy.ts';

/** Looks up a page of more than 64 KiB, which is parsed in a thread: prints status and whether a parser thread ran. Then loads the console. */
const LARGE_ANSWER = `
  import { subscribe } from 'node:diagnostics_channel';
  import { appmarket } from './node_modules/sightline/dist/sandbox/appmarket/host.js';
  import { startSandbox } from './node_modules/sightline/dist/sandbox/sandbox.js';
  import { startService } from './node_modules/sightline/dist/src/cli/serve.js';
  import { readSettings } from './node_modules/sightline/dist/src/settings.js';
  import { silent } from './node_modules/sightline/dist/src/telemetry/log.js';
  const threads = [];
  subscribe('worker_threads', ({ worker }) => threads.push(worker.threadName));
  const answer = async (request) => {
    const page = await appmarket.answer(request);
    return { ...page, body: page.body + ' '.repeat(100_000) };
  };
  const sandbox = await startSandbox({ hosts: [{ origins: appmarket.origins, answer }], whois: [] });
  const settings = readSettings({ PORT: '0', SIGHTLINE_DATA_DIR: 'data', SIGHTLINE_HOSTS: sandbox.mapFile, SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000' });
  const service = await startService(settings, { log: silent });
  const { key } = await service.accounts.admin.ensureFirstAccount();
  const response = await fetch(service.baseUrl + '/v1/appmarket/apps/acme-reviews', { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  const page = await (await fetch(service.baseUrl + '/console')).text();
  const script = await fetch(service.baseUrl + page.match(/src="(\\/console\\/assets\\/[^"]+)"/)[1]);
  await script.arrayBuffer();
  await service.stop();
  await sandbox.close();
  console.log(JSON.stringify({ status: response.status, parser: threads.includes('parser'), console: script.headers.get('content-type') }));
`;

/** A program of a user: with types, without those of Node. */
const clientProgram = (name: string): string => `
  import { type ErrorCode, Sightline, SightlineError } from '${name}';
  const client = new Sightline({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x', maxRetries: 0 });
  // @ts-expect-error there is no such parameter
  client.forum.comments({ post: 'a' }).catch(() => {});
  const found: boolean | ErrorCode = await client.registration.domain({ domain: 'a.example' }).then(
    ({ available }) => available,
    (error: unknown) => (error instanceof SightlineError ? error.code : false),
  );
  console.log(String(found));
`;
/** The types of the package are those of the source: for every operation each is assignable to the other. */
const sameTypes = (name: string): string => `
  import type { LookupInput, ResourceOf, Sightline } from '${name}';
  import type * as source from '${resolve('src/client/index.ts')}';
  import type { OperationId } from '${resolve('src/contract/operations/index.ts')}';
  type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
  const everyOne: { [Id in OperationId]: [Same<LookupInput<Id>, source.LookupInput<Id>>, Same<ResourceOf<Id>, source.ResourceOf<Id>>] } extends { [Id in OperationId]: [true, true] } ? true : false = true;
  type Account = Sightline['account'];
  type Given<K extends keyof Account> = Parameters<Account[K]>;
  type Returned<K extends keyof Account> = Awaited<ReturnType<Account[K]>>;
  type SourceAccount = source.Sightline['account'];
  const account: { [K in keyof SourceAccount]: [Same<Returned<K>, Awaited<ReturnType<SourceAccount[K]>>>, Same<keyof NonNullable<Given<K>[0]>, keyof NonNullable<Parameters<SourceAccount[K]>[0]>>] } extends { [K in keyof SourceAccount]: [true, true] } ? true : false = true;
  console.log(everyOne, account);
`;
const PACKAGES = { 'sightline-client': 'sightline-client', sightline: 'sightline/client' };
type PackageName = keyof typeof PACKAGES;

const box = mkdtempSync(join(tmpdir(), 'sightline-package-'));
after(() => rmSync(box, { recursive: true, force: true }));
// a copy, so that no packages stay in the checkout
const copy = join(box, 'checkout');
copyCheckout(copy);
for (const built of ['dist/console', 'dist/docs']) cpSync(built, join(copy, built), { recursive: true });
execFileSync('npm', ['run', '--silent', 'package'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
const folderOf = (name: PackageName): string => join(copy, 'dist', name);
const tarballOf = (name: PackageName): string =>
  join(copy, 'dist', `${name}-${JSON.parse(readFileSync('package.json', 'utf8')).version}.tgz`);

/** The PATH of a user: what the runner put before it would bring its own Node. */
const systemPath = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');
const PATHS = { 'the Node of the system': systemPath, 'the Node of the checkout': `${dirname(process.execPath)}:${systemPath}` };
const compile = (cwd: string, ...args: string[]) => {
  // several threads check the same types several times
  const { status, stdout } = spawnSync(resolve('node_modules/.bin/tsc'), ['--singleThreaded', ...args], { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${args.join(' ')}\n${stdout}`);
};
const filesIn = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String);
const bytesIn = (folder: string): number => filesIn(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);

/** The environment of a user: without what npm passes to the scripts that it runs, such as the log level of this one. */
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

/** Installs a tarball into an empty folder. */
function install(name: PackageName, PATH: string) {
  const user = mkdtempSync(join(box, 'user-'));
  writeFileSync(join(user, 'package.json'), '{"private":true,"type":"module","scripts":{"version-of-node":"node -v"}}');
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: user, encoding: 'utf8', env: { ...ENVIRONMENT, PATH } });
  const npm = run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', tarballOf(name));
  assert.equal(npm.status, 0, npm.stderr);
  return { user, run, said: npm.stdout + npm.stderr, installed: readdirSync(join(user, 'node_modules')).filter((f) => !f.startsWith('.')) };
}

test('publint has nothing to say of either package', async () => {
  for (const name of Object.keys(PACKAGES) as PackageName[]) {
    const { buffer: tarball } = new Uint8Array(readFileSync(tarballOf(name)));
    const { messages } = await publint({ strict: true, pack: { tarball } });
    assert.deepEqual(messages, [], name);
  }
});

test('the sum of each package lies beside it, as sha256sum reads it', () => {
  for (const name of ['sightline', 'sightline-client'] as const)
    execFileSync('sha256sum', ['--check', '--status', `${basename(tarballOf(name))}.sha256`], { cwd: dirname(tarballOf(name)) });
});

test('the packages hold no TypeScript, tests, install scripts, or pictures beside those of the docs; the client alone imports nothing and has at most 1 MB', () => {
  for (const name of Object.keys(PACKAGES) as PackageName[]) {
    const files = filesIn(folderOf(name));
    assert.deepEqual(
      files.filter((f) => /(?<!\.d)\.tsx?$|\.test\.|fixtures|\/expected\.|(^|\/)test\/|^docs.*\.(png|svg)$/.test(f)),
      [],
      name,
    );
    const manifest = JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));
    for (const field of ['scripts', 'devDependencies', 'optionalDependencies', 'private']) assert.equal(manifest[field], undefined, field);
    for (const field of ['repository', 'homepage', 'bugs', 'keywords', 'license', 'description']) assert.ok(manifest[field], field);
  }
  const client = folderOf('sightline-client');
  assert.ok(bytesIn(client) <= 1_000_000);
  assert.equal(JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')).dependencies, undefined);
  for (const file of filesIn(client).filter((f) => /\.(js|d\.ts)$/.test(f)))
    for (const [, from] of readFileSync(join(client, file), 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)/g))
      assert.match(from ?? '', /^\.{1,2}\/.*\.js$/, file);
});

test('a package of many modules is one file, below its license, with the same exports', async () => {
  for (const [specifier, built] of BUNDLED_PACKAGES) {
    const file = join(folderOf('sightline'), 'dist/packages', basename(built));
    assert.match(readFileSync(file, 'utf8'), /^\/\*!\n[^*]*MIT License[^*]*Copyright/);
    assert.deepEqual(Object.keys(await import(file)), Object.keys(await import(specifier)), specifier);
  }
});

for (const [node, PATH] of Object.entries(PATHS))
  test(`sightline-client installs alone under ${node}, leaves the user's node, and runs`, (t) => {
    const { user, run, said, installed } = install('sightline-client', PATH);
    t.diagnostic(`${run('node', '-v').stdout.trim()}: ${said.trim()}, ${bytesIn(join(user, 'node_modules'))} bytes`);
    assert.match(said, /^\s*added 1 package in /);
    assert.deepEqual(installed, ['sightline-client']);
    assert.equal(run('npm', 'run', '--silent', 'version-of-node').stdout, run('node', '-v').stdout);
    writeFileSync(join(user, 'client.js'), stripTypeScriptTypes(clientProgram('sightline-client')));
    assert.equal(run('node', 'client.js').stdout, 'CONNECTION_FAILED\n');
  });

/** A folder whose node_modules has both packages. */
function userOfBoth(): string {
  const user = mkdtempSync(join(box, 'types-'));
  writeFileSync(join(user, 'package.json'), '{"private":true,"type":"module"}');
  mkdirSync(join(user, 'node_modules'));
  for (const name of Object.keys(PACKAGES) as PackageName[]) symlinkSync(folderOf(name), join(user, 'node_modules', name));
  return user;
}

test('a program with sightline-client compiles under bundler, node16 and nodenext, and runs', () => {
  const user = userOfBoth();
  writeFileSync(join(user, 'client.ts'), clientProgram('sightline-client'));
  const options = ['--strict', '--target', 'es2022', '--lib', 'es2024,dom', '--types', ''];
  // without skipLibCheck: the declarations stand alone
  for (const [module, resolution] of [
    ['esnext', 'bundler'],
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
  ] as const)
    compile(user, ...options, '--module', module, '--moduleResolution', resolution, 'client.ts');
  assert.equal(spawnSync(process.execPath, ['client.js'], { cwd: user, encoding: 'utf8' }).stdout, 'CONNECTION_FAILED\n');
});

test('the declarations of sightline-client and of sightline/client are the types of their source', () => {
  const user = userOfBoth();
  const files = Object.entries(PACKAGES).map(([name, entry]) => {
    writeFileSync(join(user, `${name}.mts`), sameTypes(entry));
    return `${name}.mts`;
  });
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--allowImportingTsExtensions', '--skipLibCheck'];
  compile(user, ...options, '--lib', 'es2024,dom', '--types', 'node', '--typeRoots', resolve('node_modules/@types'), ...files);
});

test('sightline installs without a Node of its own, and serves as JavaScript under node_modules', (t) => {
  const { user, run, said, installed } = install('sightline', PATHS['the Node of the checkout']);
  t.diagnostic(`${said.trim()}, ${Math.round(bytesIn(join(user, 'node_modules')) / 1e6)} MB`);
  assert.match(said, /^\s*added \d+ packages in \w+\s*$/);
  assert.deepEqual(
    installed.filter((f) => f.startsWith('node-linux')),
    [],
  );
  const lock = JSON.parse(readFileSync(join(user, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; version: string; integrity: string }>;
  };
  const sbom = JSON.parse(readFileSync(join(user, 'node_modules/sightline/sbom.json'), 'utf8')) as {
    components: { name: string; version: string; hashes?: { content: string }[] }[];
  };
  // an installer gets what the ranges of dependencies allow: the names are those of the bill of materials, and so is each file of the same version
  const listed = new Map(sbom.components.map(({ name, version, hashes }) => [name, { version, sha512: hashes?.[0]?.content }]));
  const brought = Object.entries(lock.packages).filter(([path]) => path !== '' && path !== 'node_modules/sightline');
  assert.ok(brought.length > 20);
  assert.deepEqual(
    [...listed.keys()].filter((name) => name.startsWith('node-linux')),
    [],
    'no Node is listed that it does not bring',
  );
  for (const [path, { version, integrity }] of brought) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const component = listed.get(name);
    assert.ok(component, `${name} is not in the bill of materials`);
    const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
    if (component.version === version) assert.equal(component.sha512, sha512, name);
  }
  assert.deepEqual(
    Object.entries(lock.packages).flatMap(([name, { hasInstallScript }]) => (hasInstallScript ? [name] : [])),
    [],
  );
  assert.equal(run('npm', 'run', '--silent', 'version-of-node').stdout, run('node', '-v').stdout);
  const fleet = spawnSync('node_modules/.bin/sightline', ['serve', '--port', '0'], {
    cwd: user,
    encoding: 'utf8',
    env: { ...ENVIRONMENT, PATH: PATHS['the Node of the checkout'], REDIS_URL: 'redis://127.0.0.1:1', SIGHTLINE_LOG_LEVEL: 'silent' },
  });
  assert.equal(fleet.status, 1);
  assert.match(fleet.stderr, /^REDIS_URL needs the packages bullmq and ioredis beside sightline: npm install [^\n]*\n$/);
  const printed = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = run(command, ...args);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  assert.match(printed('npx', '--no-install', 'sightline', '--version'), /^\d+\.\d+\.\d+/);
  const program = join(user, 'node_modules/.bin/sightline');
  assert.match(printed(program, 'sources'), /registration\/rdap/);
  assert.match(printed(program, 'demo', '--once'), /registration +200 +1/);
  writeFileSync(join(user, 'client.mjs'), "import { Sightline } from 'sightline/client'; console.log(typeof Sightline);");
  assert.equal(run('node', 'client.mjs').stdout, 'function\n');
  writeFileSync(join(user, 'large-answer.mjs'), LARGE_ANSWER);
  const large = run('node', 'large-answer.mjs');
  assert.deepEqual(JSON.parse(large.stdout), { status: 200, parser: true, console: 'text/javascript; charset=utf-8' }, large.stderr);
});

const system = execFileSync('node', ['-v'], { encoding: 'utf8', env: { ...process.env, PATH: systemPath } }).trim();
const isOld = Number(system.slice(1).split('.')[0]) < 24;
test('under an older Node sightline prints one line that names Node >= 24.16 and exits with 1', {
  skip: isOld ? false : `node is ${system}`,
}, () => {
  // away from the checkout, whose Node it would find
  cpSync(join(folderOf('sightline'), 'bin'), join(box, 'older/bin'), { recursive: true });
  const run = spawnSync('node', [join(box, 'older/bin/sightline.mjs'), 'serve'], {
    cwd: box,
    encoding: 'utf8',
    env: { ...process.env, PATH: systemPath },
  });
  assert.deepEqual(
    [run.status, run.stdout, run.stderr],
    [1, '', `sightline needs Node >= 24.16, and this is ${system}: install a newer Node.js.\n`],
  );
});
