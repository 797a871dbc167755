import { hash } from 'node:crypto';
import { unescape as percentDecoded } from 'node:querystring';
import { ALL_SCOPES, isScope } from '../../contract/scopes.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import type { GrantRow } from '../../store/tables.ts';
import { isPartOf, parametersSent, resourceIndicator, resourcesOf } from './authorize.ts';
import { type Clients, isClientId } from './clients.ts';
import type { Grants } from './grants.ts';
import type { SigningKeys } from './signing-keys.ts';
import { TOKEN_TYPE } from './tokens.ts';

export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}
/** RFC 6749, 5.1 and 5.2; `error` is an error code of 5.2. */
export type TokenAnswer =
  | { ok: true; body: { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string; refresh_token?: string } }
  | { ok: false; status: 400 | 401; error: string; description: string };

export interface TokenEndpointParts {
  readonly baseUrl: () => string | null;
  readonly clients: Clients;
  readonly grants: Grants | null;
  readonly signing: SigningKeys;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}
const TOKEN_SECONDS = 900;

const no = (error: string, description: string): TokenAnswer => ({
  ok: false,
  status: error === 'invalid_client' ? 401 : 400,
  error,
  description,
});
const BAD_CLIENT = no('invalid_client', 'The client is not known, or its secret is wrong, or it may not be used any more.');

/**
 * Token endpoint (RFC 6749, 3.2): client credentials (4.4), authorization code (4.1) and refresh token (6), answered with JWT access tokens
 * (RFC 9068). Throws UNAVAILABLE without the store.
 */
export async function issueToken(parts: TokenEndpointParts, request: TokenRequest): Promise<TokenAnswer> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.contentType ?? ''))
    return no('invalid_request', 'Send the parameters as application/x-www-form-urlencoded in the body.');
  const given = parametersSent(new URLSearchParams(request.body));
  for (const name of given.keys())
    if (name !== 'resource' && given.getAll(name).length > 1) return no('invalid_request', 'A parameter is given more than once.');
  const { grants } = parts;
  const offered = ['client_credentials', ...(grants ? APP_GRANT_TYPES.keys() : [])];
  const grantType = given.get('grant_type');
  if (!grantType) return no('invalid_request', `grant_type is missing: send one of ${offered.join(', ')}.`);
  if (!offered.includes(grantType)) return no('unsupported_grant_type', `The grant types here are ${offered.join(', ')}.`);
  const kind = APP_GRANT_TYPES.get(grantType);
  if (kind && grants) return issueToApp(parts, grants, kind, given);
  const credentials = credentialsOf(request.authorization, given);
  if ('ok' in credentials) return credentials;
  const { clientId, secret } = credentials;
  const now = parts.clock.now();
  const client = await parts.clients.authenticate(clientId, secret, now);
  if (!client) return BAD_CLIENT;

  const asked = askedBy(parts, given);
  if ('ok' in asked) return asked;
  const { base, audience, wanted } = asked;
  const allowed = client.scopes ?? ALL_SCOPES;
  const beyond = wanted.find((s) => !isScope(s) || !allowed.includes(s));
  if (beyond !== undefined) return no('invalid_scope', `This client may have the scopes ${allowed.join(' ')}.`);
  const scope = (wanted.length ? ALL_SCOPES.filter((s) => wanted.includes(s)) : allowed).join(' ');

  // a token never outlives its client
  const ends = Math.min(client.expiresAt, Number.MAX_SAFE_INTEGER);
  return { ok: true, body: await tokenBody(parts, { iss: base, aud: audience, sub: clientId, client_id: clientId, scope }, ends) };
}

/** The address of this service, and the audience (RFC 8707) and the scopes that a request names. */
function askedBy({ baseUrl }: TokenEndpointParts, given: URLSearchParams) {
  const base = baseUrl();
  if (base === null) throw new Error('the service does not know its own address yet');
  const audience = resourceIndicator(base, given.getAll('resource'));
  if (audience === null) return no('invalid_target', `Tokens are given for ${resourcesOf(base).join(' and ')} alone.`);
  return { base, audience, wanted: (given.get('scope') ?? '').split(' ').filter(Boolean) };
}

