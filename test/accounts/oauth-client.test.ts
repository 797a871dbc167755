/** A standard OAuth client (oauth4webapi) against the running service. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { type Service, startService } from '../../src/cli/serve.ts';
import type { NewClient } from '../../src/contract/admin/schemas.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';

const INSECURE = { [oauth.allowInsecureRequests]: true };
for (const alg of ['EdDSA', 'RS256'] as const) {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-oauth-'));
  let service: Service;
  let made: NewClient;
  let as: oauth.AuthorizationServer;
  let client: oauth.Client;

  before(async () => {
    const settings = readSettings({
      PORT: '0',
      SIGHTLINE_DATA_DIR: folder,
      SIGHTLINE_OAUTH_ALG: alg,
      SIGHTLINE_LOG_LEVEL: 'silent',
      SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
    });
    service = await startService(settings, { log: silent, sources: [] });
    await service.accounts.admin.ensureFirstAccount();
    made = await service.accounts.admin.createClient({ label: 'client', scopes: ['registration', 'account'] });
    client = { client_id: made.clientId };
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const grant = async (auth: oauth.ClientAuth, parameters: Record<string, string> = {}) => {
    const response = await oauth.clientCredentialsGrantRequest(as, client, auth, parameters, INSECURE);
    return oauth.processClientCredentialsResponse(as, client, response);
  };

  test(`${alg}: the resource metadata names the authorization server, whose metadata names the endpoints`, async () => {
    const base = new URL(service.baseUrl);
    const refused = await fetch(`${service.baseUrl}/v1/account`);
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    assert.equal(metadataUrl, `${service.baseUrl}/.well-known/oauth-protected-resource`);
    const resource = await oauth.processResourceDiscoveryResponse(base, await oauth.resourceDiscoveryRequest(base, INSECURE));
    const issuer = new URL(resource.authorization_servers?.[0] ?? '');
    as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE }));
    assert.ok(as.token_endpoint);
  });

  test(`${alg}: both client authentication methods give a token that the resource accepts and another resource server can verify`, async () => {
    for (const auth of [oauth.ClientSecretBasic(made.clientSecret), oauth.ClientSecretPost(made.clientSecret)]) {
      const { access_token, token_type, scope } = await grant(auth);
      assert.deepEqual([token_type, scope], ['bearer', 'registration account']);
      const request = new Request(`${service.baseUrl}/v1/account`, { headers: { authorization: `Bearer ${access_token}` } });
      const claims = await oauth.validateJwtAccessToken(as, request, service.baseUrl, { signingAlgorithms: [alg], ...INSECURE });
      assert.equal(claims.client_id, made.clientId);
      const answer = await oauth.protectedResourceRequest(access_token, 'GET', new URL(request.url), undefined, undefined, INSECURE);
      assert.equal(answer.status, 200);
    }
  });

  test(`${alg}: the client parses the errors: a scope that is not allowed, a wrong secret, a missing scope`, async () => {
    const secret = oauth.ClientSecretBasic(made.clientSecret);
    await assert.rejects(grant(secret, { scope: 'traffic' }), { error: 'invalid_scope', status: 400 });
    await assert.rejects(grant(oauth.ClientSecretPost('wrong')), (error: oauth.ResponseBodyError | oauth.WWWAuthenticateChallengeError) => {
      assert.equal(error.status, 401);
      return true;
    });
    const { access_token } = await grant(secret, { scope: 'registration' });
    await assert.rejects(
      oauth.protectedResourceRequest(access_token, 'GET', new URL(`${service.baseUrl}/v1/account`), undefined, undefined, INSECURE),
      (error: oauth.WWWAuthenticateChallengeError) => {
        const { scheme, parameters } = error.cause[0] ?? assert.fail('no challenge');
        assert.deepEqual([error.status, scheme, parameters.error, parameters.scope], [403, 'bearer', 'insufficient_scope', 'account']);
        return true;
      },
    );
  });
}
