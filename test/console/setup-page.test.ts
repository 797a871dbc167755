// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { missing } from '../browser/chromium.ts';
import { startUnclaimed } from './unclaimed.ts';

/** Icons without a tile, or marks, that stand more than a pixel above or below the first line of the words after them. */
const iconsOffTheirLine = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll(':is(.rows, .stages) > li')].flatMap((row) => {
    const icon = row.querySelector('svg');
    const words = row.querySelector('.grow, .words');
    if (!icon || !words?.checkVisibility() || icon.closest('.tile, .grow, button, a')) return [];
    const range = document.createRange();
    range.selectNodeContents(words);
    const line = range.getClientRects()[0];
    const { top, bottom } = icon.getBoundingClientRect();
    const off = (top + bottom - line.top - line.bottom) / 2;
    return Math.abs(off) > 1 ? [words.textContent + ': ' + off + ' px'] : [];
  })`);

test('a newcomer claims the service in a browser, by the keyboard alone: the link, a name, two keys, a first answer, both consoles', {
  skip: missing,
}, async (t) => {
  const { service, browser, context, link } = await startUnclaimed(t);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));

  const mangled = await context.newPage();
  await mangled.goto(link.replace(/#.*/, '#%E0%A4'));
  assert.equal(await mangled.getByLabel('Setup code').inputValue(), '');
  await mangled.close();
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
  // what to know before something is switched on
  const lacking = page.getByRole('region', { name: 'Needs something of yours' });
  const REASONS = [/REDDIT_CLIENT_SECRET, whose interface ends on Mar\s1,\s2027\./, /robots\.txt of the App Store excludes its search\./];
  for (const reason of REASONS) await lacking.getByText(reason).waitFor();
  assert.deepEqual(await iconsOffTheirLine(page), []);

  await page.getByRole('button', { name: 'Run it here' }).press('Enter');
  await page.getByText(/answered in \d+ ms/).waitFor();
  await page.getByLabel('I have stored both').press('Space');
  await page.getByRole('button', { name: 'Go on' }).press('Enter');
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  assert.equal(await page.locator('header.bar').count(), 1);
  // what answers here is offered, and what does not names its cure
  await page.getByRole('region', { name: 'Works now' }).getByRole('link', { name: 'Domain registration' }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Works now' }).getByRole('link', { name: 'Google and Bing' }).count(), 0);
  for (const reason of REASONS) await page.getByRole('region', { name: 'Also off' }).getByText(reason).waitFor();
  assert.deepEqual(await iconsOffTheirLine(page), []);
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

test('the code is one field of eight places: pasted with or without the dash, in small letters, changed in its middle', {
  skip: missing,
}, async (t) => {
  const { service, context, browser, link } = await startUnclaimed(t);
  const code = link.split('#')[1] ?? '';
  const page = await context.newPage();
  await page.goto(`${service.baseUrl}/setup`);
  const field = page.getByLabel('Setup code');
  await field.and(page.locator(':focus')).waitFor();
  for (const pasted of [code, code.replace('-', ''), ` ${code.toLowerCase()} `, code.replace('-', ' – ')]) {
    await field.fill('');
    await field.focus();
    await page.keyboard.insertText(pasted);
    assert.equal(await field.inputValue(), code, JSON.stringify(pasted));
  }
  await field.fill('');
  await page.keyboard.type('0abo1ci2d34efgh');
  assert.equal(await field.inputValue(), 'ABC2-D34E', 'no 0, O, 1 or I, and no ninth');
  for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('x');
  assert.equal(await field.inputValue(), 'ABC2-X34E');

  // each character stands in its place, whatever the width
  for (const width of [320, 390, 720, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const { places, pitchPx, startPx, innerPx, scrollPx, pageIsWide } = await page.evaluate<Record<string, number>>(`(() => {
      const input = document.querySelector('#code'), style = getComputedStyle(input);
      const boxes = [...document.querySelectorAll('.places > span')].map((e) => e.getBoundingClientRect());
      const brush = document.createElement('canvas').getContext('2d');
      brush.font = style.font;
      const glyph = brush.measureText('0').width;
      return {
        places: document.querySelectorAll('.places > :not(.dash)').length,
        pitchPx: boxes[8].left - boxes[0].left - 8 * (glyph + parseFloat(style.letterSpacing)),
        startPx: input.getBoundingClientRect().left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft) + glyph / 2 - (boxes[0].left + boxes[0].right) / 2,
        innerPx: input.clientWidth,
        scrollPx: input.scrollWidth,
        pageIsWide: document.documentElement.scrollWidth - innerWidth,
      };
    })()`);
    assert.equal(places, 8);
    assert.ok(
      Math.abs(Number(pitchPx)) < 1.5 && Math.abs(Number(startPx)) < 1.5,
      `${width} px: ${pitchPx} px at the end, ${startPx} px at the start`,
    );
    assert.ok(Number(scrollPx) <= Number(innerPx) + 1 && Number(pageIsWide) <= 0, `${width} px: ${scrollPx} of ${innerPx}`);
  }

  // what is wrong with it stands beside it, once
  await page.getByLabel('Name of your account').fill('Northlight');
  await page.keyboard.press('Enter');
  await page.locator('.field:has(#code)').getByRole('alert').filter({ hasText: 'This code is not the one of this service.' }).waitFor();
  assert.equal(await page.getByText('This code is not the one of this service.').count(), 1);
  assert.deepEqual(
    [await field.getAttribute('aria-invalid'), await field.getAttribute('aria-describedby')],
    ['true', 'code-wrong code-about'],
  );
  await browser.close();
});

test('who leaves the keys before both were copied is asked once, by the browser; who copied them or said that they are stored is not', {
  skip: missing,
}, async (t) => {
  const { context, browser, link } = await startUnclaimed(t);
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.goto(link);
  await page.getByLabel('Name of your account').fill('Northlight');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Store two keys now' }).waitFor();
  const leave = async (): Promise<string[]> => {
    await page.evaluate("setTimeout(() => (location.href = '/docs/'))");
    await new Promise((resolve) => setTimeout(resolve, 500));
    return asked.splice(0);
  };
  await page.getByRole('region', { name: 'API key' }).getByRole('button', { name: 'Copy' }).last().click();
  assert.deepEqual(await leave(), ['beforeunload'], 'the command has one key alone');
  await page.getByRole('heading', { name: 'Store two keys now' }).waitFor();
  const box = page.getByLabel('I have stored both');
  for (const isOn of [true, false]) {
    await box.click();
    assert.equal(await box.isChecked(), isOn);
  }
  // another address of the console, and the console's own words
  await page.evaluate(
    "document.body.append(Object.assign(document.createElement('a'), { href: '/console/keys', textContent: 'elsewhere' }))",
  );
  await page.getByRole('link', { name: 'elsewhere' }).click();
  await page.getByText('Not both keys were copied. They cannot be shown again.').waitFor();
  assert.equal(new URL(page.url()).pathname, '/setup');
  await page.getByRole('region', { name: 'Operator’s key' }).getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  await leave();
  await page.waitForURL('**/docs/');
  assert.deepEqual(asked, []);
  await browser.close();
});
