// Own process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { missing, openOwnBrowser } from '../browser/chromium.ts';
import { until } from '../faults/service-process.ts';
import { complaintsOf, fillForm, openConsole, runButton, runForm } from './open-console.ts';

const MAX_FIRST_LOAD_BYTES = 46_080;
/** Scripts of the first page that a person sees. */
const MAX_HOME_SCRIPT_BYTES = 45_000;
const MAX_FONT_BYTES = 28_672;
const MAX_CSS_BYTES = 9_216;

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of its thread, microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** CPU milliseconds of each task of the page's main thread while `act` runs. The time on the clock says more of the machine's load. */
async function tasksOf(browser: Browser, page: Page, act: () => Promise<void>): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const mainThreads = new Set(
    traceEvents.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map((e) => `${e.pid} ${e.tid}`),
  );
  return traceEvents.flatMap((e) =>
    e.name === 'RunTask' && e.tdur !== undefined && mainThreads.has(`${e.pid} ${e.tid}`) ? [e.tdur / 1000] : [],
  );
}

/** A fixed piece of what a page does: elements made, laid out and removed. Milliseconds. */
const REFERENCE = `(() => {
  const start = performance.now();
  for (let round = 0; round < 20; round++) {
    const list = document.createElement('ul');
    for (let at = 0; at < 200; at++) list.append(Object.assign(document.createElement('li'), { textContent: 'row ' + at * round }));
    document.body.append(list);
    void list.offsetHeight;
    list.remove();
  }
  return performance.now() - start;
})()`;
/** What the piece takes on the machine that all limits of time are of. */
const REFERENCE_MS = 90;
/** By how much the browser is slower at this moment. */
async function slowness(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  await page.evaluate(REFERENCE); // compiled
  const ms = await page.evaluate<number>(REFERENCE);
  await page.close();
  return Math.max(1, ms / REFERENCE_MS);
}

/**
 * Holds what `act` measures against `limits`, both in milliseconds of that machine: beside others the same work takes two to four times
 * as much, also of CPU time, from one minute to the next, and the fixed piece before and after says by how much. The least of up to three
 * measurements counts.
 */
async function holds<Name extends string>(
  browser: Browser,
  limits: Readonly<Record<Name, number>>,
  act: () => Promise<Readonly<Record<Name, number>>>,
): Promise<string> {
  const names = Object.keys(limits) as Name[];
  const least = new Map<Name, number>();
  const within = () => names.every((name) => (least.get(name) ?? Number.POSITIVE_INFINITY) <= limits[name]);
  for (let tries = 0; tries < 3 && !within(); tries++) {
    const before = await slowness(browser);
    const took = await act();
    const factor = Math.max(before, await slowness(browser));
    for (const name of names) least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, took[name] / factor));
  }
  const figures = [...least].map(([name, ms]) => `${name}: ${Math.round(ms)} ms of ${limits[name]}`).join(', ');
  assert.ok(within(), figures);
  return figures;
}
const sum = (tasks: readonly number[]): number => tasks.reduce((all, ms) => all + ms, 0);

interface LoadedFile {
  readonly url: string;
  /** Over the wire: headers and compressed body. */
  bytes: number;
}
/** How long nothing is on its way where a page has loaded what it needs. */
const REST = { everyMs: 20, looks: 25 };
/** What a page loads from now on, each file to its end, once it has come to rest. */
async function filesLoadedBy(context: BrowserContext, page: Page): Promise<() => Promise<readonly LoadedFile[]>> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const files = new Map<string, LoadedFile>();
  const unfinished = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId }) => unfinished.add(requestId));
  session.on('Network.responseReceived', ({ requestId, response }) => files.set(requestId, { url: response.url, bytes: 0 }));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const file = files.get(requestId);
    if (file) file.bytes = encodedDataLength;
    unfinished.delete(requestId);
  });
  session.on('Network.loadingFailed', ({ requestId }) => unfinished.delete(requestId));
  return async () => {
    // the browser's own event for a page at rest does not come for every page that is slowed down
    for (let looks = 0; looks < REST.looks; looks = unfinished.size > 0 ? 0 : looks + 1) await page.waitForTimeout(REST.everyMs);
    return [...files.values()];
  };
}
const sizeOf = (files: readonly LoadedFile[]): number => sum(files.map(({ bytes }) => bytes));
const listOf = (files: readonly LoadedFile[]): string => files.map(({ url, bytes }) => `${bytes} ${url}`).join('\n');

