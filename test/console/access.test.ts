// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { contractView } from '../../src/contract/contract-view.ts';
import { missing } from '../browser/chromium.ts';
import { violationsOf, withAxe } from './axe.ts';
import { fillForm, openConsole, runButton, runForm } from './open-console.ts';

/** One operation for each view. */
const operations = [...new Map(contractView().operations.map((o) => [o.resourceName, o])).values()];
/** Rows of a list that are checked with all that is folded away in them. */
const OPENED = 3;

test('axe-core finds no violation at the sign-in and in any view of the workbench, light and dark, at 390 and 1400 px', {
  skip: missing,
}, async (t) => {
  const { service, browser, signedIn } = await openConsole(t);
  const check = (page: Page, view: string) => t.test(view, async () => assert.deepEqual(await violationsOf(page, view), []));

  const outside = await browser.newContext();
  const door = await outside.newPage();
  await door.goto(`${service.baseUrl}/console`);
  await door.getByRole('heading', { name: 'Sign in' }).waitFor();
  await withAxe(door);
  await check(door, 'sign-in');

  const page = await signedIn();
  await withAxe(page);
  for (const operation of operations) {
    await fillForm(page, operation);
    await runForm(page);
    await page.locator('.drawn details').evaluateAll((all, opened) => {
      for (const folded of all.slice(0, opened)) folded.setAttribute('open', '');
    }, OPENED);
    await check(page, operation.id);
  }
  for (const tab of ['Table', 'JSON', 'Code', 'Headers', 'Trace']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.locator('#answer-panel > :not(.loading)').first().waitFor();
    await check(page, tab);
  }
  await page.getByRole('button', { name: /^Age/ }).click();
  await check(page, 'age chip');
  await page.keyboard.press('Escape');
  await page.getByLabel('Domain').fill('no domain');
  await page.locator('#field-domain-wrong').waitFor();
  await check(page, 'a refused value');
  await page.route('**/v1/website/whois/**', (route) =>
    route.fulfill({ status: 502, json: { error: { code: 'UPSTREAM_UNREACHABLE', message: 'The registry did not answer.' } } }),
  );
  await page.getByLabel('Domain').fill('acme-widgets.org');
  await runButton(page).click();
  await page.locator('.error').waitFor();
  await check(page, 'error');
});
