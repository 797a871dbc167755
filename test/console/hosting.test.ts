import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAppFiles, NOT_BUILT } from '../../src/gateway/console/app-files.ts';
import { openEntrances } from './entrances.ts';

const SCRIPT = `export const words = ${JSON.stringify('word '.repeat(500))};\n`;
const FILES = { 'index.html': '<!doctype html><title>Console</title>', 'assets/app-8f3a.js': SCRIPT, 'assets/app-8f3a.js.map': '{}' };

test('pages of the app get index.html, which is revalidated; assets are immutable, compressed and of their type', async (t) => {
  const e = await openEntrances(t, { files: FILES });
  for (const ask of [e.service, e.admin]) {
    for (const path of ['/console', '/console/', '/console/w/registration?domain=a']) {
      const page = await ask(path);
      assert.deepEqual([page.status, page.text, page.headers['cache-control']], [200, FILES['index.html'], 'no-cache'], path);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      const again = await ask(path, { headers: { 'if-none-match': String(page.headers.etag) } });
      assert.deepEqual([again.status, again.text], [304, '']);
      const head = await ask(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', String(FILES['index.html'].length)]);
    }
    const plain = await ask('/console/assets/app-8f3a.js');
    assert.deepEqual([plain.status, plain.text], [200, SCRIPT]);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(plain.headers.vary, 'Accept-Encoding');
    for (const coding of ['gzip', 'br']) {
      const packed = await ask('/console/assets/app-8f3a.js', { headers: { 'accept-encoding': coding } });
      assert.equal(packed.headers['content-encoding'], coding);
      assert.ok(Number(packed.headers['content-length']) < 300);
    }
    assert.equal((await ask('/console/assets/nosuch.js')).status, 404, 'a missing asset is no page');
    assert.equal((await ask('/console/assets/app-8f3a.js.map')).status, 404, 'types that the app has no use for are not served');
  }
});

test('without a build one sentence names the command; a build is found without a restart', async (t) => {
  const e = await openEntrances(t);
  const missing = await e.service('/console');
  assert.deepEqual(
    [missing.status, missing.body, missing.headers['retry-after']],
    [503, { error: { code: 'UNAVAILABLE', message: NOT_BUILT } }, '60'],
  );
  e.build(FILES);
  assert.equal((await e.service('/console')).status, 200);
});

test('GET / leads a browser to the console and others to links, at the operator’s entrance all of them to the console', async (t) => {
  const e = await openEntrances(t);
  for (const ask of [e.service, e.admin]) {
    const browser = await ask('/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    assert.deepEqual([browser.status, browser.headers.location, browser.headers.vary], [302, '/console', 'Accept']);
    for (const accept of ['application/json', '*/*', '']) {
      const other = await ask('/', { headers: { accept } });
      if (ask === e.admin) {
        assert.deepEqual([other.status, other.text], [302, '']);
        continue;
      }
      assert.equal(other.status, 200);
      assert.deepEqual([other.body.service, other.body.console, other.body.docs], ['sightline', '/console', '/docs']);
    }
  }
});

test('the contract for the forms needs no session and is revalidated', async (t) => {
  const e = await openEntrances(t, { settings: { SIGHTLINE_PRICES: '{"traffic": 5}' } });
  const { status, body, headers } = await e.service('/console/api/contract');
  assert.deepEqual([status, headers['cache-control'], body.operations.length], [200, 'no-cache', 14]);
  assert.match(body.operations.find((each: { id: string }) => each.id === 'traffic').price, /5/);
  assert.equal((await e.service('/console/api/contract', { headers: { 'if-none-match': String(headers.etag) } })).status, 304);
  assert.equal((await e.admin('/console/api/contract')).body.operations.length, 14);
});

test('a folder that cannot be read is an error, not a console that is not built', async () => {
  await assert.rejects(createAppFiles('/proc/self/mem')('index.html'));
  assert.equal(await createAppFiles('/nosuch/folder')('index.html'), 'not built');
});
