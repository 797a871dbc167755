// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, openConsole, textOf } from './open-console.ts';

const run = promisify(execFile);
const AGENT = /^An agent over MCP/;
const rows = (page: Page) => page.locator('main tbody tr');

test('a key is made by label and preset, its command works as it is shown, and lists name it by its label', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn();
  const dialog = page.getByRole('dialog');
  const to = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  const limitsOf = async (label: string) => {
    const key = (await service.admin.listKeys({ accountId: service.accountId })).find((each) => each.label === label);
    assert.ok(key, label);
    return [key.operations, key.creditsPerDay, key.manages];
  };
  async function make(label: string, preset: RegExp): Promise<{ secret: string; command: string }> {
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.locator('input[name=label]:focus').waitFor();
    await page.keyboard.type(label);
    await dialog.getByRole('radio', { name: preset }).check();
    if (String(preset).includes('Some')) await dialog.getByRole('checkbox', { name: 'Traffic', exact: true }).check();
    else assert.equal(await dialog.locator('details[open]').count(), 0, 'what the preset decides is folded');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = await page.locator('[data-secret]').innerText();
    const command = await page.locator('[data-example]').innerText();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    return { secret, command };
  }

  await t.test('the command of each preset is answered with what the key is', async () => {
    await to('Keys');
    for (const [label, preset, limits] of [
      ['night job', /^A program/, [null, null, false]],
      ['reports', /^Some lookups/, [['traffic'], null, false]],
      ['claude', AGENT, [null, 100, false]],
      ['deploy', /^Everything/, [null, null, true]],
    ] as const) {
      const { command } = await make(label, preset);
      const { stdout } = await run('bash', ['-c', command]);
      assert.equal(JSON.parse(stdout).key.label, label);
      assert.deepEqual(await limitsOf(label), limits);
    }
    assert.ok(!(await page.content()).includes('curl'), 'nothing of a key is left on the page');
  });

  await t.test('a key that was not copied: Escape and the browser’s Back ask once; what was copied is left at once', async () => {
    const lost = dialog.getByText('It was not copied. It cannot be shown again.');
    const secret = page.locator('[data-secret]');
    const show = async (label: string): Promise<void> => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.locator('input[name=label]:focus').waitFor();
      await page.keyboard.type(label);
      await page.keyboard.press('Enter');
      await secret.waitFor();
    };
    await show('by Escape');
    await page.keyboard.press('Escape');
    await lost.waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await secret.count(), 1);
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await secret.waitFor({ state: 'detached' });

    await show('by Back');
    const address = page.url();
    await page.evaluate('history.back()');
    await lost.waitFor();
    assert.equal(page.url(), address);
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await lost.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    assert.equal(page.url(), address);

    await show('copied');
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await dialog.getByText('Copied', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await secret.waitFor({ state: 'detached' });
  });

  await t.test('it is asked from the moment that the key is shown', async () => {
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.locator('input[name=label]:focus').waitFor();
    await page.keyboard.type('at once');
    const isAsked = await page.evaluate<boolean>(`new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[data-secret]')) return;
        observer.disconnect();
        dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
        setTimeout(() => resolve(document.querySelector('dialog').textContent.includes('It was not copied')), 500);
      });
      observer.observe(document.body, { childList: true, subtree: true });
      document.querySelector('dialog form').requestSubmit();
    })`);
    assert.ok(isAsked);
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.locator('[data-secret]').waitFor({ state: 'detached' });
  });

  await t.test('what was typed stays when another preset is chosen', async () => {
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByRole('radio', { name: AGENT }).check();
    await dialog.getByText('Limits and rights').click();
    await dialog.locator('input[name=creditsPerDay]').fill('7');
    await dialog.getByRole('radio', { name: /^A program/ }).check();
    assert.equal(await dialog.locator('input[name=creditsPerDay]').inputValue(), '7');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    assert.equal(await dialog.locator('input[name=creditsPerDay]').inputValue(), '', 'the next key begins anew');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await t.test('the ledger has one line a lookup with the balance after it, also as CSV', async () => {
    const { secret } = await make('shop', /^A program/);
    const headers = { 'x-api-key': secret };
    await service.get('/v1/website/whois/domains/acme-widgets.com', headers);
    await service.get('/v1/searchengine/serp?keyword=trail%20shoes&depth=20', headers);
    await service.get('/v1/appmarket/apps/no-such-app-anywhere', headers);
    await to('Ledger');
    await page.getByRole('cell', { name: 'Given back' }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    const [, ...lines] = (await textOf(download)).trim().split('\r\n');
    const facts = lines.map((line) => line.split(',').slice(1));
    assert.deepEqual(facts, [
      ['Shopify app', 'Given back', '0', '9997', 'shop'],
      ['Google and Bing', 'Charged', '-2', '9997', 'shop'],
      ['Domain registration', 'Charged', '-1', '9999', 'shop'],
      ['with the account', 'Granted', '10000', '10000', ''],
    ]);
    assert.match(await rows(page).nth(1).innerText(), /Charged\s+−2\s+9,997\s+shop/);
    assert.equal(await rows(page).nth(1).getByTitle(/^key_/).innerText(), 'shop', 'the id of the key is in the title');
  });

  await t.test('requests, one request, and usage name the key by its label', async () => {
    await to('Requests');
    await page.getByRole('cell', { name: 'shop' }).first().waitFor();
    await rows(page).first().getByRole('link').click();
    await page.getByText('key shop').waitFor();
    await page.goto(`${service.baseUrl}/console/usage?_group=key`);
    await page.getByRole('rowheader', { name: 'shop' }).waitFor();
    assert.ok(!/key_/.test(await page.locator('main').innerText()));
  });
  await t.test('a key with a cap says how much of it is used; one whose cap is used up says so', async () => {
    await to('Keys');
    const { secret } = await make('capped', AGENT);
    const row = rows(page).filter({ hasText: 'capped' });
    await row.getByText('0 of 100 credits today').waitFor();
    await service.get('/v1/website/whois/domains/acme-widgets.org', { 'x-api-key': secret });
    await page.reload();
    await row.getByText('1 of 100 credits today').waitFor();
    await row.getByText('Active', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Edit capped' }).click();
    await dialog.locator('input[name=creditsPerDay]').fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('1 of 1 credits today').waitFor();
    await row.getByText('Cap used', { exact: true }).waitFor();
  });
  assert.deepEqual(complaintsOf(page), []);
});
