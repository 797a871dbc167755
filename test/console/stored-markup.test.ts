// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import { contractView } from '../../src/contract/contract-view.ts';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, fillForm, heldBy, openConsole, runButton, runForm } from './open-console.ts';

const { operations } = contractView();
const MARKUP = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=2</script><svg onload="globalThis.ran=3">';
/** The same for names, which are short. */
const NAME = '<img src=x onerror="globalThis.ran=1">';
const SCRIPT_URL = 'javascript:globalThis.ran=4';

/** Values of these fields are of a closed list, which the service checks. */
const CLOSED = /^(?:searchEngine|device|method|rankSource|confidence|level|builtForPlatform|role|source)$/;
const ADDRESS = /url$|^(?:logo|thumbnail|permalink|website)$/i;

/** The answer with markup in every text, and a script in every address. */
function hostile(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => hostile(item, name === 'features' ? 'device' : name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hostile(item, key)]));
  if (typeof value !== 'string' || CLOSED.test(name)) return value;
  return ADDRESS.test(name) ? SCRIPT_URL : `${MARKUP} ${value}`;
}

/** What of the markup has become more than text. */
const becameMarkup = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[
    ...(globalThis.ran === undefined ? [] : ['a script ran: ' + globalThis.ran]),
    ...[...document.querySelectorAll('#app img, #app script, #app iframe, #app object, #app [onerror], #app [onload]')].map((e) => e.outerHTML),
    ...[...document.querySelectorAll('#app a')].filter((a) => !/^https?:$/.test(a.protocol)).map((a) => a.outerHTML),
  ]`);

test('markup in every text of every drawn answer stays text, and a script in an address becomes no link', { skip: missing }, async (t) => {
  const { signedIn } = await openConsole(t);
  const page = await signedIn();
  for (const operation of operations)
    await t.test(operation.id, async () => {
      await fillForm(page, operation);
      const { text } = await runForm(page);
      const body = JSON.stringify(hostile(JSON.parse(text)));
      const path = `**${operation.path.replace(/\{\w+\}/g, '*')}**`;
      await page.route(path, (route) => route.fulfill({ status: 200, contentType: 'application/json', body }));
      await runForm(page);
      await page.locator('.drawn').getByText('globalThis.ran=1').first().waitFor();
      await page.locator('.drawn details').evaluateAll((all) => {
        for (const folded of all) folded.setAttribute('open', '');
      });
      // a click would load a picture or follow a link
      for (const button of await page.locator('.drawn .picture.ask').all()) await button.click();
      assert.deepEqual(await becameMarkup(page), []);
      await page.unroute(path);
    });
  await t.test('messages of errors, sources and unread fields in headers', async () => {
    await page.route('**/v1/website/**', (route) =>
      route.fulfill({
        status: 502,
        contentType: 'application/json',
        headers: { 'x-request-id': MARKUP, 'x-data-source': MARKUP, 'x-fields-unread': MARKUP },
        body: JSON.stringify({ error: { code: MARKUP, message: MARKUP } }),
      }),
    );
    await runButton(page).click();
    await page.getByRole('alert').first().waitFor();
    assert.deepEqual(await becameMarkup(page), []);
  });
  // neither a violation of the Content-Security-Policy nor of Trusted Types
  assert.deepEqual(complaintsOf(page), []);
});

test('names that people give, and parameters of a link, stay text', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  await service.admin.renameAccount({ accountId: service.accountId, name: NAME });
  await service.admin.createKey({ accountId: service.accountId, label: NAME });
  await service.admin.createClient({ accountId: service.accountId, label: NAME });
  await service.admin.grant({ accountId: service.accountId, credits: 1, note: NAME });
  await service.get(`/v1/website/whois/domains/${encodeURIComponent(NAME)}`);
  const watches = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key }).watches;
  const parameters = { keyword: NAME };
  const watch = { operation: 'serp', parameters, every: '1d', creditsPerMonth: 31, name: NAME, fields: [`organic[${NAME}].rank`] } as const;
  const { watchId } = await watches.create(watch);
  for (let day = 0; day < 2; day++) {
    await watches.run(watchId);
    service.sandbox.nextDay();
  }
  const page = await signedIn({}, 'operator');
  const own = `/console/as/${service.accountId}`;
  for (const name of [
    `${own}/usage`,
    `${own}/ledger`,
    `${own}/requests`,
    `${own}/keys`,
    `${own}/clients`,
    `${own}/watches`,
    `${own}/watches/${watchId}`,
    '/console/accounts',
    '/console/audit',
  ]) {
    await page.goto(service.adminUrl + name);
    await page.locator('main table').first().waitFor({ state: 'attached' });
    assert.deepEqual(await becameMarkup(page), [], name);
  }
  await page.goto(`${service.adminUrl}${own}/w/registration?domain=${encodeURIComponent(NAME)}`);
  await page.getByLabel('Domain').waitFor();
  assert.equal(await page.getByLabel('Domain').inputValue(), NAME);
  assert.deepEqual(await becameMarkup(page), []);
  assert.deepEqual(complaintsOf(page), []);
});

test('no secret is in storage, in the address or on the console of the browser', { skip: missing }, async (t) => {
  const { service, browser } = await openConsole(t);
  const context = await browser.newContext();
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const addresses: string[] = [];
  context.on('request', (request) => addresses.push(request.url()));
  await page.goto(`${service.baseUrl}/console`);
  await page.getByLabel('API key', { exact: true }).and(page.locator('#credential')).fill(service.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await fillForm(page, { id: 'registration' });
  await runForm(page);
  await page.getByRole('tab', { name: 'Code' }).click();
  await page.locator('pre[data-language]').first().waitFor();
  assert.ok(!(await page.innerText('body')).includes(service.key), 'the key is hidden');
  await page.getByLabel('Show my key').check();
  assert.ok((await page.locator('.code').innerText()).includes(service.key), 'the key is shown when asked for');
  await page.getByLabel('Show my key').uncheck();
  assert.ok(!(await heldBy(page)).includes(service.key), 'the key is nowhere on the page once it is hidden again');
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
  );
  assert.match(stored, /^\[\{\},\{\},"",/, 'nothing is stored, and scripts see no cookie');
  assert.deepEqual(
    [...addresses, ...said].filter((text) => text.includes(service.key)),
    [],
  );
  const [cookie] = await context.cookies();
  assert.equal(cookie?.httpOnly, true);
  await page.reload();
  await page.getByRole('navigation', { name: 'Operations' }).waitFor();
  await page.locator('.sidebar .account').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.equal((await context.cookies()).length, 0);
});
