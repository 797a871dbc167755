// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { adviceOf, titleOf } from '../../src/console/workbench/errors.ts';
import { contractView } from '../../src/contract/contract-view.ts';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import { missing } from '../browser/chromium.ts';
import { violationsOf, withAxe } from './axe.ts';
import { complaintsOf, fillForm, openConsole, runButton, runForm } from './open-console.ts';

const run = promisify(execFile);
const { operations } = contractView();
const errorOf = (code: string, message: string): string => JSON.stringify({ error: { code, message } });

test('each documented error is drawn: what happened, that nothing was charged, what to do', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const page = await signedIn();
  await fillForm(page, { id: 'registration' });
  for (const name of Object.keys(ERRORS) as ErrorName[]) {
    const { status, retryable } = ERRORS[name];
    // some messages say it themselves: it stands once all the same
    const message = `Words of ${name} about this request.${status === 501 ? ' Nothing was charged.' : ''}`;
    await page.route('**/v1/website/**', (route) =>
      route.fulfill({
        status,
        contentType: 'application/json',
        headers: { 'x-credits-charged': '0', 'x-request-id': `id-${name}`, ...(retryable && { 'retry-after': '7' }) },
        body: JSON.stringify({ error: { code: codeOf(name), message } }),
      }),
    );
    await runButton(page).click();
    if (status === 400) {
      // once, beside its field, and no page of its own
      await page.locator('.query [role=alert]').filter({ hasText: message }).waitFor();
      assert.equal(await page.getByText(message).count(), 1, name);
      assert.equal(await page.locator('.error').count(), 0, name);
      await page.unroute('**/v1/website/**');
      await page.getByLabel('Domain').fill('corrected.com');
      continue;
    }
    const drawn = page.locator('.error').filter({ hasText: message });
    await drawn.waitFor();
    const text = await drawn.innerText();
    for (const part of [
      titleOf(codeOf(name), { area: 'registration', name: 'Domain registration' }),
      adviceOf(codeOf(name)),
      codeOf(name),
      'Nothing was charged.',
    ])
      assert.ok(text.includes(part), `${name}: ${part} in ${text}`);
    assert.equal(text.split('Nothing was charged.').length, 2, `${name}: once in ${text}`);
    const strip = await page.locator('.strip').innerText();
    for (const part of [String(status), codeOf(name), 'nothing', `id-${name}`])
      assert.ok(strip.includes(part), `${name}: ${part} in ${strip}`);
    assert.equal(await drawn.getByRole('button', { name: /^Run again/ }).count(), retryable ? 1 : 0, name);
    if (retryable) assert.match(text, /Run again in 0:0[5-7]/);
    await page.unroute('**/v1/website/**');
  }
  await t.test('a service that does not answer', async () => {
    await page.route('**/v1/website/**', (route) => route.abort());
    await runButton(page).click();
    await page.locator('.error').filter({ hasText: 'The service did not answer' }).waitFor();
    await page.unroute('**/v1/website/**');
  });
  await t.test("a wrong value is refused in the service's own words before it is sent, beside its field", async () => {
    await page.getByLabel('Domain').fill('no domain');
    const words = page.locator('#field-domain-wrong');
    await words.waitFor();
    assert.match(await words.innerText(), /^Parameter domain is "no domain", but it must /);
    assert.equal(await page.getByLabel('Domain').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Domain').fill('acme-widgets.com');
    await words.waitFor({ state: 'detached' });
  });
  await t.test('a value that only the lookup refuses is said once, beside its field, and is not sent again', async () => {
    let asked = 0;
    const why = 'Parameter domain is "refused.com", but it must be another one.';
    await page.route('**/v1/website/**', (route) => {
      asked++;
      return route.fulfill({ status: 400, contentType: 'application/json', body: errorOf('INVALID_REQUEST', why) });
    });
    await page.getByLabel('Domain').fill('refused.com');
    await runButton(page).click();
    await page.locator('#field-domain-wrong').filter({ hasText: why }).waitFor();
    await runButton(page).click();
    assert.deepEqual([asked, await page.getByText(why).count(), await page.locator('.error').count()], [1, 1, 0]);
    assert.equal(await page.locator('#field-domain:focus').count(), 1);
    await page.unroute('**/v1/website/**');
  });
  await t.test('429 counts down, and runs by itself where it was asked to', async () => {
    let asked = 0;
    await page.route('**/v1/website/**', (route) =>
      asked++ > 0
        ? route.continue()
        : route.fulfill({
            ...{ status: 429, contentType: 'application/json', headers: { 'retry-after': '600' } },
            body: errorOf('RATE_LIMITED', 'Wait.'),
          }),
    );
    await page.clock.install();
    await page.goto(`${service.baseUrl}/console/w/registration?domain=acme-widgets.com`);
    await runButton(page).click();
    await page.getByRole('button', { name: /^Run again in 9:5\d$|^Run again in 10:00$/ }).waitFor();
    await page.getByRole('button', { name: 'Let it run by itself' }).click();
    await page.getByRole('button', { name: 'Runs by itself then' }).waitFor();
    await page.clock.fastForward(601_000);
    await page.locator('.answer .drawn').waitFor();
    assert.equal(asked, 2);
    await page.unroute('**/v1/website/**');
  });
  await t.test('404 says whose statement it is, and offers the next steps with their prices', async () => {
    await page.goto(`${service.baseUrl}/console/w/app?handle=no-such-app`);
    await runForm(page);
    const drawn = page.locator('.error');
    await drawn.getByRole('heading', { name: 'The Shopify App Store says that it is not there' }).waitFor();
    await drawn.getByRole('link', { name: 'App ranking: look for “no such app” · 1 credit' }).waitFor();
    await drawn.getByRole('button', { name: 'Ask again · free while it is not there' }).waitFor();
  });
  await t.test('402 offers the most results that the limit allows, with their price', async () => {
    await page.goto(`${service.baseUrl}/console/w/serp?keyword=blue+shoes&depth=100&_max=3`);
    await runForm(page);
    const drawn = page.locator('.error');
    await drawn.getByRole('button', { name: 'Run without the limit of 3 credits · 10 credits' }).waitFor();
    assert.deepEqual(await drawn.getByRole('button', { name: /^Run with \d/ }).allInnerTexts(), ['Run with 20 results · 2 credits']);
    await drawn.getByRole('button', { name: /^Run with 20/ }).click();
    await page.locator('.answer .drawn').waitFor();
    assert.equal(await page.locator('[data-charged]').getAttribute('data-charged'), '2');
  });
  await t.test('402 of a key says how much of its cap is used and until when, and offers what the rest allows', async () => {
    const { key } = await service.accounts.admin.createKey({ accountId: service.accountId, creditsPerDay: 3, label: 'trial' });
    const own = await (await page.context().browser()?.newContext())?.newPage();
    assert.ok(own);
    await own.goto(`${service.baseUrl}/console`);
    await own.getByLabel('API key').fill(key);
    await own.getByRole('button', { name: 'Sign in' }).click();
    await own.getByRole('navigation', { name: 'Pages' }).waitFor();
    await own.goto(`${service.baseUrl}/console/w/serp?keyword=other+shoes&depth=20`);
    await runForm(own);
    await own.goto(`${service.baseUrl}/console/w/serp?keyword=trial+shoes&depth=50`);
    await runForm(own);
    const drawn = own.locator('.error');
    await drawn.getByRole('button', { name: 'Run with 10 results · 1 credit' }).waitFor();
    assert.match(
      await drawn.innerText(),
      /used 2 of its 3 credits of today \(UTC\), and this lookup costs 5 credits\. Its cap opens again at \w+\s\d+,/,
    );
    assert.equal(await drawn.getByRole('button', { name: /^Run with \d/ }).count(), 1);
    await drawn.getByRole('link', { name: 'Limits of your keys' }).waitFor();
  });
  assert.deepEqual(
    complaintsOf(page).filter((said) => !/ERR_FAILED/.test(said)),
    [],
  );
});

