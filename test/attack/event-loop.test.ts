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

async function longestDelayMs(child: ChildProcess): Promise<number> {
  child.send('measure');
  const [ms] = (await once(child, 'message')) as [number];
  return ms;
}

test('while the slowest page is parsed, the event loop keeps turning and other requests are answered', { timeout: 120_000 }, async (t) => {
  const sandbox = await startSandbox({ hosts: [hostile], whois: [] });
  const folder = mkdtempSync(join(tmpdir(), 'sightline-loop-'));
  const child = fork(join(import.meta.dirname, 'loop-child.ts'), {
    execArgv: [],
    env: {
      PATH: process.env.PATH,
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
    await longestDelayMs(child);

    const slow = { done: false, status: 0, ms: 0 };
    const began = performance.now();
    const reading = lookup(HANDLE).then((status) => Object.assign(slow, { done: true, status, ms: performance.now() - began }));
    let longestAnswerMs = 0;
    let answers = 0;
    while (!slow.done) {
      const sent = performance.now();
      const response = await fetch(`${baseUrl}/healthz`);
      await response.arrayBuffer();
      assert.equal(response.status, 200);
      longestAnswerMs = Math.max(longestAnswerMs, performance.now() - sent);
      answers++;
    }
    await reading;
    const delayMs = await longestDelayMs(child);
    const measured = `page ${slow.ms.toFixed(0)} ms, longest delay of the event loop ${delayMs.toFixed(0)} ms, ${answers} other answers, the slowest after ${longestAnswerMs.toFixed(0)} ms`;
    t.diagnostic(measured);
    assert.equal(slow.status, 200);
    assert.ok(slow.ms > MIN_READ_MS, measured);
    assert.ok(answers > 5, measured);
    // other load on the machine delays both alike
    assert.ok(delayMs < slow.ms / 2, measured);
    assert.ok(longestAnswerMs < slow.ms / 2, measured);
  } finally {
    child.disconnect();
    await once(child, 'exit');
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
