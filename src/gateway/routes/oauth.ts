import type { OAuth } from '../../accounts/oauth/oauth.ts';
import type { ServiceError } from '../../contract/errors.ts';
import { ALL_SCOPES } from '../../contract/scopes.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE, type Responder } from '../http/response.ts';
import type { RouteDependencies } from './dependencies.ts';
import type { OpenRoute } from './open.ts';

export const TOKEN_PATH = '/v1/oauth/token';
export const AUTHORIZE_PATH = '/v1/oauth/authorize';
export const REGISTER_PATH = '/v1/oauth/register';
export const REVOKE_PATH = '/v1/oauth/revoke';
const MCP_PATH = '/mcp';
const JWKS_PATH = '/.well-known/jwks.json';
const SERVER_DOCUMENT = 'oauth-authorization-server';
const RESOURCE_DOCUMENT = 'oauth-protected-resource';
const MAX_BODY_BYTES = 16_384;

/** URL of a well-known document of `baseUrl`: between its origin and its path (RFC 8414, 3.1; RFC 9728, 3.1). */
export function wellKnown(baseUrl: string, name: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`;
}
/** The metadata of the resource to which a path belongs. */
export const resourceMetadataUrl = (baseUrl: string, path = ''): string =>
  wellKnown(path === MCP_PATH ? `${baseUrl}${MCP_PATH}` : baseUrl, RESOURCE_DOCUMENT);

/** RFC 8414: this service as authorization server. `apps`: the authorization code flow is on. */
export const serverMetadata = (baseUrl: string, apps: boolean) => ({
  issuer: baseUrl,
  // exists always, because some clients refuse metadata without it, also for client credentials
  authorization_endpoint: `${baseUrl}${AUTHORIZE_PATH}`,
  token_endpoint: `${baseUrl}${TOKEN_PATH}`,
  jwks_uri: `${baseUrl}${JWKS_PATH}`,
  scopes_supported: ALL_SCOPES,
  response_types_supported: apps ? ['code'] : [],
  grant_types_supported: ['client_credentials', ...(apps ? ['authorization_code', 'refresh_token'] : [])],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', ...(apps ? ['none'] : [])],
  ...(apps && {
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
export const resourceMetadata = (baseUrl: string, issuers: readonly string[], resource = baseUrl) => ({
  resource,
  authorization_servers: issuers,
  jwks_uri: `${baseUrl}${JWKS_PATH}`,
  scopes_supported: ALL_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Sightline',
  resource_documentation: `${baseUrl}/docs`,
});

/** The OAuth metadata documents: public, cacheable for five minutes. */
export function oauthRoutes(responder: Responder, oauth: OAuth, publicUrl: string | null): readonly OpenRoute[] {
  const document = (path: string, make: (baseUrl: string) => unknown): OpenRoute => ({
    path,
    operation: 'oauth-metadata',
    async serve(context) {
      const bytes = Buffer.from(JSON.stringify(await make(oauth.baseUrl() ?? '')));
      const headers = ['Content-Type', JSON_TYPE, 'Content-Length', String(bytes.length), 'Cache-Control', 'public, max-age=300'];
      responder.write(context, 200, headers, bytes);
    },
  });
  const ofMcp = resourceMetadataUrl(publicUrl ?? 'http://localhost', MCP_PATH);
  // where the public URL has a path, the documents are served at the root and below that path
  const at = (name: string) => new Set([`/.well-known/${name}`, ...(publicUrl ? [new URL(wellKnown(publicUrl, name)).pathname] : [])]);
  return [
    ...[...at(SERVER_DOCUMENT)].map((path) => document(path, (base) => serverMetadata(base, oauth.appSignIn !== null))),
    ...[...at(RESOURCE_DOCUMENT)].map((path) => document(path, (base) => resourceMetadata(base, oauth.issuers()))),
    document(new URL(ofMcp).pathname, (base) => resourceMetadata(base, oauth.issuers(), `${base}${MCP_PATH}`)),
    document(JWKS_PATH, () => oauth.keySet()),
  ];
}

/** An error of the gateway in the form of RFC 6749, 5.2. */
export function refusalBody({ status, message }: ServiceError): { readonly error: string; readonly error_description: string } {
  const code = status === 500 ? 'server_error' : status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request';
  return { error: code, error_description: message };
}

/** The token endpoint (RFC 6749, 3.2). Never rejects. */
export function createTokenRoute(
  { admission, responder }: Pick<RouteDependencies, 'admission' | 'responder'>,
  oauth: OAuth,
): (context: RequestContext) => Promise<void> {
  function writeToken(context: RequestContext, status: number, body: object, more: readonly string[] = []): void {
    const bytes = Buffer.from(JSON.stringify(body));
    const length = String(bytes.length);
    const headers = ['Content-Type', JSON_TYPE, 'Content-Length', length, 'Cache-Control', 'no-store', 'Pragma', 'no-cache', ...more];
    responder.write(context, status, headers, bytes);
  }

  /** Errors from before the token request was read, in the form of RFC 6749, 5.2. */
  function refuseToken(context: RequestContext, error: ServiceError): void {
    writeToken(context, error.status, refusalBody(error), Object.entries(error.headers).flat());
  }

  return async (context) => {
    admission.enter();
    try {
      admission.checkArrival(context);
      const addressKey = await admission.admitAddress(context);
      const { authorization, 'content-type': contentType } = context.request.headers;
      const body = await admission.readBody(context, MAX_BODY_BYTES, 'A token request is 16 kB at most.');
      const answer = await oauth.token({ authorization, contentType, body });
      if (answer.ok) return writeToken(context, 200, answer.body);
      if (answer.status === 401) await admission.countWrongCredentials(context, addressKey);
      const challenge = answer.status === 401 ? ['WWW-Authenticate', 'Basic realm="sightline", charset="UTF-8"'] : [];
      writeToken(context, answer.status, { error: answer.error, error_description: answer.description }, challenge);
    } catch (thrown) {
      refuseToken(context, responder.refusalOf(context, thrown));
    } finally {
      admission.leave();
    }
  };
}
