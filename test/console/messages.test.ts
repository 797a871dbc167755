// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { violationsOf, withAxe } from './axe.ts';
import { complaintsOf, openConsole } from './open-console.ts';

const WIDTHS = [320, 390, 1400] as const;

test('targets of messages by keyboard: added, tested, changed and removed; what is refused names the cure', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  let status = 200;
  const chat = createServer((_, response) => void response.writeHead(status).end('{"ok":true}')).listen(0, '127.0.0.1');
  t.after(() => chat.close());
  await once(chat, 'listening');
  const address = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/hook`;
  const page = await signedIn();
  await withAxe(page);
  const dialog = page.getByRole('dialog');
  const press = (name: string | RegExp, key = 'Enter') => page.getByRole('button', { name, exact: typeof name === 'string' }).press(key);
  await page.goto(`${service.baseUrl}/console/watches`);
  await page.getByRole('navigation', { name: 'Pages of the watches' }).getByRole('link', { name: 'Messages' }).press('Enter');
  await page.getByText('Nobody is told yet').waitFor();

  await t.test(
    'an empty page offers kinds of target; a private address is refused beside its field with the setting that opens it',
    async () => {
      assert.deepEqual(await page.locator('.empty button').allInnerTexts(), ['Slack', 'E-mail', 'ntfy', 'Another target']);
      assert.deepEqual(await violationsOf(page, 'no messages'), []);
      await press('ntfy');
      const leftOf = async (of: Locator) => (await of.boundingBox())?.x;
      assert.equal(await leftOf(dialog.getByRole('heading')), await leftOf(dialog.getByLabel('Address')), 'its words begin at one edge');
      await dialog.getByLabel('Address').fill('https://192.168.7.7/topic');
      await page.keyboard.press('Control+Enter');
      const wrong = dialog.locator('#wrong-to');
      await wrong.waitFor();
      assert.match(await wrong.innerText(), /Field notify\/0\/to is "https:\/\/192\.168\.7\.7\/…", but it .+SIGHTLINE_PRIVATE_TARGETS/);
      assert.deepEqual(await violationsOf(page, 'target refused'), []);
      await dialog.getByLabel('Address').fill(address);
      await dialog.getByRole('radio', { name: 'Chat', exact: true }).press('Space');
      await page.keyboard.press('Control+Enter');
      await dialog.waitFor({ state: 'detached' });
      const [made] = (await client.watches.notify()).notify;
      assert.deepEqual([made?.to, made?.as, made?.digest], [address, 'text', null]);
    },
  );

  await t.test('a test says status, time and answer of a target, and of a private one what opened it', async () => {
    await press(`Test Chat ${address}`);
    await page.getByText('It took the message in').waitFor();
    await page.getByText('your operator opened it with SIGHTLINE_PRIVATE_TARGETS').waitFor();
    assert.equal(await page.locator('main pre').count(), 0, 'what a private target answers is not shown');
    status = 503;
    await press(`Test Chat ${address}`);
    await page.getByText('It did not take the message in').waitFor();
    assert.match(await page.locator('.card', { hasText: 'Test message to Chat' }).locator('.pill').innerText(), /503/);
    assert.deepEqual(await violationsOf(page, 'messages'), []);
  });

  await t.test('a target that fails says since when, why, when it is tried next and when it is switched off', async () => {
    const { watchId } = await client.watches.create({
      operation: 'traffic',
      parameters: { domain: 'acme-widgets.com' },
      every: '1d',
      creditsPerMonth: 31,
      fields: ['visits'],
    });
    await client.watches.run(watchId);
    service.sandbox.nextDay();
    await client.watches.run(watchId);
    const only = async () => {
      const [target] = (await client.watches.notify()).notify;
      assert.ok(target);
      return target;
    };
    let target = await only();
    while (!target.failingSince) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      target = await only();
    }
    assert.equal(Date.parse(target.offAt ?? ''), Date.parse(target.failingSince) + 3 * 86_400_000);
    await page.getByRole('button', { name: 'Read again' }).press('Enter');
    const card = page.locator('.card', { hasText: 'Chat fails' });
    await card.waitFor();
    assert.deepEqual(await card.locator('dt').allInnerTexts(), ['Address', 'It met', 'First failure', 'Next try', 'Switched off']);
    assert.equal(await card.locator('dd').nth(1).innerText(), '503');
    assert.equal(await card.locator('dd').last().locator('time').getAttribute('datetime'), target.offAt);
    assert.match(await page.locator('tbody tr').innerText(), /Fails[\s\S]+1 of 1 watch[\s\S]+at once[\s\S]+not yet[\s\S]+503, \d/);
  });

  await t.test('a mail address may be typed as it is; without a mail server the refusal names its settings', async () => {
    await press('Add a target');
    await dialog.getByLabel('Address').fill('me@acme-widgets.com');
    await page.keyboard.press('Control+Enter');
    assert.match(await dialog.locator('#wrong-to').innerText(), /mailto:me@acme-widgets\.com.+SIGHTLINE_SMTP_URL/);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Leave it' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('it is changed to one message a day; a sixth target is answered on click; one is removed', async () => {
    await press(`Change Chat ${address}`);
    await dialog.getByRole('radio', { name: /^once a day/ }).press('Space');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' }); // its choice has the words of the table
    await page.getByText('once a day, 08:00 UTC').waitFor();
    assert.equal((await client.watches.notify()).notify[0]?.digest, '1d');
    await client.watches.setNotify([1, 2, 3, 4, 5].map((n) => ({ to: `${address}/${n}`, as: 'text' })));
    await page.getByRole('button', { name: 'Read again' }).press('Enter');
    await page.getByText('5 of 5 targets').waitFor();
    await press('Add a target');
    await dialog.getByText('An account has 5 targets at most.').waitFor();
    assert.equal(await dialog.getByRole('textbox').count(), 0);
    await dialog.getByRole('button', { name: 'Understood' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await press(`Remove Chat ${address}/2`);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await page.getByText('4 of 5 targets').waitFor();
    assert.deepEqual(
      (await client.watches.notify()).notify.map(({ to }) => to.at(-1)),
      ['1', '3', '4', '5'],
    );
  });

  await t.test('no page is wider than its window', async () => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth), 0, `${width} px`);
    }
  });

  await t.test('“Watch this” names the targets of the account, and the watch may be told to one of them or to nobody', async () => {
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.goto(`${service.baseUrl}/console/w/traffic?domain=acme-widgets.com`);
    await page.getByRole('button', { name: 'Watch this' }).press('Enter');
    await dialog.getByText('on the targets of the account').waitFor();
    const told = dialog.getByRole('combobox', { name: 'Tell' });
    assert.equal(await told.locator('option').first().innerText(), '4 targets of the account: Chat');
    await told.selectOption({ label: 'only in the feed' });
    await dialog.getByText('in the feed alone').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('No check yet').waitFor();
    assert.deepEqual((await client.watches.list()).watches.at(-1)?.notify, []);
  });
  assert.deepEqual(complaintsOf(page), []);
});
