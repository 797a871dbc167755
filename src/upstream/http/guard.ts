import { promises as dns, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { readTable } from '../../runtime/table.ts';

/** Ranges in which no source is, each with its name. */
export const SPECIAL_RANGES = readTable(new URL('./special-ranges.tsv', import.meta.url)).map(
  ([cidr = '', name = '']) => [cidr, name] as const,
);

function blockListOf(cidr: string): BlockList {
  const [net = '', prefix = ''] = cidr.split('/');
  const list = new BlockList();
  list.addSubnet(net, Number(prefix), isIPv4(net) ? 'ipv4' : 'ipv6');
  return list;
}
const special = { 4: [] as [BlockList, string][], 6: [] as [BlockList, string][] };
for (const [cidr, name] of SPECIAL_RANGES) special[cidr.includes(':') ? 6 : 4].push([blockListOf(cidr), name]);
/** Allocated IPv6 unicast space (RFC 4291); other addresses are reserved. */
const unicast6 = blockListOf('2000::/3');

/** The reason why this address (IPv4 or IPv6, without brackets) is forbidden; null for a public address. */
export function addressFault(address: string): string | null {
  const bare = address.replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return 'not an address';
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  for (const [list, name] of special[family as 4 | 6]) if (list.check(bare, kind)) return name;
  return family === 6 && !unicast6.check(bare, 'ipv6') ? 'reserved' : null;
}

/** Names of local networks (RFC 6761, 6762, 8375, ICANN's .internal, Kubernetes' .svc, and suffixes that routers assign). */
const INNER = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|host|svc|home\.arpa)$/;
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
export const PORT_LIST = [...PORTS].filter(Boolean).join(', ');

/** The reason why this URL is forbidden for any host and port; null if only host and port remain to be checked. */
export function formFault(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `the scheme ${url.protocol.slice(0, -1)}`;
  return url.username || url.password ? 'credentials in the URL' : null;
}
/** The reason why this URL is forbidden, by its text alone; null if only its addresses remain to be checked. */
export const urlFault = (url: URL): string | null =>
  formFault(url) ?? hostFault(url.hostname) ?? (PORTS.has(url.port) ? null : `port ${url.port}`);

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
