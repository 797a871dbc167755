// Few in a process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { appmarket } from '../../sandbox/appmarket/host.ts';
import type { SandboxHost } from '../../sandbox/host.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import type { CpuTimes } from './loop-child.ts';

const MIB = 1024 * 1024;
const HANDLE = 'acme-reviews';
/** Character references to decode: of the shapes in `growth.ts`, the slowest for a page reader. */
const SLOW = '&amp;#'.repeat((7.5 * MIB) / 6);
/** Minimum CPU time for the page on any supported machine; with less the test proves nothing. */
const MIN_READ_MS = 150;

/** The app marketplace, whose app pages carry text that is slow to parse. */
const hostile: SandboxHost = {
  origins: appmarket.origins,
  async answer(request) {
    const response = await appmarket.answer(request);
    if (request.url.pathname !== `/${HANDLE}`) return response;
    return { ...response, body: String(response.body).replace('</p>', `${SLOW}</p>`) };
  },
};

async function cpuTimes(child: ChildProcess): Promise<CpuTimes> {
  child.send('measure');
  const [times] = (await once(child, 'message')) as [CpuTimes];
  return times;
}

test('while the slowest page is parsed, the event loop keeps turning and other requests are answered', { timeout: 120_000 }, async (t) => {
  const sandbox = await startSandbox({ hosts: [hostile], whois: [] });
  const folder = mkdtempSync(join(tmpdir(), 'sightline-loop-'));
  const child = fork(join(import.meta.dirname, 'loop-child.ts'), {
    execArgv: [],
    env: {
      ...CHILD_ENVIRONMENT,
      PORT: '0',
      SIGHTLINE_DATA_DIR: folder,
      SIGHTLINE_HOSTS: sandbox.mapFile,
      SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
    },
  });
  try {
    const [{ baseUrl, key }] = (await once(child, 'message')) as [{ baseUrl: string; key: string }];
    const lookup = async (path: string): Promise<number> => {
      const response = await fetch(`${baseUrl}/v1/appmarket/apps/${path}`, { headers: { 'x-api-key': key } });
      await response.arrayBuffer();
      return response.status;
    };
    // loads the source, the schema compiler and the first thread
    assert.equal(await lookup(`${HANDLE}/reviews`), 200);
    await cpuTimes(child);

    let status: number | undefined;
    const reading = lookup(HANDLE).then((its) => {
      status = its;
    });
    let answers = 0;
    for (; status === undefined; answers++) {
      const response = await fetch(`${baseUrl}/healthz`);
      await response.arrayBuffer();
      assert.equal(response.status, 200);
    }
    await reading;
    const { processMs, longestTurnMs } = await cpuTimes(child);
    const measured = `${processMs.toFixed(0)} ms of CPU, longest turn of the event loop ${longestTurnMs.toFixed(0)} ms, ${answers} other answers`;
    t.diagnostic(measured);
    assert.equal(status, 200);
    assert.ok(processMs > MIN_READ_MS, measured);
    assert.ok(answers > 5, measured);
    assert.ok(longestTurnMs < processMs / 2, measured);
  } finally {
    child.disconnect();
    await once(child, 'exit');
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
