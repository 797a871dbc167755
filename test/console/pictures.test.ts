// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import type { TrafficEstimate } from '../../src/contract/operations/traffic/operation.ts';
import { missing } from '../browser/chromium.ts';
import { factsOf } from './facts.ts';
import { complaintsOf, fillForm, openConsole, runForm } from './open-console.ts';

const MAX_PICTURE_BYTES = 150_000;
const HEIGHT_PX = 560;
const MARGIN_PX = 16;
/** `SIGHTLINE_TEST_PICTURES=docs/pictures` writes the pictures of the documentation. */
const FOLDER = process.env.SIGHTLINE_TEST_PICTURES;

/** A panel's answer: the sandbox has none. */
const PANEL: TrafficEstimate = {
  domain: 'acme-widgets.com',
  period: '2026-09',
  visits: 1_893_412,
  visitsLow: null,
  visitsHigh: null,
  uniqueVisitors: 1_204_118,
  pagesPerVisit: 4.31,
  avgVisitDurationSeconds: 187.4,
  bounceRate: 0.412,
  history: [1_402_113, 1_388_904, 1_511_320, 1_602_871, null, 1_703_455, 1_821_904, 1_779_236, 1_893_412].map((visits, at) => ({
    month: `2026-0${at + 1}`,
    visits,
  })),
  trafficSources: { direct: 0.371, search: 0.402, social: 0.061, referral: 0.094, mail: 0.042, paid: 0.03 },
  topCountries: [
    { country: 'US', share: 0.512 },
    { country: 'GB', share: 0.124 },
    { country: 'DE', share: 0.087 },
    { country: 'CA', share: 0.071 },
    { country: 'FR', share: null },
  ],
  globalRank: 30_718,
  countryRank: { country: 'US', rank: 12_044 },
  categoryRank: { category: 'Shopping/Widgets', rank: 87 },
  method: 'panel',
  rankSource: 'panel',
  confidence: 'high',
  scrapedAt: '2026-10-12T08:00:00.000Z',
};

const PANEL_HEADERS = {
  'x-credits-charged': '1',
  'x-credits-remaining': '9997',
  'x-data-source': 'similarweb',
  'cache-status': 'sightline; fwd=miss; stored',
  age: '0',
};

/** Takes a picture of the upper part of an element, with the page at its top. */
async function picture(page: Page, name: string, from: Locator): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  const box = await from.boundingBox();
  assert.ok(box);
  const clip = {
    x: Math.max(0, box.x - MARGIN_PX),
    y: Math.max(0, box.y),
    width: box.width + 2 * MARGIN_PX,
    height: Math.min(box.height, HEIGHT_PX),
  };
  const bytes = await page.screenshot({ clip });
  assert.ok(bytes.length > 10_000 && bytes.length < MAX_PICTURE_BYTES, `${name}: ${bytes.length} bytes`);
  if (!FOLDER) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.png`), bytes);
}

test('charts have a name and a table each; pictures of result page, comments, a watch and traffic', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn({ viewport: { width: 1240, height: 1000 } });

  await fillForm(page, { id: 'serp' });
  await runForm(page);
  await picture(page, 'serp', page.locator('#main'));

  await fillForm(page, { id: 'forum-comments' });
  await runForm(page);
  await picture(page, 'comments', page.locator('#main'));

  const watches = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key }).watches;
  const parameters = { keyword: 'running shoes' };
  const fields = ['organic[www.acme-widgets.com].rank'];
  const { watchId } = await watches.create({ operation: 'serp', parameters, every: '1d', creditsPerMonth: 31, fields });
  for (let day = 0; day < 7; day++) {
    await watches.run(watchId);
    service.sandbox.nextDay();
  }
  await page.goto(`${service.baseUrl}/console/watches/${watchId}`);
  await page.getByRole('group', { name: /^Organic rank by check/ }).waitFor();
  await picture(page, 'watch', page.locator('#main'));

  await page.route('**/v1/traffic/**', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', headers: PANEL_HEADERS, body: JSON.stringify(PANEL) }),
  );
  await fillForm(page, { id: 'traffic' });
  await runForm(page);
  await picture(page, 'traffic', page.locator('#main'));

  await t.test('the facts of a panel are drawn', async () => {
    const drawn = (await page.locator('.drawn').innerText()).replace(/\s+/g, ' ');
    const lacking = factsOf(PANEL).stated.filter(({ anyOf }) => !anyOf.some((text) => drawn.includes(text)));
    // months that have no room for a label, and their visits, are in the table behind the chart
    assert.deepEqual(
      lacking.filter(({ pointer }) => !pointer.startsWith('/history/')).map(({ pointer }) => pointer),
      [],
    );
    assert.match(drawn, /Measured by a panel of users/);
  });
  await t.test('the chart says its extremes, and has its numbers in a table', async () => {
    await page.getByRole('group', { name: /^Visits by month: 8 places, most 2026-09 1\.9M, least 2026-02 1\.4M\./ }).waitFor();
    await page.getByText('Table of Visits by month').click();
  });
  for (const [title, rows] of [
    ['Visits by month', 9],
    ['Sources of visits', 6],
    ['Countries of visits', 5],
  ] as const)
    await t.test(title, async () => {
      const table = page.getByRole('table', { name: title });
      assert.equal(await table.locator('tbody tr').count(), rows);
      assert.match(await table.innerText(), /not stated by the source|Search/);
    });
  assert.deepEqual(complaintsOf(page), []);
});
