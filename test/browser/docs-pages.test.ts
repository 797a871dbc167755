// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { faultsOf, violationsOf, withAxe } from '../console/axe.ts';
import { missing, openBrowser } from './chromium.ts';

const SITE = 'dist/docs';
const PAGES = globSync('**/*.html', { cwd: SITE }).sort();
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** The folder at the root of a plain web server, as anybody may serve it. */
async function serveFolder(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://docs').pathname;
    readFile(join(SITE, path.endsWith('/') ? `${path}index.html` : path)).then(
      (bytes) => response.writeHead(200, { 'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The longest of each kind. */
const HEAVY = [
  'index.html',
  'settings.html',
  'watches.html',
  'reference/index.html',
  'reference/serp.html',
  'reference/account-watches.html',
];

const WIDTHS = [320, 720, 1024, 1440] as const;
/** What is wider than the window, or cut without a way to scroll to it. */
const CUT = `(() => {
  const wider = document.documentElement.scrollWidth > innerWidth ? ['the page: ' + document.documentElement.scrollWidth] : [];
  const cut = [...document.querySelectorAll('h1, h2, h3, p, li, dt, dd, th, td, a, button, label')].filter((e) => {
    if (!e.checkVisibility()) return false;
    const style = getComputedStyle(e);
    return e.scrollWidth > e.clientWidth + 1 && style.display !== 'inline' && e.clientWidth > 1;
  });
  return [...wider, ...cut.slice(0, 3).map((e) => 'cut: ' + e.outerHTML.slice(0, 120))];
})()`;

/** Rows whose words stand on more than one line, where one is not raised or lowered by its meaning. */
const UNEVEN = `(() => {
  ${stripTypeScriptTypes(readFileSync('test/console/gallery/baseline.ts', 'utf8')).replaceAll(/^export /gm, '')}
  const found = [];
  unevenRows(document.body, (row, words) => row.querySelector('sup, sub') === null && found.push('two baselines: ' + words));
  return found;
})()`;
/** Blocks whose code stands under Copy, or whose first line is not where the others are. */
const UNDER_COPY = `[...document.querySelectorAll('.code')].flatMap((block) => {
  const pre = block.querySelector('pre');
  const copy = block.querySelector('.copy')?.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(pre);
  const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
  const right = pre.getBoundingClientRect().right;
  const isUnder = copy && lines.some((line) => line.top < copy.bottom && line.bottom > copy.top && Math.min(line.right, right) > copy.left);
  const isShifted = getComputedStyle(block.querySelector('code')).paddingInlineStart !== '0px';
  return [...(isUnder ? ['under Copy: '] : []), ...(isShifted ? ['shifted: '] : [])].map((what) => what + pre.textContent.slice(0, 40));
})`;

test('axe-core finds nothing on any page of the docs, in both themes; no page is wider than its window, nothing is cut or under another, and what stands in a row has one baseline', {
  skip: missing,
}, async (t) => {
  assert.ok(PAGES.length > 60, `${PAGES.length} pages in ${SITE}`);
  const base = await serveFolder(t);
  const browser = await openBrowser(t);
  const page = await (await browser.newContext()).newPage();
  await withAxe(page);
  const found: string[] = [];
  for (const path of PAGES) {
    await page.goto(`${base}/${path}`);
    // of pages of one kind the colours and the order are the same at each width
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const scheme of ['light', 'dark'] as const) found.push(...(await faultsOf(page, path, scheme)));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const faults of [CUT, UNEVEN, UNDER_COPY])
        found.push(...(await page.evaluate<readonly string[]>(faults)).map((what) => `${path}, ${width} px: ${what}`));
    }
  }
  for (const path of HEAVY) {
    await page.goto(`${base}/${path}`);
    found.push(...(await violationsOf(page, path)));
  }
  await page.goto(`${base}/`);
  await page.getByRole('button', { name: /^Find/ }).click();
  await page.getByRole('combobox').fill('google');
  await page.getByRole('option').first().waitFor();
  found.push(...(await violationsOf(page, 'Find')));
  await page.getByRole('combobox').fill('regstrar');
  await page.getByRole('button', { name: 'registrar', exact: true }).waitFor();
  found.push(...(await violationsOf(page, 'Find, nothing found')));
  assert.deepEqual(found, []);
});

test('without a script the docs are complete but for Find and Copy: guides, contents on a phone, the choice of a language', {
  skip: missing,
}, async (t) => {
  const base = await serveFolder(t);
  const browser = await openBrowser(t);
  const page = await (await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })).newPage();
  await page.goto(`${base}/reference/serp.html`);
  assert.equal(await page.getByRole('button', { name: /Find|Copy/ }).count(), 0);
  await page.getByText('Python', { exact: true }).click();
  await page.locator('[data-sample=Python]').getByText('urllib').first().waitFor();
  assert.equal(await page.locator('[data-sample=curl]').isVisible(), false);
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Guides' }).click();
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('link', { name: 'Watches', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Watches' }).waitFor();
});

test('a page and Find work from the folder without a server', { skip: missing }, async (t) => {
  const browser = await openBrowser(t);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`file://${join(process.cwd(), SITE, 'reference/serp.html')}`);
  await page.getByRole('button', { name: /^Find/ }).click();
  await page.getByRole('combobox').fill('slack');
  await page.getByRole('option', { name: /Telling people/ }).click();
  await page.getByRole('heading', { name: 'Telling people' }).waitFor();
});
