// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { contractView } from '../../src/contract/contract-view.ts';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, fillForm, openConsole, runButton, runForm } from './open-console.ts';

const { operations } = contractView();
/** Where the answer begins at most, by the size of the window. */
const SIZES = [
  { width: 1440, height: 900, topPx: 210 },
  { width: 390, height: 844, topPx: 240 },
] as const;
const WIDTHS = [320, 390, 1440] as const;
const MOST_FONT_SIZES = 5;
const LEAST_FONT_PX = 12;

interface Measured {
  readonly topPx: number;
  readonly scrollY: number;
  readonly headings: number;
  readonly focusedOnRun: boolean;
  readonly said: string;
  readonly fontSizesPx: readonly number[];
}

const measure = (page: Page): Promise<Measured> =>
  page.evaluate(`(() => {
    const hasText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const sizes = [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && hasText(e)).map((e) => parseFloat(getComputedStyle(e).fontSize));
    return {
      topPx: document.querySelector('.drawn').getBoundingClientRect().top,
      scrollY,
      headings: document.querySelectorAll('h1').length,
      focusedOnRun: document.activeElement === document.querySelector('form.query .run'),
      said: [...document.querySelectorAll('.workbench > [role=status]')].map((e) => e.textContent).join(' '),
      fontSizesPx: [...new Set(sizes)],
    };
  })()`);

