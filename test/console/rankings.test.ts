// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { until } from '../faults/service-process.ts';
import { violationsOf, withAxe } from './axe.ts';
import { complaintsOf, openConsole, textOf } from './open-console.ts';
import { isFailing, SITES, storeRankings } from './stored-rankings.ts';

const KEYWORDS = Array.from({ length: 13 }, (_, nth) => `keyword ${String(nth).padStart(2, '0')}`);
/** Rows of keywords, without the room of those that are not drawn. */
const ROWS = '.matrix tbody:not([aria-hidden]) tr';
/** It has room for all columns. */
const WIDE = { viewport: { width: 1440, height: 900 } };
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const focusedAt = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.closest('[data-at]')?.dataset.at ?? document.activeElement.tagName");

test('own site and rivals beside each other, from stored checks alone', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  const page = await signedIn(WIDE);
  await withAxe(page);
  const dialog = page.getByRole('dialog');
  const open = async (path = ''): Promise<void> => {
    await page.goto(`${service.baseUrl}/console/rankings${path}`);
    await page.getByRole('heading', { name: 'Rankings', level: 1 }).waitFor();
  };

  await t.test('without sites the page is the form for them: what is refused stands at its field', async () => {
    await open();
    await page.getByRole('heading', { name: 'Your site and up to five rivals' }).waitFor();
    await page.getByLabel('Your site').fill('www.Acme-Widgets.com');
    await page.getByLabel('Rival 3').fill('com');
    await page.getByRole('button', { name: 'Save' }).click();
    const wrong = page.locator('#site-3-wrong');
    await wrong.waitFor();
    assert.match(await wrong.innerText(), /^Field rivals\/0 is "com", but it/);
    assert.equal(await page.getByLabel('Rival 3').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await violationsOf(page, 'first sites'), []);
    await page.setViewportSize(WIDE.viewport);
    for (const [nth, site] of SITES.slice(1).entries()) await page.getByLabel(`Rival ${nth + 1}`).fill(site);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No keywords yet').waitFor();
    assert.deepEqual(await client.watches.sites(), { own: SITES[0], rivals: SITES.slice(1), apps: { own: null, rivals: [] } });
  });

  const ids = await storeRankings(service, {
    days: 40,
    keywords: KEYWORDS,
    of: (_, nth) => ({ tags: nth % 2 ? ['odd'] : [], ...(nth < 2 && { parameters: { device: 'mobile' } }) }),
    sourceOn: (day) => (day < 30 ? 'searchengine/dataforseo' : 'searchengine/page'),
  });
  const said = await client.watches.rankings({ from: dayBefore(29), to: dayBefore(0) });
  const before = (await client.account.get()).credits;

  const rowsAre = (count: number): Promise<void> => until(`${count} rows`, async () => (await page.locator(ROWS).count()) === count);
  /** Rows of the matrix as texts, by the column, when all of them are drawn: a frame draws some, and room stands for the others. */
  const cells = async (): Promise<readonly (readonly string[])[]> => {
    await page.locator(`${ROWS} td`).first().waitFor();
    await page.locator('.matrix tbody[aria-hidden]').waitFor({ state: 'detached' });
    return page.evaluate(
      "[...document.querySelectorAll('.matrix tbody tr')].map((row) => [...row.children].map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim()))",
    );
  };

  await t.test('each number of the page is that of the API', async () => {
    await open();
    const rows = await cells();
    assert.equal(rows.length, KEYWORDS.length);
    for (const [nth, keyword] of said.keywords.entries()) {
      const row = rows[nth] ?? [];
      const failed = isFailing(nth);
      const placeOf = (place: number | null): string => (failed ? '–' : place === null ? '20+' : String(place));
      assert.equal(row[0], `${keyword.keyword} ${keyword.device}`);
      const [own, ...rivals] = keyword.sites;
      assert.equal(row[1], placeOf(own?.place ?? null));
      if (!failed && own?.change) assert.equal(row[2], `${own.change > 0 ? 'up' : 'down'} ${Math.abs(own.change)}`);
      if (failed) assert.equal(row[2], '–');
      assert.equal(row[3], own?.best === null ? '–' : String(own?.best));
      assert.deepEqual(
        row.slice(5, 10),
        rivals.map(({ place }) => placeOf(place)),
      );
      const strong = await page.locator(`[data-at^="${nth + 1} "].numeric:not(.own) strong`).allInnerTexts();
      const above = failed ? [] : rivals.filter(({ place }) => place !== null && (own?.place === null || place < (own?.place ?? 0)));
      assert.deepEqual(
        strong,
        above.map(({ place }) => String(place)),
        'bold is a rival above',
      );
      const cited = keyword.sites.filter(({ isCited }) => isCited).length;
      assert.equal(await page.locator(`[data-at="${nth + 1} 11"] .swatch-mark`).count(), cited);
      if (keyword.cited === null) assert.equal(row[11], 'none shown');
      else if (cited === 0) assert.equal(row[11], 'none of 6');
    }
    const standing = await page.locator('.standing li').allInnerTexts();
    const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
    assert.deepEqual(
      standing.map((text) => text.split(/\s+/).slice(0, 2)),
      said.standing.sites.map(({ site, visibility }) => [site, percent.format(visibility ?? Number.NaN)]),
    );
    await page.getByText('Table of Visibility by day').click();
    const table = page.getByRole('table', { name: 'Visibility by day' }).locator('tbody tr');
    for (const [nth, { sites }] of said.visibility.entries())
      assert.deepEqual(
        (await table.nth(nth).locator('td').allInnerTexts()).slice(1),
        sites.map((value) => (value === null ? '–' : percent.format(value))),
      );
  });

  await t.test(
    'beside a rival with a long name there are still the columns of snippet and AI overview; a name is as people write it',
    async () => {
      const { own, rivals } = await client.watches.sites();
      const long = 'a-rather-long-name-of-a-shop-for-running-shoes.com';
      const compare = async (others: readonly string[]): Promise<void> => {
        await client.watches.setSites({ own: own ?? '', rivals: [...others] });
        await open();
        await cells();
      };
      try {
        await compare([long, 'xn--mller-kva.de', ...rivals.slice(2)]);
        for (const name of ['Snippet', 'AI cites']) await page.getByRole('columnheader', { name }).waitFor();
        await page.locator('.standing').getByTitle('xn--mller-kva.de').getByText('müller.de').waitFor();
        assert.doesNotMatch(await page.locator('main').innerText(), /xn--|\d\d:\d\d:\d\d/);
        const read = await client.watches.rankings({ from: dayBefore(29), to: dayBefore(0) });
        assert.ok(read.sites.includes('xn--mller-kva.de'), 'the API has the form of the wire');
      } finally {
        await compare(rivals);
        await until('the chart is drawn', async () => (await page.locator('.plot .end-label').count()) === SITES.length);
      }
    },
  );

  await t.test('a day without an answer is a gap of the line, and the label of a line is at its end', async () => {
    const paths = await page.locator('.plot .course').evaluateAll((lines) => lines.map((line) => line.getAttribute('d') ?? ''));
    assert.equal(paths.length, SITES.length);
    const gaps = said.visibility.filter(({ keywords }) => keywords === 0).length;
    assert.equal(gaps, 1);
    for (const path of paths) assert.equal(path.split('M').length - 1, 2, path);
    assert.equal(await page.locator('.plot .end-label').count(), SITES.length);
  });

  await t.test('a change of source is a dashed line of the chart, said below it and by the arrow keys', async () => {
    assert.equal(await page.locator('.plot line.mark').count(), 1);
    const words = 'Source: searchengine/page, before it searchengine/dataforseo.';
    await page.getByText(words).first().waitFor();
    const chart = page.getByRole('group', { name: /^Visibility by day/ });
    await chart.focus();
    await page.keyboard.press('End');
    assert.equal(await page.locator('.plot .tooltip').getByText(words).count(), 0);
    for (let day = 0; day < 9; day++) await page.keyboard.press('ArrowLeft');
    await page.locator('.plot .tooltip', { hasText: words }).waitFor();
    assert.match((await chart.locator('[role=status]').textContent()) ?? '', /stellamaris\.it [\d.]+%, .*Source: searchengine\/page/);
    await page.keyboard.press('Escape');
  });

  await t.test('filters are in the address; CSV by site is that of the service, CSV is the table as it is shown', async () => {
    await page.getByRole('button', { name: /^Tag/ }).click();
    await page.getByRole('dialog', { name: 'Tag' }).getByText('Odd', { exact: true }).click();
    await page.waitForURL(/[?&]tag=odd/);
    await rowsAre(6);
    await page.getByText('7 d', { exact: true }).click();
    await page.waitForURL(/_range=7d/);
    await page.reload();
    await rowsAre(6);
    await page.getByRole('columnheader', { name: '7 days' }).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV by site' }).click()]);
    const csv = await fetch(`${service.baseUrl}/v1/account/rankings?from=${dayBefore(6)}&to=${dayBefore(0)}&tag=odd&format=csv`, {
      headers: { 'x-api-key': service.key },
    });
    assert.equal(await textOf(file), await csv.text());
    await open('?tag=odd&_range=7d&_sort=-keyword&_cols=course,place,site1&_q=keyword%200');
    const rows = await cells();
    assert.deepEqual(
      rows.map(([name]) => name?.slice(8, 10)),
      ['09', '07', '05', '03', '01'],
    );
    const [shown] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV', exact: true }).click()]);
    const [head, ...lines] = (await textOf(shown))
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    assert.deepEqual(head, ['Keyword', 'Place', '7 days', SITES[1]]);
    assert.deepEqual(
      lines.map(([name, place, , rival]) => [name?.replace(' · ', ' '), place, rival]),
      rows.map(([name, place, , rival]) => [name, place, rival]),
    );
    for (const [, place, course = ''] of lines) {
      assert.equal(course.split(' ').length, 7);
      assert.equal(course.split(' ').at(-1), place);
    }
    await page.getByRole('searchbox', { name: 'Find a keyword' }).fill('nothing like it');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await rowsAre(13);
  });

  await t.test('by keyboard: arrows move through the cells, Enter opens the watch, / s a act', async () => {
    await open();
    await cells();
    const first = page.locator('[data-at="1 0"]');
    await first.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focusedAt(page), '2 1');
    await page.keyboard.press('End');
    assert.equal(await focusedAt(page), '2 11');
    await page.keyboard.press('Control+End');
    assert.equal(await focusedAt(page), '13 11');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focusedAt(page), '0 0');
    assert.equal(await page.locator('.matrix [tabindex="0"]').count(), 1, 'the grid is one stop of Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/_sort=-place/);
    const places = (await cells())
      .map((row) => row[1])
      .filter((text) => /^\d+$/.test(text ?? ''))
      .map(Number);
    assert.deepEqual(
      places,
      [...places].sort((a, b) => b - a),
    );
    assert.equal(await page.locator('.matrix thead th').nth(1).getAttribute('aria-sort'), 'descending');
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Find a keyword');
    await page.keyboard.press('s');
    assert.equal(await dialog.count(), 0, 'a key that is typed does not act');
    await page.locator('[data-at="1 0"]').focus();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: 'Sites' }).waitFor();
    assert.deepEqual(await violationsOf(page, 'sites'), []);
    await page.setViewportSize(WIDE.viewport);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Add keywords' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open();
    await cells();
    await page.locator('[data-at="3 5"]').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/console/watches/${ids[2]}$`));
  });

  await t.test('on a phone it is one card a keyword; axe finds nothing, and no page is too wide', async () => {
    await open('?_range=90d');
    await cells();
    assert.deepEqual(await violationsOf(page, 'rankings'), []);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.keyword-card').first().waitFor();
    assert.equal(await page.locator('.keyword-card').count(), KEYWORDS.length);
    const [, , third] = said.keywords;
    const above = third?.sites.slice(1).filter(({ place }) => place !== null && place < (third.sites[0]?.place ?? 99)).length;
    assert.match(
      await page.locator('.keyword-card').nth(2).innerText(),
      new RegExp(`${third?.keyword}[\\s\\S]*${above} of 5 rivals above`),
    );
    for (const width of [320, 390, 720, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page
        .locator(width < 960 ? '.keyword-card' : ROWS)
        .first()
        .waitFor();
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(over <= 0, `${over} px too wide at ${width} px`);
      if (width < 960) continue;
      await until('the matrix fits', () =>
        page.evaluate<boolean>("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.matrix'))"),
      );
      const heads = await page.locator('.matrix thead th').allInnerTexts();
      assert.equal(heads.includes('AI cites'), width === 1440, `at ${width} px`);
      // where there is no room for their names the marks stand for the rivals
      const rival = page.getByRole('columnheader', { name: SITES[1] });
      assert.equal((await rival.getByRole('button').getAttribute('title')) === SITES[1], width === 1024);
      assert.equal(await rival.locator('.swatch-mark').count(), 1);
    }
    await page.setViewportSize(WIDE.viewport);
  });

  await t.test('nothing of it made a lookup', async () => {
    assert.deepEqual((await client.account.get()).credits, before);
    const { requests } = await client.account.requests({ kind: 'lookup' });
    assert.deepEqual(requests, []);
  });

  await t.test('keywords are added from a list: lines are named, the price is said first, watches are made and checked once', async () => {
    await open();
    await cells();
    await page.getByRole('button', { name: 'Add keywords' }).click();
    const list = dialog.getByLabel('Keywords, one a line, or a file');
    await list.fill(`new one\nnew two\n${KEYWORDS[5]}\nNEW one\n\nnew three`);
    await dialog.getByText('5 lines: 3 new, 1 already watched (line 3), 1 twice (line 4).').waitFor();
    await dialog.getByRole('button', { name: 'Watch 3 keywords at most 186 a month' }).waitFor();
    await dialog.getByText('A check a week: 30 a month. 10 results: 93 a month.').waitFor();
    await dialog.getByText('First check now, 6 credits').waitFor();
    await dialog.getByLabel('Device').selectOption('mobile');
    await dialog.getByText('5 lines: 4 new, 1 twice (line 4).').waitFor();
    await dialog.getByLabel('Device').selectOption('desktop');
    await dialog.getByLabel('Tags').fill('added, odd');
    assert.deepEqual(await violationsOf(page, 'add keywords'), []);
    await page.setViewportSize(WIDE.viewport);
    await dialog.getByRole('button', { name: /^Watch 3 keywords/ }).click();
    await dialog.locator('strong', { hasText: '3 of 3 watches made · 3 checked' }).waitFor();
    await dialog.getByRole('button', { name: 'Show the rankings' }).click();
    await rowsAre(16);
    const { watches } = await client.watches.list({ limit: 100 });
    const added = watches.filter(({ tags }) => tags.includes('added'));
    assert.deepEqual(
      added.map(({ parameters, every, creditsPerMonth, tags, lastCheck }) => [
        parameters,
        every,
        creditsPerMonth,
        tags,
        lastCheck?.outcome,
      ]),
      ['new one', 'new two', 'new three'].map((keyword) => [{ keyword, depth: '20' }, '1d', 62, ['added', 'odd'], 'first']),
    );
  });

  await t.test('keywords of a file: the column is guessed by its name and can be changed; a failed line is named', async () => {
    await page.getByRole('button', { name: 'Add keywords' }).click();
    await dialog.getByLabel('File: a list, or CSV').setInputFiles({
      name: 'queries.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Clicks,Top queries\n12,file one\n3,"file, two"\n'),
    });
    await dialog.getByText('2 lines: 2 new.').waitFor();
    assert.equal(await dialog.getByLabel('Keywords, one a line, or a file').inputValue(), 'file one\nfile, two');
    await dialog.getByLabel('Column').selectOption('Clicks');
    assert.equal(await dialog.getByLabel('Keywords, one a line, or a file').inputValue(), '12\n3');
    await dialog.getByLabel('Column').selectOption('Top queries');
    await dialog.getByText(/First check now/).click();
    await dialog.getByLabel('Tags').fill('x'.repeat(41));
    await dialog.getByRole('button', { name: /^Watch 2 keywords/ }).click();
    await dialog.getByText(/^Line 2, file, two: Field tags is/).waitFor();
    await dialog.locator('strong', { hasText: '0 of 2 watches made' }).waitFor();
    await dialog.getByRole('button', { name: 'Show the rankings' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('in several places: what is known and what it costs is said of each, and a place stands once', async () => {
    await page.getByRole('button', { name: 'Add keywords' }).click();
    await dialog.getByLabel('Keywords, one a line, or a file').fill('New One\nnew four');
    await dialog.getByText('2 lines: 1 new, 1 already watched (line 1).').waitFor();
    await dialog.getByRole('button', { name: 'Add another place' }).click();
    const second = dialog.getByRole('group', { name: 'Place 2' });
    await second.getByText('The same as place 1: change more than the results.').waitFor();
    await second.getByLabel('Results').selectOption('10');
    await second.getByText('The same as place 1').waitFor();
    await dialog.getByRole('button', { name: /^Make/ }).click();
    assert.equal(await dialog.getByText('watches made').count(), 0, 'nothing is made while two places are the same');
    await second.getByLabel('Country').selectOption('DE');
    await second.getByLabel('Device').selectOption('mobile');
    await dialog.getByText('United States: 2 lines: 1 new, 1 already watched (line 1). Germany, Mobile: 2 lines: 2 new.').waitFor();
    const price = dialog.getByRole('region', { name: 'Price' });
    assert.match(
      await price.innerText(),
      /United States: 1 keyword × 2 credits\s+2 every day\s+Germany, Mobile: 2 keywords × 1 credit\s+2 every day/,
    );
    assert.match(await price.innerText(), /At most a month\s+124 credits[\s\S]*A check a week: 20 a month\. 10 results: 93 a month\./);
    assert.deepEqual(await violationsOf(page, 'places'), []);
    await dialog.getByRole('button', { name: 'Add another place' }).click();
    await dialog.getByRole('button', { name: 'Remove place 3' }).click();
    assert.equal(await dialog.getByRole('group', { name: /^Place/ }).count(), 2);
    assert.equal(await second.getByLabel('Country').evaluate((e) => e === e.ownerDocument.activeElement), true, 'the focus stays');
    await dialog.getByLabel('Tags').fill('places');
    await dialog.getByText('First check now, 4 credits').click();
    await dialog.getByRole('button', { name: /^Make 3 watches/ }).click();
    await dialog.locator('strong', { hasText: '3 of 3 watches made' }).waitFor();
    const { watches } = await client.watches.list({ limit: 100 });
    assert.deepEqual(
      new Set(watches.filter(({ tags }) => tags.includes('places')).map((w) => JSON.stringify([w.parameters, w.creditsPerMonth]))),
      new Set([
        JSON.stringify([{ keyword: 'new four', depth: '20' }, 62]),
        JSON.stringify([{ keyword: 'New One', location: 'DE', device: 'mobile' }, 31]),
        JSON.stringify([{ keyword: 'new four', location: 'DE', device: 'mobile' }, 31]),
      ]),
    );
    await dialog.getByRole('button', { name: 'Show the rankings' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  assert.deepEqual(complaintsOf(page), []);
});

test('app rankings beside each other: apps are named, keywords added, and the numbers are those of the API', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  await client.watches.setSites({ own: SITES[0], rivals: [SITES[1]] });
  const page = await signedIn(WIDE);
  await withAxe(page);
  await page.goto(`${service.baseUrl}/console/rankings`);
  await page.getByText('Apps in the App Store', { exact: true }).click();
  await page.waitForURL(/[?&]_of=apps/);
  await page.getByRole('heading', { name: 'Your app and up to five rivals' }).waitFor();
  await page.getByLabel('Your app').fill('Acme-Reviews');
  await page.getByLabel('Rival 2').fill('collections');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('#site-2-wrong').waitFor();
  assert.match(
    await page.locator('#site-2-wrong').innerText(),
    /^Field apps\/rivals\/0 is "collections", but it must be the handle of an app/,
  );
  await page.getByLabel('Rival 2').fill('no-such-app');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('No keywords yet').waitFor();
  assert.deepEqual(await client.watches.sites(), {
    ...{ own: SITES[0], rivals: [SITES[1]] },
    apps: { own: 'acme-reviews', rivals: ['no-such-app'] },
  });
  await page.getByRole('button', { name: 'Add keywords' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add keywords' });
  await dialog.getByLabel('Keywords, one a line, or a file').fill(`product reviews\n${'x'.repeat(201)}`);
  await dialog.getByText('2 lines: 1 new, 1 longer than 200 characters (line 2).').waitFor();
  assert.equal(await dialog.getByLabel('Device').count(), 0);
  await dialog.getByRole('button', { name: 'Watch 1 keyword at most 31 a month' }).click();
  await dialog.locator('strong', { hasText: '1 of 1 watch made · 1 checked' }).waitFor();
  await dialog.getByRole('button', { name: 'Show the rankings' }).click();
  await page.locator('[data-at="1 1"]').waitFor();
  const [keyword] = (await client.watches.appRankings()).keywords;
  const [own, rival] = keyword?.apps ?? [];
  assert.ok(own?.place);
  assert.equal(rival?.place, null);
  const row = await page.locator('.matrix tbody tr').first().locator('th, td').allInnerTexts();
  assert.deepEqual(
    [0, 1, 5].map((at) => row[at]),
    ['product reviews', String(own.place), `${keyword?.depth}+`],
  );
  assert.equal(row.length, 6, 'nothing that a search alone has');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV by app' }).click()]);
  assert.match(file.suggestedFilename(), /^app-rankings-/);
  assert.match(
    await textOf(file),
    /^watchId,keyword,checkedAt,app,place,before,best,first,change\r\n.+,product reviews,.+,acme-reviews,\d+,,/,
  );
  assert.deepEqual(await violationsOf(page, 'app rankings'), []);
  await page.setViewportSize(WIDE.viewport);
  await page.getByText('Sites in search', { exact: true }).click();
  await page.getByText('No keywords yet').waitFor();
  assert.deepEqual(complaintsOf(page), []);
});

const pagesOf = (pdf: Buffer): number => (pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;

test('the report: a page of its own without script, whole on one sheet, with the numbers of the API', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  await client.watches.setSites({ own: SITES[0], rivals: SITES.slice(1) });
  await storeRankings(service, { days: 30, keywords: ['<b>&"fat"</b>', ...KEYWORDS] });
  const said = await client.watches.rankings();
  const page = await signedIn(WIDE);
  await page.goto(`${service.baseUrl}/console/rankings`);
  await page.getByRole('button', { name: 'Report' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report' });
  await dialog.getByLabel('Title').fill('Acme & <Co> in search');
  await dialog.getByLabel('Client').fill('Acme Widgets');
  await dialog.getByLabel('Sender').fill('Northlight');
  const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save as a file' }).click()]);
  assert.match(saved.suggestedFilename(), /^rankings-\d{4}-\d\d-\d\d\.html$/);
  const file = await textOf(saved);
  await page.getByRole('button', { name: 'Report' }).click();
  await dialog.getByLabel('Title').fill('Acme & <Co> in search');
  await dialog.getByLabel('Client').fill('Acme Widgets');
  await dialog.getByLabel('Sender').fill('Northlight');
  const [report] = await Promise.all([page.waitForEvent('popup'), dialog.getByRole('link', { name: 'Open to print' }).click()]);
  await report.getByRole('heading', { name: 'Acme & <Co> in search', level: 1 }).waitFor();
  assert.equal(await report.evaluate("document.querySelectorAll('script, [style], [src], link').length"), 0);
  assert.deepEqual(
    await report.evaluate('document.fonts.ready.then((all) => [...all].map(({ family, status }) => [family, status].join(" ")))'),
    ['Inter loaded'],
  );
  assert.equal(file.trim(), (await (await fetch(report.url(), { headers: { 'x-api-key': service.key } })).text()).trim());

  const figures = await report.locator('.figures dd').evaluateAll((all) => all.map((one) => one.firstChild?.textContent));
  const [own] = said.standing.sites;
  const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
  assert.deepEqual(figures, [percent.format(own?.visibility ?? 0), own?.firstPage.now, own?.firstThree.now, own?.cited.now].map(String));
  const rows = await report
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].slice(0, 8).map((cell) => cell.textContent)));
  assert.deepEqual(
    rows,
    said.keywords.map((keyword, nth) => {
      const text = (place: number | null | undefined): string => String(place ?? '20+');
      const places = keyword.sites.map(({ place }) => (isFailing(nth) ? '–' : text(place)));
      return [keyword.keyword, places[0], text(keyword.sites[0]?.first), ...places.slice(1)];
    }),
  );
  const most = Math.max(...said.keywords.map(({ sites, failedAt }) => (failedAt ? 0 : Math.abs(sites[0]?.change ?? 0))));
  const moved = /^(.+): (\d+) → (\d+)/.exec((await report.locator('.moves li').first().innerText()) ?? '');
  assert.equal(Math.abs(Number(moved?.[2]) - Number(moved?.[3])), most);

  for (const format of ['A4', 'Letter'] as const) {
    assert.equal(pagesOf(await report.pdf({ format })), 2, format);
    await report.evaluate("document.querySelector('.rest').remove()");
    assert.equal(pagesOf(await report.pdf({ format })), 1, `${format}: the first page is whole`);
    await report.reload();
  }
  await withAxe(report);
  assert.deepEqual(await violationsOf(report, 'report'), []);
  for (const width of [320, 390, 720, 793]) {
    await report.setViewportSize({ width, height: 900 });
    const over = await report.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(over <= 0, `${over} px too wide at ${width} px`);
  }
  assert.deepEqual(complaintsOf(page), []);
});

test('of a thousand keywords those near the window are rendered, and the keyboard reaches every one', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t, { SIGHTLINE_WATCHES_PER_ACCOUNT: '2000' });
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  await client.watches.setSites({ own: SITES[0], rivals: SITES.slice(1) });
  await storeRankings(service, { days: 2, keywords: Array.from({ length: 1000 }, (_, nth) => `many ${nth}`) });
  const page = await signedIn(WIDE);
  await page.goto(`${service.baseUrl}/console/rankings`);
  const focusIs = (at: RegExp): Promise<void> => until(`the focus at ${at}`, async () => at.test(await focusedAt(page)));
  await page.locator('[data-at="1 0"]').focus();
  assert.ok((await page.locator(ROWS).count()) < 120);
  assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '1001');
  const fits = Math.ceil((await page.locator('.matrix').evaluate((box) => box.clientHeight)) / 33);
  await until('the window is filled', async () => (await page.locator(ROWS).count()) >= fits);
  // what one turn of the event loop draws is one batch of changes: what is still drawn of before comes in another
  const jumped = await page.evaluate<{ added: number; at: string }>(`new Promise((resolve) => {
    let added = null;
    const observer = new MutationObserver((all) => {
      observer.disconnect();
      const rows = all.flatMap(({ addedNodes }) => [...addedNodes]).flatMap((node) => (node.matches?.('tr') ? [node] : [...(node.querySelectorAll?.('tr') ?? [])]));
      added = new Set(rows.filter((row) => row.querySelector('[data-at]'))).size;
    });
    observer.observe(document.querySelector('.matrix'), { childList: true, subtree: true });
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', ctrlKey: true, bubbles: true, cancelable: true }));
    requestAnimationFrame(() => resolve({ added, at: document.activeElement.dataset.at }));
  })`);
  assert.equal(jumped.at, '1000 11', 'a jump has arrived at the next frame');
  assert.ok(jumped.added > 0 && jumped.added <= 3, `${jumped.added} rows before the next paint`);
  await until('the window is filled', async () => (await page.locator(ROWS).count()) >= fits);
  await focusIs(/^1000 11$/);
  assert.ok((await page.locator(ROWS).count()) < 120);
  await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowUp');
  await focusIs(/^9[5-9]\d 11$/);
  await page.keyboard.press('Control+Home');
  await focusIs(/^1 0$/);
  await until('the window is filled', async () => (await page.locator(ROWS).count()) >= fits);
  const sorted = await page.evaluate<{ rows: number; others: number }>(`new Promise((resolve) => {
    const observer = new MutationObserver((all) => {
      observer.disconnect();
      resolve({
        rows: document.querySelectorAll('.matrix tbody [role=rowheader]').length,
        others: all.filter(({ target }) => document.querySelector('.columns').contains(target)).length,
      });
    });
    observer.observe(document.querySelector('main'), { childList: true, subtree: true, attributes: true, characterData: true });
    document.querySelector('.matrix thead button').click();
  })`);
  assert.deepEqual(sorted, { rows: 3, others: 0 }, 'after sorting the first rows are drawn alone, and nothing above them');
  await until('the window is filled', async () => (await page.locator(ROWS).count()) >= fits);
  await until('the rows around it are drawn', async () => (await page.locator(ROWS).count()) === fits + 9);
  const scrolled = await page.evaluate<number>(`new Promise((resolve) => {
    let changes = 0;
    const box = document.querySelector('.matrix');
    const observer = new MutationObserver((all) => (changes += all.length));
    observer.observe(box, { childList: true, subtree: true });
    box.addEventListener('scroll', () => requestAnimationFrame(() => resolve(changes + observer.takeRecords().length)), { once: true });
    box.scrollTop += 5 * 33;
  })`);
  assert.equal(scrolled, 0, 'what is drawn around the window is seen before more is drawn');
  await until('the rows below are drawn', async () => (await page.locator(`[data-at="${fits + 14} 0"]`).count()) === 1);
  await page.locator('.matrix').evaluate((box) => box.scrollTo(0, 15_000));
  await page.getByRole('rowheader', { name: 'many 460', exact: true }).waitFor();
  assert.deepEqual(complaintsOf(page), []);
});
