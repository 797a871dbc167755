import { parametersSent } from '../../accounts/oauth/authorize.ts';
import type { OAuth } from '../../accounts/oauth/oauth.ts';
import { ALL_SCOPES } from '../../contract/scopes.ts';
import { hopPage, messagePage, pageHeaders } from '../console/consent-page.ts';
import { READ } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import { parseBody, searchOf } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Responder } from '../http/response.ts';
import type { RouteDependencies } from '../parts.ts';

const TOKEN_PATH = '/v1/oauth/token';
const AUTHORIZE_PATH = '/v1/oauth/authorize';
const REGISTER_PATH = '/v1/oauth/register';
const REVOKE_PATH = '/v1/oauth/revoke';
const MCP_PATH = '/mcp';
const JWKS_PATH = '/.well-known/jwks.json';
const SERVER_DOCUMENT = 'oauth-authorization-server';
const RESOURCE_DOCUMENT = 'oauth-protected-resource';
const MAX_BODY_BYTES = 16_384;
const NO_CACHE = ['Pragma', 'no-cache'];
export const CONSENT_PATH = '/console/consent';

/** URL of a well-known document of `baseUrl`: between its origin and its path (RFC 8414, 3.1; RFC 9728, 3.1). */
function wellKnown(baseUrl: string, name: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`;
}
export const resourceMetadataUrl = (baseUrl: string, path = ''): string =>
  wellKnown(path === MCP_PATH ? `${baseUrl}${MCP_PATH}` : baseUrl, RESOURCE_DOCUMENT);

/** RFC 8414: this service as authorization server. `apps`: the authorization code flow is on. */
const serverMetadata = (baseUrl: string, apps: boolean) => ({
  issuer: baseUrl,
  token_endpoint: `${baseUrl}${TOKEN_PATH}`,
  jwks_uri: `${baseUrl}${JWKS_PATH}`,
  scopes_supported: ALL_SCOPES,
  response_types_supported: apps ? ['code'] : [],
  grant_types_supported: ['client_credentials', ...(apps ? ['authorization_code', 'refresh_token'] : [])],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', ...(apps ? ['none'] : [])],
  ...(apps && {
    authorization_endpoint: `${baseUrl}${AUTHORIZE_PATH}`,
    registration_endpoint: `${baseUrl}${REGISTER_PATH}`,
    revocation_endpoint: `${baseUrl}${REVOKE_PATH}`,
    revocation_endpoint_auth_methods_supported: ['none'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }),
  service_documentation: `${baseUrl}/docs`,
});
/** RFC 9728: this service as protected resource. */
const resourceMetadata = (baseUrl: string, issuers: readonly string[], resource = baseUrl) => ({
  resource,
  authorization_servers: issuers,
  jwks_uri: `${baseUrl}${JWKS_PATH}`,
  scopes_supported: ALL_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Sightline',
  resource_documentation: `${baseUrl}/docs`,
});

export function metadataRoutes(responder: Responder, oauth: OAuth, publicUrl: string | null): readonly Route[] {
  const document = (path: string, make: (baseUrl: string) => unknown): Route => ({
    methods: READ,
    path,
    operation: 'oauth-metadata',
    async serve(context) {
      responder.writeJson(context, await make(oauth.baseUrl() ?? ''), ['Cache-Control', 'public, max-age=300']);
    },
  });
  const ofMcp = resourceMetadataUrl(publicUrl ?? 'http://localhost', MCP_PATH);
  // where the public URL has a path, the documents are served at the root and below that path
  const wellKnownPaths = (name: string) =>
    new Set([`/.well-known/${name}`, ...(publicUrl ? [new URL(wellKnown(publicUrl, name)).pathname] : [])]);
  return [
    ...[...wellKnownPaths(SERVER_DOCUMENT)].map((path) => document(path, (base) => serverMetadata(base, oauth.appSignIn !== null))),
    ...[...wellKnownPaths(RESOURCE_DOCUMENT)].map((path) => document(path, (base) => resourceMetadata(base, oauth.issuers()))),
    document(new URL(ofMcp).pathname, (base) => resourceMetadata(base, oauth.issuers(), `${base}${MCP_PATH}`)),
    document(JWKS_PATH, () => oauth.keySet()),
  ];
}

/** The token endpoint (RFC 6749, 3.2), and what apps call: authorization, registration (RFC 7591) and revocation (RFC 7009). */
export function oauthRoutes({ admission, responder }: Pick<RouteDependencies, 'admission' | 'responder'>, oauth: OAuth): readonly Route[] {
  const { appSignIn } = oauth;
  const writeJson = (context: RequestContext, status: number, body: object, more: readonly string[] = []): void =>
    responder.writeJson(context, body, ['Cache-Control', 'no-store', ...more], status);
  const writeError = (
    context: RequestContext,
    status: number,
    error: string,
    error_description: string,
    more: readonly string[] = [],
  ): void => writeJson(context, status, { error, error_description }, more);
  const posted = (path: string, operation: string, serve: (context: RequestContext, addressKey: string) => Promise<void>): Route => ({
    methods: ['POST'],
    path,
    operation,
    maxBodyBytes: MAX_BODY_BYTES,
    serve: async (context) => serve(context, await admission.admitAddress(context)),
    // errors from before the request was read, in the form of RFC 6749, 5.2
    refuse(context, { status, message, headers }) {
      const code = status === 500 ? 'server_error' : status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request';
      const noCache = path === TOKEN_PATH ? NO_CACHE : [];
      writeError(context, status, code, message, [...noCache, ...Object.entries(headers).flat()]);
    },
  });
  /** An endpoint that writes: as many requests of an address as sign-ins. */
  const changing = (path: string, operation: string, serve: (context: RequestContext, text: string) => Promise<void>): Route =>
    posted(path, operation, async (context, addressKey) => {
      await admission.admitChange(context, `${operation} ${addressKey}`);
      await serve(context, await admission.readBody(context));
    });

  const token = posted(TOKEN_PATH, 'oauth-token', async (context, addressKey) => {
    const { authorization, 'content-type': contentType } = context.request.headers;
    const body = await admission.readBody(context);
    const answer = await oauth.token({ authorization, contentType, body });
    if (answer.ok) return writeJson(context, 200, answer.body, NO_CACHE);
    if (answer.status === 401) await admission.countWrongCredentials(context, addressKey);
    const challenge = answer.status === 401 ? ['WWW-Authenticate', 'Basic realm="sightline", charset="UTF-8"'] : [];
    writeError(context, answer.status, answer.error, answer.description, [...NO_CACHE, ...challenge]);
  });
  const authorize: Route = {
    methods: READ,
    path: AUTHORIZE_PATH,
    operation: 'oauth-authorize',
    async serve(context) {
      await admission.admitAddress(context);
      const query = searchOf(context.request);
      const page = appSignIn
        ? hopPage(`${CONSENT_PATH}?${query}`)
        : messagePage('Apps cannot sign in here', 'The operator switches it on by setting SIGHTLINE_PUBLIC_URL to an address with https.');
      responder.write(context, appSignIn ? 200 : 403, [...pageHeaders(null)], Buffer.from(page));
    },
  };
  if (!appSignIn) return [token, authorize];
  const { apps, grants } = appSignIn;
  return [
    token,
    authorize,
    changing(REGISTER_PATH, 'oauth-register', async (context, text) => {
      const answer = await apps.register(parseBody(text));
      if (answer.ok) writeJson(context, 201, answer.body);
      else writeError(context, 400, answer.error, answer.description);
    }),
    changing(REVOKE_PATH, 'oauth-revoke', async (context, text) => {
      const given = parametersSent(new URLSearchParams(text));
      const [revoked, clientId] = [given.get('token'), given.get('client_id')];
      if (!revoked || !clientId) return writeError(context, 400, 'invalid_request', 'Send token and client_id.');
      const holder = revoked.startsWith('eyJ') ? await ofAccessToken(revoked, context.atMs) : await grants.findByRefreshToken(revoked);
      if (holder === 'client')
        return writeError(
          context,
          400,
          'unsupported_token_type',
          'This token of the client credentials grant is valid until it expires: "sightline clients revoke" ends a client with all of its tokens.',
        );
      const grant = holder;
      if (grant && grant.client_id !== clientId) return writeError(context, 400, 'invalid_grant', 'The token belongs to another client.');
      // an unknown token is revoked already (RFC 7009, 2.2)
      if (grant) await grants.end(grant.key_id);
      writeJson(context, 200, {});
    }),
  ];

  async function ofAccessToken(accessToken: string, nowMs: number) {
    const found = await oauth.authenticate(accessToken, nowMs);
    if (!found.ok) return null;
    return (await grants.find(found.caller.keyId)) ?? 'client';
  }
}
