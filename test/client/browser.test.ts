// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { missing, openBrowser } from '../browser/chromium.ts';
import { startWhole } from '../end-to-end/service.ts';
import { bundled } from './bundle.ts';

const MAX_BYTES = 7_000;

test(`the client imports no package and no Node built-in, and has at most ${MAX_BYTES} bytes minified and gzipped`, async () => {
  const bytes = gzipSync(await bundled('src/client/index.ts'), { level: 9 }).length;
  console.log(`client: ${bytes} bytes`);
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
  assert.ok(bytes > 1_000);
});

test('the suite passes in Chromium, and lookups from another origin cost what they cost from Node', { skip: missing }, async (t) => {
  const modules = { '/cases.js': await bundled('test/client/cases.ts'), '/client.js': await bundled('src/client/index.ts') };
  const server = createServer(({ url = '' }, response) => {
    const code = Object.entries(modules).find(([path]) => path === url)?.[1];
    response.setHeader('content-type', code === undefined ? 'text/html' : 'text/javascript');
    response.end(code ?? '<!doctype html><title>client</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await startWhole({ SIGHTLINE_CORS_ORIGINS: origin });
  t.after(service.stop);
  const browser = await openBrowser(t);
  const page = await (await browser.newContext()).newPage();
  await page.goto(origin);

  const failures = await page.evaluate(async () => {
    // @ts-expect-error served by this test
    const { CASES } = (await import('/cases.js')) as { CASES: Record<string, () => Promise<void>> };
    const said: string[] = [];
    let ran = 0;
    for (const [name, run] of Object.entries(CASES)) {
      ran++;
      await run().catch((error: unknown) => said.push(`${name}: ${error}`));
    }
    return ran > 20 ? said : [...said, `${ran} cases ran`];
  });
  assert.deepEqual(failures, []);

  const asked = await page.evaluate(
    async ({ baseUrl, apiKey }) => {
      // @ts-expect-error served by this test
      const { Sightline } = (await import('/client.js')) as typeof import('../../src/client/index.ts');
      const client = new Sightline({ baseUrl, apiKey });
      const answers = [];
      for (const options of [{}, {}, { noCache: true }]) {
        const { cache, credits, data } = await client.registration.domain({ domain: 'acme-widgets.com' }, options).withResponse();
        answers.push([data.domain, cache, credits.charged]);
      }
      return answers;
    },
    { baseUrl: service.baseUrl, apiKey: service.key },
  );
  // the second would be a miss if the browser added no-cache by itself, and charged if its own cache answered
  assert.deepEqual(asked, [
    ['acme-widgets.com', 'miss', 1],
    ['acme-widgets.com', 'hit', 0],
    ['acme-widgets.com', 'miss', 1],
  ]);
});
