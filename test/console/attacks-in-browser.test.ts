// Few in a process: it drives a browser.
// In the gate alone: it goes through pages in a browser.
/** Pages of other origins against a signed-in browser: a real Chromium decides which cookies and headers they send. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { REGISTRATION } from '../accounts/test-service.ts';
import { missing, openBrowser } from '../browser/chromium.ts';
import { openEntrances } from './entrances.ts';

/** What a page of another origin tries; each ends when the browser has an answer or has refused. Runs in the browser. */
const ATTACKS = `async (base, lookup) => {
  const attempt = (work) => Promise.resolve().then(work).then(() => 'sent', () => 'refused');
  const loaded = (element) => new Promise((done) => {
    element.onload = element.onerror = () => done();
    document.body.append(element);
  });
  const frame = Object.assign(document.createElement('iframe'), { name: 'target' });
  await loaded(Object.assign(frame, { src: base + '/console' }));
  for (const [action, type] of [['/console/api/keys', 'text/plain'], ['/console/api/session', 'application/x-www-form-urlencoded']]) {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: base + action, enctype: type, target: 'target' });
    form.append(Object.assign(document.createElement('input'), { name: '{"label":"theirs","x":"', value: '"}' }));
    document.body.append(form);
    const answered = new Promise((done) => { frame.onload = done; });
    form.submit();
    await answered;
  }
  await loaded(Object.assign(new Image(), { src: base + lookup + '?image' }));
  await loaded(Object.assign(document.createElement('script'), { src: base + lookup + '?script' }));
  const credentials = 'include';
  await attempt(() => fetch(base + lookup, { credentials, mode: 'no-cors' }));
  await attempt(() => fetch(base + '/console/api/keys', { credentials, mode: 'no-cors', method: 'POST', body: '{}' }));
  const json = { 'content-type': 'application/json', 'x-sightline-console': '1' };
  await attempt(() => fetch(base + '/console/api/keys', { credentials, method: 'POST', headers: json, body: '{}' }));
  await attempt(() => fetch(base + '/console/api/sessions', { credentials, method: 'DELETE' }));
  await attempt(() => fetch(base + lookup, { credentials, headers: { 'x-sightline-console': '1' } }));
}`;

/** A server for the attacker's page, under any host name. */
async function servePage(): Promise<{ readonly port: number; close(): Promise<unknown> }> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><body></body>'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () =>
    new Promise((done) => {
      server.closeAllConnections();
      server.close(done);
    });
  return { port: (server.address() as AddressInfo).port, close };
}

test('a page of another site, of a subdomain or of another port cannot use the session of a signed-in browser', {
  skip: missing,
}, async (t) => {
  const e = await openEntrances(t, { files: { 'index.html': '<!doctype html><title>Console</title>' } });
  const { port, seen } = await e.listen();
  const attacker = await servePage();
  t.after(attacker.close);
  const browser = await openBrowser(t);

  const signedIn = async (base: string): Promise<BrowserContext> => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${base}/console`);
    const status = await page.evaluate(
      async (apiKey) =>
        (
          await fetch('/console/api/session', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ apiKey }),
          })
        ).status,
      e.key,
    );
    assert.equal(status, 200);
    assert.equal(await page.evaluate('document.cookie'), '', 'scripts cannot read the cookie');
    return context;
  };
  const ownRequest = async (context: BrowserContext): Promise<number> => {
    const [page] = context.pages();
    return Number(await page?.evaluate(async () => (await fetch('/v1/account', { headers: { 'X-Sightline-Console': '1' } })).status));
  };

  // on localhost names browsers send Sec-Fetch-Site; on plain http elsewhere they do not
  for (const host of ['app.localhost', 'app.test']) {
    const base = `http://${host}:${port}`;
    const context = await signedIn(base);
    assert.equal(await ownRequest(context), 200);
    for (const evil of ['evil.example.localhost', `evil.${host}`, host]) {
      const begun = seen.length;
      const page = await context.newPage();
      const framed: string[] = [];
      page.on('console', (message) => framed.push(message.text()));
      await page.goto(`http://${evil}:${attacker.port}/`);
      await page.evaluate(`(${ATTACKS})(${JSON.stringify(base)}, ${JSON.stringify(REGISTRATION)})`);
      const sent = seen.slice(begun).filter(({ url }) => url !== '/console');
      const name = `${evil} against ${host}`;
      assert.ok(sent.length >= 6, `${name}: ${sent.length} requests came`);
      assert.deepEqual(
        sent.filter(({ status }) => status < 400),
        [],
        name,
      );
      // SameSite=Strict holds back the cookie from another site; a subdomain and another port are the same site
      assert.equal(
        sent.some(({ hasCookie }) => hasCookie),
        evil !== 'evil.example.localhost',
        name,
      );
      assert.match(framed.join('\n'), /frame-ancestors/, `${name}: the frame is refused`);
      await page.goto(`${base}${REGISTRATION}`);
      assert.equal(seen.at(-1)?.status === 200, false, `${name}: a link to a lookup`);
      await page.close();
    }
    assert.equal(await ownRequest(context), 200, 'the session is still there');
    const [account] = await e.accounts.admin.listAccounts();
    assert.deepEqual([account?.balance, account?.held, (await e.accounts.admin.listKeys()).length], [1000, 0, 1]);
    await context.close();
  }

  // on plain http a subdomain can set a cookie for its parent: neither of two cookies is trusted
  const context = await signedIn(`http://app.localhost:${port}`);
  const page = await context.newPage();
  await page.goto(`http://evil.app.localhost:${attacker.port}/`);
  const theirs = (await e.signIn()).split('=')[1];
  await page.evaluate(`document.cookie = 'sightline_account=${theirs}; domain=app.localhost; path=/'`);
  assert.equal(await ownRequest(context), 401);
  await context.close();
});
