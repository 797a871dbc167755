import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { ServiceError } from '../../contract/errors.ts';

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
