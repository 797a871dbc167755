// Own process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

const LIBRARY = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];
const required = (process.env.SIGHTLINE_TEST_REQUIRE ?? '').split(',').includes('faketime');
const skip = LIBRARY || required ? false : 'no faketime here (Debian package faketime)';

/** A real process whose clock a test sets by writing a file. */
async function startDemo(clockFile: string) {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'demo', '--json', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { baseUrl, apiKey } = JSON.parse(line) as { baseUrl: string; apiKey: string };
  return { child, baseUrl, apiKey };
}

test('a real process keeps serving while its clock is set back an hour, forward a day, and corrected', { skip }, async () => {
  assert.ok(LIBRARY, 'SIGHTLINE_TEST_REQUIRE names faketime, and there is none');
  const folder = mkdtempSync(join(tmpdir(), 'sightline-clock-'));
  const clockFile = join(folder, 'clock');
  writeFileSync(clockFile, '+0');
  const { child, baseUrl, apiKey } = await startDemo(clockFile);
  try {
    const ask = async (path: string) => {
      const answer = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': apiKey } });
      await answer.arrayBuffer();
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), date: Date.parse(answer.headers.get('date') ?? '') };
    };
    const lookup = (i: number) => ask(`/v1/website/whois/domains/clock-${i}.com`);
    let asked = 0;
    for (; asked < 10; asked++) assert.equal((await lookup(asked)).status, 200);
    for (const offset of ['-3600', '+86400', '+0']) {
      writeFileSync(clockFile, offset);
      const until = performance.now() + 5_000;
      const answers = [await lookup(asked++), await lookup(asked++), await lookup(asked++)];
      for (const { status, retryAfter } of answers) assert.equal(status, 200, `${offset}: Retry-After ${retryAfter}`);
      // the Date header is cached for a second
      for (let offMs = Number.POSITIVE_INFINITY; Math.abs(offMs) > 60_000; ) {
        assert.ok(performance.now() < until, `the clock of the process was set to ${offset}, and is ${offMs} ms off`);
        const { status, date } = await ask('/healthz');
        assert.equal(status, 200);
        offMs = date - Date.now() - Number(offset) * 1000;
      }
      assert.equal((await lookup(asked++)).status, 200);
    }
  } finally {
    child.kill();
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
});
