/** A service with the simulated platforms, and a real Chromium that opens its console. */
import assert from 'node:assert/strict';
import { text as textOfStream } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Download, Locator, Page } from 'playwright-core';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { createConsoleLinks } from '../../src/cli/console.ts';
import { contractView, type OperationView } from '../../src/contract/contract-view.ts';
import { openBrowser } from '../browser/chromium.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';

const { operations } = contractView();

export interface OpenConsole {
  readonly service: Running;
  readonly browser: Browser;
  /** A new browser profile that is signed in, at the first page of its entrance. What the page complains of is an assertion of `page.close`. */
  signedIn(options?: BrowserContextOptions, entrance?: 'account' | 'operator'): Promise<Page>;
  /** A link that signs in once. */
  link(entrance: 'account' | 'operator'): Promise<string>;
}

/** What the browser said on its console as error or warning, by page. */
const complaints = new WeakMap<Page, string[]>();

/** Errors, warnings and violations of the Content-Security-Policy so far. Statuses of answers that a test causes are not among them. */
export const complaintsOf = (page: Page): readonly string[] =>
  (complaints.get(page) ?? []).filter((text) => !/^Failed to load resource: the server responded/.test(text));

export async function openConsole(
  t: TestContext,
  settings: Record<string, string> = {},
  open: (t: TestContext) => Promise<Browser> = openBrowser,
): Promise<OpenConsole> {
  const pages: { readonly page: Page; readonly open: ReadonlySet<string> }[] = [];
  // before the browser is closed
  t.after(async () => {
    // Node's types do not have it yet
    if ((t as { passed?: boolean }).passed) return;
    for (const { page, open } of pages.filter((each) => !each.page.isClosed())) {
      const seen = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
      process.stderr.write(`a page at the end: ${JSON.stringify({ at: page.url(), open: [...open], said: complaints.get(page), seen })}\n`);
    }
  });
  const service = await startWhole({
    ...SANDBOX_SETTINGS,
    SIGHTLINE_FREE_CREDITS: '10000',
    SIGHTLINE_RATE_PER_SECOND: '10000',
    SIGHTLINE_RATE_BURST: '10000',
    ...settings,
  });
  t.after(service.stop);
  const browser = await open(t);
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
      const said: string[] = [];
      complaints.set(page, said);
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('console', (message) => said.push(message.text()));
      const open = new Set<string>();
      page.on('request', (request) => open.add(request.url()));
      page.on('requestfinished', (request) => open.delete(request.url()));
      page.on('requestfailed', (request) => open.delete(request.url()));
      pages.push({ page, open });
      await page.goto(await link(entrance));
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      return page;
    },
  };
}

/** Opens the form of an operation filled from the examples of the contract. Returns the price that Run shows. */
export async function fillForm(page: Page, { id }: Pick<OperationView, 'id'>): Promise<number> {
  const operation = operations.find((each) => each.id === id);
  assert.ok(operation, id);
  const query = new URLSearchParams(
    Object.fromEntries(operation.parameters.filter((p) => p.required).map((p) => [p.name, String(p.example)])),
  );
  // a link of the page: what the page holds in memory stays
  await page.evaluate(`{
    const link = Object.assign(document.createElement('a'), { href: '/console/w/${id}?${query}' });
    document.body.append(link);
    link.click();
    link.remove();
  }`);
  await page.locator(`a[href$="/w/${id}"][aria-current]`).first().waitFor({ state: 'attached' });
  const price = Number(await page.locator('[data-price]').getAttribute('data-price'));
  // what is cached is shown, free of charge
  if (price === 0) await page.locator('.answer .drawn > :not(.loading, .pages)').first().waitFor();
  return price;
}

/** Everything that a page holds for its scripts: markup, values of fields, storage and address. */
export const heldBy = (page: Page): Promise<string> =>
  page.evaluate<string>(`JSON.stringify([
    document.documentElement.outerHTML, [...document.querySelectorAll('input, textarea, select')].map((field) => field.value),
    { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href,
  ])`);

/** What the page saved as a file. */
export const textOf = async (download: Download): Promise<string> => textOfStream(await download.createReadStream());

export interface ShownAnswer {
  readonly status: number;
  /** The body as the service sent it. */
  readonly text: string;
  readonly charged: number;
}

/** Run, with its price. */
export const runButton = (page: Page): Locator => page.locator('form.query button[type=submit]');

/** Runs the form and waits until the answer is drawn. */
export async function runForm(page: Page): Promise<ShownAnswer> {
  const [response] = await Promise.all([
    page.waitForResponse((r) => /\/v1\/(?!account)/.test(new URL(r.url()).pathname)),
    runButton(page).click(),
  ]);
  const drawn = page.locator('.answer :is(.drawn > :not(.loading, .pages), .error)').first();
  await drawn.waitFor();
  const charged = await page.locator('[data-charged]').getAttribute('data-charged');
  assert.equal(charged, response.headers()['x-credits-charged'] ?? '0', 'the charge that is shown is that of the answer');
  return { status: response.status(), text: await response.text(), charged: Number(charged) };
}
