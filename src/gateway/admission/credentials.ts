import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Credential of a request. `none`: it carries none. `unusable`: malformed, ambiguous, or a token in X-API-Key. */
export type Credential = { kind: 'none' } | { kind: 'unusable' } | { kind: 'given'; value: string };

const NONE: Credential = { kind: 'none' };
const UNUSABLE: Credential = { kind: 'unusable' };
/** RFC 6750, 2.1: the scheme in any case, spaces, b64token. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const MAX_CREDENTIAL_CHARACTERS = 8192;
/** Every JSON Web Token begins like this, and no API key does: an access token is accepted as Bearer only (RFC 6750). */
const isToken = (value: string): boolean => value.startsWith('eyJ');

/** The credential of `X-API-Key` or `Authorization: Bearer`; both may be present if they are equal. Never read from the query string. */
export function credentialOf(headers: IncomingHttpHeaders): Credential {
  const key = headers['x-api-key'];
  const authorization = headers.authorization;
  if (typeof key === 'string' && isToken(key)) return UNUSABLE;
  if (authorization === undefined) {
    if (key === undefined) return NONE;
    return typeof key === 'string' && key !== '' && key.length <= MAX_CREDENTIAL_CHARACTERS ? { kind: 'given', value: key } : UNUSABLE;
  }
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined || token.length > MAX_CREDENTIAL_CHARACTERS) return UNUSABLE;
  return key === undefined || key === token ? { kind: 'given', value: token } : UNUSABLE;
}

/** Compares in the same time for all texts. */
export const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

/** `WWW-Authenticate` of a 401 (RFC 6750, 3): `error` only if credentials were given; `resource_metadata` as in RFC 9728, 5.1. */
export function challenge(given: boolean, resourceMetadata: string | null): string {
  const parts = ['realm="sightline"'];
  if (given) parts.push('error="invalid_token"', 'error_description="The credentials are not valid"');
  if (resourceMetadata) parts.push(`resource_metadata="${resourceMetadata}"`);
  return `Bearer ${parts.join(', ')}`;
}

/** `WWW-Authenticate` of a 403: the token is valid but lacks the scope (RFC 6750, 3.1). */
export function insufficientScope(scope: string, resourceMetadata: string | null): string {
  const metadata = resourceMetadata ? `, resource_metadata="${resourceMetadata}"` : '';
  return `Bearer realm="sightline", error="insufficient_scope", scope="${scope}"${metadata}`;
}
