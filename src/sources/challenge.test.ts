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

test('a block page is recognised in whatever charset it declares', () => {
  const blockPage = (charset: string) =>
    `<html><head><meta charset="${charset}"><title>Just a moment...</title></head><body><h1>\u041f\u0440\u043e\u0432\u0435\u0440\u043a\u0430</h1><script>1</script></body></html>`;
  const kind = (body: Uint8Array, headers: Record<string, string> = {}) =>
    challengeIn({ status: 200, headers, body, url: 'https://a.example/', atMs: 0 });
  const utf16 = Buffer.from(`\ufeff${blockPage('utf-16')}`, 'utf16le');
  assert.equal(kind(utf16), 'challenge', 'by its byte order mark');
  assert.equal(kind(Buffer.from(utf16).swap16()), 'challenge', 'the other byte order');
  assert.equal(
    kind(Buffer.from(blockPage('utf-16'), 'utf16le'), { 'content-type': 'text/html; charset=utf-16le' }),
    'challenge',
    'by its header',
  );
  assert.equal(kind(Buffer.from(blockPage('utf-8'))), 'challenge');
  assert.equal(kind(Buffer.from('\ufeff{"url":"https://geo.captcha-delivery.com/captcha/?x=1"}', 'utf16le')), 'challenge', 'JSON');
  for (const [charset, bytes] of [
    ['windows-1251', 'c2eaebfef7e8f2e520e4e6e0e2e0f1eaf0e8eff220e820eee1edeee2e8f2e520e1f0e0f3e7e5f0'],
    [
      'shift_jis',
      '83578383836f8358834e838a8376836782f0974c8cf882c982b582c482ad82be82b382a28142837583898345835582f08a6d944682b582c482ad82be82b382a28142',
    ],
  ] as const) {
    const body = Buffer.concat([Buffer.from('<html><head></head><body><p>'), Buffer.from(bytes, 'hex'), Buffer.from('</p></body></html>')]);
    assert.equal(kind(body), null, 'nothing is said of its charset');
    assert.equal(kind(body, { 'content-type': `text/html; charset=${charset}` }), 'shell', charset);
    const marked = Buffer.from(body.toString('latin1').replace('<head>', `<head><meta charset="${charset}">`), 'latin1');
    assert.equal(kind(marked), 'shell', charset);
  }
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