test('501 names every source with what it lacks, gives free and costs, and what answers now', { skip: missing }, async (t) => {
  const unset = { SERPAPI_KEY: '', DATAFORSEO_LOGIN: '', DATAFORSEO_PASSWORD: '', SEARXNG_URL: '', SIGHTLINE_BROWSER_URL: '' };
  const { service, signedIn } = await openConsole(t, { ...unset, REDDIT_CLIENT_ID: '', REDDIT_CLIENT_SECRET: '' });
  const page = await signedIn({ permissions: ['clipboard-read', 'clipboard-write'] });
  // the first day: what answers now stands before the figures of use, and a new lookup begins with it
  const home = page.locator('main h2');
  await home.filter({ hasText: 'Needs a source' }).waitFor();
  assert.deepEqual((await home.allInnerTexts()).slice(0, 2), ['10 of 14 operations answer now', 'Works now']);
  assert.equal(await page.getByRole('region', { name: 'Works now' }).getByRole('listitem').count(), 10);
  assert.deepEqual((await page.getByRole('region', { name: 'First steps' }).innerText()).split('\n'), [
    ...['First steps', '2 of 5', 'Claim the installation', 'Store the first key', 'Make a lookup', 'a domain is quickest'],
    ...['Look up a file', 'a CSV, in the browser', 'Watch something', 'told before a domain expires'],
  ]);
  // of the others one line for those with the same cure
  const off = await page.getByRole('region', { name: 'Also off' }).getByRole('listitem').allInnerTexts();
  assert.deepEqual(
    off.map((text) => text.split('\n')[0]),
    ['Reddit posts, Reddit search', 'Reddit comments'],
  );
  // an operation with a choice of free ways has them as a table, each with a note that asks for it
  const ways = page.getByRole('table', { name: 'Ways to Google and Bing' }).locator('tbody tr');
  assert.deepEqual(
    (await ways.allInnerTexts()).map((text) => text.split('\t').slice(0, 2)),
    [
      ['SerpApi', '250 searches a month'],
      ['Scrapingdog', 'a free plan, which ends at 1,000 requests a month'],
      ['DataForSEO', '$1 once'],
      ['Serper', '2,500 searches once, no card'],
      ['SearXNG', 'always'],
    ],
  );
  assert.match(await ways.nth(3).innerText(), /\$1\.00 for 1,000 .*organic, sections, related searches/);
  await page.getByRole('button', { name: 'Ask for it Serper' }).click();
  await ways.nth(3).getByText('Copied').waitFor();
  assert.match(
    String(await page.evaluate('navigator.clipboard.readText()')),
    /^Could you switch on Serper for Google and Bing\? Free: 2,500 searches once, no card\. Price: \$1\.00 .* It lacks SERPER_KEY, entered under Sources, .*\/console$/,
  );
  await withAxe(page);
  assert.deepEqual(await violationsOf(page, 'home with gaps'), []);
  for (const name of ['New lookup', 'Make a lookup'])
    assert.match(String(await page.getByRole('link', { name }).getAttribute('href')), /\/w\/registration$/, name);
  await page.goto(`${service.baseUrl}/console/w/serp?keyword=blue+shoes`);
  await runForm(page);
  const sources = page.getByRole('region', { name: 'Sources' });
  await page.getByRole('heading', { name: 'No source for Google and Bing yet' }).waitFor();
  await sources.locator('tbody tr').first().waitFor();
  assert.equal((await page.locator('.error').innerText()).split('Nothing was charged').length, 2, 'once');
  // no alarm: nothing is broken
  await page.locator('.strip .pill.warn', { hasText: '501' }).waitFor();
  // a name of a setting is not broken over lines
  for (const code of await sources.locator('tbody code').all())
    assert.equal(await code.evaluate((element) => element.getClientRects().length), 1, await code.innerText());
  const rows = await sources.locator('tbody tr').allInnerTexts();
  const row = (name: string): string => rows.find((text) => text.startsWith(name)) ?? '';
  assert.match(row('SerpApi'), /SERPAPI_KEY\s+250 searches a month\s+by plan/);
  assert.match(row('Serper'), /SERPER_KEY\s+2,500 searches once, no card\s+\$1\.00 for 1,000 .*organic/s);
  assert.ok(rows.findIndex((text) => text.startsWith('SerpApi')) < rows.findIndex((text) => text.startsWith('DataForSEO')));
  await sources
    .getByRole('link', { name: 'Domain registration' })
    .or(sources.getByRole('link', { name: 'TikTok video' }))
    .first()
    .waitFor();
  assert.match(row('serp/browser'), /SIGHTLINE_BROWSER_URL\s+always\s+–/, 'what costs nothing is said to');
  assert.deepEqual(await violationsOf(page, 'no source'), []);
  await sources.getByRole('button', { name: 'Copy a note for your operator' }).click();
  const note = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(
    note,
    /^Could you switch on a source for Google and Bing\? Free with a key of SerpApi .* Sources, .*\/console\/w\/serp\?keyword=blue\+shoes/,
  );
});

