import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * IANA's special-purpose registries (RFC 6890 and its updates; iana-ipv4-special-registry, iana-ipv6-special-registry), multicast and
 * reserved space included. Blocks that IANA calls globally reachable (AS112, AMT, anycast) are here too: no source of ours lives there.
 */
export const SPECIAL_RANGES: readonly (readonly [cidr: string, name: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared address space (CGNAT)'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'a cloud platform inside'], // Azure's wire server: a public number, reachable from its machines only
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'IETF protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['255.255.255.255/32', 'limited broadcast'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::/96', 'IPv4-compatible'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'local-use NAT64'],
  ['100::/64', 'discard only'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['2001::/32', 'Teredo'],
  ['2001::/23', 'IETF protocol assignments'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
];

function listOf(cidr: string): BlockList {
  const [net = '', prefix = ''] = cidr.split('/');
  const list = new BlockList();
  list.addSubnet(net, Number(prefix), isIPv4(net) ? 'ipv4' : 'ipv6');
  return list;
}
const special = { 4: [] as [BlockList, string][], 6: [] as [BlockList, string][] };
for (const [cidr, name] of SPECIAL_RANGES) special[cidr.includes(':') ? 6 : 4].push([listOf(cidr), name]);
/** All that is handed out as IPv6 unicast (RFC 4291): what lies outside is reserved. */
const unicast6 = listOf('2000::/3');

/** Why this address (IPv4 or IPv6, without brackets) may not be reached; null where it is an ordinary public one. */
export function addressFault(address: string): string | null {
  const bare = address.replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return 'not an address';
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  for (const [list, name] of special[family as 4 | 6]) if (list.check(bare, kind)) return name;
  return family === 6 && !unicast6.check(bare, 'ipv6') ? 'reserved' : null;
}

/** Names of the machine's own network (RFC 6761, 6762, 8375, ICANN's .internal, and what routers hand out). */
const INNER = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|host|home\.arpa)$/;
/** Names that the public DNS never has (RFC 2606, 6761, 7686, 9476), and its own infrastructure. */
const NOWHERE = /(^|\.)(test|example|invalid|onion|alt|arpa)$/;

/** Host of a URL (as WHATWG writes it) or of a WHOIS server, without brackets and the root's dot. */
export const bareHost = (host: string): string =>
  host.startsWith('[') ? host.slice(1, -1) : (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();

/** Why this host stands for the machine itself or its network, as far as its writing tells; null otherwise. */
export function innerFault(host: string): string | null {
  const bare = bareHost(host);
  if (isIP(bare)) return addressFault(bare);
  // a number that WHATWG's parser would read as an address must not reach a resolver that reads it too
  if (/(^|\.)(0x[0-9a-f]*|\d+)$/.test(bare)) return 'not a name';
  if (!/^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(bare)) return bare.includes('.') ? 'not a name' : 'a single label';
  return INNER.test(bare) ? 'a name of an inner network' : null;
}
/** Why this host may not be asked for, as far as its writing tells; what it resolves to is checked when connecting. */
export const hostFault = (host: string): string | null =>
  innerFault(host) ?? (NOWHERE.test(bareHost(host)) ? 'a name that is not in the public DNS' : null);

/** 80 and 443, and those that public servers of our sources use besides (IANA's RDAP bootstrap names 8443 and 9000). */
const PORTS = new Set(['', '80', '443', '8080', '8443', '9000']);

/** Why this URL may not be asked for, wherever it leads; null where only host and port are still to be judged. */
export function formFault(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `the scheme ${url.protocol.slice(0, -1)}`;
  return url.username || url.password ? 'credentials in the URL' : null;
}
/** Why this URL may not be asked for, as far as its writing tells; null where only its addresses are still to be checked. */
export const urlFault = (url: URL): string | null =>
  formFault(url) ?? hostFault(url.hostname) ?? (PORTS.has(url.port) ? null : `port ${url.port}`);
