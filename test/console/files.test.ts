// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { Sightline } from '../../src/client/index.ts';
import { missing } from '../browser/chromium.ts';
import { until } from '../faults/service-process.ts';
import { violationsOf, withAxe } from './axe.ts';
import { CONCURRENCY, countDone, crash, domains, done, give, LOOKUPS, resultOf, runIt } from './file-page.ts';
import { complaintsOf, type OpenConsole, openConsole, textOf } from './open-console.ts';

const clientOf = ({ service }: OpenConsole): Sightline => new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
/** How often each line was asked, by the label of its requests. */
async function askedOf(client: Sightline): Promise<ReadonlyMap<number, number>> {
  const asked = new Map<number, number>();
  for await (const { label } of client.account.requests.all({ kind: 'lookup', limit: 1000 })) {
    const line = Number(/^file-\w+\.(\d+)$/.exec(label ?? '')?.[1] ?? 0);
    if (line > 0) asked.set(line, (asked.get(line) ?? 0) + 1);
  }
  return asked;
}
/** From now on lookups reach the service, and their answers never reach the page. Resolves when as many are in flight as ever are. */
async function loseAnswers(context: BrowserContext, most = CONCURRENCY): Promise<void> {
  let held = 0;
  await context.route(LOOKUPS, async (route) => {
    await route.fetch();
    held++;
  });
  await until('answers in flight', async () => held >= most);
}

test('a file of a German spreadsheet is read, mapped, repaired and priced before anything is sent', { skip: missing }, async (t) => {
  const open = await openConsole(t);
  const page = await open.signedIn();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (/\/v1\/(?!account)/.test(request.url())) sent.push(request.url());
  });
  const text = [
    'Suchbegriff;Land;Tiefe;Kommentar',
    'laufschuhe für damen;Deutschland;20,0;Mara',
    'scarpe da corsa;Italien;10;',
    ';US;10;',
    'best shoes;XX;10;',
    'scarpe da corsa;IT;10;',
  ];
  await give(page, 'keywords.csv', Buffer.from(text.join('\r\n'), 'latin1'));
  const holds = page.locator('.file-lines select');
  assert.deepEqual(await holds.evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value)), [
    'keyword',
    'location',
    'depth',
    '',
  ]);
  assert.equal(await page.getByLabel('Encoding').inputValue(), 'windows-1252');
  assert.equal(await page.getByLabel('Separator').inputValue(), ';');
  assert.equal(await page.getByLabel('Decimals after a').inputValue(), ',');
  const row = (line: number) =>
    page.locator('.file-lines tbody tr').filter({ has: page.getByRole('rowheader', { name: String(line), exact: true }) });
  assert.match((await row(2).innerText()).replaceAll(/\s+/g, ' '), /laufschuhe für damen Deutschland → DE 20,0 → 20 Mara ready/);
  assert.match(await row(5).innerText(), /location is "XX", but it must be an assigned ISO 3166.1/);
  const price = page.getByRole('complementary', { name: 'Price' });
  await price.getByText('2 lines', { exact: true }).waitFor();
  const facts = async () => (await price.locator('.facts').innerText()).replaceAll(/\s+/g, ' ');
  await until('the kept answers', async () => (await facts()).includes('Kept answers'));
  assert.equal(
    await facts(),
    'Ready 2 lines Same line twice 1, asked once Kept answers 0, free Left out 2, free At most 3 credits Balance after 9,997 of 10,000',
  );

  await t.test('a line that is repaired is no fault any more, and the other is left out', async () => {
    const repair = page.getByLabel('Line 5', { exact: true });
    await repair.fill('best shoes;Vereinigte Staaten;10;');
    await repair.press('Tab');
    await page.getByRole('heading', { name: '1 line left out' }).waitFor();
    await price.getByText('3 lines', { exact: true }).waitFor();
    await price.getByText('4 credits', { exact: true }).waitFor();
    // the file of the browser says so after a reload, too
    await page.reload();
    await page.getByRole('heading', { name: '1 line left out' }).waitFor();
  });
  await t.test('a column can hold something else; without a needed one nothing can be run, and that is said', async () => {
    await page.getByLabel('Column Suchbegriff holds').selectOption('');
    await page.getByText('No column holds keyword').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Run / }).count(), 0);
    await page.getByLabel('Column Suchbegriff holds').selectOption('keyword');
    await page.getByRole('button', { name: /^Run / }).waitFor();
  });
  await t.test('access, and no sideways scrolling', async () => {
    await withAxe(page);
    assert.deepEqual(await violationsOf(page, 'a file before its run'), []);
    await page.setViewportSize({ width: 320, height: 900 });
    assert.equal(await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth), 0);
    await page.setViewportSize({ width: 1400, height: 900 });
  });
  assert.deepEqual(sent, []);

  await t.test('by keyboard alone it is run; its result has a line for each line of the file, the double one free', async () => {
    await page.getByRole('button', { name: /^Run / }).focus();
    await page.keyboard.press('Enter');
    await done(page);
    assert.deepEqual(
      (await resultOf(page)).map(({ line, ok, credits, cache }) => [line, ok, credits, cache]),
      [
        [2, true, 2, 'miss'],
        [3, true, 1, 'miss'],
        // it cannot be read, and was not asked
        [4, false, 0, null],
        [5, true, 1, 'miss'],
        [6, true, 0, 'duplicate'],
      ],
    );
    await page.getByRole('table', { name: 'Result' }).waitFor();
    assert.deepEqual(await violationsOf(page, 'the result of a file'), []);
  });
  await t.test('CSV has the columns of the file first; the one for spreadsheets quotes what they would run', async () => {
    const csv = async (name: string): Promise<string[]> => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
      return (await buffer(await file.createReadStream())).toString().split('\r\n');
    };
    const [head = '', first = ''] = await csv('Download CSV');
    assert.match(head, /^keyword,location,depth,Kommentar,understood\.location,/);
    assert.match(first, /^laufschuhe für damen,Deutschland,"20,0",Mara,DE,/);
    const [spreadsheet = ''] = await csv('Download CSV for spreadsheets');
    assert.match(spreadsheet, /^\ufeffkeyword;location;/);
    const left = await csv('Download the lines without an answer');
    assert.deepEqual(left.slice(0, 3), ['Suchbegriff,Land,Tiefe,Kommentar'.replaceAll(',', ';'), ';US;10;', '']);
  });
  assert.deepEqual(complaintsOf(page), []);
});

