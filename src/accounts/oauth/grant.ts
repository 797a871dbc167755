import { unescape as percentDecoded } from 'node:querystring';
import { ALL_SCOPES, isScope } from '../../contract/scopes.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { type Clients, isClientId } from './clients.ts';
import type { SigningKeys } from './signing-keys.ts';
import { TOKEN_TYPE } from './tokens.ts';

export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}
/** RFC 6749, 5.1 and 5.2; `error` is an error code of 5.2. */
export type TokenAnswer =
  | { ok: true; body: { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string } }
  | { ok: false; status: 400 | 401; error: string; description: string };

export interface GrantParts {
  readonly baseUrl: () => string | null;
  readonly clients: Clients;
  readonly signing: SigningKeys;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly tokenSeconds: number;
}

const no = (error: string, description: string): TokenAnswer => ({
  ok: false,
  status: error === 'invalid_client' ? 401 : 400,
  error,
  description,
});
/** The same response for every fault of the client's credentials. */
const BAD_CLIENT = no('invalid_client', 'The client is not known, or its secret is wrong, or it may not be used any more.');

/** Token endpoint: client credentials grant (RFC 6749, 4.4), JWT access tokens (RFC 9068). Throws UNAVAILABLE without the store. */
export async function grantToken(parts: GrantParts, request: TokenRequest): Promise<TokenAnswer> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.contentType ?? ''))
    return no('invalid_request', 'Send the parameters as application/x-www-form-urlencoded in the body.');
  const given = new URLSearchParams(request.body);
  for (const name of given.keys())
    if (name !== 'resource' && given.getAll(name).length > 1) return no('invalid_request', 'A parameter is given more than once.');
  const credentials = credentialsOf(request.authorization, given);
  if ('ok' in credentials) return credentials;
  const { clientId, secret } = credentials;
  const grantType = given.get('grant_type');
  if (!grantType) return no('invalid_request', 'grant_type is missing: send client_credentials.');
  const now = parts.clock.now();
  const client = await parts.clients.authenticate(clientId, secret, now);
  if (!client) return BAD_CLIENT;
  if (grantType !== 'client_credentials') return no('unsupported_grant_type', 'The only grant here is client_credentials.');

  const resource = parts.baseUrl();
  if (resource === null) throw new Error('the service does not know its own address yet');
  const elsewhere = given.getAll('resource').some((r) => r.replace(/\/$/, '') !== resource);
  if (elsewhere) return no('invalid_target', `Tokens are given for ${resource} alone.`);
  const allowed = client.scopes ?? ALL_SCOPES;
  const wanted = (given.get('scope') ?? '').split(' ').filter(Boolean);
  const beyond = wanted.find((s) => !isScope(s) || !allowed.includes(s));
  if (beyond !== undefined) return no('invalid_scope', `This client may have the scopes ${allowed.join(' ')}.`);
  const scope = (wanted.length ? ALL_SCOPES.filter((s) => wanted.includes(s)) : allowed).join(' ');

  const iat = Math.floor(now / 1000);
  // a token never outlives its client
  const exp = Math.min(iat + parts.tokenSeconds, Math.ceil(Math.min(client.expiresAt, Number.MAX_SAFE_INTEGER) / 1000));
  const jti = Buffer.from(parts.randomBytes(16)).toString('base64url');
  const claims = { iss: resource, aud: resource, sub: clientId, client_id: clientId, iat, exp, jti, scope };
  const access_token = await parts.signing.sign(claims, TOKEN_TYPE);
  return { ok: true, body: { access_token, token_type: 'Bearer', expires_in: exp - iat, scope } };
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
