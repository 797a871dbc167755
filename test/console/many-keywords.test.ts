// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { until } from '../faults/service-process.ts';
import { complaintsOf, openConsole } from './open-console.ts';
import { SITES, storeRankings } from './stored-rankings.ts';

const KEYWORDS = Array.from({ length: 300 }, (_, nth) => `keyword ${nth}`);
const ROWS = '.matrix tbody:not([aria-hidden]) tr';
/** Rows that one frame may add to the rankings. */
const MOST_ADDED = 3;

/** Keywords that a print of the page has. */
async function printed(page: Page): Promise<number> {
  await page.evaluate(`void (window.onPaper = new Promise((resolve) =>
    matchMedia('print').addEventListener('change', async ({ matches }) => {
      // what hears of it first draws first
      for (let turn = 0; turn < 3; turn++) await null;
      if (matches) resolve(document.querySelectorAll('${ROWS}').length);
    })))`);
  await page.pdf({ preferCSSPageSize: true });
  return page.evaluate<number>('onPaper');
}

test('hundreds of keywords: an act draws few rows before the next paint, and paper has all of them', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  await client.watches.setSites({ own: SITES[0], rivals: SITES.slice(1) });
  await storeRankings(service, { days: 3, keywords: KEYWORDS });
  const page = await signedIn({ viewport: { width: 1440, height: 900 } });
  const open = async (rows: string): Promise<void> => {
    await page.goto(`${service.baseUrl}/console/rankings`);
    await page.locator(rows).nth(8).waitFor();
  };

  await t.test('sorting, finding and another column draw three rows, and the others in later frames', async () => {
    await open(ROWS);
    await page
      .locator(ROWS)
      .nth(5 * MOST_ADDED)
      .waitFor();
    const columns = page.getByRole('dialog', { name: 'Columns and order' });
    for (const [name, act] of [
      ['sorted', () => page.locator('.matrix thead').getByRole('button', { name: 'Place', exact: true }).press('Enter')],
      [
        'found',
        () =>
          page
            .getByRole('searchbox', { name: 'Find a keyword' })
            .fill('keyword')
            .then(() => page.keyboard.press('Enter')),
      ],
      ['a column less', () => columns.getByLabel('Best', { exact: true }).press('Space')],
      ['a column more', () => columns.getByLabel('Best', { exact: true }).press('Space')],
    ] as const) {
      if (name === 'a column less') await page.getByRole('button', { name: 'Columns' }).click();
      // by the frame: rows with a cell that is new
      await page.evaluate(`{
        window.added = [];
        let rows = new Set();
        window.seen?.disconnect();
        window.seen = new MutationObserver((changes) => {
          for (const { addedNodes } of changes)
            for (const node of addedNodes)
              if (node instanceof Element)
                for (const row of [node.closest('tr'), ...node.querySelectorAll('tr')]) if (row?.matches('${ROWS}')) rows.add(row);
          if (rows.size > 0) added.push(rows.size);
          rows = new Set();
        });
        window.seen.observe(document.querySelector('.matrix table'), { childList: true, subtree: true });
      }`);
      await act();
      await until('later frames', () =>
        page.evaluate<boolean>(`document.querySelectorAll('${ROWS}').length >= ${MOST_ADDED} && added.length > 1`),
      );
      const added = await page.evaluate<readonly number[]>('added');
      assert.ok(Math.max(...added) <= MOST_ADDED, `${name}: ${added.join(', ')}`);
    }
  });

  for (const width of [390, 1024, 1440])
    await t.test(`all are printed from a window of ${width} px`, async () => {
      await page.setViewportSize({ width, height: 900 });
      await open(width < 960 ? '.keyword-card' : ROWS);
      assert.equal(await printed(page), KEYWORDS.length);
    });
  assert.deepEqual(complaintsOf(page), []);
});
