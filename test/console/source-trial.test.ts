// Few in a process: it drives a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing } from '../browser/chromium.ts';
import { openConsole } from './open-console.ts';

test('Esc, or Stop, ends a trial that runs: nothing is stored, and what may still be billed is said', { skip: missing }, async (t) => {
  const { signedIn, service } = await openConsole(t, { SERPAPI_KEY: '', DATAFORSEO_LOGIN: '', DATAFORSEO_PASSWORD: '' });
  const page = await signedIn({}, 'operator');
  await page.goto(new URL('/console/sources/SerpApi', page.url()).href);
  page.setDefaultTimeout(20_000);
  const field = page.getByLabel('SERPAPI_KEY');
  const stopped = page.getByText(/^Stopped: nothing is stored\. The provider may still bill the request \(\$0\.015\)\.$/);
  for (const stop of [() => page.keyboard.press('Escape'), () => page.getByRole('button', { name: 'Stop' }).click()]) {
    // the provider takes its time
    let asked = 0;
    await page.route('**/credentials', (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      asked++;
    });
    await field.fill('a-key-of-the-provider-1234');
    await page.getByRole('button', { name: /^Try it/ }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await stop();
    await stopped.waitFor();
    assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0);
    assert.ok(await page.getByRole('button', { name: /^Try it/ }).isEnabled());
    assert.equal(asked, 1);
    await page.unroute('**/credentials');
  }
  await page.close();
  assert.deepEqual(await service.admin.auditLog({ subject: 'SerpApi' }), []);
});
