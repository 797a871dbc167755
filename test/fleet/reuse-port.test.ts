// Few in a process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Agent, request } from 'undici';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { freePort, missing, type OwnServer, startRedis } from './services.ts';

interface Gateway {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly admin: string;
}
/** A process that was refused, with its exit code and what it wrote on standard error. */
interface Refused {
  readonly code: number | null;
  readonly said: string;
}

describe('gateways on one port', { skip: missing('redis') }, () => {
  const folders: string[] = [];
  const running = new Set<ChildProcess>();
  let redis: OwnServer;
  before(async () => {
    redis = await startRedis();
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await redis.close();
  });

  async function start(port: number, environment: Record<string, string>): Promise<Gateway | Refused> {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-port-'));
    folders.push(folder);
    const child = spawn(process.execPath, ['bin/sightline.mjs', 'serve', '--gateway', '--json'], {
      env: {
        ...CHILD_ENVIRONMENT,
        REDIS_URL: redis.url,
        PORT: String(port),
        SIGHTLINE_ADMIN_PORT: '0',
        SIGHTLINE_DATA_DIR: folder,
        SIGHTLINE_LOG_LEVEL: 'silent',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    let [out, said] = ['', ''];
    child.stderr.on('data', (data: Buffer) => {
      said += data;
    });
    return new Promise((resolve) => {
      child.stdout.on('data', (data: Buffer) => {
        out += data;
        if (out.includes('\n')) resolve({ child, ...(JSON.parse(out) as { baseUrl: string; admin: string }) });
      });
      child.once('close', (code) => resolve({ code, said }));
    });
  }

  /** Opens a connection of its own for each request. */
  async function requests(baseUrl: string, n: number): Promise<void> {
    for (let i = 0; i < n; i++) {
      const agent = new Agent();
      const { statusCode, body } = await request(`${baseUrl}/healthz`, { dispatcher: agent });
      await body.dump();
      await agent.close();
      assert.equal(statusCode, 200);
    }
  }
  async function served({ admin }: Gateway): Promise<number> {
    const { body } = await request(`${admin}/metrics`);
    // requests of the metrics are counted too
    const isPublic = (line: string) => line.startsWith('sightline_request_duration_seconds_count') && !line.includes('operation="metrics"');
    const lines = (await body.text()).split('\n').filter(isPublic);
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  test('with SIGHTLINE_REUSE_PORT=1 two processes share the load, and one takes over when the other ends', async () => {
    const port = await freePort();
    const [one, two] = [await start(port, { SIGHTLINE_REUSE_PORT: '1' }), await start(port, { SIGHTLINE_REUSE_PORT: '1' })];
    assert.ok('baseUrl' in one && 'baseUrl' in two, JSON.stringify([one, two]));
    // the chance that the system gives all of 200 connections to one process is 2^-199
    await requests(one.baseUrl, 200);
    const [first, second] = [await served(one), await served(two)];
    assert.ok(first > 0 && second > 0, `${first} and ${second} requests`);
    assert.equal(first + second, 200);
    const gone = once(one.child, 'exit');
    one.child.kill('SIGTERM');
    assert.equal((await gone)[0], 0);
    await requests(two.baseUrl, 20);
    assert.equal(await served(two), second + 20);
    two.child.kill('SIGTERM');
    await once(two.child, 'exit');
  });

  test('without it the second process is refused in one line that names the setting', async () => {
    const port = await freePort();
    const one = await start(port, {});
    const two = await start(port, {});
    assert.ok('baseUrl' in one && 'code' in two, JSON.stringify([one, two]));
    assert.notEqual(two.code, 0);
    assert.match(two.said, /^[^\n]*PORT is \d+, but another process listens on that port[^\n]*\n$/);
    one.child.kill('SIGTERM');
    await once(one.child, 'exit');
  });
});
