// Few in a process: it drives a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_SERPAPI_KEY } from '../../sandbox/searchengine/providers.ts';
import type { SourceState } from '../../src/contract/admin/schemas.ts';
import type { SourceCredential } from '../../src/contract/admin/source-credential-schemas.ts';
import { missing } from '../browser/chromium.ts';
import { openConsole } from './open-console.ts';

test('Esc, or Stop, ends a trial that runs: nothing is stored, and what may still be billed is said', { skip: missing }, async (t) => {
  const { signedIn, service } = await openConsole(t, { SERPAPI_KEY: '', DATAFORSEO_LOGIN: '', DATAFORSEO_PASSWORD: '' });
  const page = await signedIn({}, 'operator');
  await page.goto(new URL('/console/sources/SerpApi', page.url()).href);
  const field = page.getByLabel('SERPAPI_KEY');
  const stopped = page.getByText(/^Stopped: nothing is stored\. The provider may still bill the request \(\$0\.03\)\.$/);
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
    await page.getByText(/^Asking for \d+\.\d s\. Stopping stores nothing; \$0\.03 may still be billed\.$/).waitFor();
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

test('after a key is stored the page says in how many gateways and workers it is in force, until all follow', {
  skip: missing,
}, async (t) => {
  const { signedIn } = await openConsole(t, { SERPAPI_KEY: '' });
  const page = await signedIn({}, 'operator');
  let following = 1;
  let behind = ['web-2.41.a', 'web-3.42.b'];
  await page.route('**/fleet', (route) =>
    route.fulfill({ json: { up: true, gateways: 3, workers: 2, credentials: { gateways: following, workers: 2, behind } } }),
  );
  await page.goto(new URL('/console/sources/SerpApi', page.url()).href);
  await page.getByLabel('SERPAPI_KEY').fill(DEMO_SERPAPI_KEY);
  assert.equal(await page.getByText('In force', { exact: true }).count(), 0, 'nothing was entered yet');
  await page.getByRole('button', { name: /^Try it/ }).click();
  await page.getByText('Works, and is in force').waitFor();
  const said = page.getByRole('status').filter({ hasText: 'of 3 gateways' });
  await said.filter({ hasText: 'In force in 1 of 3 gateways and 2 of 2 workers' }).waitFor();
  [following, behind] = [3, []];
  await said.filter({ hasText: 'In force in 3 of 3 gateways and 2 of 2 workers' }).waitFor();
  // one does not follow
  [following, behind] = [2, ['web-2.41.a']];
  await page.reload();
  await said
    .filter({ hasText: 'In force in 2 of 3 gateways' })
    .filter({ hasText: '. Not in web-2.41.a: it lacks DATABASE_URL, or has another SIGHTLINE_SECRET.' })
    .waitFor();
  // a single process has no fleet
  await page.unroute('**/fleet');
  const answered = page.waitForResponse('**/fleet');
  await page.reload();
  assert.equal(await (await answered).json(), null);
  await page.getByLabel('SERPAPI_KEY').waitFor();
  assert.equal(await said.count(), 0);
});

test('on a phone the facts of a source come before the field for its key; beside each other the key stands first', {
  skip: missing,
}, async (t) => {
  const { signedIn } = await openConsole(t, { SERPAPI_KEY: '' });
  const page = await signedIn({}, 'operator');
  await page.goto(new URL('/console/sources/SerpApi', page.url()).href);
  const boxes = () =>
    Promise.all(
      ['About', 'Its key', 'What it states', 'Order: Google and Bing'].map((name) => page.getByRole('region', { name }).boundingBox()),
    );
  for (const width of [320, 390, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    const tops = (await boxes()).map((box) => box?.y ?? 0);
    assert.deepEqual(
      tops.toSorted((a, b) => a - b),
      tops,
      `${width} px: facts, key, fields, order`,
    );
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const [facts, key, stated, order] = await boxes();
  assert.ok(facts && key && stated && order);
  assert.deepEqual([facts.y, facts.x > key.x, stated.x, order.x], [key.y, true, key.x, facts.x]);
  assert.ok(order.y < stated.y + stated.height, 'the narrow column does not wait for the wide one');
  // what could not be read is said to be the provider's
  assert.match(await page.getByRole('region', { name: 'About' }).innerText(), /Terms\s+see the provider/);
});

test('a key of the environment is locked and named, and can be tried: by one request, and nothing is stored', {
  skip: missing,
}, async (t) => {
  const { signedIn, service } = await openConsole(t, { SERPAPI_KEY: DEMO_SERPAPI_KEY });
  const page = await signedIn({}, 'operator');
  let asked: string | null = null;
  await page.route('**/credentials', (route) => {
    asked = route.request().postData() ?? asked;
    return route.continue();
  });
  await page.goto(new URL('/console/sources/SerpApi', page.url()).href);
  const field = page.getByLabel('SERPAPI_KEY');
  await field.waitFor();
  assert.deepEqual([await field.isDisabled(), await field.getAttribute('placeholder')], [true, 'Set by SERPAPI_KEY']);
  assert.equal(await page.getByRole('button', { name: 'while pressed' }).count(), 0, 'there is nothing to show');
  await page.getByRole('button', { name: 'Try it $0.03' }).click();
  await page.getByText('Works', { exact: true }).waitFor();
  assert.deepEqual(JSON.parse(String(asked)), { source: 'SerpApi', values: {} });
  assert.ok(!(await page.content()).includes(DEMO_SERPAPI_KEY));
  await page.getByText(/^checked/).waitFor();
  await page.close();
  const [entry, ...more] = await service.admin.auditLog({ subject: 'SerpApi' });
  assert.deepEqual([entry?.action, entry?.facts, more], ['source.check', { paid: true }, []]);
});

test('the eye of a field for a key shows what was typed while it is pressed, by pointer and by keyboard', { skip: missing }, async (t) => {
  const { signedIn } = await openConsole(t, { SERPAPI_KEY: '' });
  const page = await signedIn({}, 'operator');
  const at = new URL('/console/sources/SerpApi', page.url()).href;
  for (const [address, label] of [
    [at, 'SERPAPI_KEY'],
    ['', 'Operator’s key'],
  ] as const) {
    if (address === '') {
      await page.context().clearCookies();
      await page.reload();
    } else await page.goto(address);
    const field = page.getByLabel(label);
    const eye = page.getByRole('button', { name: `Show ${label} while pressed` });
    await field.fill('typed-by-hand');
    const shows = async (is: boolean): Promise<void> => {
      await page.locator(`input#${await field.getAttribute('id')}[type=${is ? 'text' : 'password'}]`).waitFor();
      assert.equal(await eye.getAttribute('aria-pressed'), String(is));
      assert.equal(await field.inputValue(), 'typed-by-hand');
    };
    assert.equal(await field.getAttribute('autocomplete'), 'new-password');
    await shows(false);
    await eye.hover();
    await page.mouse.down();
    await shows(true);
    // let go elsewhere
    await page.mouse.move(5, 5);
    await page.mouse.up();
    await shows(false);
    await field.focus();
    await page.keyboard.press('Tab');
    for (const key of ['Space', 'Enter']) {
      await page.keyboard.down(key);
      await shows(true);
      await page.keyboard.up(key);
      await shows(false);
    }
    await page.keyboard.down('Space');
    await page.keyboard.press('Tab');
    await shows(false);
    await page.keyboard.up('Space');
  }
});

test('the page of a source has its place among those of its operations; the list says the free ways where no provider has a key', {
  skip: missing,
}, async (t) => {
  const { signedIn } = await openConsole(t, { SERPAPI_KEY: '', SEARXNG_URL: '', DATAFORSEO_LOGIN: '', DATAFORSEO_PASSWORD: '' });
  const page = await signedIn({}, 'operator');
  const to = (path: string) => page.goto(new URL(path, page.url()).href);
  const answerOf = async <T>(path: string): Promise<T> =>
    (await page.waitForResponse((answer) => answer.request().resourceType() === 'fetch' && new URL(answer.url()).pathname === path)).json();
  const [{ sources }, credentials] = await Promise.all([
    answerOf<{ sources: readonly SourceState[] }>('/sources'),
    answerOf<readonly SourceCredential[]>('/credentials'),
    to('/console/sources'),
  ]);
  const said = page.getByText(/^No search provider has a key yet\./);
  await said.waitFor();
  const withKey = new Set(credentials.map(({ source }) => source));
  const without = sources.filter(({ name, configured }) => configured && !withKey.has(name)).length;
  assert.ok(without > 5);
  assert.match(
    await said.innerText(),
    new RegExp(
      `^No search provider has a key yet\\. ${without} sources work without one\\. Google and Bing: free with a key of .*SerpApi \\(250`,
    ),
  );
  const order = page.getByRole('region', { name: /^Order/ });
  await to('/console/sources/SerpApi');
  await order.waitFor();
  const [first, second, ...more] = await order.getByRole('listitem').allInnerTexts();
  assert.match(String(first), /^1\s+DataForSEO\s+No key$/);
  assert.match(String(second), /^2\s+SerpApi\s+No key$/);
  assert.ok(more.length > 5);
  assert.equal(await order.locator('[aria-current=page]').innerText(), 'SerpApi');
  await page.getByLabel('SERPAPI_KEY').fill(DEMO_SERPAPI_KEY);
  await page.getByRole('button', { name: /^Try it/ }).click();
  await order.getByText('In use').waitFor();
  await to('/console/sources');
  await page
    .getByRole('row', { name: /^SerpApi/ })
    .getByText('In use')
    .waitFor();
  assert.equal(await said.count(), 0);
});
