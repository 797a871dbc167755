// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { violationsOf, withAxe } from './axe.ts';
import { complaintsOf, openConsole } from './open-console.ts';

const WIDTHS = [320, 390, 1400] as const;
const EXPORT = [
  'Order No;Domainname;Kunde',
  '1;acme-widgets.com;Acme',
  '2;bluebirdlooms.com;Bluebird, Acme',
  '3;acme widgets.com;Acme',
  '4;10.0.4.12;Acme',
  '5;acme-widgets.com;Acme',
  '6;"northlight.example";',
].join('\n');

test('domains by keyboard: a list is imported with its price first, and what expires stands by its days left', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t, { SIGHTLINE_WATCHES_PER_ACCOUNT: '4' });
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  const page = await signedIn();
  await withAxe(page);
  const dialog = page.getByRole('dialog');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Domains' }).press('Enter');
  await page.getByText('No domain is watched yet').waitFor();

  await t.test(
    '“i” opens the import; an export of a registrar is read here: column, tags, and each line that is left out with its reason',
    async () => {
      assert.deepEqual(await violationsOf(page, 'no domains'), []);
      await page.keyboard.press('i');
      await dialog.getByRole('textbox').fill('   ');
      await dialog.getByRole('button', { name: 'Read the lines' }).press('Enter');
      await dialog.getByText('Paste one domain at least, or choose a file.').waitFor();
      await dialog.locator('input[type=file]').setInputFiles({ name: 'export.csv', mimeType: 'text/csv', buffer: Buffer.from(EXPORT) });
      await dialog.getByText('export.csv: 6 lines, read in this browser').waitFor();
      const column = dialog.getByRole('combobox', { name: 'Domain is in column' });
      assert.equal(await column.locator('option:checked').innerText(), 'Domainname');
      assert.equal(await dialog.getByRole('combobox', { name: 'Tags are in column' }).locator('option:checked').innerText(), 'Kunde');
      const left = await dialog.locator('tbody tr').allInnerTexts();
      assert.equal(left.length, 3);
      assert.match(left[0] ?? '', /^4\s+3, acme widgets\.com, Acme\s+\S+/);
      assert.match(left[1] ?? '', /^5\s+4, 10\.0\.4\.12, Acme\s+\S+/);
      assert.match(left[2] ?? '', /^6\s+5, acme-widgets\.com, Acme\s+acme-widgets\.com is in line 2 already$/);
      assert.deepEqual(await violationsOf(page, 'import'), []);
      assert.equal((await client.watches.list()).total, 0, 'nothing is made before it is said');
    },
  );

  await t.test(
    'the price of now and of a month is said first, with the cheaper interval; another column is refused by its lines',
    async () => {
      await dialog.getByText('at most 27 credits a month').waitFor();
      await dialog.getByRole('radio', { name: 'every day' }).press('Space');
      await dialog.getByText('at most 93 credits a month').waitFor();
      await dialog.getByText('Every week: at most 27 a month.').waitFor();
      await dialog.getByRole('radio', { name: 'every week' }).press('Space');
      await dialog.getByRole('combobox', { name: 'Domain is in column' }).selectOption('Kunde');
      await dialog.getByText('No line makes a watch. Lines that work').waitFor();
      assert.equal(await dialog.locator('tbody tr').count(), 6);
      await dialog.getByRole('combobox', { name: 'Domain is in column' }).selectOption('Domainname');
      await dialog.getByText('at most 27 credits a month').waitFor();
      await dialog.getByRole('combobox', { name: 'Tell before it expires' }).selectOption('7, 1');
      await dialog.getByText('at most 21 credits a month').waitFor();
    },
  );

  await t.test('Escape asks before it drops the list; the watches are made in one go, with tags and days', async () => {
    await page.keyboard.press('Escape');
    await dialog.getByText('This list is not imported.').waitFor();
    await dialog.getByRole('button', { name: 'Go on' }).press('Enter');
    await dialog.getByRole('button', { name: /^Watch 3 domains/ }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const { watches } = await client.watches.list();
    assert.deepEqual(
      watches.map((one) => [one.parameters.domain, one.tags, one.due, one.every, one.creditsPerMonth]),
      [
        ['acme-widgets.com', ['Acme'], [7, 1], '7d', 7],
        ['bluebirdlooms.com', ['Bluebird', 'Acme'], [7, 1], '7d', 7],
        ['northlight.example', [], [7, 1], '7d', 7],
      ],
    );
  });

  await t.test('more than the account may have is refused before the first is made, and the setting is named', async () => {
    await page.getByRole('button', { name: 'Import domains' }).press('Enter');
    await dialog.getByRole('textbox').fill('acme-widgets.com\none.org\ntwo.org\n');
    await dialog.getByRole('button', { name: 'Read the lines' }).press('Enter');
    await dialog.getByText(/is watched already: wat_/).waitFor();
    await dialog.getByRole('button', { name: /^Watch 2 domains/ }).press('Enter');
    await dialog.getByText('SIGHTLINE_WATCHES_PER_ACCOUNT').waitFor();
    assert.equal((await client.watches.list()).total, 3);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Leave it' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('domains stand in groups by days left; a month and a tag filter them; j and Enter open one', async () => {
    for (const { watchId } of (await client.watches.list()).watches) await client.watches.run(watchId);
    const dated = (await client.watches.list()).watches.filter((one) => one.dueDate !== null);
    assert.ok(dated.length > 0);
    await page.getByRole('button', { name: 'Read again' }).press('Enter');
    await page.locator('tbody tr.group').first().waitFor();
    const [first] = dated.sort((a, b) => (a.dueDate?.daysLeft ?? 0) - (b.dueDate?.daysLeft ?? 0));
    const row = page.locator('tbody tr', { hasText: first?.parameters.domain });
    await row.getByText(String(first?.dueDate?.daysLeft), { exact: true }).waitFor();
    assert.match((await row.locator('span[title]').first().getAttribute('title')) ?? '', /, read from registration\/\w+ on .+\u00a0UTC$/);
    const cells = (await row.locator('th, td').allInnerTexts()).map((text) => text.trim());
    assert.ok(cells.includes('Nordlicht Domains GmbH'), cells.join(' | '));
    assert.ok(
      cells.some((cell) => /^(?:locked|open)$/.test(cell)),
      cells.join(' | '),
    );
    assert.ok(
      cells.some((cell) => /^ns1\..+ \+\d$/.test(cell)),
      cells.join(' | '),
    );
    const soon = (await client.watches.list()).dueSoon;
    const link = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Domains' });
    assert.equal(await link.innerText(), soon > 0 ? `Domains\n${soon}` : 'Domains');
    assert.deepEqual(await violationsOf(page, 'domains'), []);
    await page.getByRole('radio', { name: /^No date/ }).press('Space');
    await page.waitForURL(/_show=none/);
    await page.goto(`${service.baseUrl}/console/domains?_tag=Bluebird`);
    await page.locator('tbody th a').first().waitFor();
    assert.deepEqual(await page.locator('tbody th[scope=row]').allInnerTexts(), ['bluebirdlooms.com']);
    await page.getByRole('group', { name: 'Month' }).getByRole('button').first().press('Enter');
    await page.waitForURL(/_month=/);
    await page.getByText('No domain with these filters').waitFor();
    await page.goto(`${service.baseUrl}/console/domains`);
    await page.locator('tbody th a').first().waitFor();
    await page.locator('main').press('j');
    const name = await page.locator('tbody th a').first().innerText();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  await t.test('the address of the calendar is shown once, serves the dates, and ends', async () => {
    await page.goto(`${service.baseUrl}/console/domains`);
    await page.getByRole('button', { name: 'Make an address' }).press('Enter');
    await dialog.getByRole('button', { name: 'Make it' }).press('Enter');
    const address = await page.locator('[data-secret]').innerText();
    assert.match(address, /calendar\.ics\?token=cal_/);
    assert.match(await (await fetch(address)).text(), /BEGIN:VCALENDAR[\s\S]+acme-widgets\.com/);
    await dialog.getByRole('button', { name: 'I have stored it' }).press('Enter');
    await page.getByText(/^made on/).waitFor();
    await page.getByRole('button', { name: 'New link' }).waitFor();
    await page.getByRole('button', { name: 'End the address' }).press('Enter');
    await dialog.getByRole('button', { name: 'End the address' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await fetch(address)).status, 404);
    await page.getByRole('button', { name: 'Make an address' }).waitFor();
  });

  await t.test('no page is wider than its window', async () => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth), 0, `${width} px`);
    }
  });
  assert.deepEqual(complaintsOf(page), []);
});
