// Own process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing } from '../browser/chromium.ts';
import { until } from '../faults/service-process.ts';
import { sizeOf } from '../support/sizes.ts';
import { CONCURRENCY, countDone, crash, domains, give, resultOf, runIt } from './file-page.ts';
import { openConsole } from './open-console.ts';

/** Answers lookups in the page: the page is what is tested. The test counts them, because the count of the page ends with it. */
const simulated = (holdsAfter: number): string => `{
  let left = ${holdsAfter};
  const held = [];
  const { fetch } = window;
  window.countHeld = () => held.length;
  window.goOn = () => {
    left = Infinity;
    for (const answer of held.splice(0)) answer();
  };
  window.fetch = (url, request) => {
    if (!String(url).includes('/v1/website/whois/domains/')) return fetch(url, request);
    const label = request.headers['x-request-id'];
    void window.noteAsked(label);
    const headers = { 'x-request-id': label, 'x-credits-charged': '1', 'cache-status': 'sightline; fwd=miss; stored' };
    const answer = Response.json({ domain: label, status: ['active'], padding: 'x'.repeat(2000) }, { headers });
    return --left < 0 ? new Promise((resolve) => held.push(() => resolve(answer))) : Promise.resolve(answer);
  };
}`;

test('5,000 lines, and the page is killed in the middle: each line has its answer once, and those in flight alone were asked again', {
  skip: missing,
}, async (t) => {
  const count = sizeOf({ whole: 5000, part: 1000 });
  const open = await openConsole(t);
  const page = await open.signedIn();
  const context = page.context();
  const asked = new Map<string, number>();
  await context.exposeBinding('noteAsked', (_, label: string) => void asked.set(label, (asked.get(label) ?? 0) + 1));
  const half = Math.floor(count / 2);
  await page.addInitScript(simulated(half));
  await give(page, 'domains.txt', domains(count));
  const address = page.url();
  await runIt(page);
  await until('half of the lines', async () => (await countDone(page)) === half, 200_000);
  await until('answers in flight', async () => (await page.evaluate<number>('countHeld()')) === CONCURRENCY);
  await crash(page);
  const next = await context.newPage();
  // what was answered before is counted first
  await next.addInitScript(simulated(0));
  await next.goto(address);
  await next.getByText(/5 lines were in flight/).waitFor();
  assert.equal(await countDone(next), half, 'what was answered is there at once');
  await next.evaluate('goOn()');
  await next.getByRole('heading', { name: 'Download' }).waitFor({ timeout: 200_000 });
  const lines = await resultOf(next);
  assert.deepEqual(
    lines.map(({ line, ok, input }) => [line, ok, input.domain]),
    Array.from({ length: count }, (_, n) => [n + 1, true, `name-${n}.com`]),
  );
  assert.equal(asked.size, count);
  assert.deepEqual(
    [...asked.values()].filter((times) => times > 1),
    Array(CONCURRENCY).fill(2),
  );
});
