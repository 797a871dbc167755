// Few in a process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Service, startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import { silent } from '../../src/telemetry/log.ts';
import { sourceOf } from '../fleet/engine-fixture.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { registered } from '../support/orchestrator-fakes.ts';

describe('sightline cache purge of a single process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-purge-'));
  let service: Service;
  let key = '';
  before(async () => {
    const settings = readSettings({ PORT: '0', SIGHTLINE_DATA_DIR: folder, SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000' });
    const source = sourceOf(async (domain) => found({ ...registered(domain), contacts: [] }));
    service = await startService(settings, { log: silent, sources: [source] });
    key = (await service.accounts.admin.ensureFirstAccount())?.key ?? '';
  });
  after(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function get(domain: string): Promise<string> {
    const answer = await fetch(`${service.baseUrl}/v1/website/whois/domains/${domain}`, { headers: { 'x-api-key': key } });
    assert.equal(answer.status, 200, await answer.text());
    return /; hit/.test(answer.headers.get('cache-status') ?? '') ? 'hit' : 'miss';
  }
  function purge(...given: string[]): Promise<{ code: number; out: string; error: string }> {
    const env = { ...CHILD_ENVIRONMENT, SIGHTLINE_DATA_DIR: folder };
    return new Promise((resolve) => {
      execFile(process.execPath, ['src/cli/main.ts', 'cache', 'purge', ...given], { env }, (failed, out, error) =>
        resolve({ code: failed ? Number(failed.code) : 0, out, error }),
      );
    });
  }
  const done = (out: string) => ({ code: 0, out, error: '' });

  test('purges all answers of an operation, or those of one lookup', async () => {
    for (const domain of ['a.com', 'b.com', 'c.com']) await get(domain);
    // normalised as in a request
    const one = await purge('registration', '--domain', 'A.com');
    assert.deepEqual(one, done('the cached answer to this lookup of registration dropped\n'));
    assert.deepEqual(await purge('registration', '--domain', 'never-asked.com'), done('no cached answer to this lookup of registration\n'));
    assert.deepEqual([await get('b.com'), await get('a.com')], ['hit', 'miss']);
    assert.deepEqual(await purge('registration'), done('3 cached answers of registration dropped\n'));
    assert.equal(await get('b.com'), 'miss');
  });

  test('wrong arguments purge nothing and exit with 2', async () => {
    await get('stays.com');
    for (const given of [
      ['registration', '--domain', 'not a domain'],
      ['registration', '--handle', 'x'],
      ['forum-comments', '--sort', 'new'],
      ['nothing'],
      [],
    ]) {
      const { code, out } = await purge(...given);
      assert.deepEqual([code, out], [2, ''], given.join(' '));
    }
    assert.equal(await get('stays.com'), 'hit');
  });

  test('--help lists the parameters and an example of each form', async () => {
    const { code, out } = await purge('forum-comments', '--help');
    assert.equal(code, 0);
    assert.match(out, /--post-id <postId>/);
    assert.match(out, /sightline cache purge forum-comments\n {2}sightline cache purge forum-comments --post-id '/);
  });
});
