// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { until } from '../faults/service-process.ts';
import { violationsOf, withAxe } from './axe.ts';
import { complaintsOf, fillForm, heldBy, openConsole, runForm, textOf } from './open-console.ts';

const MOST_FONT_SIZES = 5;
const WIDTHS = [320, 390, 1440] as const;

const fontSizes = (page: Page): Promise<number> =>
  page.evaluate(`new Set([...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && e.textContent.trim())
    .map((e) => getComputedStyle(e).fontSize)).size`);
/** What is wider than the window, at each width. */
async function tooWide(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    if (over > 0) found.push(`${over} px too wide at ${width} px`);
  }
  return found;
}
const rows = (page: Page) => page.locator('main tbody tr');

test('a watch is made beside an answer; a change of the next day is in its page, in the feed and at home', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  const page = await signedIn();
  const dialog = page.getByRole('dialog');
  /** Presses a button that asks once, and confirms. */
  const act = async (name: string, confirm = name): Promise<void> => {
    await page
      .getByRole('button', { name: new RegExp(`^${name} `) })
      .first()
      .click();
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
  };
  const checkNow = async (said: string): Promise<void> => {
    await act('Check now', 'Check now 1 credit');
    await dialog.getByText(said).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  };
  const nextDay = async (): Promise<Response> => fetch(`${service.sandbox.url}/day`, { method: 'POST' });
  const open = async (path: string): Promise<void> => {
    await page.goto(`${service.baseUrl}/console${path}`);
    await page.locator('main :is(table, .empty)').first().waitFor();
  };

  const watchIt = dialog.getByRole('button', { name: /^Watch at most/ });
  await t.test('“Watch this” is a form in words, filled from the answer: what is true now, the sentence, what a month costs', async () => {
    await client.watches.setSites({ own: 'acme-widgets.com', rivals: [] });
    await fillForm(page, { id: 'serp' });
    await runForm(page);
    await page.getByRole('button', { name: 'Watch this' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Watch “running shoes”' }).waitFor();
    await dialog.getByText('your site; in this answer').waitFor();
    const site = dialog.getByRole('combobox', { name: /^Site/ });
    assert.equal(await site.inputValue(), 'acme-widgets.com');
    const place = dialog.locator('.conditions li', { hasText: 'its place moves by' });
    assert.match(await place.innerText(), /now 2\b/);
    assert.match(await dialog.locator('.conditions li', { hasText: 'it leaves the first' }).innerText(), /now inside/);
    assert.deepEqual(await dialog.getByRole('textbox').allInnerTexts(), [], 'nothing is to be typed');
    const about = await page.locator('dialog').getAttribute('aria-describedby');
    assert.equal(
      await page.locator(`#${about}`).innerText(),
      'Every day this looks up Google and Bing: running shoes. You hear of it in the feed when one of 2 things happens. A failed check is never a change.',
    );
    // the price comes by a request of its own
    await dialog.getByText('at most 31 credits a month').waitFor();
    assert.equal(await watchIt.count(), 1);
    await withAxe(page);
    assert.deepEqual(await violationsOf(page, 'watch this'), []);
  });

  await t.test('a site that is marked in the answer, by its row, stands in the form before the own one', async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const row = page.locator('.result', { hasText: 'harbourroast.io' }).first();
    await row.locator('summary').click();
    await row.getByRole('button', { name: 'Mark this site' }).click();
    await page.locator('.result.marked', { hasText: 'harbourroast.io' }).first().waitFor();
    await page.getByRole('button', { name: 'Watch this' }).click();
    const site = dialog.getByRole('combobox', { name: /^Site/ });
    await dialog.getByText(/^in this answer$/).waitFor();
    assert.equal(await site.inputValue(), 'harbourroast.io');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('searchbox').first().fill('');
    await page.locator('.result.marked').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Watch this' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('your site; in this answer').waitFor();
  });

  await t.test('Escape closes what was not touched, and asks before it drops what was', async () => {
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Watch this' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('it leaves the first', { exact: true }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await dialog.getByText('What you typed is not saved.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Go on' }).press('Enter');
    assert.equal(await dialog.getByText('What you typed is not saved.').count(), 0);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Leave it' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await client.watches.list()).total, 0);
  });

  await t.test('a refusal stands beside its field with the value and the cure; Ctrl Enter saves', async () => {
    await page.getByRole('button', { name: 'Watch this' }).press('Enter');
    await dialog.getByRole('radio', { name: 'hour', exact: true }).press('Space');
    await dialog.getByText('at most 744 credits a month').waitFor();
    await dialog.getByText('Name, budget and webhook').press('Enter');
    const budget = dialog.getByLabel('Budget, credits a month');
    await budget.fill('0');
    await page.keyboard.press('Control+Enter');
    const wrong = dialog.locator('#wrong-creditsPerMonth');
    await wrong.waitFor();
    assert.equal(await wrong.innerText(), 'Field creditsPerMonth is 0, but it must be a whole number from 1 to 1000000000.');
    assert.equal(await budget.getAttribute('aria-invalid'), 'true');
    assert.match((await budget.getAttribute('aria-describedby')) ?? '', /wrong-creditsPerMonth/);
    assert.deepEqual(await violationsOf(page, 'watch this, refused'), []);
    await budget.fill('');
    await dialog.getByRole('combobox', { name: 'its place moves by … or more' }).selectOption('3');
    for (const name of ['it leaves the first', 'its place moves by']) await dialog.getByLabel(name, { exact: true }).press('Space');
    await page.keyboard.press('Control+Enter');
    await dialog.getByText('Tick at least one thing to be told of.').waitFor();
    await dialog.getByRole('combobox', { name: 'its place moves by … or more' }).selectOption('2');
    await budget.focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('No check yet').waitFor();
    const [made] = (await client.watches.list()).watches;
    assert.deepEqual(
      [made?.operation, made?.parameters, made?.every, made?.creditsPerMonth, made?.fields],
      ['serp', { keyword: 'running shoes' }, '1h', 744, [{ path: 'organic[www.acme-widgets.com].rank', least: 2 }]],
    );
    assert.ok(page.url().endsWith(`/console/watches/${made?.watchId}`));
  });

  await t.test('“Change” finds the conditions again, and one that no preset stands for stays in words', async () => {
    const [made] = (await client.watches.list()).watches;
    const fields = [...(made?.fields ?? []), { path: 'paid[acme.example].rank', crosses: 4 }];
    await client.watches.edit(made?.watchId ?? '', { fields });
    // the form has what the page has read when it opens
    await page.reload();
    await page.getByRole('button', { name: 'Change running shoes' }).press('Enter');
    await dialog.getByLabel('Paid rank of acme.example passes 4').waitFor();
    assert.ok(await dialog.getByLabel('its place moves by', { exact: true }).isChecked());
    await dialog.getByRole('combobox', { name: 'it leaves the first …, or comes back' }).selectOption('3');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual((await client.watches.get(made?.watchId ?? '')).fields, [
      { path: 'organic[www.acme-widgets.com].rank', least: 2 },
      { path: 'organic[www.acme-widgets.com].rank', crosses: 3 },
      { path: 'paid[acme.example].rank', crosses: 4 },
    ]);
    await client.watches.edit(made?.watchId ?? '', { fields: [...(made?.fields ?? [])] });
  });
  const id = page.url().split('/').at(-1) ?? '';

  await t.test('“Check now” asks once and says what it found; the next day brings a change with both values', async () => {
    await checkNow('The check ended as first. 0 credits charged.');
    await nextDay();
    await checkNow('The check ended as changed. 1 credit charged.');
    const row = page.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1);
    await row.waitFor();
    // as the design draws it: when, the entry, its field, both values, who was told
    const heads = page.getByRole('table', { name: 'Changes' }).getByRole('columnheader');
    assert.deepEqual(await heads.allInnerTexts(), ['When', 'What', 'Field', 'Before and after', 'Told']);
    assert.match(await row.innerText(), /\bacme-widgets\.com\/running-shoes\s+Place\s+2\s+then\s+4\s+in the feed alone$/);
    assert.equal(await row.locator('[title]').nth(1).getAttribute('title'), 'Moved down: https://www.acme-widgets.com/running-shoes');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV of these changes' }).click()]);
    assert.match(
      await textOf(file),
      /^When,What,Field,Before and after,Told\r?\n\d{4}-\d\d-\d\d [\d:]+,acme-widgets\.com\/running-shoes,Place,2 → 4,/,
    );
    await page.getByRole('navigation', { name: 'Belongs to' }).getByRole('link', { name: 'Watches' }).waitFor();
    await page.getByRole('group', { name: /^Organic rank by check: 2 places, most \S+ 4, least \S+ 2\./ }).waitFor();
    await page.getByRole('heading', { name: 'What moved most' }).waitFor();
  });

  await t.test('the page says where the site stands, when it tells in the words of the form, and whom', async () => {
    const figures = (await page.locator('main .stats > div').allInnerTexts()).map((text) => text.split('\n').filter(Boolean));
    assert.deepEqual(figures[0], ['acme-widgets.com', '4', 'place today, 2 before']);
    assert.deepEqual(figures[3], ['Checks, 30 days', '2', '0 failed, 0 skipped']);
    assert.match(
      await page.locator('main .bar').innerText(),
      /\bOn\s+Read again\s+Open in Workbench\s+Pause\s+Check now\s+1 credit\s+More$/,
    );
    assert.deepEqual(
      [figures[1]?.slice(1), figures[2]],
      [
        ['2', '2 places down'],
        ['Best', '2', 'today'],
      ],
    );
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Tell me when' }) });
    assert.deepEqual(await card.locator('li').allInnerTexts(), ['its place moves by 2 or more', 'Only in the feed\nAdd a target']);
    await card.getByText('Of www.acme-widgets.com:').waitFor();
    await card.getByRole('button', { name: 'Change running shoes' }).press('Enter');
    await dialog.getByLabel('it leaves the first', { exact: true }).press('Space');
    await page.keyboard.press('Control+Enter');
    await card.getByText('it leaves the first 10, or comes back').waitFor();
    await client.watches.setNotify([{ to: 'https://hooks.slack.com/services/T0/B0/secret' }]);
    // figures of 30 days need the checks of 30 days: here one an hour
    const history = page.waitForRequest(/\/history\?limit=744$/);
    await page.getByRole('button', { name: 'Read again' }).click();
    await history;
    await card.getByText('Slack, hooks.slack.com').waitFor();
    assert.doesNotMatch(await card.innerText(), /services/, 'an address may hold a secret');
    await client.watches.setNotify([]);
    await client.watches.edit(id, { fields: [{ path: 'organic[www.acme-widgets.com].rank', least: 2 }] });
    await page.getByRole('button', { name: 'Read again' }).click();
    await card.getByText('Only in the feed').waitFor();
  });

  await t.test('“Choose…” draws what is ticked beside the own site, by keyboard; the address keeps it', async () => {
    const course = page.locator('.card', { has: page.locator('.chart') });
    const drawn = async () => (await course.locator('details thead th').allTextContents()).slice(1);
    const before = await drawn();
    const choose = course.locator('.segments .chip > button');
    const popover = page.getByRole('dialog', { name: 'Choose sites' });
    await choose.press('Enter');
    const ticked = popover.getByRole('checkbox', { checked: true });
    assert.equal(await ticked.count(), before.length - 1, 'the own site is always drawn');
    await withAxe(page);
    assert.deepEqual(await violationsOf(page, 'choose'), []);
    while ((await ticked.count()) > 1) await ticked.first().press('Space');
    const still = popover.getByRole('checkbox', { checked: false }).last();
    const name = await still.locator('xpath=following-sibling::span').innerText();
    await still.press('Space');
    await page.keyboard.press('Escape');
    await course.getByRole('button', { name: '2 chosen' }).and(page.locator(':focus')).waitFor();
    const chosen = await drawn();
    assert.deepEqual([chosen.length, chosen[0], chosen.includes(name)], [3, before[0], true]);
    // the address is written after the last tick; a tick before may have been written by then
    await page.waitForURL((url) => url.searchParams.get('_chosen')?.includes(name) === true);
    await page.reload();
    await choose.waitFor();
    assert.deepEqual(await drawn(), chosen);
    assert.equal(await course.locator('header').getByRole('radio', { checked: true }).count(), 0);
    await course.getByRole('radio', { name: 'Mine' }).press('Space');
    await page.waitForURL(/_lines=mine$/);
    assert.deepEqual(await drawn(), before.slice(0, 1));
    await course.getByRole('radio', { name: 'Movers' }).press('Space');
    assert.deepEqual(await drawn(), before);
  });

  await t.test('a check without an answer is a gap, named with its reason; the export is that of the service', async () => {
    service.sandbox.faults.next(/./, { kind: 'status', status: 500 }, 100);
    const { code } = await client.watches.run(id);
    service.sandbox.faults.clear();
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText(`(${code})`).waitFor();
    await page.getByText('1 of 3').waitFor();
    await page.getByText('Table of Organic rank by check').click();
    const table = page.getByRole('table', { name: 'Organic rank by check' });
    const [named, ...movers] = (await table.locator('thead th').allInnerTexts()).slice(1);
    assert.match(named ?? '', /acme-widgets\.com$/, 'the site that is named stands first');
    assert.ok(movers.length > 0 && movers.every((name) => !name.includes('acme-widgets.com')), movers.join(', '));
    const cells = table.locator('tbody tr').last().locator('td');
    assert.deepEqual([...new Set((await cells.allInnerTexts()).slice(1))], ['–']);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV', exact: true }).click()]);
    const history = await fetch(`${service.baseUrl}/v1/account/watches/${id}/history?format=csv`, {
      headers: { 'x-api-key': service.key },
    });
    assert.equal(await textOf(file), await history.text());
  });

  await t.test('a budget that is used skips checks and is seen in the page and in the list; pause, resume', async () => {
    await page.getByRole('button', { name: 'Change running shoes' }).click();
    await dialog.getByText('Name, budget and webhook').click();
    await dialog.getByLabel('Budget, credits a month').fill('1');
    await dialog.getByRole('button', { name: /^Save at most 1 credit a month/ }).click();
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await checkNow('The check ended as skipped: the budget of the month is used. 0 credits charged.');
    await page.locator('.bar .pill', { hasText: 'Budget used' }).waitFor();
    await open('/watches?_state=attention');
    assert.match(await rows(page).innerText(), /^running shoes\s+Google and Bing\s+Budget used[\s\S]+1 of 1[\s\S]+skipped\s+every hour/);
    await act('Pause');
    await page.getByText('No watches here').waitFor();
    await open('/watches?_state=paused');
    await act('Resume');
    await page.getByText('No watches here').waitFor();
    assert.equal((await client.watches.get(id)).paused, false);
  });

  await t.test('the list draws the course of each watch, with its values as text, and names the last change', async () => {
    await open('/watches');
    await rows(page).getByRole('img', { name: 'Organic rank, last checks: 2, 4, –, –' }).waitFor();
    assert.match(await rows(page).innerText(), /:\d\d moved organic rank\s/);
    await withAxe(page);
    assert.deepEqual(await violationsOf(page, 'watches'), []);
  });

  await t.test('a webhook: a refusal beside its field, the secret once, each message with its result', async () => {
    const target = createServer((_, response) => void response.writeHead(204).end()).listen(0, '127.0.0.1');
    t.after(() => target.close());
    await once(target, 'listening');
    await fillForm(page, { id: 'registration' });
    await runForm(page);
    await page.getByRole('button', { name: 'Watch this' }).click();
    await dialog.getByText('Name, budget and webhook').click();
    const webhook = dialog.getByLabel('Webhook');
    await webhook.fill('http://example.com/hook');
    await watchIt.click();
    await dialog
      .locator('#wrong-webhook', { hasText: 'Field webhook is "http://example.com/…", but it must begin with https://' })
      .waitFor();
    await webhook.fill(`http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`);
    await watchIt.click();
    assert.match(await page.locator('[data-secret]').innerText(), /^whsec_/);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('No message was sent yet.').waitFor();
    const second = page.url().split('/').at(-1) ?? '';
    await client.watches.run(second);
    await nextDay();
    await client.watches.run(second);
    await until('delivered', async () => typeof (await client.watches.deliveries(second)).deliveries[0]?.deliveredAt === 'string');
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('1 attempt, the last one: 204').waitFor();
    await act('Send again');
    await until('sent again', async () => (await client.watches.deliveries(second)).deliveries[0]?.attempts === 2);
  });

  await t.test('a session that may not change a watch is offered no action on it', async () => {
    const reader = await signedIn();
    const post = (path: string, body: object) =>
      reader.evaluate(
        async ([url, text]) =>
          (await fetch(url as string, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text as string })).json(),
        [path, JSON.stringify(body)],
      );
    const { key } = (await post('/console/api/keys', { label: 'reader' })) as { key: string };
    await post('/console/api/session', { apiKey: key });
    const second = (await client.watches.list()).watches.at(-1)?.watchId;
    for (const path of [`/watches/${id}`, `/watches/${second}`, '/watches']) {
      await reader.goto(`${service.baseUrl}/console${path}`);
      await reader
        .locator(path === '/watches' ? 'main tbody tr' : 'main .bar .pill')
        .first()
        .waitFor();
      const offered = reader.getByRole('button', { name: /^(?:Change|Pause|Resume|Check now|Remove|Send again) / });
      assert.deepEqual(await offered.allInnerTexts(), [], path);
      assert.equal(await reader.getByRole('link', { name: 'New watch' }).count(), 0);
      assert.doesNotMatch(await heldBy(reader), /\/hook|whsec_/, `${path}: the address of a webhook is not whole for others`);
    }
    // as those of targets are
    await client.watches.setNotify([{ to: 'https://ntfy.sh/topic-that-nobody-guesses' }]);
    await reader.goto(`${service.baseUrl}/console/messages`);
    await reader.getByText('ntfy.sh/…sses').first().waitFor();
    assert.doesNotMatch(await heldBy(reader), /topic-that-nobody/);
    await client.watches.setNotify([]);
    await reader.context().close();
  });

  await t.test('the feed has the newest first; filters are in the address, and CSV has every row of them', async () => {
    await open('/changes');
    const { changes } = await client.watches.feed();
    assert.equal(await rows(page).count(), changes.length);
    assert.match(await rows(page).last().innerText(), /^Moved down/);
    await page.getByRole('button', { name: /^Kind/ }).click();
    await page.getByRole('dialog').getByText('moved', { exact: true }).click();
    await page.waitForURL(/_kind=moved/);
    await page.reload();
    // names of watches come by a request of their own
    await rows(page).getByText('running shoes', { exact: true }).waitFor();
    assert.equal(await rows(page).count(), 1);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV', exact: true }).click()]);
    assert.match(
      await textOf(file),
      /^Change,Watch,When,Before and after,Source\r\nMoved down: [^\n]+,running shoes,[^\n]+,2 → 4,DataForSEO\r\n$/,
    );
    await rows(page).first().getByRole('link').click();
    await page.getByRole('heading', { name: 'running shoes', level: 1 }).waitFor();
  });

  await t.test(
    'home lists what changed last; Ctrl K finds a watch; no page is too wide, none has more than five sizes of text',
    async () => {
      for (const path of ['', '/watches', '/changes', `/watches/${id}`]) {
        await page.goto(`${service.baseUrl}/console${path}`);
        await page
          .getByText(path === '' ? 'Last changes' : 'running shoes')
          .first()
          .waitFor();
        assert.deepEqual(await tooWide(page), [], path);
        assert.ok((await fontSizes(page)) <= MOST_FONT_SIZES, path);
      }
      await page.goto(`${service.baseUrl}/console`);
      const last = page.locator('.card', { hasText: 'Last changes' }).locator('.rows a');
      await last.nth(1).waitFor();
      await page.getByRole('group', { name: /^Requests by day: 7 places, most \w+ \d+ [1-9]/ }).waitFor();
      assert.deepEqual(await last.allInnerTexts(), ['acme-widgets.com', 'running shoes']);
      await page.keyboard.press('Control+K');
      await dialog.getByRole('searchbox').fill('running watch');
      await dialog.getByRole('link', { name: /^running shoes/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'running shoes', level: 1 }).waitFor();
    },
  );

  await t.test('a watch leads to the requests of its checks, and the request of a check to its watch', async () => {
    await page.goto(`${service.baseUrl}/console/watches/${id}`);
    await page.locator('main').getByRole('link', { name: 'Requests' }).click();
    await page.waitForURL(new RegExp(`_label=${id}`));
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    await rows(page).nth(2).waitFor();
    assert.equal(await rows(page).count(), 3);
    assert.match(await rows(page).first().innerText(), /running shoes/);
    await rows(page).first().getByRole('link').click();
    await page.getByRole('link', { name: id }).click();
    await page.getByRole('heading', { name: 'running shoes', level: 1 }).waitFor();
    assert.ok(page.url().endsWith(`/console/watches/${id}`));
  });

  await t.test('“Remove” asks once and leads to the list', async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await act('Remove');
    await page.getByRole('heading', { name: 'Watches', level: 1 }).waitFor();
    await rows(page).first().waitFor();
    assert.equal((await client.watches.list()).watches.length, 1);
  });

  await t.test('a watch whose key has ended is taken over by this session, from its page', async () => {
    const { key, keyId } = await service.admin.createKey({ accountId: service.accountId, label: 'other' });
    const other = new Sightline({ baseUrl: service.baseUrl, apiKey: key });
    const body = { operation: 'registration', parameters: { domain: 'kumotea.jp' }, every: '1d', creditsPerMonth: 31 } as const;
    const { watchId } = await other.watches.create(body);
    await page.goto(`${service.baseUrl}/console/watches/${watchId}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: /^Remove / }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Take over / }).count(), 0, 'its key may go on');
    await service.admin.revokeKey({ keyId, stopWatches: true });
    await client.watches.run(watchId);
    assert.equal((await client.watches.get(watchId)).stopped, 'key');
    await page.goto(`${service.baseUrl}/console/watches/${watchId}`);
    await page.getByRole('button', { name: 'More' }).click();
    await act('Take over');
    await until('this session pays for it', async () => (await client.watches.get(watchId)).keyId !== keyId);
    assert.equal((await client.watches.run(watchId)).outcome, 'first');
    assert.equal((await client.watches.get(watchId)).stopped, null);
  });
  assert.deepEqual(complaintsOf(page), []);
});
