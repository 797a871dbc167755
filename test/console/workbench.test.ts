// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moment } from '../../src/console/parts/format.ts';
import { contractView } from '../../src/contract/contract-view.ts';
import type { AppProfile } from '../../src/contract/operations/app/operation.ts';
import type { AppKeywordRanking } from '../../src/contract/operations/app-keywords/operation.ts';
import { missing } from '../browser/chromium.ts';
import { factsOf } from './facts.ts';
import { complaintsOf, fillForm, openConsole, runButton, runForm } from './open-console.ts';

const { operations } = contractView();

test('each operation is filled from its examples, costs what the form said, and its drawn answer states the facts of the JSON', {
  skip: missing,
}, async (t) => {
  const { service, signedIn } = await openConsole(t);
  // high enough for every row of the examples: rows far from the viewport are not rendered
  const page = await signedIn({ viewport: { width: 1400, height: 9_000 } });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.baseUrl}/`)) elsewhere.push(request.url());
  });
  for (const operation of operations) {
    await t.test(operation.id, async () => {
      const price = await fillForm(page, operation);
      assert.match(await runButton(page).innerText(), /Run\s*\d+ credits?/);
      const answer = await runForm(page);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.charged, price, 'the price shown is the price charged');
      // what is folded away is a fact too
      await page.locator('.drawn details').evaluateAll((all) => {
        for (const folded of all) folded.setAttribute('open', '');
      });
      // an instant stands as long ago, a name in its own script; what the source stated is beside it
      const exact = await page
        .locator('.drawn :is(time, .domain[title])')
        .evaluateAll((all) => all.map((each) => each.getAttribute('datetime') ?? each.getAttribute('title')).join(' '));
      const drawn = `${await page.locator('.drawn').innerText()} ${exact}`.replace(/\s+/g, ' ');
      const { stated, nulls } = factsOf(JSON.parse(answer.text));
      const lacking = stated.filter(({ anyOf }) => !anyOf.some((text) => drawn.includes(text)));
      assert.deepEqual(
        lacking.map(({ pointer, anyOf }) => `${pointer}: ${anyOf[0]?.slice(0, 60)}`),
        [],
        drawn.slice(0, 1000),
      );
      if (nulls.length) assert.match(drawn, /not stated by the source/, nulls.join(' '));
      // the second request is answered from the cache: free, and Run says so before
      await page.locator('[data-price="0"]').waitFor();
      assert.equal((await runForm(page)).charged, 0);
    });
  }
  await t.test('the movement of a place against the answer before is shown', async () => {
    await fillForm(page, { id: 'app-keywords' });
    const ranking = JSON.parse((await runForm(page)).text) as AppKeywordRanking;
    const places = ranking.apps.map((a) =>
      a.isSponsored || a.position === null ? a : { ...a, position: a.position === 1 ? 4 : a.position - 1 },
    );
    await page.route('**/v1/appmarket/apps/keywords**', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ ...ranking, apps: places }) }),
    );
    await runForm(page);
    assert.equal(await page.getByText('▼ down 3').count(), 1);
    assert.ok((await page.getByText('▲ up 1').count()) > 1);
    await page.unroute('**/v1/appmarket/apps/keywords**');
  });
  await t.test('freshness and the most that it may cost are sent as headers', async () => {
    await page.goto(`${page.url()}&_age=new&_max=0`);
    await page.locator('[data-price="1"]').waitFor();
    assert.equal((await runForm(page)).status, 402);
    const refused = page.getByRole('alert').filter({ hasText: 'INSUFFICIENT_CREDITS' });
    await refused.waitFor();
    // what is cached is offered with its time, and costs nothing
    await refused.getByRole('button', { name: /^Use the answer of .* · free$/ }).click();
    await page.locator('.answer .drawn > :not(.loading, .pages)').first().waitFor();
    assert.equal(await page.locator('[data-charged]').getAttribute('data-charged'), '0');
    assert.equal(new URL(page.url()).searchParams.get('_age'), 'old');
    await page.route('**/v1/appmarket/apps/keywords**', (route) =>
      route.fulfill({
        status: 402,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'INSUFFICIENT_CREDITS', message: 'It opens again at 2026-11-28T00:00:00.000Z.' } }),
      }),
    );
    await runButton(page).click();
    await refused.getByText(`It opens again at ${moment('2026-11-28T00:00:00.000Z')}.`).waitFor();
    assert.equal(await refused.getByRole('button', { name: /^Use the answer/ }).count(), 0, 'nothing is offered that is not kept');
    await page.unroute('**/v1/appmarket/apps/keywords**');
  });
  await t.test('without a required value nothing is sent, and its field has the focus', async () => {
    await page.goto(`${service.baseUrl}/console/w/forum-comments`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await runButton(page).click();
    await page.getByText('Enter post id').waitFor();
    assert.equal(await page.locator('#field-postId:focus').count(), 1);
    assert.deepEqual(
      sent.filter((url) => url.includes('/v1/forum/')),
      [],
    );
  });
  await t.test('pictures of upstream are requested on a click, not before', async () => {
    await fillForm(page, { id: 'app' });
    const { logo } = JSON.parse((await runForm(page)).text) as AppProfile;
    assert.deepEqual(elsewhere, [], 'nothing was requested from another origin');
    assert.deepEqual(complaintsOf(page), []);
    const [request] = await Promise.all([page.waitForRequest(logo ?? ''), page.getByRole('button', { name: 'Load logo' }).click()]);
    assert.equal(request.headers().referer ?? '', '');
    await page.getByText('Logo: could not be loaded').waitFor();
  });
});
