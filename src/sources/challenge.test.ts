import assert from 'node:assert/strict';
import { test } from 'node:test';
import { challengeIn, MAX_EVENTS, outcomeOfChallenge, scanMarkup } from './challenge.ts';

const kindOf = (html: string): string | null =>
  challengeIn({ status: 200, headers: {}, body: Buffer.from(html), url: 'https://a.example/', atMs: 0 });
const fill = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length));

test('a shell of 100 kB of scripts and a challenge with 50 kB of styles are recognised', () => {
  const scripts = `<script>${fill('var a = "b < c";\n', 100_000)}</script>`;
  assert.equal(kindOf(`<!doctype html><title>Search</title>${scripts}<div id="root"></div>`), 'shell');
  const styles = `<style>${fill('.a { color: red }\n', 50_000)}</style>`;
  assert.equal(kindOf(`<title>Just a moment...</title>${styles}<script>1</script><div>Checking</div>`), 'challenge');
  assert.equal(kindOf(`${fill('<p>One of many paragraphs.</p>', 20_000)}<form id="challenge-form"></form>`), 'challenge');
});

test('the scan ends after MAX_EVENTS parts: the work of a page of 150 kB is bounded', () => {
  for (const part of ['<h2>', '<br id=x>', '<!-- -->', 'a&amp;', `<i ${fill('a=1 ', 30_000)}>`]) {
    const page = `<title>x</title>${fill(part, 149_000)}`;
    assert.equal(scanMarkup(page)?.complete, false, part);
  }
  assert.equal(scanMarkup(fill('<p>x</p>', MAX_EVENTS))?.complete, true);
});

test('a page that is not scanned to its end is blocked only by marks that challenges alone have', () => {
  const rest = fill('<b id=x></b>', 140_000);
  assert.equal(kindOf(`<script src="/a.js"></script>${rest}`), null, 'its text may follow');
  assert.equal(kindOf(`<div class="g-recaptcha"></div>${rest}`), null);
  assert.equal(kindOf(`<form id="challenge-form"></form>${rest}`), 'challenge');
  assert.equal(kindOf(`<title>Just a moment...</title>${rest}`), 'challenge');
});

test('a price for crawlers is told in every form in which it can be read, never cut', () => {
  const told = (price: string): string | undefined => {
    const headers = { 'crawler-price': price };
    return /price of a request is (.*)\.$/.exec(
      outcomeOfChallenge({ status: 402, headers, body: Buffer.from(''), url: '', atMs: 0 })?.what ?? '',
    )?.[1];
  };
  for (const [price, words] of [
    ['USD 0.01', 'USD 0.01'],
    ['"USD 0.01"', 'USD 0.01'],
    [' usd0.5 ', 'usd0.5'],
    ['$0.01', '$0.01'],
    ['0.01 USD', '0.01 USD'],
    ['0,01 EUR', 'not readable'],
    ['USD 0.01, USD 0.02', 'USD 0.01'],
    ['USD 0.01; unit=request', 'USD 0.01'],
    ['USD 1,000.50', 'not readable'],
    ['', 'not readable'],
    ['<b>free</b>', 'not readable'],
  ] as const)
    assert.equal(told(price), words, price);
});
