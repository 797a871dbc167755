/** The SDK's client connects with nothing but the URL; a scripted person signs in and consents in place of a browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';
import { contentOf } from './mcp-client.ts';

let service: Running;
before(async () => {
  service = await startWhole(SANDBOX_SETTINGS, { apps: true });
});
after(() => service.stop());

/** Remembers what the client stores, and the address that it would open in a browser. */
function scriptedProvider() {
  let information: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  const redirectUrl = 'http://127.0.0.1:53682/callback';
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
