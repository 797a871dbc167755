// Own process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, openConsole, runButton } from './open-console.ts';

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

  await t.test('sign in', async () => {
    await page.goto(`${service.baseUrl}/console`);
    await type(page, page.locator('#credential'), service.key);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });
  await t.test('find by the name of a platform, by other words, and an act', async () => {
    await page.keyboard.press('Control+K');
    const dialog = page.getByRole('dialog', { name: 'Find' });
    const found = {
      tiktok: 'TikTok video',
      reddit: 'Reddit posts',
      shopify: 'Shopify app',
      google: 'Google and Bing',
      twitter: 'X post',
      whois: 'Domain registration',
      'create key': 'Create a key',
      'upload file': 'Look up a file',
      webhook: 'Tell a webhook or a channel',
      'first source': 'First source',
      nginx: 'Reverse proxy',
      competitors: 'Rankings',
      bulk: 'Files (bulk)',
      docs: 'Guides and reference',
      'guides and': 'Guides and reference',
      'theme dark': 'Theme: dark',
    };
    for (const [word, name] of Object.entries(found)) {
      await dialog.getByRole('searchbox').fill(word);
      await dialog.locator('.menu li', { hasText: name }).first().waitFor();
    }
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.evaluate("localStorage.removeItem('sightline.theme')");
  });
  await t.test('an act of Find opens its dialog, from any page and on its own', async () => {
    const act = async (words: string): Promise<void> => {
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog', { name: 'Find' }).waitFor();
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
    };
    const dialogs = { 'create key': 'Create a key', webhook: 'Add a target', 'import domains': 'Import domains' };
    for (const [words, name] of [...Object.entries(dialogs), ...Object.entries(dialogs).slice(-1)]) {
      await act(words);
      const dialog = page.getByRole('dialog', { name });
      await dialog.waitFor();
      await page.waitForURL((url) => !url.search.includes('_do'));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    const chooser = page.waitForEvent('filechooser');
    await act('upload file');
    await chooser;
    const docs = page.context().waitForEvent('page');
    await act('docs');
    const tab = await docs;
    assert.equal(new URL(tab.url()).pathname, '/docs/');
    await tab.close();
  });
  await t.test('find an operation, fill its form, run it', async () => {
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog', { name: 'Find' }).waitFor();
    await page.keyboard.type('comments');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Reddit comments', level: 1 }).waitFor();
    await type(page, page.locator('#field-postId'), '1abc01');
    await page.locator('[data-price="1"]').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: '64 comments' }).waitFor();
  });
  await t.test('collapse, search and sort comments', async () => {
    const first = page.getByRole('button', { name: /^Answers to/ }).first();
    await press(page, first, 'Space');
    assert.equal(await first.getAttribute('aria-expanded'), 'false');
    await type(page, page.getByRole('searchbox', { name: 'Search', exact: true }), 'support fine kettle');
    await page.getByText(/^\d match(es)?$/).waitFor();
    const sort = page.locator('.thread').getByRole('button', { name: /^Sort/ });
    await press(page, sort);
    // the popover begins with what is chosen
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    assert.doesNotMatch(await sort.innerText(), /As in the thread/);
  });
  await t.test('open a member of the JSON; choose the code', async () => {
    await tabTo(page, page.getByRole('tab', { name: 'Preview' }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await press(page, page.getByRole('button', { name: /^comments, 64 entries/ }), 'Space');
    assert.equal(await page.getByRole('button', { name: /^comments, 64/ }).getAttribute('aria-expanded'), 'true');
    await page.getByRole('tab', { name: 'JSON' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('pre[data-language="curl"]').waitFor();
    await press(page, page.getByRole('radio', { name: 'curl' }), 'ArrowDown');
    await page.locator('pre[data-language="TypeScript"]').waitFor();
  });
  await t.test('download JSON and CSV', async () => {
    for (const [name, ending] of [
      ['Download JSON', 'json'],
      ['Download CSV', 'csv'],
    ]) {
      await press(page, button(page, 'Download'));
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, button(page, name ?? ''))]);
      assert.equal(file.suggestedFilename(), `forum-comments.${ending}`);
    }
  });
  await t.test('the answer is in the history of the page', async () => {
    await press(page, button(page, 'History'));
    await press(page, page.locator('.history a').first());

    await page.getByRole('heading', { name: '64 comments' }).waitFor();
  });
  await t.test('watch a lookup, pause and remove the watch', async () => {
    await press(page, button(page, 'Watch this'));
    await press(page, page.getByRole('radio', { name: 'day', exact: true }), 'ArrowLeft');
    await press(page, page.getByText('Name, budget and webhook'));
    await type(page, field(page, 'Name'), 'thread');
    await press(page, button(page, /^Watch at most/));
    await page.getByRole('heading', { name: 'thread', level: 1 }).waitFor();
    await page.getByText('every 12 hours').waitFor();
    for (const name of ['Pause', 'Remove']) {
      if (name === 'Remove') await press(page, button(page, 'More'));
      await press(page, button(page, `${name} thread`));
      await press(page, page.getByRole('dialog').getByRole('button', { name, exact: true }));
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    await page.getByText('No watches here').waitFor();
  });
  await t.test('explain a request, and filter the ledger by its receipt', async () => {
    await toPage(page, 'Requests');
    await press(page, page.locator('tr', { hasText: 'Reddit comments' }).getByRole('link').first());
    await page.getByRole('heading', { name: 'Why it was charged' }).waitFor();
    for (const step of ['Admission', 'Cache', 'Hold', 'forum/api', 'Check and answer', 'Capture'])
      await page.getByRole('rowheader', { name: step, exact: true }).waitFor();
    await press(page, page.getByRole('link', { name: 'Run again', exact: true }));
    await page.locator('[data-price="1"]').waitFor();
    assert.match(page.url(), /_age=new/, 'the form asks for a new answer, and nothing ran');
    assert.equal(await page.locator('[data-charged]').count(), 0);
    await page.goBack();
    await page.getByRole('heading', { name: 'Why it was charged' }).waitFor();
    await press(page, page.locator('dd a').first());
    await page.getByRole('button', { name: 'Clear' }).waitFor();
    await page.locator('tbody tr').nth(1).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 2, 'its hold and its capture');
  });
  await t.test('create, limit, replace and revoke a key', async () => {
    await toPage(page, 'Keys');
    await press(page, button(page, 'Create a key'));
    await type(page, field(page, 'Label'), 'keyboard');
    await press(page, page.locator('dialog input[value=program]'), 'ArrowDown');
    await press(page, field(page, 'Traffic'), 'Space');
    await press(page, button(page, 'Create'));
    const secret = (await page.locator('[data-secret]').innerText()).trim();
    assert.equal((await service.get('/v1/website/whois/domains/acme-widgets.com', { 'x-api-key': secret })).status, 403);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('[data-secret]').count(), 1, 'Escape does not destroy the only copy');
    await press(page, button(page, 'I have stored it'));
    assert.ok(!(await page.innerText('body')).includes(secret), 'the secret is shown once');

    await press(page, button(page, 'Edit keyboard'));
    await type(page, field(page, 'Credits a day'), '5');
    await press(page, button(page, 'Save'));
    await page.getByRole('cell', { name: '0 of 5 credits today' }).waitFor();
    await page.getByRole('cell', { name: 'Traffic', exact: true }).waitFor();

    await press(page, button(page, 'Replace keyboard'));
    await press(page, button(page, 'Make the new key'));
    const replaced = (await page.locator('[data-secret]').innerText()).trim();
    await press(page, button(page, 'I have stored it'));
    assert.equal((await service.get('/v1/account', { 'x-api-key': secret })).status, 401);
    assert.equal((await service.get('/v1/account', { 'x-api-key': replaced })).status, 200);

    // the list is read again: the key before it has lost its buttons
    await page.locator('tr', { hasText: replaced.slice(0, 7) }).waitFor();
    await press(page, button(page, 'Revoke keyboard'));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await service.get('/v1/account', { 'x-api-key': replaced })).status, 401);
  });
  await t.test('usage by day with its chart and its table', async () => {
    await toPage(page, 'Usage');
    const chart = page.getByRole('group', { name: /^Requests by day: 30 places, most \w+ \d+ [1-9]/ });
    await chart.waitFor();
    await chart.focus();
    await page.keyboard.press('End');
    await chart
      .getByRole('status')
      .getByText(/: Reddit comments 1/)
      .waitFor();
    await press(page, page.getByText('Table of Requests by day'));
    await page.getByRole('columnheader', { name: 'Comments' }).waitFor();
    await page.getByRole('rowheader', { name: 'Comments' }).waitFor();
  });
  await t.test('sign out everywhere', async () => {
    await press(page, page.locator('.sidebar .account'));
    await press(page, page.getByRole('dialog', { name: 'Account' }).getByRole('link', { name: 'Sessions' }));
    await press(page, button(page, 'Sign out everywhere'));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }));
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
    'Create account',
    async () => {
      await type(page, field(page, 'Name'), 'Keyboard');
      await type(page, field(page, 'Credits'), '7');
    },
    'Create account',
  );
  await page.getByRole('heading', { name: 'Keyboard', level: 1 }).waitFor();
  await act('Rename', () => type(page, field(page, 'Name'), 'Keys and all'), 'Rename');
  assert.equal((await account())?.name, 'Keys and all');
  await act(
    'Grant credits',
    async () => {
      await type(page, field(page, 'Credits'), '-3');
      await type(page, field(page, 'Note for the ledger'), 'taken back');
    },
    'Grant credits',
  );
  assert.equal((await account())?.balance, 4);
  await act('Suspend', async () => {}, 'Suspend');
  assert.notEqual((await account())?.suspendedAt, null);
  await act('Resume', async () => {}, 'Resume');
  assert.equal((await account())?.suspendedAt, null);

  await t.test('its ledger shows the reason', async () => {
    await page.getByRole('cell', { name: 'taken back' }).waitFor();
    await press(page, page.getByRole('link', { name: 'Whole ledger' }));
    await page.getByRole('cell', { name: 'taken back' }).waitFor();
  });
  await t.test('requests are sent for the account that is chosen', async () => {
    await toPage(page, 'Workbench');
    await press(page, page.locator('[href$="/w/registration"]'));
    await type(page, page.locator('#field-domain'), 'acme-widgets.com');
    await page.locator('[data-price="1"]').waitFor();
    await press(page, runButton(page));
    await page.locator('[data-charged="1"]').waitFor();
    assert.equal((await account())?.balance, 3);
  });
  await t.test('a client is created and revoked', async () => {
    await toPage(page, 'Clients');
    await press(page, button(page, 'Create a client'));
    await type(page, field(page, 'Label'), 'robot');
    await press(page, button(page, 'Create'));
    await page.locator('[data-secret]').waitFor();
    await press(page, button(page, 'I have stored it'));
    await act('Revoke robot', async () => {}, 'Revoke');
    await page.getByRole('cell', { name: 'Revoked' }).waitFor();
  });
  await t.test('find a source by the platform or the provider, an account by its name, and an act', async () => {
    await press(page, page.getByRole('link', { name: 'Back to operator' }));
    const dialog = page.getByRole('dialog', { name: 'Find' });
    await page.keyboard.press('Control+K');
    const found = {
      ...{ google: 'DataForSEO', tiktok: 'shortvideo/page', reddit: 'forum/api', twitter: 'microblog/api', shopify: 'appmarket/page' },
      ...{ whois: 'registration/whois', serpapi: 'SerpApi', 'keys and all': 'Keys and all', 'new customer': 'Create an account' },
      ...{ 'theme light': 'Theme: light', 'first source': 'First source', audit: 'Audit' },
    };
    for (const [word, name] of Object.entries(found)) {
      await dialog.getByRole('searchbox').fill(word);
      await dialog.locator('.menu li', { hasText: name }).first().waitFor({ timeout: 5_000 });
    }
    const choose = async (word: string, name: string): Promise<void> => {
      await dialog.getByRole('searchbox').fill(word);
      await dialog.locator('.menu li').first().filter({ hasText: name }).waitFor();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    };
    await choose('serper', 'recipe/serper');
    await page.getByRole('heading', { name: 'recipe/serper', level: 1 }).waitFor();
    await page.locator('#credential-SERPER_KEY:focus').waitFor();
    await page.keyboard.press('Control+K');
    await choose('keys and all', 'Keys and all');
    await page.getByRole('heading', { name: 'Keys and all', level: 1 }).waitFor();
    await page.keyboard.press('Control+K');
    await choose('create an account', 'Create an account');
    await page.getByRole('dialog', { name: 'Create account' }).waitFor();
    await page.keyboard.press('Escape');
  });
  await t.test('sources, audit log and fleet are read', async () => {
    await toPage(page, 'Sources');
    await page
      .getByRole('row', { name: /registration\/rdap/ })
      .getByText('In use')
      .waitFor();
    await page
      .getByRole('row', { name: /No key/ })
      .first()
      .waitFor();
    await toPage(page, 'Audit');
    await page.getByRole('cell', { name: 'account.suspend' }).waitFor();
    await toPage(page, 'Fleet');
    await page.getByText('one process').waitFor();
  });
  await t.test('deletion asks for the name', async () => {
    await toPage(page, 'Accounts');
    await press(page, page.getByRole('link', { name: 'Keys and all', exact: true }));
    await press(page, button(page, 'Delete'));
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
    await type(page, field(page, 'Name of the account'), 'other');
    await press(page, confirm);
    await page.getByText('Type the name of the account').waitFor();
    await type(page, field(page, 'Name of the account'), 'Keys and all');
    await press(page, confirm);
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    assert.equal(await account(), undefined);
  });
  assert.deepEqual(complaintsOf(page), []);
});
