// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createFaults } from '../../sandbox/faults.ts';
import { createWeb } from '../../sandbox/http-server.ts';
import { SERP_BLOCK_PAGES } from '../../sandbox/searchengine/block-pages.ts';
import { KEYWORDS, serpOf } from '../../sandbox/searchengine/facts.ts';
import { googlePage } from '../../sandbox/searchengine/google.ts';
import { SEARCH_HOSTS } from '../../sandbox/searchengine/host.ts';
import { serpBrowser } from '../../src/sources/searchengine/page/source.ts';
import { asked, expectedOf, type Input, lookup, sandboxPorts } from '../searchengine/fixture.ts';
import { CERTIFICATE, KEY } from '../support/certificate.ts';
import { missing, startChromium } from './chromium.ts';

// Chromium also contacts its vendor's hosts in the background; their names do not resolve
const ENGINES = ['www.google.com', 'consent.google.com', 'www.bing.com'];

/** The simulated engines over TLS, as required by a browser. */
async function engines() {
  const faults = createFaults();
  const seen: { host: string; language: string }[] = [];
  const web = createWeb(SEARCH_HOSTS, {
    faults,
    note: () => undefined,
    now: Date.now,
    sleep: (_, gone) => once(gone, 'abort').then(() => undefined),
  });
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (req, res) => {
    seen.push({ host: req.headers.host ?? '', language: req.headers['accept-language'] ?? '' });
    req.headers['x-forwarded-proto'] = 'https';
    // a TLS socket cannot send a reset itself
    req.socket.resetAndDestroy = () => req.socket.destroy();
    web.emit('request', req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { faults, seen, address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

test('the browser source with a real Chromium', { skip: missing }, async (t) => {
  const there = await engines();
  t.after(there.close);
  const chromium = await startChromium(`${ENGINES.map((host) => `MAP ${host} ${there.address}`).join(', ')}, MAP * ~NOTFOUND`);
  let closed = false;
  t.after(async () => {
    if (!closed) await chromium.close();
  });
  const { ports, requests } = sandboxPorts({ SIGHTLINE_BROWSER_URL: chromium.url });
  // one opened source for all tests, as in a process
  const opened = serpBrowser.open(ports);
  const source = { ...serpBrowser, open: () => opened };
  const ask = (keyword: string, more: Partial<Input> = {}, leftMs?: number) => lookup(source, ports, asked(keyword, more), leftMs);

  for (const [engine, keyword] of [
    ['engine_a', 'Größe 50% + "wide" & more'],
    ['engine_b', 'running shoes'],
  ] as const)
    await t.test(`two pages of ${engine} have the ranks, texts and ads of the engine`, async () => {
      const input = asked(keyword, { depth: 20, engine });
      const outcome = await lookup(source, ports, input);
      assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
      const { checkedAt, ...got } = outcome.resource;
      assert.deepEqual(got, expectedOf(input));
      assert.equal(got.organic.length, 20);
    });
  await t.test("the engine's own statement of no results is an empty answer", async () => {
    const outcome = await ask(KEYWORDS.nothing);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    assert.deepEqual(outcome.resource.organic, []);
  });
  await t.test('the browser sends the language of the input', async () => {
    there.seen.length = 0;
    assert.equal((await ask('laufschuhe', { location: 'DE', language: 'de' })).tag, 'found');
    assert.match(there.seen[0]?.language ?? '', /^de-DE\b/);
  });
  await t.test('a captcha, a consent page and a challenge are blocked', async () => {
    assert.equal((await ask(SERP_BLOCK_PAGES.captcha)).tag, 'blocked');
    assert.equal((await ask(SERP_BLOCK_PAGES.consent)).tag, 'blocked');
    assert.equal((await ask(SERP_BLOCK_PAGES.challenge, { engine: 'engine_b' })).tag, 'blocked');
    assert.equal((await ask(SERP_BLOCK_PAGES.secondPage, { depth: 20 })).tag, 'blocked', 'on page two as well');
  });
  await t.test('a rate limit is not a block, and states the time to wait', async () => {
    const outcome = await ask(SERP_BLOCK_PAGES.tooMany);
    assert.ok(outcome.tag === 'limited', JSON.stringify(outcome));
    assert.equal(outcome.retryAfterMs, 45_000);
  });
  for (const kind of ['truncated', 'reset-body'] as const)
    await t.test(`a page whose connection breaks off (${kind}) is never parsed as a complete one`, async () => {
      there.faults.next('https://www.google.com/', { kind });
      assert.equal((await ask('running shoes')).tag, 'unreachable');
    });
  await t.test('the end tag added by the browser does not make a truncated page complete', async () => {
    const page = googlePage(serpOf('running shoes', 'a'), 0, 'desktop');
    const body = page.slice(0, page.length / 2);
    there.faults.next('https://www.google.com/', { kind: 'status', status: 200, headers: { 'content-type': 'text/html' }, body });
    assert.equal((await ask('running shoes')).tag, 'unreachable');
  });
  await t.test('an engine that hangs or resets the connection is a failure within the deadline', async () => {
    there.faults.next('https://www.google.com/', { kind: 'slow-headers', ms: Number.POSITIVE_INFINITY });
    assert.equal((await ask('running shoes', {}, 500)).tag, 'timeout');
    there.faults.next('https://www.bing.com/', { kind: 'reset' }, 5);
    assert.equal((await ask('running shoes', { engine: 'engine_b' })).tag, 'unreachable');
    there.faults.clear();
  });
  await t.test('no tab stays open, and the browser connects to the simulated engines only', async () => {
    assert.deepEqual(
      (await chromium.tabs()).filter((tab) => tab.type === 'page').map((tab) => tab.url),
      ['about:blank'],
    );
    assert.deepEqual(requests, [], 'nothing is fetched besides the browser');
    closed = true;
    assert.deepEqual(await chromium.close(), [there.address]);
  });
  await t.test('a closed browser is a failure, not a crash', async () => {
    assert.equal((await ask('running shoes')).tag, 'unreachable');
  });
});
