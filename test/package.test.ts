import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

test('the published package runs from its tarball, as JavaScript under node_modules', () => {
  const box = mkdtempSync(join(tmpdir(), 'sightline-package-'));
  try {
    // a copy, so that the checkout keeps no dist/ behind
    const copy = join(box, 'checkout');
    for (const part of [
      'bin',
      'src',
      'sandbox',
      'tools',
      'docs',
      'package.json',
      '.npmrc',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'openapi.json',
    ])
      cpSync(part, join(copy, part), { recursive: true });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    const npm = (cwd: string, ...args: string[]) =>
      execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    npm(copy, 'run', '--silent', 'package');
    npm(copy, 'pack', '--pack-destination', box);
    const tarball = readdirSync(box).find((f) => f.endsWith('.tgz'));
    assert.ok(tarball);
    const user = join(box, 'user');
    cpSync('.npmrc', join(user, '.npmrc'));
    writeFileSync(join(user, 'package.json'), '{"private":true}');
    npm(user, 'install', '--prefer-offline', join(box, tarball));
    const files = readdirSync(join(user, 'node_modules/sightline'), { recursive: true }) as string[];
    assert.deepEqual(
      files.filter((f) => f.endsWith('.ts')),
      [],
      'no TypeScript is published: Node refuses it there',
    );
    assert.deepEqual(
      files.filter((f) => /\.test\.|fixtures|\/expected\.|(^|\/)test\//.test(f) && !f.includes('node_modules')),
      [],
      'no tests, no fixtures and no helpers of tests are published',
    );
    const run = (...args: string[]) =>
      execFileSync('npx', ['--no-install', 'sightline', ...args], {
        cwd: user,
        encoding: 'utf8',
        env: { ...process.env, SIGHTLINE_DATA_DIR: join(box, 'data') },
      });
    assert.match(run('--version'), /^\d+\.\d+\.\d+/);
    assert.match(run('sources'), /registration\/rdap/);
    const answers = run('demo', '--once');
    assert.match(answers, /registration +200 +1/, answers);
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
});
