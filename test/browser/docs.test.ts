// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium as playwright } from 'playwright-core';
import { REQUEST_HEADERS } from '../../src/contract/openapi/request-headers.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { startWhole } from '../end-to-end/service.ts';
import { missing, startChromium } from './chromium.ts';

test('the API reference shows every operation in a real browser, its first sample sends no optional header, it loads nothing from other origins and violates no CSP', {
  skip: missing,
}, async (t) => {
  const service = await startWhole();
  t.after(service.stop);
  const chromium = await startChromium('MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  let reached: readonly string[] | null = null;
  t.after(async () => reached ?? (await chromium.close()));
  const browser = await playwright.connectOverCDP(chromium.url);
  const context = await browser.newContext();
  const page = await context.newPage();
  // elements outside of the viewport are rendered late or never
  await page.bringToFront();
  const asked: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });

  await page.goto(`${service.baseUrl}/docs`);
  const [first, ...others] = operationList;
  await page
    .getByText(first?.summary ?? '', { exact: true })
    .first()
    .waitFor({ timeout: 30_000 })
    .catch(async (error: unknown) => {
      const shown = (await page.innerText('body')).slice(0, 500);
      assert.fail(`${error}\nasked: ${asked.join(' ')}\ncomplaints: ${complaints.join('\n')}\nshown: ${shown}`);
    });
  // the groups of the navigation are collapsed, except for the first
  const closed = page.getByRole('button', { name: /^Open Group/ });
  while ((await closed.count()) > 0) await closed.first().click();
  for (const { summary } of others) await page.getByText(summary, { exact: true }).first().waitFor({ timeout: 30_000 });

  const sample = await page
    .locator('pre', { hasText: /^curl / })
    .first()
    .innerText();
  assert.match(sample, /\/v1\/searchengine\/serp\?keyword=/);
  for (const { name } of Object.values(REQUEST_HEADERS)) assert.ok(!sample.includes(name), `the first sample sends ${name}: ${sample}`);

  assert.deepEqual(complaints, []);
  const elsewhere = asked.filter((url) => !url.startsWith(`${service.baseUrl}/`) && !/^(data|blob):/.test(url));
  assert.deepEqual(elsewhere, []);
  assert.ok(asked.includes(`${service.baseUrl}/docs/openapi.json`), asked.join('\n'));
  await browser.close();
  reached = await chromium.close();
  assert.deepEqual(reached, [new URL(service.baseUrl).host]);
});
