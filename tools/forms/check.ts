/**
 * `npm run forms` makes every form once and starts it where nothing else is: the one file and the Debian package beside the image, which builds
 * its own app. `-- --whole` also asks lintian, and upgrades and purges the Debian package. Needs root, and the Debian packages buildah, debootstrap, debhelper, zip and lintian.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { makeApp, PROJECT } from './app-folder.ts';
import { debianTar } from './base-image.ts';

const begun = performance.now();
const seconds = (): number => Math.round((performance.now() - begun) / 1000);
async function run(name: string, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(PROJECT, `tools/forms/${name}.ts`), ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${name} failed with ${code}`);
  console.log(`-- ${name}: done after ${seconds()} s`);
}

const isWhole = process.argv.includes('--whole');
async function withApp(): Promise<void> {
  makeApp();
  await run('one-file', '--keep-app');
  await run('try-one-file');
  await run('mcpb', '--keep-app');
  await run('try-mcpb');
  await run('deb', '--keep-app', ...(isWhole ? [] : ['--no-lintian']));
  await run('try-deb', ...(isWhole ? ['--whole'] : []));
}
async function image(): Promise<void> {
  await run('image');
  await run('try-image');
}

debianTar(process.arch === 'arm64' ? 'arm64' : 'x64');
console.log(`-- a small Debian: ${seconds()} s`);
await Promise.all([withApp(), image()]);
console.log(`every form was made and started: ${seconds()} s`);
