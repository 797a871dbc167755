import type { IncomingMessage } from 'node:http';
import type { OAuth } from '../../accounts/oauth/oauth.ts';
import { ServiceError } from '../../contract/errors.ts';
import { ALL_SCOPES } from '../../contract/scopes.ts';
import { admitAddress, admitAtDoor, countWrongCredentials } from '../admission/admit.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE, refusalOf, write } from '../http/response.ts';
import type { OpenRoute } from './open.ts';

export const TOKEN_PATH = '/v1/oauth/token';
const JWKS_PATH = '/.well-known/jwks.json';
const SERVER_DOCUMENT = 'oauth-authorization-server';
const RESOURCE_DOCUMENT = 'oauth-protected-resource';
const MAX_BODY_BYTES = 16_384;

/** Where a document about `baseUrl` lies: between its origin and its path (RFC 8414, 3.1; RFC 9728, 3.1). */
export function wellKnown(baseUrl: string, name: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`;
}
export const resourceMetadataUrl = (baseUrl: string): string => wellKnown(baseUrl, RESOURCE_DOCUMENT);

/** RFC 8414: this service as authorization server. */
export const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  token_endpoint: `${baseUrl}${TOKEN_PATH}`,
  jwks_uri: `${baseUrl}${JWKS_PATH}`,
  scopes_supported: ALL_SCOPES,
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  service_documentation: `${baseUrl}/docs`,
});
/** RFC 9728: this service as protected resource. */
export const resourceMetadata = (baseUrl: string, issuers: readonly string[]) => ({
  resource: baseUrl,
  authorization_servers: issuers,
  jwks_uri: `${baseUrl}${JWKS_PATH}`,
  scopes_supported: ALL_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Sightline',
  resource_documentation: `${baseUrl}/docs`,
});

/** The documents of OAuth: for everybody, kept for a few minutes. */
export function oauthRoutes(oauth: OAuth, publicUrl: string | null): readonly OpenRoute[] {
  const document = (path: string, make: (baseUrl: string) => unknown): OpenRoute => ({
    path,
    operation: 'oauth-metadata',
    async serve(x) {
      const bytes = Buffer.from(JSON.stringify(await make(oauth.baseUrl() ?? '')));
      write(x, 200, ['Content-Type', JSON_TYPE, 'Content-Length', String(bytes.length), 'Cache-Control', 'public, max-age=300'], bytes);
    },
  });
  // under an address with a path the documents lie at the root and behind it
  const at = (name: string) => new Set([`/.well-known/${name}`, ...(publicUrl ? [new URL(wellKnown(publicUrl, name)).pathname] : [])]);
  return [
    ...[...at(SERVER_DOCUMENT)].map((path) => document(path, serverMetadata)),
    ...[...at(RESOURCE_DOCUMENT)].map((path) => document(path, (base) => resourceMetadata(base, oauth.issuers()))),
    document(JWKS_PATH, () => oauth.keySet()),
  ];
}

/** The token endpoint (RFC 6749, 3.2). Never rejects. */
export async function serveToken(x: RequestContext, oauth: OAuth): Promise<void> {
  const { loadShedder } = x.desk;
  loadShedder.enter();
  try {
    admitAtDoor(x);
    const from = await admitAddress(x);
    const { authorization, 'content-type': contentType } = x.request.headers;
    const answer = await oauth.token({ authorization, contentType, body: await readBody(x.request) });
    if (answer.ok) return writeToken(x, 200, answer.body);
    if (answer.status === 401) await countWrongCredentials(x, from);
    const challenge = answer.status === 401 ? ['WWW-Authenticate', 'Basic realm="sightline", charset="UTF-8"'] : [];
    writeToken(x, answer.status, { error: answer.error, error_description: answer.description }, challenge);
  } catch (thrown) {
    refuseToken(x, refusalOf(x, thrown));
  } finally {
    loadShedder.leave();
  }
}

/** What is refused before the request is read as a token request, in the form of RFC 6749, 5.2. */
function refuseToken(x: RequestContext, error: ServiceError): void {
  const word =
    error.status === 500 ? 'server_error' : error.status === 429 || error.status === 503 ? 'temporarily_unavailable' : 'invalid_request';
  writeToken(x, error.status, { error: word, error_description: error.message }, Object.entries(error.headers).flat());
}

function writeToken(x: RequestContext, status: number, body: object, more: readonly string[] = []): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const length = String(bytes.length);
  write(
    x,
    status,
    ['Content-Type', JSON_TYPE, 'Content-Length', length, 'Cache-Control', 'no-store', 'Pragma', 'no-cache', ...more],
    bytes,
  );
}

async function readBody(request: IncomingMessage): Promise<string> {
  const tooLarge = () => new ServiceError('PAYLOAD_TOO_LARGE', 'A token request is 16 kB at most.', { connection: 'close' });
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw new ServiceError('INVALID_REQUEST', 'The body did not come whole: send it again.'); // nobody may be left to read this
  }
  if (size > MAX_BODY_BYTES) throw tooLarge();
  return Buffer.concat(chunks).toString('utf8');
}
