// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium as playwright } from 'playwright-core';
import { startWhole } from '../end-to-end/service.ts';
import { missing, patient, startChromium } from './chromium.ts';

test('the docs load nothing from other origins and violate no CSP; Find, Copy and the choice of a language work, and an example opens the Workbench with its form filled', {
  skip: missing,
}, async (t) => {
  const service = await startWhole();
  t.after(service.stop);
  const chromium = await startChromium('MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  let reached: readonly string[] | null = null;
  t.after(async () => reached ?? (await chromium.close()));
  const browser = patient(await playwright.connectOverCDP(chromium.url));
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });

  await page.goto(`${service.baseUrl}/docs`);
  assert.equal(new URL(page.url()).pathname, '/docs/');
  assert.ok(!asked.some((url) => /\.(?:png|svg)$|find-/.test(url)), 'pictures and the index are no part of the first load');

  await t.test('Find leads by keyboard to the field, and Esc returns the focus', async () => {
    const button = page.getByRole('button', { name: /^Find/ });
    await button.focus();
    await page.keyboard.press('Enter');
    const input = page.getByRole('combobox');
    await input.fill('expiresOn');
    await page.getByRole('option', { name: /registration\.expiresOn/ }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await button.evaluate((each) => each === each.ownerDocument.activeElement), true);
    await page.keyboard.press('Control+k');
    await input.fill('tiktok');
    const guides = page.getByRole('group', { name: 'Guides' });
    await guides.getByRole('option', { name: /^All \d+ in Guides$/ }).click();
    await guides.getByRole('option').nth(5).waitFor();
    assert.equal(await page.getByRole('group', { name: 'Do' }).getByRole('option').count(), 1);
    await input.fill('UPSTREAM_BLOCKED');
    await page.getByRole('group', { name: 'Reference' }).waitFor();
    while (!(await page.getByRole('option', { selected: true }).innerText()).startsWith('UPSTREAM_BLOCKED'))
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/errors.html#UPSTREAM_BLOCKED');
  });
  await t.test('nothing found: the nearest words and the list of guides', async () => {
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('whoiz');
    await page.getByRole('button', { name: 'whois', exact: true }).click();
    await page.getByRole('option').first().waitFor();
    await page.getByRole('combobox').fill('zzzzzzzzzzzz');
    await page.getByRole('dialog').getByRole('link', { name: 'Watches' }).waitFor();
    await page.keyboard.press('Escape');
  });
  await t.test('a language is chosen for every page of the visit, and names this service', async () => {
    await page.goto(`${service.baseUrl}/docs/reference/registration.html`);
    await page.getByText('Python', { exact: true }).first().click();
    await page.goto(`${service.baseUrl}/docs/reference/serp.html`);
    const code = await page.locator('[data-sample=Python] code').innerText();
    assert.ok(await page.locator('[data-sample=Python]').isVisible());
    assert.equal(await page.locator('[data-sample=curl]').isVisible(), false);
    assert.ok(code.includes(`"${service.baseUrl}/v1/searchengine/serp?keyword=running+shoes"`), code);
  });
  await t.test('what is copied is the command, without what it prints', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${service.baseUrl}/docs/bulk.html`);
    // followed by what it prints, in the same box
    const block = page.locator('.code:not(.output):has(+ .output)').first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(copied, await block.locator('code').textContent());
    assert.match(copied, /sightline|curl/);
  });
  await t.test('the Workbench opens with the form filled, and has asked nothing of a platform', async () => {
    await page.goto(`${service.baseUrl}/docs/reference/registration.html`);
    await page.getByRole('link', { name: 'Open in the Workbench' }).click();
    await page.waitForURL('**/console/w/registration?domain=*');
    assert.ok(!asked.some((url) => new URL(url).pathname.startsWith('/v1/website/')));
  });

  assert.deepEqual(complaints, []);
  const elsewhere = asked.filter((url) => !url.startsWith(`${service.baseUrl}/`) && !/^data:/.test(url));
  assert.deepEqual(elsewhere, []);
  await browser.close();
  reached = await chromium.close();
  assert.deepEqual(reached, [new URL(service.baseUrl).host]);
});