test('while a file runs its figures and its last answers are those of the lines that are done', { skip: missing }, async (t) => {
  const answered = 12;
  const open = await openConsole(t);
  const page = await open.signedIn();
  await give(page, 'domains.txt', domains(answered + CONCURRENCY));
  const rest = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(LOOKUPS, async (route) => {
    if (asked++ >= answered) await rest.promise;
    await route.continue();
  });
  await runIt(page);
  await until('lines done', async () => (await countDone(page)) === answered);
  const figure = async (name: string): Promise<number> =>
    Number(new RegExp(`${name}\\s+([\\d,]+)`).exec(await page.locator('.stats').innerText())?.[1]?.replace(',', ''));
  await until('figures', async () => (await figure('Answered')) + (await figure('Not found')) === answered);
  const last = page.getByRole('table', { name: 'Last answers' }).locator('tbody tr');
  await last.nth(4).waitFor();
  assert.deepEqual(
    new Set(await last.locator('[data-name="Answer"]').allInnerTexts()),
    new Set(['free']),
    'what the sandbox says of these names',
  );
  await until('the balance', async () => (await figure('Balance')) === 10_000 - (await figure('Charged')));
  rest.resolve();
  await done(page);
  assert.deepEqual(complaintsOf(page), []);
});

test('the page is killed in the middle: nothing is lost, lines in flight alone are asked again, free while their answer is kept', {
  skip: missing,
}, async (t) => {
  const count = 60;
  const open = await openConsole(t);
  const client = clientOf(open);
  const page = await open.signedIn();
  const context = page.context();
  await give(page, 'domains.txt', domains(count));
  const address = page.url();
  await runIt(page);
  await until('lines done', async () => (await countDone(page)) > count / 2, 280_000);
  assert.match(await page.title(), /^\d+% · domains\.txt/);
  await loseAnswers(context);
  const before = await countDone(page);
  await crash(page);
  await context.unroute(LOOKUPS);
  // what was answered before is counted first
  const counted = Promise.withResolvers<void>();
  await context.route(LOOKUPS, async (route) => {
    await counted.promise;
    await route.continue();
  });
  const next = await context.newPage();
  await next.goto(address);
  await next.getByText(/5 lines were in flight/).waitFor();
  assert.ok((await countDone(next)) >= before, 'what was answered is there at once');
  counted.resolve();
  await next.getByRole('heading', { name: 'Download' }).waitFor({ timeout: 280_000 });
  const said = await next.getByText(/5 lines were in flight/).innerText();
  assert.match(said, /None of them was charged twice\./);
  const lines = await resultOf(next);
  assert.deepEqual(
    lines.map(({ line }) => line),
    Array.from({ length: count }, (_, n) => n + 1),
  );
  assert.ok(
    lines.every(({ ok, credits }) => ok && credits === 1),
    'the credits are those of the ledger',
  );
  await until('requests in the log', async () => (await askedOf(client)).size === count);
  const twice = [...(await askedOf(client))].filter(([, times]) => times > 1);
  assert.deepEqual(
    twice.map(([, times]) => times),
    Array(CONCURRENCY).fill(2),
  );
  for (const [line] of twice) assert.ok(said.includes(line.toLocaleString('en')), `${line} is named: ${said}`);
  const { credits } = await client.account.get();
  assert.equal(10_000 - credits.balance, count);
});

