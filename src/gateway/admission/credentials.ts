import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { ServiceError } from '../../contract/errors.ts';

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

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const compiled = new WeakMap<readonly string[], BlockList>();

function compile(list: readonly string[]): BlockList {
  const block = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) block.addAddress(address, familyOf(address));
    else block.addSubnet(address, Number(bits), familyOf(address));
  }
  compiled.set(list, block);
  return block;
}

/** Whether the address is in the list of addresses and CIDR blocks; an IPv4-mapped IPv6 address counts as IPv4. */
export function isWithin(list: readonly string[], address: string | undefined): boolean {
  if (address === undefined) return false;
  const [bare = ''] = address.split('%');
  return (compiled.get(list) ?? compile(list)).check(bare, familyOf(bare));
}

/** 403: these credentials may not be used from the client's address. `addresses`: null for all. */
export function demandAddress(
  addresses: readonly string[] | null | undefined,
  { address }: { readonly address: string | undefined },
): void {
  if (addresses && !isWithin(addresses, address))
    throw new ServiceError('FORBIDDEN', 'These credentials may not be used from this address.');
}

/** An address of X-Forwarded-For without port and brackets: with the port, every connection would be another client. */
export function withoutPort(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(address)?.[1] ?? /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(address)?.[1];
  return bare ?? address;
}

/** The client's address: that of the connection, or behind trusted proxies the last address of X-Forwarded-For that is not one of them. */
export function forwardedAddress({ socket, headers }: IncomingMessage, proxies: readonly string[]): string | undefined {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  const hops = [...forwarded, socket.remoteAddress ?? ''].map(withoutPort);
  return hops.findLast((address) => !isWithin(proxies, address)) ?? hops[0];
}
