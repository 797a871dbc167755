/** A service with the simulated platforms, and a real Chromium that opens its console. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { createConsoleLinks } from '../../src/cli/console.ts';
import type { OperationView } from '../../src/contract/contract-view.ts';
import { startChromium } from '../browser/chromium.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';

export interface OpenConsole {
  readonly service: Running;
  readonly browser: Browser;
  /** A new browser profile that is signed in, at the playground. What the page complains of is an assertion of `page.close`. */
  signedIn(options?: BrowserContextOptions, entrance?: 'account' | 'operator'): Promise<Page>;
  /** A link that signs in once. */
  link(entrance: 'account' | 'operator'): Promise<string>;
}

/** What the browser said on its console as error or warning, by page. */
const complaints = new WeakMap<Page, string[]>();

/** Errors, warnings and violations of the Content-Security-Policy so far. Statuses of answers that a test causes are not among them. */
export const complaintsOf = (page: Page): readonly string[] =>
  (complaints.get(page) ?? []).filter((text) => !/^Failed to load resource: the server responded/.test(text));

export async function openConsole(t: TestContext, settings: Record<string, string> = {}): Promise<OpenConsole> {
  const service = await startWhole({
    ...SANDBOX_SETTINGS,
    SIGHTLINE_FREE_CREDITS: '10000',
    SIGHTLINE_RATE_PER_SECOND: '10000',
    SIGHTLINE_RATE_BURST: '10000',
    ...settings,
  });
  t.after(service.stop);
  const chromium = await startChromium('MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  t.after(chromium.close);
  const browser = await playwright.connectOverCDP(chromium.url);
  const links = createConsoleLinks(service.accounts, () => service);
  const link = async (entrance: 'account' | 'operator') =>
    (await links(entrance === 'account' ? { accountId: service.accountId } : {})).url;
  return {
    service,
    browser,
    link,
    async signedIn(options = {}, entrance = 'account') {
      const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const said: string[] = [];
      complaints.set(page, said);
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('console', (message) => said.push(message.text()));
      await page.goto(await link(entrance));
      await page.getByRole('navigation', { name: 'Operations' }).waitFor();
      return page;
    },
  };
}

/** Opens the form of an operation and fills it from the examples of the contract. Returns the price that the form shows. */
export async function fillForm(page: Page, operation: Pick<OperationView, 'id'>): Promise<number> {
  await page
    .getByRole('navigation', { name: 'Operations' })
    .getByRole('link', { name: operation.id, exact: false })
    .and(page.locator(`[href$="/${operation.id}"]`))
    .click();
  await page.getByRole('button', { name: 'Fill from examples' }).click();
  return Number(await page.locator('[data-price]').getAttribute('data-price'));
}

export interface ShownAnswer {
  readonly status: number;
  /** The body as the service sent it. */
  readonly text: string;
  readonly charged: number;
}

/** Runs the form and waits until the answer is drawn. */
export async function runForm(page: Page): Promise<ShownAnswer> {
  const [response] = await Promise.all([
    page.waitForResponse((r) => /\/v1\/(?!account)/.test(new URL(r.url()).pathname)),
    page.getByRole('button', { name: 'Run', exact: true }).click(),
  ]);
  const drawn = page.locator('.answer .drawn > :not(.loading)').first();
  await drawn.waitFor();
  const charged = await page.locator('[data-charged]').getAttribute('data-charged');
  assert.equal(charged, response.headers()['x-credits-charged'] ?? '0', 'the charge that is shown is that of the answer');
  return { status: response.status(), text: await response.text(), charged: Number(charged) };
}
