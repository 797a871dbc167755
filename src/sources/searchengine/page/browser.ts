import type { Reply } from '../../../outside/answer.ts';
import type { Clock } from '../../../outside/world.ts';

/** A tab that shows one address after the other; closed by whoever opened it. */
export interface Tab {
  visit(url: string, timeoutMs: number): Promise<Reply>;
  close(): Promise<void>;
}
export interface Browser {
  /** A tab without memory: no cookies of earlier lookups. */
  open(language: string): Promise<Tab | Exclude<Reply, { tag: 'answer' }>>;
}

/** What shows that a page is ready to be read, or that it never will be. */
const READY = '#rso, #b_results, #captcha-form, [data-sitekey], .captcha, form[action*="consent."], #botstuff p[role="heading"]';

/** The operator's own browser over its debugging protocol. `playwright-core` is loaded when it is first needed. */
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
              const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: timeoutMs });
              const left = Math.max(1, timeoutMs - (clock.now() - began));
              // a page that never gets ready is read as it stands: its reader says what it is
              await page.waitForSelector(READY, { state: 'attached', timeout: Math.min(left, 8_000) }).catch(() => undefined);
              const body = Buffer.from(await page.content());
              const headers = { 'content-type': 'text/html; charset=utf-8' };
              return { tag: 'answer', answer: { status: response?.status() ?? 200, headers, body, url: page.url(), at: clock.now() } };
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

function failure(error: unknown): Exclude<Reply, { tag: 'answer' }> {
  const detail = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  if ((error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND')
    return {
      tag: 'refused',
      what: "The operator's browser cannot be used.",
      detail: 'SIGHTLINE_BROWSER_URL needs the package playwright-core: npm install playwright-core',
    };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { tag: 'timeout', what: "The operator's browser did not show the page in time.", detail };
  return { tag: 'unreachable', what: "The operator's browser could not be reached.", detail };
}
