import { BlockList, isIP } from 'node:net';

const compiled = new WeakMap<readonly string[], BlockList>();

function compile(list: readonly string[]): BlockList {
  const block = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) block.addAddress(address, family);
    else block.addSubnet(address, Number(bits), family);
  }
  compiled.set(list, block);
  return block;
}

/** Whether the address lies in one of these CIDRs or is one of these addresses; IPv4 written as IPv6 counts as IPv4. */
export function isWithin(list: readonly string[], address: string | undefined): boolean {
  if (address === undefined) return false;
  const bare = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(bare);
  if (family === 0) return false;
  return (compiled.get(list) ?? compile(list)).check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/** An address as proxies write it into X-Forwarded-For, without port and brackets: one that keeps the port would be another client at each connection. */
export function withoutPort(address: string): string {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(address)?.[1] ?? /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(address)?.[1];
  return bare ?? address;
}
