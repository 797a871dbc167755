/** axe-core in a page of the console. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { sizeOf } from '../support/sizes.ts';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const WIDTHS = [390, 1400] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Schemes for each view and width; with one, views take turns in which. */
const SCHEMES_AT_WIDTH = sizeOf({ whole: 2, part: 1 });
let views = 0;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The page, if it is wider than the window, and what reaches beyond it. */
const WIDER = `(() => {
  const most = document.documentElement.scrollWidth;
  if (most <= innerWidth) return [];
  const beyond = [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth);
  return ['the page: ' + most, ...beyond.slice(0, 5).map((e) => e.outerHTML.slice(0, 120))];
})()`;

/** Violations that axe-core finds in the page as it stands, in one scheme. */
export async function faultsOf(page: Page, view: string, colorScheme: (typeof SCHEMES)[number]): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme });
  // the dark scheme differs in its colours alone
  const rules = colorScheme === 'dark' ? ', runOnly: ["color-contrast"]' : '';
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { resultTypes: ["violations"]${rules} }).then((r) => r.violations)`,
  );
  return violations.map((v) => `${view}, ${colorScheme}: ${v.id}: ${v.nodes[0]?.html.slice(0, 200)} ${v.nodes[0]?.failureSummary}`);
}

/** Violations that axe-core finds in the page, at both widths, each in one scheme; in the gate, in both. */
export async function violationsOf(page: Page, view: string): Promise<readonly string[]> {
  const found: string[] = [];
  views++;
  for (const [at, width] of WIDTHS.entries()) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of SCHEMES.filter((_, scheme) => SCHEMES_AT_WIDTH > 1 || (views + at + scheme) % 2 === 0)) {
      found.push(...(await faultsOf(page, `${view}, ${width} px`, colorScheme)));
      const wider = await page.evaluate<readonly string[]>(WIDER);
      if (wider.length) found.push(`${view}, ${width} px: wider than the window: ${wider.join(', ')}`);
    }
  }
  await page.setViewportSize({ width: 1400, height: 900 });
  return found;
}

/** Adds axe-core to the page and to each that it loads: the Content-Security-Policy of the page is not loosened. */
export async function withAxe(page: Page): Promise<void> {
  await page.addInitScript({ content: AXE });
  await page.evaluate(AXE);
}
