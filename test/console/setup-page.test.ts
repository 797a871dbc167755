// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing } from '../browser/chromium.ts';
import { startUnclaimed } from './unclaimed.ts';

test('a newcomer claims the service in a browser, by the keyboard alone: the link, a name, two keys, a first answer, both consoles', {
  skip: missing,
}, async (t) => {
  const { service, browser, context, link } = await startUnclaimed(t);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));

  // another tab, whose claim comes second
  const late = await context.newPage();
  await late.goto(link);
  await late.getByLabel('Name of your account').fill('Late');
  await page.bringToFront();
  await page.goto(link);
  const name = page.getByLabel('Name of your account');
  await name.waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the code leaves the address at once');
  assert.equal(await page.getByLabel('Setup code').inputValue(), link.split('#')[1]);
  await name.focus();
  await page.keyboard.type('Northlight');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Store two keys now' }).waitFor();
  const [apiKey = '', operatorKey = ''] = await page.locator('[data-secret]').allInnerTexts();
  assert.match(apiKey, /^sl_/);
  assert.match(operatorKey, /^slo_/);
  const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state, location.href, document.cookie])');
  for (const secret of [apiKey, operatorKey]) assert.ok(!String(stored).includes(secret));
  await page.getByText(/^\d+ of 14 operations$/).waitFor();
  assert.equal(await page.locator('header.bar').count(), 1);
  assert.equal(await page.getByRole('button', { name: 'Go on' }).isDisabled(), true);

  await page.getByRole('button', { name: 'Run it here' }).press('Enter');
  await page.getByText(/answered in \d+ ms/).waitFor();
  await page.getByLabel('I have stored both').press('Space');
  await page.getByRole('button', { name: 'Go on' }).press('Enter');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal(await page.locator('header.bar').count(), 1);
  // what answers here is offered, and what does not names its cure
  await page.getByRole('region', { name: 'Works now' }).getByRole('link', { name: 'Domain registration' }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Works now' }).getByRole('link', { name: 'Google and Bing' }).count(), 0);
  await page.getByText(/Free with a key of SerpApi \(250 searches a month\), .*Serper \(2,500 searches once, no card\)/).waitFor();

  await late.bringToFront();
  await late.getByRole('button', { name: 'Claim' }).click();
  await late.getByRole('heading', { name: 'This service is set up' }).waitFor();
  await late.getByRole('link', { name: 'Sign in' }).waitFor();
  assert.equal(await late.getByRole('button', { name: 'Claim' }).count(), 0);

  // reached again, the page leads to the sign-in
  const again = await context.newPage();
  await again.goto(`${service.baseUrl}/setup`);
  await again.getByRole('link', { name: 'Sign in' }).waitFor();

  const operator = await context.newPage();
  await operator.goto(`${service.adminUrl}/console/sources/SerpApi`);
  await operator.getByLabel('Operator’s key').fill(operatorKey);
  await operator.keyboard.press('Enter');
  const field = operator.getByLabel('SERPAPI_KEY');
  await field.fill('a-key-that-the-provider-refuses');
  await operator.keyboard.press('Enter');
  await operator.getByText('Not stored', { exact: true }).waitFor();
  await operator.getByText(/Invalid API key/).waitFor();
  await operator.getByText('credentials tried, not stored').waitFor();
  assert.equal(await field.getAttribute('type'), 'password');
  assert.deepEqual(complaints, []);
  await browser.close();
});

test('reached from another machine over plain http: it says so, copies without the clipboard of the browser, and leads to no console of that machine', {
  skip: missing,
}, async (t) => {
  const { service, context, browser, link } = await startUnclaimed(t);
  const page = await context.newPage();
  const there = new URL(link);
  there.hostname = 'nas.test';
  await page.goto(there.href);
  await page.getByText('You reach this service over plain http from another machine').waitFor();
  await page.getByLabel('Name of your account').fill('Northlight');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Store two keys now' }).waitFor();
  const [apiKey = '', operatorKey = ''] = await page.locator('[data-secret]').allInnerTexts();
  const operator = page.getByRole('region', { name: 'Operator’s key' });
  const { port } = new URL(service.adminUrl);
  await operator.getByText(`opens http://127.0.0.1:${port}/console on the machine of the service`).waitFor();
  await operator.getByText(`ssh -L ${port}:127.0.0.1:${port} nas.test`).waitFor();
  await page.getByRole('region', { name: 'Needs something of yours' }).waitFor();
  assert.equal(await page.getByRole('link', { name: /^Add a key/ }).count(), 0);
  // what was copied is what is pasted
  const pasted = await context.newPage();
  for (const [secret, place] of [
    [apiKey, page.getByRole('region', { name: 'API key' })],
    [operatorKey, operator],
  ] as const) {
    await page.bringToFront();
    await place.getByRole('button', { name: 'Copy' }).first().click();
    await place.getByText('Copied').waitFor();
    await pasted.bringToFront();
    await pasted.goto(`${service.baseUrl}/console`);
    await pasted.getByLabel('API key').focus();
    await pasted.keyboard.press('Control+V');
    assert.equal(await pasted.getByLabel('API key').inputValue(), secret);
  }
  await browser.close();
});
