import type { IncomingHttpHeaders } from 'node:http';

/** What a request brings to be known by. `none`: nothing at all. `unusable`: something that can be no credential of ours. */
export type Credential = { kind: 'none' } | { kind: 'unusable' } | { kind: 'given'; value: string };

const NONE: Credential = { kind: 'none' };
const UNUSABLE: Credential = { kind: 'unusable' };
/** RFC 6750, 2.1: the scheme in any case, blanks, b64token. Longer than any token of ours is not looked at. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const MAX_CREDENTIAL_CHARACTERS = 8192;
/** What every JSON Web Token begins with, and no key: an access token is taken as Bearer alone (RFC 6750). */
const isToken = (value: string): boolean => value.startsWith('eyJ');

/** The credential of `X-API-Key` or `Authorization: Bearer`; both only where they are the same. Never read from the query string. */
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

/**
 * `WWW-Authenticate` of a 401 (RFC 6750, 3): no `error` where no credentials came, `resource_metadata` (RFC 9728, 5.1) where there is such
 * a document.
 */
export function challenge(came: boolean, resourceMetadata: string | null): string {
  const parts = ['realm="sightline"'];
  if (came) parts.push('error="invalid_token"', 'error_description="The credentials are not valid"');
  if (resourceMetadata) parts.push(`resource_metadata="${resourceMetadata}"`);
  return `Bearer ${parts.join(', ')}`;
}

/** `WWW-Authenticate` of a 403: the token is good, but not for this (RFC 6750, 3.1). */
export function insufficientScope(scope: string, resourceMetadata: string | null): string {
  const metadata = resourceMetadata ? `, resource_metadata="${resourceMetadata}"` : '';
  return `Bearer realm="sightline", error="insufficient_scope", scope="${scope}"${metadata}`;
}