test('a line that was in flight and whose answer is not kept any more is charged again, and named with its credits', {
  skip: missing,
}, async (t) => {
  const open = await openConsole(t);
  const page = await open.signedIn();
  const context = page.context();
  await give(page, 'domains.txt', domains(20));
  const address = page.url();
  await loseAnswersFrom(context, 10);
  await runIt(page);
  await until('lines done', async () => (await countDone(page)) >= 10);
  await page.waitForTimeout(500);
  await crash(page);
  await context.unroute(LOOKUPS);
  // what was answered is not stored any more
  await context.route(LOOKUPS, (route) => route.continue({ headers: { ...route.request().headers(), 'cache-control': 'no-cache' } }));
  const next = await context.newPage();
  await next.goto(address);
  await next.getByRole('heading', { name: 'Download' }).waitFor();
  const said = next.getByText(/lines? (was|were) in flight/);
  assert.match(await said.innerText(), /Charged twice, because the answer was not kept any more: line \d+ \(1 credit more\)/);
  const lines = await resultOf(next);
  const { credits } = await clientOf(open).account.get();
  assert.equal(
    lines.reduce((sum, line) => sum + line.credits, 0),
    10_000 - credits.balance,
  );
});

/** The answers after so many never reach the page. */
async function loseAnswersFrom(context: BrowserContext | Page, count: number): Promise<void> {
  let seen = 0;
  await context.route(LOOKUPS, async (route) => {
    if (++seen > count) await route.fetch();
    else await route.continue();
  });
}

test('one tab runs a file; a second says so, shows how far it is, and goes on when the first is closed', { skip: missing }, async (t) => {
  const open = await openConsole(t);
  const page = await open.signedIn();
  await give(page, 'domains.txt', domains(60));
  await loseAnswersFrom(page, 20);
  await runIt(page);
  await until('lines done', async () => (await countDone(page)) >= 20);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByText('Another tab of this browser runs this file').waitFor();
  assert.equal(await second.getByRole('button', { name: 'Pause' }).count(), 0);
  assert.equal(await countDone(second), 20);
  await page.close();
  await done(second);
  assert.equal((await resultOf(second)).length, 60);
  await until('requests in the log', async () => (await askedOf(clientOf(open))).size === 60);
  const again = [...(await askedOf(clientOf(open)))].filter(([, times]) => times > 1);
  assert.ok(again.length <= CONCURRENCY, `${again.length} lines were asked again`);
});

