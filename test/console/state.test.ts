// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationList } from '../../src/contract/operations/index.ts';
import { answerTable, csvOf, tableForm } from '../../src/contract/tables.ts';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, fillForm, openConsole, runButton, runForm, textOf } from './open-console.ts';

test('the address is the state: reload, back, forward and a copied link show the same answer, free and without an entry in the log', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn();
  const logged = async (): Promise<number> =>
    (await service.get('/v1/account/requests?limit=1000')).body.requests.filter(
      (r: { operation: string }) => !r.operation.startsWith('account'),
    ).length;
  const shown = async (id: string): Promise<void> => page.locator('.drawn h2', { hasText: id }).waitFor();
  const domain = async (name: string): Promise<void> => {
    await page.locator('#field-domain').fill(name);
    await runForm(page);
    await shown(name);
  };
  await page.goto(`${service.baseUrl}/console/w/registration`);
  await domain('acme-widgets.com');
  await page.locator('#field-domain').fill('other.com');
  await page.getByText('form changed since').waitFor();
  await domain('acme-widgets.io');
  const before = await logged();
  assert.equal(before, 2);
  await page.goBack();
  await shown('acme-widgets.com');
  assert.equal(await page.locator('#field-domain').inputValue(), 'acme-widgets.com', 'the answer stands over its own form');
  await page.goForward();
  await shown('acme-widgets.io');
  assert.equal(await page.locator('#field-domain').inputValue(), 'acme-widgets.io');
  await page.getByRole('tab', { name: 'Headers' }).click();
  await page.waitForURL(/_tab=headers/);
  await page.reload();
  await page.getByRole('table', { name: 'Headers of the answer' }).waitFor();
  assert.equal(await page.locator('[data-charged]').getAttribute('data-charged'), '0');
  await page.locator('.strip', { hasText: 'From the cache' }).waitFor();
  const copied = page.url();
  const other = await page.context().newPage();
  await other.goto(copied);
  await other.getByRole('table', { name: 'Headers of the answer' }).waitFor();
  await page.getByRole('button', { name: 'History' }).click();
  assert.equal(await logged(), before, 'what is shown again is not in the log');
  await page.goto(`${service.baseUrl}/console/w/registration?domain=not-asked-before.com`);
  await page.locator('[data-price="1"]').waitFor();
  assert.equal(await page.locator('.drawn').count(), 0, 'nothing is run by an address');
  assert.equal(await logged(), before);
  assert.deepEqual(complaintsOf(page), []);
});

test('Back never loses the Workbench: the form, run or only typed, and its answer are there after other pages and a reload', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/website/')) asked.push(request.url());
  });
  const field = page.locator('#field-domain');
  const goTo = async (name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  };
  /** What the Workbench shows: its form, its options, whose answer, and what was charged for it. */
  const shown = async () => {
    const drawn = page.locator('.drawn h2').first();
    await drawn.waitFor();
    return {
      domain: await field.inputValue(),
      age: await page.getByRole('button', { name: /^Age/ }).innerText(),
      answer: await drawn.innerText(),
      charged: await page.locator('[data-charged]').getAttribute('data-charged'),
    };
  };
  /** Types and leaves in one task: sooner than an address is written. */
  const typeAnd = (text: string, leave: string) =>
    page.evaluate(`{
      const field = document.querySelector('#field-domain');
      field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new Event('input', { bubbles: true }));
      ${leave};
    }`);

  await page.goto(`${service.baseUrl}/console/w/registration?_age=600`);
  await field.fill('acme-widgets.com');
  await runForm(page);
  const before = await shown();
  assert.deepEqual([before.domain, before.charged], ['acme-widgets.com', '1']);
  assert.match(before.age, /10 min/);
  for (const name of ['Requests', 'Home', 'Usage']) await goTo(name);
  for (let back = 0; back < 3; back++) await page.goBack();
  assert.deepEqual(await shown(), before);
  assert.equal(asked.length, 1, 'the answer was kept by the page');

  await typeAnd('typed-only.com', `document.querySelector('nav[aria-label=Pages] a[href="/console/keys"]').click()`);
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  await page.goBack();
  await page.getByText('form changed since').waitFor();
  assert.deepEqual(await shown(), { ...before, domain: 'typed-only.com' }, 'what was typed stands over the answer before');

  await goTo('Usage');
  await page.goBack();
  await field.waitFor();
  await goTo('Keys');
  await page.goBack();
  await typeAnd('typed-and-back.com', 'history.forward()');
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  await page.goBack();
  await field.waitFor();
  assert.equal(await field.inputValue(), 'typed-and-back.com');
  await page.waitForURL(/domain=typed-and-back\.com/);

  await Promise.all([page.waitForURL('**/docs/'), typeAnd('acme-widgets.com', "location.assign('/docs/')")]);
  await page.goBack();
  assert.deepEqual(await shown(), { ...before, charged: '0' }, 'a new page shows the kept answer, free');
  await page.reload();
  assert.deepEqual(await shown(), { ...before, charged: '0' });
  await goTo('Home');
  await page.reload();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await page.goBack();
  assert.deepEqual(await shown(), { ...before, charged: '0' });
  assert.deepEqual(complaintsOf(page), []);
});