test('the code of each request prints the bytes of its answer: curl, TypeScript, Python', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const folder = mkdtempSync(join(tmpdir(), 'sightline-code-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // the client as a package of the user's project: the checkout, whose exports lead to built files, by its source
  const client = join(folder, 'node_modules/sightline');
  mkdirSync(client, { recursive: true });
  writeFileSync(join(client, 'package.json'), '{"type":"module","exports":{"./client":"./client.ts"}}');
  symlinkSync(resolve('src/client/index.ts'), join(client, 'client.ts'));
  const environment = { ...process.env, SIGHTLINE_API_KEY: service.key, PYTHONDONTWRITEBYTECODE: '1' };
  /** What each piece of code prints: all of a language in one process, one after the other. */
  const PROGRAMS = {
    curl: { ending: 'sh', run: ['bash', '-c', 'for file in "$@"; do bash "$file"; printf "\\0"; done', 'bash'] },
    TypeScript: {
      ending: 'mts',
      run: [
        process.execPath,
        '--input-type=module',
        '-e',
        "for (const file of process.argv.slice(1)) { await import(file); process.stdout.write('\\0'); }",
      ],
    },
    Python: {
      ending: 'py',
      run: ['python3', '-c', 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file, run_name="__main__"); print(end="\\0")'],
    },
  } as const;
  const printedBy = async (language: keyof typeof PROGRAMS, codes: readonly string[]): Promise<readonly string[]> => {
    const { ending, run: command } = PROGRAMS[language];
    const files = codes.map((_, at) => join(folder, `${at}.${ending}`));
    for (const [at, file] of files.entries()) writeFileSync(file, codes[at] ?? '');
    const [program, ...args] = command;
    const { stdout } = await run(program, [...args, ...files], { cwd: folder, env: environment, maxBuffer: 50_000_000 });
    return stdout.split('\0').slice(0, -1);
  };
  const page = await signedIn();
  // the last one: characters that shells, TypeScript and Python quote in different ways
  const cases = [
    ...operations.map((operation) => ({ operation, keyword: null })),
    { operation: { id: 'serp' }, keyword: `it's "5%" $HOME \\n \`id\` ü` },
  ];
  const languages = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];
  const codes = Object.fromEntries(languages.map((language): [string, string[]] => [language, []]));
  const answers: string[] = [];
  for (const { operation, keyword } of cases) {
    await fillForm(page, operation);
    if (keyword !== null) await page.getByLabel('Keyword').fill(keyword);
    answers.push((await runForm(page)).text);
    await page.getByRole('tab', { name: 'Code' }).click();
    assert.ok(!(await page.locator('.code').innerText()).includes(service.key), 'the key is not in the code');
    for (const language of languages) {
      await page.locator('.code label', { hasText: language }).click();
      codes[language]?.push((await page.locator(`pre[data-language="${language}"]`).textContent()) ?? '');
    }
  }
  const printed = await Promise.all(languages.map((language) => printedBy(language, codes[language] ?? [])));
  for (const [at, { operation, keyword }] of cases.entries())
    await t.test(keyword ?? operation.id, () => {
      for (const [of, language] of languages.entries()) assert.equal(printed[of]?.[at], answers[at], language);
    });
  assert.deepEqual(complaintsOf(page), []);
});