const REFUSES = `{
  const put = IDBObjectStore.prototype.put;
  let left = 15;
  window.refuses = true;
  IDBObjectStore.prototype.put = function (...given) {
    if (window.refuses && this.name === 'texts' && --left < 0) throw new DOMException('full', 'QuotaExceededError');
    return put.apply(this, given);
  };
}`;

test('full storage pauses before anything is lost: the answers of the page are in the download, and can be kept later', {
  skip: missing,
}, async (t) => {
  const open = await openConsole(t);
  const page = await open.signedIn();
  await page.addInitScript(REFUSES);
  await give(page, 'domains.txt', domains(40));
  await runIt(page);
  await page.getByText(/are in this page alone|is in this page alone/).waitFor();
  await page.getByText('its storage is full').waitFor();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  const answered = await countDone(page);
  assert.ok(answered > 15 && answered <= 15 + CONCURRENCY, `${answered} lines`);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download so far' }).click()]);
  assert.equal((await textOf(file)).trim().split('\n').length, answered);
  await withAxe(page);
  assert.deepEqual(await violationsOf(page, 'full storage'), []);
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.evaluate('window.refuses = false');
  await page.getByRole('button', { name: 'Try to keep them' }).click();
  await page.getByText('in this page alone').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Go on' }).click();
  await done(page);
  await page.reload();
  await done(page);
  assert.equal((await resultOf(page)).length, 40);
  await until('requests in the log', async () => (await askedOf(clientOf(open))).size === 40);
  assert.deepEqual(
    [...(await askedOf(clientOf(open))).values()].filter((times) => times > 1),
    [],
  );
});

test('a browser that keeps nothing says so before the run, and the run works', { skip: missing }, async (t) => {
  const open = await openConsole(t);
  const page = await open.signedIn();
  await page.addInitScript(`IDBFactory.prototype.open = () => { throw new DOMException('private', 'SecurityError'); }`);
  await page.goto(`${open.service.baseUrl}/console/files?_op=registration`);
  await page.getByText('a reload or a closed tab would lose').waitFor();
  await page.getByLabel('Or paste lines').fill(domains(12));
  await page.getByRole('button', { name: 'Use these lines' }).click();
  await runIt(page);
  await done(page);
  await page.getByText('a reload or a closed tab would lose').waitFor();
  assert.equal((await resultOf(page)).length, 12);
});

async function refuseFirst(
  page: Page,
  times: number,
  answer: Parameters<Awaited<Parameters<Parameters<Page['route']>[1]>[0]>['fulfill']>[0],
): Promise<void> {
  let left = times;
  await page.route(LOOKUPS, (route) => (left-- > 0 ? route.fulfill(answer) : route.continue()));
}
const errorAnswer = (status: number, code: string, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'x-request-id': 'r1', 'x-credits-charged': '0', ...headers },
  contentType: 'application/json',
  body: JSON.stringify({ error: { code, message } }),
});

