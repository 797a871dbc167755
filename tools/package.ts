/**
 * `npm run package`: two packages from one source, each as a folder and a tarball in dist/. `sightline` is the service and the command line,
 * with the client as `sightline/client`; `sightline-client` is the client alone. Node refuses to strip types under node_modules, so that both
 * hold JavaScript: every .ts file becomes a .js file at the same path, and its `./x.ts` specifiers become `./x.js`. Tests and fixtures are left out.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { bundlePackages } from './bundled-packages.ts';
import { contractDeclarations } from './client-types.ts';
import { buildConsole } from './console-build.ts';
import { buildDocs } from './docs/build.ts';
import { writeSum } from './forms/checksums.ts';
import { sbomOf } from './sbom.ts';

const SERVER = 'dist/sightline';
const CLIENT = 'dist/sightline-client';
/** The fields that both packages copy from the package.json of the checkout. */
const COMMON = ['version', 'license', 'type', 'repository', 'homepage', 'bugs', 'keywords'];

/** Specifiers only: a quoted relative path that ends in .ts. */
const namingJs = (code: string): string => code.replace(/((['"])\.{1,2}\/[^'"\n]*)\.ts\2/g, '$1.js$2');
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function compileServer(): void {
  for (const file of globSync(['src/**/*', 'sandbox/**/*'], { withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    if (/\.test\.ts$|\.md$|\/fixtures\/|\/expected\.ts$|^src\/console\/(?!fonts\/)/.test(path)) continue;
    const target = join(SERVER, 'dist', path.replace(/\.ts$/, '.js'));
    if (path.endsWith('.ts')) write(target, namingJs(stripTypeScriptTypes(readFileSync(path, 'utf8'), { mode: 'strip' })));
    else cpSync(path, target);
  }
}

/** Declarations of the client: the compiler's for the client itself, and for the contract those that import nothing. */
function declareClient(): void {
  // several threads would evaluate the same types several times
  execFileSync('node_modules/.bin/tsc', ['--singleThreaded', '-p', 'tools/client-declarations.json'], { stdio: 'inherit' });
  const contract = join(SERVER, 'dist/src/contract');
  const compiled = ['errors.d.ts', 'json-object.d.ts', 'retryable.d.ts'].map((name) => join(contract, name));
  for (const file of globSync(`${contract}/**/*.d.ts`)) if (!compiled.includes(file)) rmSync(file);
  for (const [path, text] of Object.entries(contractDeclarations())) write(join(contract, path), text);
  for (const file of globSync(`${SERVER}/dist/src/**/*.d.ts`)) writeFileSync(file, namingJs(readFileSync(file, 'utf8')));
}

function copyClient(): void {
  const from = join(SERVER, 'dist/src');
  for (const file of globSync(['client/*.js', 'contract/retryable.js', 'contract/account/all-watches.js', '**/*.d.ts'], { cwd: from }))
    cpSync(join(from, file), join(CLIENT, 'dist', file));
}

rmSync(SERVER, { recursive: true, force: true });
rmSync(CLIENT, { recursive: true, force: true });
compileServer();
declareClient();
copyClient();
const { state } = await buildConsole(process.cwd());
if (state === 'no-vite') throw new Error('Vite is not installed: run "npm ci" first.');
await buildDocs(process.cwd());
await bundlePackages();
for (const built of ['dist/console', 'dist/docs', 'dist/packages']) cpSync(built, join(SERVER, built), { recursive: true });
for (const part of ['bin', 'recipes', 'skills', 'openapi.json', 'README.md', 'CHANGELOG.md', 'LICENSE', ...globSync('docs/*.md')])
  cpSync(part, join(SERVER, part), { recursive: true });
cpSync('LICENSE', join(CLIENT, 'LICENSE'));

const checkout = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
write(join(CLIENT, 'README.md'), readFileSync('docs/client.md', 'utf8').replace(/\]\(([\w-]+\.md)/g, `](${checkout.homepage}docs/$1`));
/** Only a fleet needs them, and one of them brings an install script: the operator of a fleet installs them. */
const FLEET = ['bullmq', 'ioredis'];
const versions = checkout.dependencies as Readonly<Record<string, string>>;
const split = (inFleet: boolean) => Object.fromEntries(Object.entries(versions).filter(([name]) => FLEET.includes(name) === inFleet));
const optional = Object.fromEntries(FLEET.map((name) => [name, { optional: true }]));
const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, checkout[name]]));
const exported = (folder: string) => ({ types: `${folder}/client/index.d.ts`, default: `${folder}/client/index.js` });
const manifests = {
  [SERVER]: {
    ...pick(['name', 'description', ...COMMON, 'engines', 'bin']),
    exports: { './client': exported('./dist/src'), './openapi.json': './openapi.json', './package.json': './package.json' },
    // without the platform packages of Node, which would put Node 26 before the user's own
    dependencies: split(false),
    peerDependencies: { ...(checkout.peerDependencies as object), ...split(true) },
    peerDependenciesMeta: { ...(checkout.peerDependenciesMeta as object), ...optional },
  },
  [CLIENT]: {
    name: 'sightline-client',
    description: 'Typed client of Sightline, a competitor data lookup service. No dependencies.',
    ...pick(COMMON),
    engines: { node: '>=20' },
    sideEffects: false,
    exports: { '.': exported('./dist'), './package.json': './package.json' },
  },
};

write(join(SERVER, 'sbom.json'), sbomOf('sightline', String(checkout.version), { byNpm: true }));

for (const [folder, manifest] of Object.entries(manifests)) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', 'dist', `./${folder}`], { encoding: 'utf8' });
  const [packed] = JSON.parse(output) as { filename: string; size: number; unpackedSize: number; entryCount: number }[];
  if (!packed) throw new Error(`npm packed nothing of ${folder}`);
  writeSum(join('dist', packed.filename));
  console.log(`dist/${packed.filename}: ${packed.entryCount} files, ${packed.size} bytes, unpacked ${packed.unpackedSize}`);
}
