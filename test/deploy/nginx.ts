import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0);
const isRequired = (process.env.SIGHTLINE_TEST_REQUIRE ?? '').split(',').includes('nginx');
/** Why tests behind nginx are skipped; false if it is installed or required. */
export const noNginx: string | false = nginx || isRequired ? false : 'no nginx here';

/** nginx with `deploy/nginx.conf` on `port`, before two gateways on loopback. */
export async function startNginx(port: number, gateways: readonly [number, number]): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const box = mkdtempSync(join(tmpdir(), 'sightline-nginx-'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${box}/${name};`);
  const config = readFileSync('deploy/nginx.conf', 'utf8')
    .replace('gateway1:8080', `127.0.0.1:${gateways[0]}`)
    .replace('gateway2:8080', `127.0.0.1:${gateways[1]}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('http {', `http {\n  access_log off;\n  ${places.join('\n  ')}`);
  assert.ok(!/gateway|listen 8080/.test(config), 'every name of the network is replaced');
  const file = join(box, 'nginx.conf');
  writeFileSync(file, config);
  const own = `daemon off; pid ${box}/pid;${process.getuid?.() === 0 ? ' user root;' : ''}`;
  const child = spawn(nginx ?? 'nginx', ['-c', file, '-e', join(box, 'error.log'), '-g', own], { stdio: 'inherit' });
  const baseUrl = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${baseUrl}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  // the file of its process id is there once the port is its own
  while (!existsSync(join(box, 'pid')) || !(await answers())) {
    assert.equal(child.exitCode, null, 'nginx has ended');
    await new Promise((go) => setTimeout(go, 50));
  }
  return {
    baseUrl,
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(box, { recursive: true, force: true });
    },
  };
}
