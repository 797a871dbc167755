// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { DEMO_SERPAPI_KEY } from '../../sandbox/searchengine/providers.ts';
import { missing } from '../browser/chromium.ts';
import { heldBy } from './open-console.ts';
import { startUnclaimed } from './unclaimed.ts';

const MOST_CLICKS = 12;
const MOST_MS = 180_000;

/** A program that hears of changes. */
async function startListener(t: TestContext) {
  const messages: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      messages.push(body);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { messages, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

/** How a person acts: `press` is a click, or Enter on what has the focus, and counted; `reach` brings the focus to a field. */
interface Input {
  press(target: Locator): Promise<void>;
  reach(field: Locator): Promise<void>;
  /** Sends the form that was just typed in, whose button this is: with the mouse as well by Enter. */
  send(button: Locator): Promise<void>;
  readonly acts: () => number;
}
const mouse = (): Input => {
  let clicks = 0;
  const press = async (target: Locator): Promise<void> => {
    await target.click();
    clicks++;
  };
  const send = (button: Locator): Promise<void> => button.page().keyboard.press('Enter');
  return { press, reach: press, send, acts: () => clicks };
};
/** By Tab alone: what it does not reach is not reached at all. */
async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const { keyboard: keys } = target.page();
  for (let tabs = 0; (await target.and(target.page().locator(':focus')).count()) === 0; tabs++) {
    assert.ok(tabs < 150, `${await target.innerText().catch(String)} is not reached by Tab`);
    await keys.press('Tab');
  }
}
const keyboard = (): Input => {
  let presses = 0;
  const press = async (target: Locator): Promise<void> => {
    await tabTo(target);
    const isBox = (await target.getAttribute('type')) === 'checkbox';
    await target.page().keyboard.press(isBox ? 'Space' : 'Enter');
    presses++;
  };
  return { press, reach: tabTo, send: press, acts: () => presses };
};

/** Waits for the focus of a field that the page itself gives, and types. */
async function typeIn(field: Locator, text: string): Promise<void> {
  await field.and(field.page().locator(':focus')).waitFor();
  await field.page().keyboard.type(text);
}

async function newcomer(t: TestContext, input: Input): Promise<void> {
  const { sandbox, service, context, browser, link } = await startUnclaimed(t);
  const listener = await startListener(t);
  const page = await context.newPage();
  const began = performance.now();
  const steps: string[] = [];
  const step = (name: string): void =>
    void steps.push(
      `${name}: ${input.acts()} ${input.acts() === 1 ? 'act' : 'acts'}, ${((performance.now() - began) / 1000).toFixed(1)} s`,
    );

  await page.goto(link);
  await typeIn(page.getByLabel('Name of your account'), 'Northlight');
  await input.send(page.getByRole('button', { name: 'Claim' }));
  await page.getByRole('heading', { name: 'Store two keys now' }).waitFor();
  const [apiKey = '', operatorKey = ''] = await page.locator('[data-secret]').allInnerTexts();
  step('claimed');
  await input.press(page.getByLabel('I have stored both'));

  const opened: Promise<Page> = context.waitForEvent('page');
  await input.press(page.getByRole('link', { name: 'Add a key of SerpApi' }));
  const operator = await opened;
  await typeIn(operator.getByLabel('Operator’s key'), operatorKey);
  await input.send(operator.getByRole('button', { name: 'Sign in' }));
  await typeIn(operator.getByLabel('SERPAPI_KEY'), DEMO_SERPAPI_KEY);
  await input.send(operator.getByRole('button', { name: /^Try it/ }));
  await operator.getByText('Works, and is in force').waitFor();
  step('a source’s key is tried and in force');

  await page.bringToFront();
  await input.press(page.getByRole('button', { name: 'Go on' }));
  await input.press(page.getByRole('region', { name: 'Works now' }).getByRole('link', { name: 'Google and Bing' }));
  await page.locator('form.query [data-price]').waitFor();
  await input.press(page.locator('form.query button[type=submit]'));
  await page.locator('.answer .drawn > :not(.loading, .pages)').first().waitFor();
  step('first ranking');

  await input.press(page.getByRole('button', { name: 'Watch this' }));
  const dialog = page.getByRole('dialog');
  const more = dialog.getByText('Name, budget and webhook');
  await more.waitFor();
  await input.press(more);
  await input.reach(dialog.getByLabel('Webhook'));
  await page.keyboard.type(listener.url);
  await input.press(dialog.locator('button[type=submit]'));
  const webhookSecret = await page.locator('[data-secret]').innerText();
  await input.press(dialog.getByRole('button', { name: 'I have stored it' }));
  await page.waitForURL(/\/console\/watches\/.+/);
  step('first watch');

  // what the schedule does in two days: nobody presses anything
  const check = async (which: string) => {
    const response = await page.evaluate(
      async ({ path }) => {
        const answer = await fetch(path, { method: 'POST', headers: { 'X-Sightline-Console': '1' } });
        return { status: answer.status, text: await answer.text() };
      },
      { path: `/v1/account/watches/${page.url().split('/').at(-1)}/run` },
    );
    assert.equal(response.status, 200, `${which}: ${response.text}`);
  };
  await check('the first check');
  sandbox.nextDay();
  await check('the check of the next day');
  for (let tries = 0; listener.messages.length === 0; tries++) {
    assert.ok(tries < 600, 'no message came');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  step('first message');
  const ms = performance.now() - began;
  console.log(steps.join('; '));
  console.log(`${input.acts()} clicks (with the mouse), or presses of Enter and Space (without), in ${(ms / 1000).toFixed(1)} s`);
  assert.ok(input.acts() <= MOST_CLICKS, `${input.acts()} clicks: ${steps.join('; ')}`);
  assert.ok(ms <= MOST_MS, `${ms} ms`);
  assert.match(listener.messages[0] ?? '', /"type":/);
  // nothing of a secret is in the address, the store of the browser or the page, once the person has stored it
  const code = new URL(link).hash.slice(1);
  const held = [await heldBy(page), await heldBy(operator)];
  await page.reload();
  await page.getByText(new URL(listener.url).host).first().waitFor();
  await operator.reload();
  await operator.getByLabel('SERPAPI_KEY').waitFor();
  held.push(await heldBy(page), await heldBy(operator));
  for (const [what, secret] of Object.entries({ apiKey, operatorKey, webhookSecret, code, sourceKey: DEMO_SERPAPI_KEY })) {
    assert.ok(secret.length > 8, what);
    for (const [i, text] of held.entries()) assert.ok(!text.includes(secret), `${what} is held by page ${i}`);
  }
  assert.equal(await service.accounts.setup.isClaimed(), true);
  await browser.close();
}

test(
  'a newcomer without a shell: claim, keys, a source, the first ranking, the first watch, the first message, in 12 clicks',
  {
    skip: missing,
  },
  (t) => newcomer(t, mouse()),
);
test('the same by the keyboard alone', { skip: missing }, (t) => newcomer(t, keyboard()));