test('429 is a wait with a clock and no failure; a used-up balance pauses, and goes on with the credits that came', {
  skip: missing,
}, async (t) => {
  const open = await openConsole(t, { SIGHTLINE_FREE_CREDITS: '25' });
  const page = await open.signedIn();
  await give(page, 'domains.txt', domains(30));
  await page.getByText('The balance does not cover all of it').waitFor();
  await refuseFirst(page, 5, errorAnswer(429, 'RATE_LIMITED', 'Too many requests.', { 'retry-after': '6' }));
  await runIt(page);
  await page.getByText(/Waits until .*\(0:0\d min\), then goes on by itself: the service refuses: Too many requests\./).waitFor();
  await page.getByText('The balance is used up').waitFor();
  assert.equal(await countDone(page), 25);
  await withAxe(page);
  assert.deepEqual(await violationsOf(page, 'a balance that is used up'), []);
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.reload();
  await page.getByText('The balance is used up').waitFor();
  await open.service.admin.grant({ accountId: open.service.accountId, credits: 1204 });
  await page.getByRole('button', { name: 'Go on with 1,204 credits' }).click();
  await done(page);
  assert.equal((await resultOf(page)).filter(({ ok }) => ok).length, 30);
  await page.reload();
  await done(page);
  assert.equal(await page.getByText('The balance is used up').count(), 0);

  const balance = async (): Promise<number> => (await clientOf(open).account.get()).credits.balance;
  const before = await balance();
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('heading', { name: 'Download' }).waitFor({ state: 'detached' });
  await runIt(page);
  await done(page);
  assert.equal((await resultOf(page)).filter(({ ok }) => ok).length, 30);
  assert.equal(await balance(), before, 'what is kept is free');
  await page.getByRole('link', { name: 'Files', exact: true }).first().click();
  await until('both results', async () => (await page.getByRole('link', { name: 'domains.txt' }).count()) === 2);
});

test('the cap of a key is a wait until its day ends; pause, stop and a limit leave lines open, to go on with', {
  skip: missing,
}, async (t) => {
  const open = await openConsole(t);
  const page = await open.signedIn();
  await give(page, 'domains.txt', domains(30));
  await refuseFirst(page, 5, errorAnswer(402, 'INSUFFICIENT_CREDITS', 'The key has used 20 of its 20 credits of today (UTC).'));
  await runIt(page);
  await page.getByText(/Waits until .* then goes on by itself: INSUFFICIENT_CREDITS: The key has used 20 of its 20 credits/).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByLabel('Limit').fill('10');
  await page.getByLabel('Limit').press('Enter');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('The limit of this file is reached').waitFor();
  assert.equal(await countDone(page), 10);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('heading', { name: '20 lines were not asked' }).waitFor();
  assert.equal((await resultOf(page)).length, 10);
  const left = page.getByText('Only the 20 lines without an answer');
  await left.waitFor();
});

test('a line that failed is asked again with its price; files are listed, found and removed', { skip: missing }, async (t) => {
  const open = await openConsole(t);
  const page = await open.signedIn();
  await give(page, 'domains.txt', `${domains(12)}\nname-0.com`);
  const fault = errorAnswer(502, 'UPSTREAM_BLOCKED', 'The source refused.');
  await page.route('**/v1/website/whois/domains/name-3.com', (route) => route.fulfill(fault));
  await runIt(page);
  await done(page);
  await page.getByRole('heading', { name: '1 line failed' }).waitFor();
  await page.getByText('4 · name-3.com').waitFor();
  await page.unroute('**/v1/website/whois/domains/name-3.com');
  await page.getByRole('button', { name: 'Ask these again at most 1 credit' }).click();
  await page.getByRole('heading', { name: '1 line failed' }).waitFor({ state: 'detached' });
  await done(page);
  assert.deepEqual(
    (await resultOf(page)).map(({ ok }) => ok),
    Array(13).fill(true),
  );
  const steps = page.getByRole('region', { name: 'First steps' });
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await steps.getByText('4 of 5').waitFor();
  assert.equal(await steps.getByRole('link').innerText(), 'Watch something');
  await page.getByRole('link', { name: 'Files', exact: true }).first().click();
  await page.getByRole('link', { name: 'domains.txt' }).waitFor();
  await withAxe(page);
  assert.deepEqual(await violationsOf(page, 'files'), []);
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Find' }).getByRole('searchbox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('upload csv');
  await page.keyboard.press('Enter');
  await page.getByLabel('Choose a file').waitFor();
  await page.getByRole('button', { name: 'Remove domains.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No file yet').waitFor();
  assert.deepEqual(complaintsOf(page), []);
});
