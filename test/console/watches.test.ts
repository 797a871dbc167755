// Few in a process: it drives a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { violationsOf, withAxe } from './axe.ts';
import { complaintsOf, fillForm, openConsole, runForm, textOf } from './open-console.ts';

const MOST_FONT_SIZES = 5;
const WIDTHS = [320, 390, 1440] as const;

const fontSizes = (page: Page): Promise<number> =>
  page.evaluate(`new Set([...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && e.textContent.trim())
    .map((e) => getComputedStyle(e).fontSize)).size`);
/** What is wider than the window, at each width. */
async function tooWide(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    if (over > 0) found.push(`${over} px too wide at ${width} px`);
  }
  return found;
}
const act = async (page: Page, name: string, confirm = name): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
};

test('a watch is made beside an answer; a change of the next day is in its page, in the feed and at home', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  const page = await signedIn();
  const dialog = page.getByRole('dialog');

  await t.test('"Watch this" says what a month costs; a refusal stands beside its field with the value and the cure', async () => {
    await fillForm(page, { id: 'serp' });
    await runForm(page);
    await page.getByRole('button', { name: 'Watch this' }).click();
    await dialog.getByText('every day: 31 credits a month at most').waitFor();
    await dialog.getByText('every hour: 744 credits a month at most').click();
    const budget = dialog.getByLabel('Budget, credits a month');
    await budget.fill('0');
    await dialog.getByRole('button', { name: 'Create the watch' }).click();
    const wrong = dialog.locator('#wrong-creditsPerMonth');
    await wrong.waitFor();
    assert.match(await wrong.innerText(), /^Field creditsPerMonth is 0, but it must be a whole number of credits, 1 or more\.$/);
    assert.equal(await budget.getAttribute('aria-invalid'), 'true');
    assert.match((await budget.getAttribute('aria-describedby')) ?? '', /wrong-creditsPerMonth/);
    await withAxe(page);
    assert.deepEqual(await violationsOf(page, 'watch this'), []);
    await budget.fill('');
    await dialog.getByLabel('Fields that count').fill('organic[www.acme-widgets.com].rank:2');
    await dialog.getByRole('button', { name: 'Create the watch' }).click();
    await page.waitForURL(/\/console\/watches\/wat_/);
    await page.getByText('No check yet').waitFor();
  });
  const [watch] = (await client.watches.list()).watches;
  assert.ok(watch);
  assert.deepEqual(
    [watch.operation, watch.every, watch.creditsPerMonth, watch.fields],
    ['serp', '1h', 744, [{ path: 'organic[www.acme-widgets.com].rank', least: 2 }]],
  );

  await t.test('"Check now" asks once, says the outcome and what it cost; the next day brings a change with both values', async () => {
    await act(page, 'Check now');
    await dialog.getByText('The check ended as first. 0 credits charged.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    assert.equal(await (await fetch(`${service.sandbox.url}/day`, { method: 'POST' })).text(), 'day 1\n');
    await act(page, 'Check now');
    await dialog.getByText('The check ended as changed. 1 credit charged.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const row = page.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1);
    await row.waitFor();
    assert.match(await row.innerText(), /^Moved down: https:\/\/www\.acme-widgets\.com\/running-shoes[\s\S]*\b2\s+then\s+4\b/);
    await page.getByRole('group', { name: /^Organic rank by check: 2 places, most \S+ 4, least \S+ 2\./ }).waitFor();
  });
});