/** Signs an access token with these claims that ends at `ends` (epoch ms) at the latest. */
async function tokenBody(parts: TokenEndpointParts, claims: { readonly [name: string]: string; readonly scope: string }, ends: number) {
  const iat = Math.floor(parts.clock.now() / 1000);
  const exp = Math.min(iat + TOKEN_SECONDS, Math.ceil(ends / 1000));
  const jti = Buffer.from(parts.randomBytes(16)).toString('base64url');
  const access_token = await parts.signing.sign({ ...claims, iat, exp, jti }, TOKEN_TYPE);
  return { access_token, token_type: 'Bearer' as const, expires_in: exp - iat, scope: claims.scope };
}

/** Grant types of apps, by what they present. */
const APP_GRANT_TYPES: ReadonlyMap<string, 'code' | 'refresh'> = new Map([
  ['authorization_code', 'code'],
  ['refresh_token', 'refresh'],
]);

/** Authorization code (with PKCE) and refresh token of a public client: OAuth 2.1, 4.1.3 and 4.3. */
async function issueToApp(
  parts: TokenEndpointParts,
  grants: Grants,
  kind: 'code' | 'refresh',
  given: URLSearchParams,
): Promise<TokenAnswer> {
  const name = kind === 'code' ? 'code' : 'refresh_token';
  const [text, clientId, verifier] = [given.get(name), given.get('client_id'), given.get('code_verifier') ?? ''];
  if (!text || !clientId) return no('invalid_request', `Send ${name} and client_id.`);
  if (kind === 'code' && !/^[\w.~-]{43,128}$/.test(verifier))
    return no('invalid_request', 'Send code_verifier (PKCE), 43 to 128 characters.');
  const asked = askedBy(parts, given);
  if ('ok' in asked) return asked;
  const { base, wanted } = asked;
  if (!wanted.every(isScope)) return no('invalid_scope', `The scopes here are ${ALL_SCOPES.join(' ')}.`);
  const redirectUri = given.get('redirect_uri');
  const hasResource = given.has('resource');
  const scopesOf = ({ scopes }: GrantRow) => JSON.parse(scopes) as string[];
  const taken = await grants.take(kind, text, {
    fits(grant) {
      if (grant.client_id !== clientId) return false;
      if (kind === 'refresh') return true;
      return (redirectUri ?? grant.redirect_uri) === grant.redirect_uri && hash('sha256', verifier, 'base64url') === grant.challenge;
    },
    refusal(grant) {
      const granted = scopesOf(grant);
      if (!wanted.every((scope) => granted.includes(scope)))
        return no('invalid_scope', `The person granted the scopes ${granted.join(' ')}.`);
      return hasResource && !isPartOf(asked.audience, grant.resource)
        ? no('invalid_target', `The person granted access to ${grant.resource}.`)
        : null;
    },
  });
  if (!taken)
    return no(
      'invalid_grant',
      `The ${name} is not valid: it was used before, has expired, was revoked, belongs to another request, or its account is suspended.`,
    );
  if (!taken.ok) return taken.refused;
  const { grant, accountId, expiresAt, refreshToken } = taken;
  const scope = scopesOf(grant)
    .filter((granted) => !wanted.length || wanted.some((each) => each === granted))
    .join(' ');
  const aud = hasResource ? asked.audience : grant.resource;
  const claims = { iss: base, aud, sub: accountId, client_id: clientId, grant: grant.key_id, scope };
  return { ok: true, body: { ...(await tokenBody(parts, claims, expiresAt)), refresh_token: refreshToken } };
}

/** Client id and secret, from Basic authentication or from the body, not both. */
function credentialsOf(authorization: string | undefined, given: URLSearchParams): { clientId: string; secret: string } | TokenAnswer {
  const [id, secret] = [given.get('client_id'), given.get('client_secret')];
  if (authorization === undefined)
    return id && secret ? { clientId: id, secret } : no('invalid_client', 'Send client id and secret by Basic authentication.');
  if (secret !== null) return no('invalid_request', 'Send the client secret once: by Basic authentication or in the body.');
  const pair = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1];
  const text = pair === undefined ? '' : Buffer.from(pair, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return BAD_CLIENT;
  // RFC 6749, 2.3.1: id and secret are form-encoded before they are joined
  const decoded = (part: string) => percentDecoded(part.replaceAll('+', ' '));
  const [clientId, clientSecret] = [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))];
  if (id !== null && id !== clientId) return no('invalid_request', 'client_id in the body is another than the one that authenticates.');
  return isClientId(clientId) ? { clientId, secret: clientSecret } : BAD_CLIENT;
}