/** What is wider than the window, and tables of an answer that are wider than their box on a wide screen or a phone. */
const overflowing = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page: ' + document.documentElement.scrollWidth] : []),
    ...(innerWidth === 320 ? [] : [...document.querySelectorAll('.answer .table')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.ariaLabel)),
  ]`);

test('after Run each answer begins inside the window, the focus stays, and nothing is wider than the window', {
  skip: missing,
}, async (t) => {
  const { signedIn } = await openConsole(t);
  const page = await signedIn({ viewport: { width: 1440, height: 900 } });
  for (const operation of operations)
    await t.test(operation.id, async () => {
      for (const { topPx, ...size } of SIZES) {
        await page.setViewportSize(size);
        await fillForm(page, operation);
        await runForm(page);
        const measured = await measure(page);
        const where = `${operation.id} at ${size.width} px`;
        assert.ok(measured.topPx <= topPx && measured.scrollY === 0, `${where}: the answer begins at ${measured.topPx} px`);
        assert.equal(measured.headings, 1, where);
        assert.ok(measured.focusedOnRun, `${where}: the focus stays on Run`);
        assert.match(measured.said, /^Answer of .+, (?:nothing|\d+ credits?) charged, /, where);
        assert.ok(measured.fontSizesPx.length <= MOST_FONT_SIZES, `${where}: ${measured.fontSizesPx}`);
        assert.ok(Math.min(...measured.fontSizesPx) >= LEAST_FONT_PX, `${where}: ${measured.fontSizesPx}`);
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await overflowing(page), [], `${operation.id} at ${width} px`);
      }
    });
  assert.deepEqual(complaintsOf(page), []);
});

/** Headers of an answer from the shortest to the longest words of the strip. */
const ANSWERS = [
  { 'x-data-source': 'a/b', 'cache-status': 'sightline; fwd=uri-miss; stored; ttl=5', 'x-credits-charged': '1' },
  {
    'x-data-source': 'a-provider-with-a-long-name/and-a-long-interface',
    'cache-status': 'sightline; hit; ttl=7140',
    age: '7140',
    'x-credits-charged': '1200',
  },
  { 'cache-status': 'sightline; fwd=uri-miss; collapsed; ttl=86000', 'x-credits-charged': '0' },
] as const;

test('the strip has the same height at each width, whatever it says, and the form closes with the answer and not after it', {
  skip: missing,
}, async (t) => {
  const { signedIn } = await openConsole(t);
  const page = await signedIn({ viewport: { width: 390, height: 844 } });
  let answer = 0;
  await page.route('**/v1/appmarket/**', async (route) => {
    const response = await route.fetch();
    const { 'x-data-source': _, age: _age, ...headers } = response.headers();
    await route.fulfill({ response, headers: { ...headers, ...ANSWERS[answer] } });
  });
  await page.evaluate(`{
    window.queryHeights = [];
    new MutationObserver(() => {
      if (document.querySelector('.drawn')) queryHeights.push(document.querySelector('.query').offsetHeight);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  }`);
  const heights = new Map<number, Set<number>>();
  for (answer = 0; answer < ANSWERS.length; answer++) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate('queryHeights.length = 0');
    await fillForm(page, { id: 'app' });
    await runForm(page);
    const seen = await page.evaluate<readonly number[]>('[...new Set(queryHeights)]');
    assert.equal(seen.length, 1, `heights of the form while an answer is drawn: ${seen}`);
    for (const width of [320, 360, 390, 640, 960, 1280, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const height = await page.locator('.strip').evaluate((element) => element.getBoundingClientRect().height);
      heights.set(width, (heights.get(width) ?? new Set()).add(height));
      const cut = await page.evaluate<readonly string[]>(
        "[...document.querySelectorAll('.strip .line > :is(.charged, .whole)')].filter((e) => e.scrollWidth > e.clientWidth || e.getBoundingClientRect().right > innerWidth).map((e) => e.textContent)",
      );
      assert.deepEqual(cut, [], `at ${width} px the charge and the time are shown whole`);
      assert.deepEqual(await overflowing(page), [], `at ${width} px`);
    }
  }
  for (const [width, each] of heights) assert.equal(each.size, 1, `heights of the strip at ${width} px: ${[...each]}`);
  assert.deepEqual(complaintsOf(page), []);
});

test('rows in view at 1440 × 900, and the stops of Tab before Run', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn({ viewport: { width: 1440, height: 900 } });
  const wholly = (selector: string): Promise<number> =>
    page.evaluate(`[...document.querySelectorAll('${selector}')].filter((e) => e.getBoundingClientRect().bottom <= innerHeight).length`);
  await fillForm(page, { id: 'serp' });
  await runForm(page);
  assert.ok((await wholly('.result')) >= 9, `${await wholly('.result')} organic entries`);
  await fillForm(page, { id: 'app-keywords' });
  await runForm(page);
  const rows = await wholly('.ranking tbody tr');
  assert.ok(rows >= 14, `${rows} rows of the ranking`);
  const highest = await page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('.ranking tbody tr')].map((e) => e.offsetHeight))",
  );
  assert.ok(highest <= 40, `a row is ${highest} px high`);

  const isOnRun = () => runButton(page).evaluate((element) => element === element.ownerDocument.activeElement);
  const stops = async (): Promise<number> => {
    for (let pressed = 0; pressed < 20; pressed++) {
      if (await isOnRun()) return pressed;
      await page.keyboard.press('Tab');
    }
    return Number.POSITIVE_INFINITY;
  };
  await page.goto(`${service.baseUrl}/console/w/serp`);
  await page.locator('#field-keyword:focus').waitFor();
  assert.ok((await stops()) <= 3, 'from the required field, which has the focus');
  await page.goto(`${service.baseUrl}/console/w/serp`);
  await page.locator('#field-keyword:focus').waitFor();
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  assert.ok((await stops()) <= 5, 'from the link that skips to the page, which is the first stop');
});

test('lists of an account and of the operator are as wide as their box, at 1024 px with their most important columns', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t, { SIGHTLINE_CAPTURE: 'all' });
  const account = await signedIn({ viewport: { width: 1024, height: 900 } });
  for (const operation of operations) {
    await fillForm(account, operation);
    await runForm(account);
  }
  const operator = await signedIn({ viewport: { width: 1024, height: 900 } }, 'operator');
  const lists = [
    [account, ['requests', 'ledger', 'usage', 'keys']],
    [operator, ['accounts', `accounts/${service.accountId}`, 'sources', 'evidence', 'audit']],
  ] as const;
  for (const [page, paths] of lists) {
    const { origin } = new URL(page.url());
    for (const path of paths) {
      await page.goto(`${origin}/console/${path}`);
      await page.locator('.grid tbody tr').first().waitFor();
      for (const width of [1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate<readonly string[]>(
          "[...document.querySelectorAll('.table')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.ariaLabel + ': ' + e.scrollWidth + ' of ' + e.clientWidth + ' px')",
        );
        assert.deepEqual(wide, [], `${path} at ${width} px`);
      }
      await page.setViewportSize({ width: 1024, height: 900 });
    }
    assert.deepEqual(complaintsOf(page), []);
  }
});
