import { promises as dns, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/** IANA's special-purpose registries (RFC 6890 and updates), multicast and reserved space, also blocks that IANA calls globally reachable. */
export const SPECIAL_RANGES: readonly (readonly [cidr: string, name: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared address space (CGNAT)'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'a cloud platform inside'], // Azure's wire server: a public address that only its virtual machines can reach
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
/** Allocated IPv6 unicast space (RFC 4291); other addresses are reserved. */
const unicast6 = listOf('2000::/3');

/** The reason why this address (IPv4 or IPv6, without brackets) is forbidden; null for a public address. */
export function addressFault(address: string): string | null {
  const bare = address.replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return 'not an address';
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  for (const [list, name] of special[family as 4 | 6]) if (list.check(bare, kind)) return name;
  return family === 6 && !unicast6.check(bare, 'ipv6') ? 'reserved' : null;
}

/** Names of local networks (RFC 6761, 6762, 8375, ICANN's .internal, and suffixes that routers assign). */
const INNER = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|host|home\.arpa)$/;
/** Names that the public DNS does not contain (RFC 2606, 6761, 7686, 9476), and its infrastructure. */
const NOWHERE = /(^|\.)(test|example|invalid|onion|alt|arpa)$/;

/** Host of a WHATWG URL or of a WHOIS server, without brackets and final dot. */
export const bareHost = (host: string): string =>
  host.startsWith('[') ? host.slice(1, -1) : (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();

/** The reason why this host is this machine or a private network, by its name alone; null otherwise. */
export function innerFault(host: string): string | null {
  const bare = bareHost(host);
  if (isIP(bare)) return addressFault(bare);
  // a number that the WHATWG URL parser reads as an address must not reach a resolver, which may read it as one too
  if (/(^|\.)(0x[0-9a-f]*|\d+)$/.test(bare)) return 'not a name';
  if (!/^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/.test(bare)) return bare.includes('.') ? 'not a name' : 'a single label';
  return INNER.test(bare) ? 'a name of an inner network' : null;
}
/** The reason why this host is forbidden, by its name alone. The addresses that it resolves to are checked when connecting. */
export const hostFault = (host: string): string | null =>
  innerFault(host) ?? (NOWHERE.test(bareHost(host)) ? 'a name that is not in the public DNS' : null);

/** 80, 443, and other ports that public servers of the sources use (IANA's RDAP bootstrap lists 8443 and 9000). */
const PORTS = new Set(['', '80', '443', '8080', '8443', '9000']);

/** The reason why this URL is forbidden for any host and port; null if only host and port remain to be checked. */
export function formFault(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `the scheme ${url.protocol.slice(0, -1)}`;
  return url.username || url.password ? 'credentials in the URL' : null;
}
/** The reason why this URL is forbidden, by its text alone; null if only its addresses remain to be checked. */
export const urlFault = (url: URL): string | null =>
  formFault(url) ?? hostFault(url.hostname) ?? (PORTS.has(url.port) ? null : `port ${url.port}`);

/** All addresses of a name; rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;
export const systemLookup: Lookup = (hostname) => dns.lookup(hostname, { all: true });

/** The guard refused the address. Passed on as the error of the socket. */
export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';
}

/** A lookup for `net.connect` that connects to checked addresses only; one forbidden address refuses the name. */
export function pinned(lookup: Lookup, fault: (address: string) => string | null = addressFault): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (found) => {
        for (const { address } of found) {
          const why = fault(address);
          if (why) return callback(new AddressRefused(`${hostname} leads to ${address} (${why})`), '', 0);
        }
        const fit = options.family === 4 || options.family === 6 ? found.filter((a) => a.family === options.family) : found;
        const [first] = fit;
        if (!first) return callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '', 0);
        if (options.all) callback(null, [...fit]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };
}
