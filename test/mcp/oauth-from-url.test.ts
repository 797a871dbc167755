/** The SDKs' clients connect with nothing but the URL; a person signs in and consents, in Chromium or scripted. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { missing, openBrowser } from '../browser/chromium.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';
import { contentOf } from './mcp-client.ts';

let service: Running;
before(async () => {
  service = await startWhole(SANDBOX_SETTINGS, { apps: true });
});
after(() => service.stop());

/** Remembers what the client stores, and the address that it would open in a browser. */
function scriptedProvider(redirectUrl = 'http://127.0.0.1:53682/callback') {
  let information: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  const provider = {
    opened: null as URL | null,
    redirectUrl,
    clientMetadata: { client_name: 'Scripted desk', redirect_uris: [redirectUrl], grant_types: ['authorization_code', 'refresh_token'] },
    state: () => 'a-state',
    clientInformation: () => information,
    saveClientInformation: (saved: OAuthClientInformationMixed) => {
      information = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved: OAuthTokens) => {
      tokens = saved;
    },
    redirectToAuthorization: (url: URL) => {
      provider.opened = url;
    },
    saveCodeVerifier: (saved: string) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved: OAuthDiscoveryState) => {
      discovery = saved;
    },
    discoveryState: () => discovery,
    invalidateCredentials: () => {
      tokens = undefined;
    },
  };
  return provider satisfies OAuthClientProvider;
}

/** What a browser and a person do from the authorization endpoint to the redirect. */
async function consent(start: URL, key: string): Promise<URL> {
  const own = { 'sec-fetch-site': 'same-origin' };
  const hop = await (await fetch(start)).text();
  const path = /url=([^"]+)"/.exec(hop)?.[1]?.replaceAll('&#38;', '&') ?? '';
  const fieldOf = (page: string): string =>
    (/name="request" value="([^"]*)"/.exec(page)?.[1] ?? '').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const signIn = await (await fetch(new URL(path, start), { headers: own })).text();
  const signedIn = await fetch(new URL('/console/consent/sign-in', start), {
    method: 'POST',
    redirect: 'manual',
    headers: own,
    body: new URLSearchParams({ request: fieldOf(signIn), credential: key }),
  });
  const headers = { ...own, cookie: String(signedIn.headers.get('set-cookie')).split(';', 1)[0] ?? '' };
  const page = await (await fetch(new URL(String(signedIn.headers.get('location')), start), { headers })).text();
  assert.match(page, /Scripted desk<\/strong> asks for access/);
  assert.match(page, /a program on your own computer \(127\.0\.0\.1\)/);
  const form = new URLSearchParams({ request: fieldOf(page), decision: 'allow', creditsPerDay: '25', days: '7' });
  for (const [, scope = ''] of page.matchAll(/name="scope" value="(\w+)"/g)) form.append('scope', scope);
  const decided = await fetch(new URL('/console/consent', start), { method: 'POST', redirect: 'manual', headers, body: form });
  assert.equal(decided.status, 303);
  return new URL(String(decided.headers.get('location')));
}

test('from the URL alone to a first answer, a renewal of the tokens, and the end of the grant', async () => {
  const provider = scriptedProvider();
  const url = new URL(`${service.baseUrl}/mcp`);
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'sightline-test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
    return client;
  };
  const first = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await assert.rejects(new Client({ name: 'sightline-test', version: '1' }).connect(first), UnauthorizedError);
  assert.ok(provider.opened);
  assert.equal(provider.opened.searchParams.get('resource'), `${service.baseUrl}/mcp`);
  const back = await consent(provider.opened, service.key);
  assert.equal(back.searchParams.get('state'), 'a-state');
  await first.finishAuth(back.searchParams);

  const client = await connect();
  const answer = await client.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } });
  assert.equal(contentOf(answer).data.domain, 'acme-widgets.com');
  await client.close();

  const [grant] = await service.admin.listGrants();
  assert.equal(grant?.label, 'App: Scripted desk (127.0.0.1)');
  assert.equal(grant?.creditsPerDay, 25);
  const before = provider.tokens();
  provider.saveTokens({ ...(before as OAuthTokens), access_token: 'eyJ.expired.token' });
  const renewed = await connect();
  assert.notEqual(provider.tokens()?.refresh_token, before?.refresh_token);
  await renewed.close();

  await service.admin.revokeKey({ keyId: String(grant?.keyId) });
  provider.opened = null;
  await assert.rejects(connect(), UnauthorizedError);
  assert.ok(provider.opened, 'the client asks the person again');
});

/** A person at Chromium: from the authorization endpoint to the redirect, which the app's own listener answers. */
async function consentInChromium(t: TestContext, start: URL, key: string): Promise<void> {
  const browser = await openBrowser(t);
  const page = await (await browser.newContext()).newPage();
  await page.goto(start.href);
  await page.getByLabel('API key that manages keys').fill('sl_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('API key that manages keys').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Scripted desk').waitFor();
  await page.getByText('a program on your own computer (127.0.0.1)').waitFor();
  await page.getByLabel('Credits that it may spend a day').fill('25');
  await page.getByLabel('For how long').selectOption('7');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('You may close this page.').waitFor();
}

/** Each client connects with the tokens of the provider; `finish` exchanges the code. */
const CLIENTS = {
  v1: (url: URL, authProvider: ReturnType<typeof scriptedProvider>) => {
    const transport = new HttpOfV1(url, { authProvider });
    const client = new ClientOfV1({ name: 'sightline-test', version: '1' });
    return {
      connect: () => client.connect(transport),
      finish: (back: URLSearchParams) => transport.finishAuth(back.get('code') ?? ''),
      call: () => client.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } }),
      close: () => client.close(),
    };
  },
  v2: (url: URL, authProvider: ReturnType<typeof scriptedProvider>) => {
    const transport = new StreamableHTTPClientTransport(url, { authProvider });
    const client = new Client({ name: 'sightline-test', version: '1' });
    return {
      connect: () => client.connect(transport),
      finish: (back: URLSearchParams) => transport.finishAuth(back),
      call: () => client.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } }),
      close: () => client.close(),
    };
  },
};

for (const [sdk, open] of Object.entries(CLIENTS))
  test(`client ${sdk}: from the URL to a first answer, with a person at Chromium`, { skip: missing }, async (t) => {
    let back: URLSearchParams | null = null;
    const listener = createServer((request, response) => {
      const asked = new URL(request.url ?? '', 'http://127.0.0.1');
      // Chromium asks for an icon too
      if (asked.pathname === '/callback') back = asked.searchParams;
      response.setHeader('content-type', 'text/html').end('<p>You may close this page.</p>');
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    t.after(() => listener.close());
    const provider = scriptedProvider(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`);
    const url = new URL(`${service.baseUrl}/mcp`);
    const first = open(url, provider);
    await assert.rejects(first.connect(), /nauthorized/);
    assert.ok(provider.opened);
    await consentInChromium(t, provider.opened, service.key);
    assert.ok(back);
    assert.equal((back as URLSearchParams).get('state'), 'a-state');
    await first.finish(back);
    const second = open(url, provider);
    await second.connect();
    t.after(second.close);
    assert.equal(contentOf((await second.call()) as { structuredContent?: unknown }).data.domain, 'acme-widgets.com');
  });
