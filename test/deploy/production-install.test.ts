// Own process: it waits for processes that it starts.
// In the gate alone: it builds or installs packages.
/**
 * The steps of docs/systemd.md in a clean folder, without root: the files of Git, the build, `npm ci --omit=dev`, then ExecStart of the unit. Not
 * run here: systemd itself with the unit's sandbox. The Dockerfile: `npm run image`.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { NOT_BUILT } from '../../src/gateway/console/app-files.ts';
import { copyCheckout } from '../support/project-copy.ts';

const unit = readFileSync('deploy/systemd/sightline.service', 'utf8');
const command = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
/** The system's own PATH: what the runner put before it would bring its own Node. */
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');

/** Starts the unit's command in a folder and returns the lines up to the address, and the status and text of `/console`. */
async function openConsole(folder: string) {
  const [program = '', ...args] = command.replaceAll('/opt/sightline', folder).split(' ');
  const env = { PATH, PORT: '0', SIGHTLINE_DATA_DIR: join(folder, 'data'), SIGHTLINE_LOG_LEVEL: 'warn' };
  const serving = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface(serving.stdout)) {
    lines.push(line);
    if (line.includes('SOURCE')) break;
  }
  const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0];
  const page = await fetch(`${baseUrl}/console`);
  const html = await page.text();
  const script = /src="(\/console\/assets\/[^"]+)"/.exec(html)?.[1];
  const asset = script === undefined ? null : await fetch(`${baseUrl}${script}`);
  await asset?.arrayBuffer();
  serving.kill('SIGTERM');
  const [code] = (await once(serving, 'exit')) as [number | null];
  return { start: lines.join('\n'), status: page.status, html, asset: asset?.status ?? null, code };
}

test('a production install as docs/systemd.md has it ends with a console that opens; without the build one line names the cure', async () => {
  const steps = readFileSync('docs/systemd.md', 'utf8');
  assert.match(steps, /npm ci && npm run build.*\nnpm ci --omit=dev/);
  const folder = mkdtempSync(join(tmpdir(), 'sightline-production-'));
  try {
    copyCheckout(folder);
    const npm = (...args: string[]) => spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, PATH } });

    // the development packages are those of this checkout
    const build = npm('run', '--silent', 'build');
    assert.equal(build.status, 0, build.stderr);
    unlinkSync(join(folder, 'node_modules'));
    const installed = npm('ci', '--omit=dev', '--prefer-offline');
    assert.deepEqual([installed.status, installed.stderr], [0, ''], 'no warning either');
    const built = await openConsole(folder);
    assert.deepEqual([built.status, built.asset, built.code], [200, 200, 0]);
    assert.match(built.start, /console: http/);

    rmSync(join(folder, 'dist'), { recursive: true });
    const unbuilt = await openConsole(folder);
    assert.deepEqual(
      [unbuilt.status, unbuilt.html, unbuilt.code],
      [503, JSON.stringify({ error: { code: 'UNAVAILABLE', message: NOT_BUILT } }), 0],
    );
    assert.ok(unbuilt.start.includes(NOT_BUILT) && !unbuilt.start.includes('/console'), unbuilt.start);
    const refused = npm('run', '--silent', 'build');
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^[^\n]*run "npm ci && npm run build"\.\n$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
