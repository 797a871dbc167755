import type { Page, Request, Response } from 'playwright-core';
import type { Clock } from '../../../runtime/clock.ts';
import type { Failure, Reply } from '../../../upstream/answer.ts';

/** A tab that loads one URL after another; the caller that opened it closes it. */
export interface Tab {
  visit(url: string, timeoutMs: number): Promise<Reply>;
  close(): Promise<void>;
}
export interface Browser {
  /** A tab with an empty context: no cookies of earlier lookups. */
  open(language: string): Promise<Tab | Failure>;
}

/** Signs that a page is ready to be parsed, or that it will never be. */
const READY = '#rso, #b_results, #captcha-form, [data-sitekey], .captcha, form[action*="consent."], #botstuff p[role="heading"]';

/** Connects to the operator's browser over the Chrome DevTools Protocol. `playwright-core` is imported on first use. */
export function connectedBrowser(address: string, clock: Clock): Browser {
  let connection: Promise<import('playwright-core').Browser> | null = null;
  async function connect(): Promise<import('playwright-core').Browser> {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.connectOverCDP(address, { timeout: 10_000 });
    browser.on('disconnected', () => {
      connection = null;
    });
    return browser;
  }
  return {
    async open(language) {
      try {
        connection ??= connect();
        const browser = await connection;
        const context = await browser.newContext({ locale: language });
        const page = await context.newPage();
        return {
          async visit(url, timeoutMs) {
            const began = clock.now();
            try {
              const response = await arrival(page, url, timeoutMs);
              const status = response?.status() ?? 200;
              const left = Math.max(1, timeoutMs - (clock.now() - began));
              // a page that does not become ready is parsed as it is: the parser classifies it
              if (status < 400)
                await page.waitForSelector(READY, { state: 'attached', timeout: Math.min(left, 8_000) }).catch(() => undefined);
              // the body is no longer available after the page has navigated to another one
              const source = await response?.text().catch(() => null);
              const body = Buffer.from(asSent(await page.content(), source ?? null));
              const retryAfter = response?.headers()['retry-after'];
              const headers = { 'content-type': 'text/html; charset=utf-8', ...(retryAfter && { 'retry-after': retryAfter }) };
              return { tag: 'answer', answer: { status, headers, body, url: page.url(), atMs: clock.now() } };
            } catch (error) {
              return failure(error);
            }
          },
          close: () => context.close().catch(() => undefined),
        };
      } catch (error) {
        connection = null;
        return failure(error);
      }
    },
  };
}

/** Resolved after its markup was parsed. A connection that breaks off never gets there: it ends the wait here. */
async function arrival(page: Page, url: string, timeoutMs: number): Promise<Response | null> {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  const onFailed = (request: Request) => {
    const why = request.failure()?.errorText ?? 'no reason given';
    // an aborted navigation was replaced by another one
    if (why !== 'net::ERR_ABORTED' && request.isNavigationRequest() && request.frame() === page.mainFrame()) reject(new Error(why));
  };
  page.on('requestfailed', onFailed);
  try {
    return await Promise.race([page.goto(url, { waitUntil: 'domcontentloaded', timeout: timeoutMs }), broken]);
  } finally {
    page.off('requestfailed', onFailed);
  }
}

/** The page without the end tag that a browser adds to a truncated document, so that the parser can detect the truncation. */
const asSent = (page: string, source: string | null): string =>
  source === null || /<\/html\s*>/i.test(source) ? page : page.replace(/<\/html>\s*$/, '');

function failure(error: unknown): Failure {
  const detail = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  const missing = 'SIGHTLINE_BROWSER_URL needs the package playwright-core: npm install playwright-core';
  if ((error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND')
    return { tag: 'refused', what: "The operator's browser cannot be used.", detail: missing };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { tag: 'timeout', what: "The operator's browser did not show the page in time.", detail };
  return { tag: 'unreachable', what: "The operator's browser could not be reached.", detail };
}
