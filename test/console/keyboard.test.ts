// Own process: it drives a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, openConsole } from './open-console.ts';

const MAX_TABS = 600;

/** Moves the focus by Tab until it is on the element. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  // not visible: radio buttons have no box of their own, their labels are seen
  await target.waitFor({ state: 'attached' });
  for (let pressed = 0; pressed < MAX_TABS; pressed++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${target} is not reached by Tab`);
}
async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}
const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string): Locator => page.locator('dialog').getByLabel(name, { exact: true }).and(page.locator('input'));
const toPage = (page: Page, name: string): Promise<void> =>
  press(page, page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }));

test('every action of the holder by keyboard alone', { skip: missing }, async (t) => {
  const { service, browser } = await openConsole(t);
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
  page.setDefaultTimeout(15_000);

  await t.test('sign in', async () => {
    await page.goto(`${service.baseUrl}/console`);
    await type(page, page.locator('#credential'), service.key);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Operations' }).waitFor();
  });
  await t.test('find an operation, fill its form, run it', async () => {
    await type(page, page.getByRole('searchbox', { name: 'Search operations' }), 'comments');
    await press(page, page.locator('[href="/console/playground/forum-comments"]'));
    await press(page, button(page, 'Fill from examples'));
    await page.locator('[data-price="1"]').waitFor();
    await press(page, button(page, 'Run'));
    await page.getByRole('heading', { name: '64 comments' }).waitFor();
  });
  await t.test('collapse, search and sort comments', async () => {
    const first = page.getByRole('button', { name: /^Answers to/ }).first();
    await press(page, first, 'Space');
    assert.equal(await first.getAttribute('aria-expanded'), 'false');
    await type(page, page.getByRole('searchbox', { name: 'Search', exact: true }), 'support fine kettle');
    await page.getByText(/^\d match(es)?$/).waitFor();
    await tabTo(page, page.getByRole('combobox', { name: 'Sort' }));
    await page.keyboard.type('Highest');
    assert.equal(await page.getByRole('combobox', { name: 'Sort' }).inputValue(), 'top');
  });
  await t.test('open a member of the JSON; choose the code', async () => {
    await press(page, page.getByRole('button', { name: /^comments, 64 entries/ }), 'Space');
    assert.equal(await page.getByRole('button', { name: /^comments, 64/ }).getAttribute('aria-expanded'), 'true');
    await tabTo(page, page.getByRole('radio', { name: 'JSON' }));
    await page.keyboard.press('ArrowRight');
    await page.locator('pre[data-language="Python"]').waitFor();
  });
  await t.test('download JSON and CSV', async () => {
    for (const [name, ending] of [
      ['Download JSON', 'json'],
      ['Download CSV', 'csv'],
    ]) {
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, button(page, name ?? ''))]);
      assert.equal(file.suggestedFilename(), `forum-comments.${ending}`);
    }
  });
  await t.test('the answer is in the history of the session', async () => {
    await press(page, page.getByText('1 request of this session'));
    await press(page, page.locator('.history button').first());
    await page.getByRole('heading', { name: '64 comments' }).waitFor();
  });
  await t.test('explain a request, and filter the ledger by its receipt', async () => {
    await toPage(page, 'Requests');
    await press(page, page.locator('tr', { hasText: 'forum-comments' }).getByRole('link').first());
    await page.getByText('1 credit charged.').waitFor();
    await press(page, page.locator('dd a').first());
    await page.getByRole('link', { name: 'Show all' }).waitFor();
    await page.locator('.panel tbody tr').nth(1).waitFor();
    assert.equal(await page.locator('.panel tbody tr').count(), 2, 'its hold and its capture');
  });
  await t.test('create, limit, replace and revoke a key', async () => {
    await toPage(page, 'Keys');
    await press(page, button(page, 'Create a key'));
    await type(page, field(page, 'Label'), 'keyboard');
    await press(page, field(page, 'traffic'), 'Space');
    await press(page, button(page, 'Create'));
    const secret = (await page.locator('[data-secret]').innerText()).trim();
    assert.equal((await service.get('/v1/website/whois/domains/acme-widgets.com', { 'x-api-key': secret })).status, 403);
    await press(page, button(page, 'Done'));
    assert.ok(!(await page.innerText('body')).includes(secret), 'the secret is shown once');

    await press(page, button(page, 'Edit keyboard'));
    await type(page, field(page, 'Credits a day'), '5');
    await press(page, button(page, 'Save'));
    await page.getByText('traffic · 5 credits a day').waitFor();

    await press(page, button(page, 'Replace keyboard'));
    await press(page, button(page, 'Make the new key'));
    const replaced = (await page.locator('[data-secret]').innerText()).trim();
    await press(page, button(page, 'Done'));
    assert.equal((await service.get('/v1/account', { 'x-api-key': secret })).status, 401);
    assert.equal((await service.get('/v1/account', { 'x-api-key': replaced })).status, 200);

    await press(page, button(page, 'Revoke keyboard'));
    await press(page, button(page, 'Revoke'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await service.get('/v1/account', { 'x-api-key': replaced })).status, 401);
  });
  await t.test('usage by day with its chart and its table', async () => {
    await toPage(page, 'Usage');
    const chart = page.getByRole('img', { name: /^Credits by day: \d+ values, most \d{4}-\d\d-\d\d 1, least/ });
    await chart.waitFor();
    await press(page, page.getByText('Table of Credits by operation'));
    await page.getByRole('rowheader', { name: 'forum-comments' }).waitFor();
  });
  await t.test('sign out everywhere', async () => {
    await toPage(page, 'Sessions');
    await press(page, button(page, 'Sign out everywhere'));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
  assert.deepEqual(complaintsOf(page), []);
});

test('every action of the operator by keyboard alone', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn({}, 'operator');
  const account = async () => (await service.admin.listAccounts()).find((a) => a.name.startsWith('Key'));
  const act = async (name: string, fill: () => Promise<void>, confirm: string) => {
    await press(page, button(page, name));
    await page.getByRole('dialog').waitFor();
    await fill();
    await press(page, page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  await toPage(page, 'Accounts');
  await act(
    'Create an account',
    async () => {
      await type(page, field(page, 'Name'), 'Keyboard');
      await type(page, field(page, 'Credits'), '7');
    },
    'Create',
  );
  await press(page, page.getByRole('link', { name: 'Keyboard' }));
  await act('Rename', () => type(page, field(page, 'Name'), 'Keys and all'), 'Rename');
  assert.equal((await account())?.name, 'Keys and all');
  await act(
    'Grant or take credits',
    async () => {
      await type(page, field(page, 'Credits'), '-3');
      await type(page, field(page, 'Reason'), 'taken back');
    },
    'Write to the ledger',
  );
  assert.equal((await account())?.balance, 4);
  await act('Suspend', async () => {}, 'Suspend');
  assert.notEqual((await account())?.suspendedAt, null);
  await act('Resume', async () => {}, 'Resume');
  assert.equal((await account())?.suspendedAt, null);

  await t.test('its ledger shows the reason', async () => {
    await press(page, page.getByRole('navigation', { name: 'Of this account' }).getByRole('link', { name: 'Ledger' }));
    await page.getByRole('cell', { name: 'taken back' }).waitFor();
  });
  await t.test('requests are sent for the account that is chosen', async () => {
    await toPage(page, 'Playground');
    await press(page, page.locator('[href="/console/playground/registration"]'));
    await press(page, button(page, 'Fill from examples'));
    await page.locator('[data-price="1"]').waitFor();
    await press(page, button(page, 'Run'));
    await page.locator('[data-charged="1"]').waitFor();
    assert.equal((await account())?.balance, 3);
  });
  await t.test('a client is created and revoked', async () => {
    await toPage(page, 'Clients');
    await press(page, button(page, 'Create a client'));
    await type(page, field(page, 'Label'), 'robot');
    await press(page, button(page, 'Create'));
    await page.locator('[data-secret]').waitFor();
    await press(page, button(page, 'Done'));
    await act('Revoke robot', async () => {}, 'Revoke');
    await page.getByRole('cell', { name: /^revoked/ }).waitFor();
  });
  await t.test('sources, audit log and fleet are read', async () => {
    await toPage(page, 'Sources');
    await page
      .getByRole('row', { name: /registration\/rdap/ })
      .getByText('ready')
      .waitFor();
    await page
      .getByText(/^needs \w+/)
      .first()
      .waitFor();
    await toPage(page, 'Audit');
    await page.getByRole('cell', { name: 'account.suspend' }).waitFor();
    await toPage(page, 'Fleet');
    await page.getByText('one process').waitFor();
  });
  await t.test('deletion asks for the name', async () => {
    await toPage(page, 'Accounts');
    await press(page, page.getByRole('link', { name: 'Keys and all' }));
    await press(page, button(page, 'Delete'));
    await type(page, field(page, 'Name of the account'), 'other');
    await press(page, button(page, 'Delete for good'));
    await page.getByText('Type the name of the account').waitFor();
    await type(page, field(page, 'Name of the account'), 'Keys and all');
    await press(page, button(page, 'Delete for good'));
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    assert.equal(await account(), undefined);
  });
  assert.deepEqual(complaintsOf(page), []);
});
