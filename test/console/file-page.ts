/** What tests of the page of a file share. */
import type { Page } from 'playwright-core';
import { textOf } from './open-console.ts';

/** As the page has it. */
export const CONCURRENCY = 5;
export const LOOKUPS = '**/v1/website/whois/domains/**';

export const domains = (count: number): string => Array.from({ length: count }, (_, n) => `name-${n}.com`).join('\n');
export const give = async (page: Page, name: string, contents: string | Buffer): Promise<void> => {
  await page.goto(`${new URL(page.url()).origin}/console/files?_op=${name.startsWith('domains') ? 'registration' : 'serp'}`);
  await page.getByLabel('Choose a file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(contents) });
  await page.waitForURL(/\/console\/files\/[0-9a-f]+$/);
  await page.locator('.file-lines tbody tr').first().waitFor();
};
export const runIt = (page: Page): Promise<void> => page.getByRole('button', { name: /^Run / }).click();
export const done = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Download' }).waitFor();
export const countDone = async (page: Page): Promise<number> =>
  Number((await page.getByRole('progressbar').getAttribute('aria-valuenow')) ?? 0);
/** Ends the process of a page, as a crash of the browser does. */
export async function crash(page: Page): Promise<void> {
  const ended = page.waitForEvent('crash');
  const devtools = await page.context().newCDPSession(page);
  devtools.send('Page.crash').catch(() => undefined);
  await ended;
  await page.close();
}
interface Line {
  readonly line: number;
  readonly ok: boolean;
  readonly credits: number;
  readonly cache: string | null;
  readonly input: Readonly<Record<string, string>>;
}
export async function resultOf(page: Page): Promise<readonly Line[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download NDJSON' }).click()]);
  const text = await textOf(file);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