test('the first load takes at most 45 kB over the wire, 9 of them styles; the font at most 28, after the first paint', {
  skip: missing,
}, async (t) => {
  const { browser, link } = await openConsole(t, {}, openOwnBrowser);
  const context = await browser.newContext();
  const page = await context.newPage();
  const loaded = await filesLoadedBy(context, page);
  const load = async (into: Page) => {
    const address = (await link('account')).replace('/console#', '/console/w/serp#');
    const tasks = await tasksOf(browser, into, async () => {
      await into.goto(address);
      await into.getByRole('navigation', { name: 'Operations' }).waitFor();
    });
    return { 'tasks up to the first page': sum(tasks) };
  };
  const figures = await holds(browser, { 'tasks up to the first page': 150 }, async () =>
    load(await (await browser.newContext()).newPage()),
  );
  await load(page);
  await page.getByRole('navigation', { name: 'Operations' }).waitFor();
  await page.locator('form.query').waitFor();
  const sizes = await loaded();
  const isFont = ({ url }: LoadedFile) => /\.woff2$/.test(url);
  // pages, scripts and styles; answers of the API are not part of the app
  const total = sizeOf(sizes.filter((each) => !isFont(each) && !/\/(?:api|v1)\//.test(each.url)));
  const fonts = sizes.filter(isFont);
  assert.equal(fonts.length, 1, 'the page needs the Latin part of the font alone');
  assert.ok(sizeOf(fonts) <= MAX_FONT_BYTES, `${sizeOf(fonts)} bytes of font`);
  const styles = sizes.filter(({ url }) => url.endsWith('.css'));
  assert.ok(sizeOf(styles) <= MAX_CSS_BYTES, `${sizeOf(styles)} bytes of styles`);
  const firstPaint = await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  t.diagnostic(`${total} bytes in ${sizes.length} answers, first paint after ${Math.round(firstPaint)} ms, ${figures}`);
  assert.ok(sizes.some(({ url }) => url.endsWith('/console/api/contract')));
  const fontStart = await page.evaluate<number>(
    "performance.getEntriesByType('resource').find((r) => r.name.endsWith('.woff2')).startTime",
  );
  assert.ok(fontStart > firstPaint, `the font was requested ${fontStart} ms after the start, the first paint came after ${firstPaint} ms`);
  assert.ok(total <= MAX_FIRST_LOAD_BYTES, listOf(sizes));
});

test('Home takes at most 45,000 bytes of scripts, none of them of another page', { skip: missing }, async (t) => {
  const { browser, link, service } = await openConsole(t, {}, openOwnBrowser);
  // the first day is over, and there is something to draw
  for (let n = 0; n < 20; n++) await service.get('/v1/website/whois/domains/acme-widgets.com');
  const context = await browser.newContext();
  const page = await context.newPage();
  const loaded = await filesLoadedBy(context, page);
  await page.goto(await link('account'));
  await page.getByRole('heading', { name: 'Requests, last 7 days' }).waitFor();
  const scripts = (await loaded()).filter(({ url }) => url.endsWith('.js'));
  const names = scripts.map(({ url }) => /([\w-]+)-[\w-]{8}\.js$/.exec(url)?.[1] ?? url);
  t.diagnostic(`${sizeOf(scripts)} bytes in ${scripts.length} scripts: ${names.join(', ')}`);
  assert.ok(names.includes('home') && names.includes('chart'), names.join(', '));
  const pages = [...readFileSync('src/console/main.tsx', 'utf8').matchAll(/import\('[^']*?([\w-]+)\.tsx'\)/g)].map(([, name]) => name);
  assert.ok(pages.includes('watches') && pages.length > 10, pages.join(', '));
  assert.deepEqual(
    names.filter((name) => /workbench|schemas|palette|errors/.test(name) || (name !== 'home' && pages.includes(name))),
    [],
  );
  assert.ok(sizeOf(scripts) <= MAX_HOME_SCRIPT_BYTES, listOf(scripts));
});

/** A thread with a body of more than five megabytes. */
function largeThread(post: unknown): string {
  const words = 'kettle arrived within two weeks and works as the maker says, which nobody had expected of it. '.repeat(4);
  const comments = Array.from({ length: 10_000 }, (_, at) => ({
    postId: '1abc01',
    commentId: `c${at}`,
    parentId: at % 10 === 0 ? 't3_1abc01' : `t1_c${at - 1}`,
    author: `author_${at % 97}`,
    body: `${at}: ${words}`,
    score: at % 200,
    depth: at % 10,
    createdAt: '2026-01-31T12:00:00.000Z',
    permalink: `https://www.reddit.com/r/acmewidgets/comments/1abc01/c${at}/`,
    isStickied: false,
  }));
  return JSON.stringify({ post, comments });
}

test('an answer of five megabytes is drawn in slices, its ten thousand comments stay fluid, and the next request works', {
  skip: missing,
}, async (t) => {
  const { browser, signedIn } = await openConsole(t, {}, openOwnBrowser);
  let page!: Page;
  let text = '';
  const draw = async () => {
    page = await signedIn();
    await fillForm(page, { id: 'forum-comments' });
    ({ text } = await runForm(page));
    const large = largeThread((JSON.parse(text) as { post: unknown }).post);
    assert.ok(large.length > 5_000_000, `${large.length} characters`);
    await page.route('**/v1/forum/posts/**', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', headers: { 'x-credits-charged': '1' }, body: large }),
    );
    const tasks = await tasksOf(browser, page, async () => {
      await runButton(page).click();
      await page.getByRole('heading', { name: '10,000 comments' }).waitFor();
      await page.locator('.comment').first().waitFor();
    });
    assert.ok(tasks.length > 20, `${tasks.length} tasks were seen`);
    return { 'the longest task': Math.max(...tasks), 'all tasks': sum(tasks) };
  };
  t.diagnostic(await holds(browser, { 'the longest task': 50, 'all tasks': 200 }, draw));
  const rendered = () => page.locator('.comment').count();
  assert.ok((await rendered()) < 500, `${await rendered()} of 10,000 comments are in the page`);

  // what stands beside the comments is counted from them
  const facts = page.getByRole('region', { name: 'Thread' });
  await facts.getByText('10,000 here').waitFor();
  assert.match(await facts.innerText(), /Deepest\s+level 10\s+Authors\s+97\s+Median points\s+99.5/);
  assert.match(await page.getByRole('table', { name: 'Most active' }).innerText(), /author_0\s+104/);

  await page.getByLabel('Search', { exact: true }).fill('9999: kettle');
  await page.getByText('1 match', { exact: true }).waitFor();
  assert.ok((await page.locator('.comment').last().innerText()).includes('9999: kettle'));
  await page.getByLabel('Search', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Collapse all' }).click();
  assert.match(await page.locator('.comment').first().innerText(), /9 answers hidden/);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.locator('.thread').getByRole('button', { name: /^Sort/ }).click();
  await page.getByLabel('Highest score').check();
  await page.keyboard.press('Escape');
  assert.match(await page.locator('.comment').first().innerText(), /190 points/);
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await page.locator('.comment').last().waitFor();
  assert.ok((await rendered()) < 500, `${await rendered()} comments are in the page after scrolling`);

  await page.unroute('**/v1/forum/posts/**');
  assert.equal((await runForm(page)).text, text);
  await page.getByRole('heading', { name: '64 comments' }).waitFor();
  assert.deepEqual(complaintsOf(page), []);
});

const MAX_DOCS_BYTES = 150_000;
const DOCS_LIMITS = { 'largest paint': 1_500, 'longest task': 200 };
/** The start, and the longest pages of each kind. */
const DOCS = ['', 'settings.html', 'watches.html', 'reference/', 'reference/serp.html', 'reference/account-watches.html'];
const OBSERVE = `(() => {
  globalThis.seen = { 'largest paint': 0, 'longest task': 0 };
  const observe = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('largest-contentful-paint', (entry) => { seen['largest paint'] = entry.startTime; });
  observe('longtask', (entry) => { seen['longest task'] = Math.max(seen['longest task'], entry.duration); });
})()`;

test('the docs with a quarter of the CPU: at most 150 kB, the largest paint within 1.5 s, no task of more than 200 ms, the first use of Find among them', {
  skip: missing,
}, async (t) => {
  const { browser, service } = await openConsole(t, {}, openOwnBrowser);
  const open = async (path: string) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const loaded = await filesLoadedBy(context, page);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(OBSERVE);
    await page.goto(`${service.baseUrl}/docs/${path}`);
    await until('the font and the largest paint', () =>
      page.evaluate<boolean>('document.fonts.status === "loaded" && seen["largest paint"] > 0'),
    );
    const first = await loaded();
    await page.getByRole('button', { name: /^Find/ }).click();
    await page.getByRole('combobox').fill('how do I get told on slack');
    await page.getByRole('option').first().waitFor();
    const seen = await page.evaluate<typeof DOCS_LIMITS>('seen');
    await context.close();
    assert.ok(sizeOf(first) <= MAX_DOCS_BYTES, listOf(first));
    assert.ok(sizeOf(first) > 30_000 && first.some(({ url }) => url.endsWith('.woff2')), listOf(first));
    bytes = sizeOf(first);
    return seen;
  };
  let bytes = 0;
  for (const path of DOCS) {
    const figures = await holds(browser, DOCS_LIMITS, () => open(path));
    t.diagnostic(`/docs/${path}: ${bytes} bytes, ${figures}`);
  }
});
