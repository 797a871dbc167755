// Own process: it drives a browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { contractView } from '../../src/gateway/console/contract-view.ts';
import { missing } from '../browser/chromium.ts';
import { fillForm, openConsole, runForm } from './open-console.ts';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
/** One operation for each view. */
const operations = [...new Map(contractView().operations.map((o) => [o.resourceName, o])).values()];
/** Rows of a list that are checked with all that is folded away in them. */
const OPENED = 3;
const WIDTHS = [390, 1400] as const;
const SCHEMES = ['light', 'dark'] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Violations that axe-core finds in the page, in both schemes and at both widths. */
async function violationsOf(page: Page, view: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      // the dark scheme differs in its colours alone
      const rules = colorScheme === 'dark' ? ', runOnly: ["color-contrast"]' : '';
      const violations = await page.evaluate<readonly Violation[]>(
        `axe.run(document, { resultTypes: ["violations"]${rules} }).then((r) => r.violations)`,
      );
      found.push(
        ...violations.map(
          (v) => `${view}, ${width} px, ${colorScheme}: ${v.id}: ${v.nodes[0]?.html.slice(0, 200)} ${v.nodes[0]?.failureSummary}`,
        ),
      );
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(overflow) > 0) found.push(`${view}, ${width} px: the page is ${overflow} px wider than the window`);
    }
  }
  await page.setViewportSize({ width: 1400, height: 900 });
  return found;
}

/** axe-core runs in a world of its own script: the Content-Security-Policy of the page is not loosened. */
async function withAxe(page: Page): Promise<void> {
  await page.evaluate(AXE);
}

test('axe-core finds no violation in any view, light and dark, at 390 and 1400 px', { skip: missing }, async (t) => {
  const { service, browser, signedIn } = await openConsole(t);
  const check = (page: Page, view: string) => t.test(view, async () => assert.deepEqual(await violationsOf(page, view), []));

  const outside = await browser.newContext();
  const door = await outside.newPage();
  await door.goto(`${service.baseUrl}/console`);
  await door.getByRole('heading', { name: 'Sightline' }).waitFor();
  await withAxe(door);
  await check(door, 'sign-in');

  const page = await signedIn();
  await withAxe(page);
  for (const operation of operations) {
    await fillForm(page, operation);
    await runForm(page);
    // the JSON beside the answer is checked once
    if (operation === operations[1]) await page.getByText('Drawn alone').click();
    if (operation === operations[0]) await page.locator('.json .row').first().waitFor();
    await page.locator('.drawn details').evaluateAll((all, opened) => {
      for (const folded of all.slice(0, opened)) folded.setAttribute('open', '');
    }, OPENED);
    await check(page, operation.id);
  }
  await page.getByText('Code', { exact: true }).click();
  await page.locator('pre[data-language]').first().waitFor();
  await check(page, 'code');
  await page.getByLabel('domain').fill('no domain');
  await page.locator('#field-domain-wrong').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.error').waitFor();
  await check(page, 'error');
  for (const name of ['Usage', 'Ledger', 'Requests', 'Keys', 'Sessions']) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
    await page.locator('.panel table').first().waitFor({ state: 'attached' });
    await check(page, name);
  }
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Requests', exact: true }).click();
  await page.locator('.panel tbody a').first().click();
  await page.getByRole('heading', { name: 'Attempts at sources' }).waitFor();
  await check(page, 'explanation');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').waitFor();
  await check(page, 'key form');

  const operator = await signedIn({}, 'operator');
  await withAxe(operator);
  await operator.getByRole('combobox', { name: 'Account' }).selectOption(service.accountId);
  const canary = {
    name: 'a registration',
    operation: 'registration',
    source: null,
    at: new Date().toISOString(),
    ok: false,
    why: 'NOT_FOUND',
  };
  await operator.route('**/sources', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), canaries: [canary] } });
  });
  for (const name of ['Accounts', 'Sources', 'Clients', 'Audit', 'Fleet']) {
    await operator.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
    await operator.locator('.panel :is(table, p)').first().waitFor({ state: 'attached' });
    if (name === 'Sources') await operator.getByRole('cell', { name: 'NOT_FOUND' }).waitFor();
    await check(operator, name);
  }
  await operator.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Accounts', exact: true }).click();
  await operator.locator('.panel tbody a').first().click();
  await operator.getByRole('button', { name: 'Delete' }).click();
  await operator.getByRole('dialog').waitFor();
  await check(operator, 'account');
});