test('typing asks for a price once per distinct input, and the log holds the lookups alone', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/account/price')) asked.push(request.url());
  });
  await page.goto(`${service.baseUrl}/console/w/registration`);
  await page.locator('#field-domain').pressSequentially('acme-widgets.com', { delay: 5 });
  await page.locator('[data-price="1"]').waitFor();
  assert.ok(asked.length <= 3, `${asked.length} price questions for 16 typed characters`);
  const first = asked.length;
  await page.locator('#field-domain').fill('other.com');
  await page.locator('#field-domain').fill('acme-widgets.com');
  await page.locator('[data-price="1"]').waitFor();
  assert.ok(asked.length <= first + 1, 'an input that was priced is not asked about again');
  for (let at = 0; at < 3; at++) await runForm(page);
  const { requests } = (await service.get('/v1/account/requests?limit=1000')).body;
  assert.deepEqual(
    requests.map((r: { operation: string }) => r.operation).filter((name: string) => name !== 'account-requests'),
    ['registration', 'registration', 'registration'],
  );

  await t.test('a price question that fails is asked again', async () => {
    let refused = 0;
    await page.route('**/v1/account/price**', (route) =>
      refused++ ? route.continue() : route.fulfill({ status: 503, json: { error: { code: 'OVERLOADED', message: 'busy' } } }),
    );
    await page.locator('#field-domain').fill('asked-again.com');
    await page.locator('[data-price="1"]').waitFor();
    assert.equal(refused, 2);
    await page.unroute('**/v1/account/price**');
  });
  await t.test('a pasted address is read as the service understands it, and this is said', async () => {
    await page.locator('#field-domain').fill('https://www.acme-widgets.com/pricing?a=1');
    await page.getByText('Understood www.acme-widgets.com from the address').waitFor();
    assert.equal(await page.locator('#field-domain').inputValue(), 'www.acme-widgets.com');
  });
  await t.test('entities are links to their next lookups', async () => {
    await fillForm(page, { id: 'app-keywords' });
    await runForm(page);
    await page.locator('.ranking').getByRole('link', { name: 'Reviews', exact: true }).first().click();
    await page.getByRole('heading', { name: 'App reviews', level: 1 }).waitFor();
    assert.notEqual(await page.getByLabel('Handle').inputValue(), '');
  });
  await t.test('the CSV is the one of `bulk --rows`', async () => {
    await fillForm(page, { id: 'app-developer' });
    const { text } = await runForm(page);
    const operation = operationList.find(({ id }) => id === 'app-developer');
    const form = operation && tableForm(operation, 'entries');
    assert.ok(form);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()]);
    assert.equal(await textOf(file), csvOf(answerTable(form, JSON.parse(text))));
  });
  await t.test('the next page, and all pages with their cost first', async () => {
    await fillForm(page, { id: 'app-keywords' });
    await page.getByRole('button', { name: 'All pages' }).click();
    await page.getByText('Costs 3 credits at most').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Page 2 · / }).click();
    await page.getByText('page 2 of 4').waitFor();
    assert.match(page.url(), /page=2/);
  });
  await t.test('a lookup that runs says its time and its deadline; the source that the log has; Stop says what it may cost', async () => {
    await fillForm(page, { id: 'traffic' });
    await runForm(page);
    await page.route('**/v1/traffic/**', () => undefined);
    await page.goto(`${page.url().replace(/domain=[^&]*/, 'domain=other-widgets.com')}`);
    await page.locator('[data-price="1"]').waitFor();
    await runButton(page).click();
    await page.getByText(/^Source last time traffic\//).waitFor();
    assert.match(await page.locator('.strip').innerText(), /Running[\s\S]*Elapsed[\s\S]*Deadline[\s\S]*30 s[\s\S]*Held[\s\S]*1 credit/);
    assert.match((await page.locator('.workbench > [role=status]').textContent()) ?? '', /^Running: a source is asked, 1 credit held/);
    await page.keyboard.press('Escape');
    await page.getByText('if it still answers, the price of 1 credit is charged').waitFor();
    assert.equal(await runButton(page).evaluate((e) => e === e.ownerDocument.activeElement), true, 'the focus stays on Run');
  });
});

test('each entrance asks for its own credential; a link pasted into an open tab signs in; an ended session keeps the form', {
  skip: missing,
}, async (t) => {
  const { service, browser, link } = await openConsole(t);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${service.baseUrl}/console`);
  await page.getByLabel('API key', { exact: true }).waitFor();
  assert.equal(await page.getByText(/token/i).count(), 0, 'the public entrance offers no token');
  await page.goto(`${service.adminUrl}/console`);
  await page.getByLabel('Operator’s key').waitFor();

  await page.goto(`${service.baseUrl}/console`);
  await page.getByLabel('API key', { exact: true }).waitFor();
  const { hash } = new URL(await link('account'));
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the code leaves the address');

  await page.goto(`${service.baseUrl}/console/w/registration`);
  await page.locator('#field-domain').waitFor();
  // a request of the page without its cookie would end the session before the form is filled
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
  await page.locator('#field-domain').fill('typed-before.com');
  await page.getByText('Your session has ended').waitFor();
  await page.getByLabel('API key', { exact: true }).fill(service.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#field-domain').waitFor();
  assert.equal(await page.locator('#field-domain').inputValue(), 'typed-before.com');

  await t.test('keys: `?` lists them, `g r` goes, and they can be switched off', async () => {
    await page.goto(`${service.baseUrl}/console`);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.locator('#main').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.getByLabel('Single keys act').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    assert.equal(new URL(page.url()).pathname, '/console');
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog', { name: 'Find' }).waitFor();
    await page.keyboard.type('requests');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  });
});
