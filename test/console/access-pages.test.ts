// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { violationsOf, withAxe } from './axe.ts';
import { openConsole } from './open-console.ts';

test('axe-core finds no violation in any page of the holder and of the operator, light and dark, at 390 and 1400 px', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const check = (page: Page, view: string) => t.test(view, async () => assert.deepEqual(await violationsOf(page, view), []));

  await service.get('/v1/website/whois/domains/acme-widgets.com');
  const page = await signedIn();
  await withAxe(page);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  const parameters = { domain: 'acme-widgets.com' };
  const { watchId } = await client.watches.create({
    operation: 'traffic',
    parameters,
    every: '1d',
    creditsPerMonth: 31,
    fields: ['visits'],
  });
  await client.watches.run(watchId);
  service.sandbox.nextDay();
  await client.watches.run(watchId);
  for (const name of [
    'usage',
    'ledger',
    'requests',
    'keys',
    'sessions',
    'watches',
    'changes',
    'messages',
    'domains',
    `watches/${watchId}`,
    '',
  ]) {
    await page.goto(`${service.baseUrl}/console/${name}`);
    await page.locator('main :is(table, .rows, .empty)').first().waitFor({ state: 'attached' });
    await check(page, name);
  }
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Requests', exact: true }).click();
  await page.locator('tr', { hasText: 'Domain registration' }).getByRole('link').first().click();
  await page.getByRole('heading', { name: /^Why it was/ }).waitFor();
  await check(page, 'explanation');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').waitFor();
  await check(page, 'key form');

  const operator = await signedIn({}, 'operator');
  await withAxe(operator);
  const canary = {
    name: 'a registration',
    operation: 'registration',
    source: null,
    at: new Date().toISOString(),
    ok: false,
    why: 'NOT_FOUND',
    past: [],
  };
  await operator.route(`${service.adminUrl}/sources`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), canaries: [canary] } });
  });
  for (const name of ['', 'accounts', 'sources', 'evidence', 'drift', `as/${service.accountId}/clients`, 'audit', 'fleet']) {
    await operator.goto(`${service.adminUrl}/console/${name}`);
    await operator.locator('main :is(table, .empty, .none, .panel p)').first().waitFor({ state: 'attached' });
    if (name === '') await operator.getByText('Canary “a registration” fails').waitFor();
    await check(operator, name);
  }
  await operator.goto(`${service.adminUrl}/console/accounts`);
  await operator.locator('tbody a').first().click();
  await operator.getByRole('button', { name: 'Delete' }).click();
  await operator.getByRole('dialog').waitFor();
  await check(operator, 'account');
});
