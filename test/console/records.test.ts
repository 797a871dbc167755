// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, openConsole, textOf } from './open-console.ts';

const rows = (page: Page) => page.locator('main tbody tr');
const names = (page: Page) => rows(page).locator('th').allInnerTexts();
async function csvOf(page: Page): Promise<readonly string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  return (await textOf(download)).trim().split('\r\n');
}

test('lists, evidence and audit log: address, order, pages, search and CSV', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t, { SIGHTLINE_CAPTURE: 'all' });
  for (let i = 0; i < 60; i++) await service.get(`/v1/website/whois/domains/acme-widgets.com?refresh=${i}`, { 'x-api-key': service.key });
  await service.get('/v1/website/whois/domains/acme-widgets.com');
  await service.get('/v1/appmarket/apps/acme-reviews');
  for (let i = 0; i < 230; i++) await service.admin.createAccount({ name: `Account ${i}`, credits: 10 + i });
  const [last] = await service.admin.listAccounts({ search: 'Account 229' });
  assert.ok(last);
  await service.admin.createKey({ accountId: last.accountId, label: 'robot of 229' });

  await t.test('requests: filters, order and page are in the address; reload, back and a copied link show the same', async () => {
    const page = await signedIn();
    const origin = new URL(page.url()).origin;
    await page.goto(`${origin}/console/requests`);
    await rows(page).nth(49).waitFor();
    assert.equal(await page.getByText('account-', { exact: false }).count(), 0, 'requests to account endpoints are hidden');
    await page.getByRole('button', { name: 'Older' }).click();
    await rows(page).nth(49).waitFor({ state: 'detached' });
    const older = await names(page);
    assert.ok(older.length >= 11 && older.length < 50);
    await page.reload();
    await rows(page).first().waitFor();
    assert.deepEqual(await names(page), older);
    await page.goto(`${origin}/console/requests?_op=app`);
    await rows(page).first().waitFor();
    assert.equal(await rows(page).count(), 1);
    await page.goto(`${origin}/console/requests?_status=errors&_sort=-took`);
    await page.locator('[aria-sort="descending"]', { hasText: 'Took' }).waitFor();
    assert.equal((await csvOf(page)).length, 61, 'every row of the filter is in the file, not the page alone');
    await page.getByRole('button', { name: 'Took' }).click();
    await page.locator('[aria-sort="ascending"]', { hasText: 'Took' }).waitFor();
    await page.goBack();
    await page.locator('[aria-sort="descending"]', { hasText: 'Took' }).waitFor();
    await rows(page).first().getByRole('link').click();
    await page.getByRole('heading', { name: 'Why it was free' }).waitFor();
    assert.equal(await page.locator('h1').count(), 1);
    assert.deepEqual(complaintsOf(page), []);
  });

  await t.test('accounts and audit log are found and read beyond their first page; the account stays after a reload', async () => {
    const page = await signedIn({}, 'operator');
    await page.getByRole('region', { name: 'Now' }).getByText('one, no fleet').waitFor();
    const origin = new URL(page.url()).origin;
    await page.goto(`${origin}/console/accounts`);
    await rows(page).nth(49).waitFor();
    assert.equal((await csvOf(page)).length, 232, 'head and all accounts');
    await page.getByRole('searchbox').fill('account 229');
    await page.keyboard.press('Enter');
    await page.getByText('1–1 of 1', { exact: true }).waitFor();
    const balance = rows(page).first().locator('td[data-name=Balance]');
    const before = Number((await balance.innerText()).replaceAll(',', ''));
    await page.getByRole('button', { name: 'Grant Account 229' }).click();
    await page.getByRole('dialog').getByLabel('Credits', { exact: true }).fill('5');
    await page.getByRole('dialog').getByLabel('Note for the ledger').fill('for the trial');
    await page.getByRole('dialog').getByRole('button', { name: 'Grant', exact: true }).click();
    await balance.filter({ hasText: (before + 5).toLocaleString('en') }).waitFor();
    await page.getByRole('link', { name: 'Account 229', exact: true }).click();
    await page.getByRole('heading', { name: 'Account 229', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Work as this account' }).click();
    await page.getByText('You work as Account 229.').waitFor();
    await page.reload();
    await page.getByText('You work as Account 229.').waitFor();
    await page.goto(`${origin}/console/audit?_action=account.create`);
    await rows(page).nth(49).waitFor();
    assert.equal((await csvOf(page)).length, 232);
    const subject = page.locator('td[data-name="Subject"] span').first();
    assert.equal(await subject.innerText(), 'Account 229');
    assert.match((await subject.getAttribute('title')) ?? '', /^[\w-]{8,}$/, 'its id is the title');
    await page.goto(`${origin}/console/audit?_action=key.create`);
    await page.locator('td[data-name="Subject"]', { hasText: /^robot of 229$/ }).waitFor();
    await page.getByText('"accountId":"Account 229"').waitFor();
    await page.getByRole('button', { name: 'Verify ledger' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Verify ledger' }).click();
    await page.getByRole('dialog').getByText('sums and chain are valid').waitFor();
    assert.deepEqual(complaintsOf(page), []);
  });

  await t.test('a capture is shown beside its fields, replayed, and erased; sources appear once', async () => {
    const page = await signedIn({}, 'operator');
    const origin = new URL(page.url()).origin;
    await page.goto(`${origin}/console/evidence?_source=appmarket%2Fpage`);
    await rows(page).first().getByRole('link').click();
    await page.locator('.page-text mark').first().waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('1 the same').waitFor();
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
      assert.equal(over, 0, `no horizontal overflow at ${width}`);
    }
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page
      .getByText('No captures with these filters')
      .or(page.locator('h1', { hasText: 'Evidence' }))
      .first()
      .waitFor();
    await page.goto(`${origin}/console/sources`);
    await rows(page).nth(5).waitFor();
    const listed = await names(page);
    assert.deepEqual(listed, [...new Set(listed)]);
    // what a provider states is there to compare, in the group of what it answers
    const priced = async (name: string) => {
      const row = rows(page).filter({ has: page.getByRole('link', { name, exact: true }) });
      const cells = ['Free', 'Price of 1,000'].map((column) => row.locator(`[data-name="${column}"]`).innerText());
      const group = row.locator('xpath=..').locator('tr.group').innerText();
      return Promise.all([group, ...cells]);
    };
    assert.deepEqual(await priced('recipe/serper'), ['Google and Bing · 12', '2,500 searches once, no card', '$1.00']);
    assert.deepEqual(await priced('recipe/scrapeless'), ['Google and Bing · 12', 'see the provider', '–'], 'nothing is estimated');
    assert.deepEqual(await priced('registration/rdap'), ['Domain registration · 2', 'always', '$0']);
    // squares say which of six things a search states; of other answers, how many fields
    const rowOf = (name: string) => rows(page).filter({ has: page.getByRole('link', { name, exact: true }) });
    await rowOf('recipe/serper').getByRole('img', { name: '3 of 6: organic, sections, related searches' }).waitFor();
    await rowOf('DataForSEO')
      .getByRole('img', { name: /^6 of 6: organic, ads, AI overview/ })
      .waitFor();
    await rowOf('SearXNG').getByRole('img', { name: '2 of 6: organic, related searches' }).waitFor();
    const states = ['recipe/brightdata-scraper', 'recipe/scrapecreators', 'registration/rdap'].map((name) =>
      rowOf(name).locator('[data-name=States]').innerText(),
    );
    assert.deepEqual(await Promise.all(states), ['22 of 24 fields', 'whole', '–'], 'nothing is said of what was not compared');
    for (const [name, step] of [
      ['recipe/serper', 'Add key'],
      ['SearXNG', 'Add address'],
      ['registration/rdap', 'Open'],
    ] as const)
      await rowOf(name)
        .getByRole('link', { name: `${step} ${name}`, exact: true })
        .waitFor();
    await page.getByLabel('Find a source').fill('reddit search');
    await page.keyboard.press('Enter');
    await page.waitForURL(/_q=reddit/);
    await rows(page).filter({ hasText: 'recipe/serper' }).waitFor({ state: 'detached' });
    await rowOf('recipe/scrapecreators').getByRole('link', { name: 'Add key recipe/scrapecreators' }).click();
    const stated = page.getByRole('table', { name: 'Fields of Reddit posts' });
    await page.getByText(/^Reddit posts: 21 of 21 fields$/).click();
    await stated.getByRole('row', { name: 'Posts author yes' }).waitFor();
    await page.goto(`${origin}/console/sources/recipe%2Fserper`);
    for (const name of ['AI overview no', 'Sections yes', 'Ratings no', 'Organic website name no'])
      await page.getByRole('table', { name: 'Fields of Google and Bing' }).getByRole('row', { name, exact: true }).waitFor();
    // beside up to three others, in the address: a fourth takes the place of the first
    await page.getByRole('button', { name: 'Compare' }).click();
    const popover = page.getByRole('dialog', { name: 'Compare with' });
    for (const name of ['DataForSEO', 'SearXNG', 'recipe/hasdata', 'SerpApi']) {
      await popover.getByLabel(name, { exact: true }).check();
      await page.getByRole('columnheader', { name, exact: true }).waitFor();
    }
    const comparison = page.getByRole('table', { name: 'Fields of Google and Bing' });
    const heads = ['Field', 'recipe/serper', 'SearXNG', 'recipe/hasdata', 'SerpApi'];
    await page.reload();
    await comparison.waitFor();
    assert.deepEqual(await comparison.getByRole('columnheader').allInnerTexts(), heads);
    for (const name of [
      'Free 2,500 searches once, no card always see the provider 250 searches a month',
      'Price of 1,000 $1.00 $0 – –',
      'AI overview no no no yes',
      'Related searches yes yes no yes',
      'Ads advertiser ID no no no no',
    ])
      await comparison.getByRole('row', { name, exact: true }).waitFor();
    for (const width of [320, 390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
      assert.equal(over, 0, `four sources need no sideways scrolling at ${width}`);
    }
    // the operator has no credits in the bar, nor this page a button
    await page.setViewportSize({ width: 390, height: 900 });
    const middles = await page.locator('.bar > :is(h1, .pill)').evaluateAll((boxes) =>
      boxes.map((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        return Math.round((top + bottom) / 2);
      }),
    );
    assert.equal(middles.length, 2);
    assert.equal(middles[0], middles[1], 'title and state stand in one line');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${origin}/console/sources`);
    await page.getByRole('button', { name: 'Price of 1,000' }).click();
    await page.waitForURL(/_sort=-price/);
    const first = rows(page)
      .filter({ has: page.locator('.row-link') })
      .first();
    await first.filter({ hasText: 'recipe/scavio' }).waitFor();
    await page.goBack();
    const idle = rows(page).filter({ has: page.getByText(/^(No key|Off)$/) });
    await idle.first().waitFor();
    const capped = await idle
      .locator('[data-name="Spent today"]')
      .filter({ hasText: /\d of \$?\d/ })
      .allTextContents();
    assert.ok((await idle.locator('[data-name="Spent today"]').count()) > 5);
    assert.deepEqual(capped, [], 'no use of a cap where nothing is configured');
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('dialog').getByLabel('Source', { exact: true }).fill('registration/rdap');
    await page.getByRole('dialog').getByRole('button', { name: 'Check now' }).click();
    await page.getByText(/[01] of 1 source work/).waitFor();
    await page.goto(`${origin}/console/drift`);
    await page.getByText('No field drifted').waitFor();
    for (const [path, act] of [
      ['/console', 'Needs attention'],
      ['/console/accounts', 'Last use'],
      ['/console/audit', 'Facts'],
      ['/console/sources', 'Price of 1,000'],
    ] as const)
      for (const width of [320, 390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${origin}${path}`);
        await page.getByText(act).first().waitFor({ state: 'attached' });
        const over = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
        assert.equal(over, 0, `${path} at ${width}`);
      }
    assert.deepEqual(complaintsOf(page), []);
  });
});

test('a domain stands in Unicode wherever it is shown, with the form of the wire in its title', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const [domain, shown] = ['xn--mller-kva.de', 'müller.de'];
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json' };
  const body = JSON.stringify({ operation: 'registration', parameters: { domain }, every: '7d', creditsPerMonth: 40, paused: true });
  const made = await fetch(`${service.baseUrl}/v1/account/watches`, { method: 'POST', headers, body });
  const { watchId } = (await made.json()) as { watchId: string };
  await service.get(`/v1/website/whois/domains/${domain}`);
  const page = await signedIn();
  for (const path of ['', '/requests', '/watches', `/watches/${watchId}`]) {
    await page.goto(`${service.baseUrl}/console${path}`);
    await page.locator('main').getByTitle(domain, { exact: true }).getByText(shown).first().waitFor();
    assert.equal(await page.locator('main').getByText(domain).count(), 0, path);
  }
  assert.deepEqual(complaintsOf(page), []);
});
