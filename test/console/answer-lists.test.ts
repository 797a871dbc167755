// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordsOf } from '../../src/contract/csv-records.ts';
import type { ForumPostPage } from '../../src/contract/operations/forum.ts';
import type { SearchResult } from '../../src/contract/operations/serp/operation.ts';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, fillForm, openConsole, runForm, textOf } from './open-console.ts';

test('lists of an answer are sorted and chosen, countries are found by name, and times are those of the reader', {
  skip: missing,
}, async (t) => {
  const { signedIn } = await openConsole(t);
  const page = await signedIn({ timezoneId: 'Asia/Kolkata' });
  // of the list that stands first in the answer
  const table = page.locator('.answer .table').first();
  const heads = table.locator('thead th');
  const cellsOf = async (name: string): Promise<readonly string[]> => {
    await table.waitFor(); // its code comes with the tab
    const at = (await heads.allInnerTexts()).indexOf(name);
    return table.locator(`tbody tr > :nth-child(${at + 1})`).allInnerTexts();
  };
  let resource!: SearchResult;

  await t.test(
    'Table: numbers from the largest on, then from the smallest, then as listed; the order is said and in the address',
    async () => {
      await fillForm(page, { id: 'serp' });
      resource = JSON.parse((await runForm(page)).text) as SearchResult;
      await page.getByRole('tab', { name: /^Table/ }).click();
      const head = heads.filter({ hasText: /^Absolute rank$/ });
      const listed = resource.organic.map(({ absoluteRank }) => String(absoluteRank));
      assert.deepEqual(await cellsOf('Absolute rank'), listed);
      await head.getByRole('button').click();
      assert.equal(await head.getAttribute('aria-sort'), 'descending');
      assert.deepEqual(await cellsOf('Absolute rank'), listed.toReversed());
      await head.getByRole('button').click();
      assert.equal(await head.getAttribute('aria-sort'), 'ascending');
      await head.getByRole('button').click();
      assert.equal(await head.getAttribute('aria-sort'), 'none');
      await head.getByRole('button').click();
      await page.waitForURL(/_entriessort=-absoluteRank/);
      assert.equal(await table.isVisible(), true, 'the answer stays');
    },
  );

  await t.test('columns are chosen, and CSV is what is shown in the order that is shown', async () => {
    await page.getByRole('button', { name: 'Columns' }).first().click();
    for (const name of ['Description', 'Breadcrumb']) await page.getByRole('dialog').getByLabel(name, { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    const shown = await heads.allInnerTexts();
    assert.ok(!shown.includes('Description') && shown.includes('Domain'));
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).first().click()]);
    const [first, ...rows] = [...recordsOf(await textOf(file), ',')].map(({ fields }) => (fields.ok ? fields.value : []));
    assert.deepEqual(first, shown);
    assert.deepEqual(
      rows.map((row) => row[shown.indexOf('Domain')]),
      resource.organic.map(({ domain }) => domain).toReversed(),
    );
  });

  await t.test('a flag that is false is said, and a column without a value is named instead of drawn', async () => {
    const empty = { ...resource, organic: resource.organic.map((entry) => ({ ...entry, websiteName: null, isFeaturedSnippet: false })) };
    await page.route('**/v1/searchengine/serp**', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(empty) }),
    );
    await fillForm(page, { id: 'serp' });
    await runForm(page);
    await page.getByRole('tab', { name: /^Table/ }).click();
    assert.deepEqual([...new Set(await cellsOf('Is featured snippet'))], ['no']);
    assert.ok(!(await heads.allInnerTexts()).includes('Website name'));
    await page.getByText(/Website name.*: not stated by the source/).waitFor();
    await page.unroute('**/v1/searchengine/serp**');
  });

  await t.test('a country is found by its name, by keyboard; those of the last lookups come first', async () => {
    await fillForm(page, { id: 'serp' });
    const chip = page.locator('.query .chip', { hasText: 'Country' }).getByRole('button').first();
    await chip.click();
    await page.keyboard.type('germ');
    await page.keyboard.press('Enter');
    await page.waitForURL(/location=DE/);
    assert.match(await chip.innerText(), /DE/);
    assert.equal(await chip.getAttribute('title'), 'Germany');
    await runForm(page);
    await chip.click();
    await page.keyboard.type('Österr');
    await page.getByText('Nothing is called “Österr”.').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('austr');
    assert.deepEqual(await page.getByRole('dialog').getByRole('radio').count(), 2);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    const first = await page.getByRole('dialog').locator('.option').first().innerText();
    assert.match(first, /Germany/);
    await page.keyboard.press('Escape');
  });

  await t.test('times are those of the reader, with UTC in the title', async () => {
    const at = '2026-06-15T20:00:00.000Z';
    await page.route('**/v1/traffic/domains/**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: JSON.stringify({ ...(await response.json()), scrapedAt: at }) });
    });
    await fillForm(page, { id: 'traffic' });
    await runForm(page);
    const time = page.locator(`time[datetime="${at}"]`).first();
    assert.match(await time.innerText(), /Jun\u00a016,\u00a02026, 01:30\u00a0GMT\+5:30/);
    assert.match((await time.getAttribute('title')) ?? '', /01:30:00 GMT\+5:30 · 2026-06-15 20:00:00 UTC/);
  });

  await t.test('posts are sorted and found', async () => {
    await fillForm(page, { id: 'forum-community' });
    const { posts } = JSON.parse((await runForm(page)).text) as ForumPostPage;
    const titles = page.locator('.posts h2 a');
    await titles.first().waitFor();
    assert.equal(await titles.count(), posts.length);
    await page.locator('.drawn').getByRole('button', { name: /^Sort/ }).click();
    await page.getByLabel('Points', { exact: true }).check();
    await page.keyboard.press('Escape');
    const best = posts.toSorted((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity))[0];
    assert.equal(await titles.first().innerText(), best?.title);
    const author = posts.find((post) => post.author !== null)?.author ?? '';
    await page.getByRole('searchbox', { name: 'Find in these posts' }).fill(author);
    const found = posts.filter((post) =>
      [post.title, post.author, post.selftext].some((text) => text?.toLowerCase().includes(author.toLowerCase())),
    );
    await page.getByText(found.length === 1 ? '1 match' : `${found.length} matches`, { exact: true }).waitFor();
    assert.equal(await titles.count(), found.length);
  });
  assert.deepEqual(complaintsOf(page), []);
});
