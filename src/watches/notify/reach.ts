import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { atLongest, type Clock } from '../../runtime/clock.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import type { Settings } from '../../settings.ts';
import { addressFault, bareHost, formFault, type Lookup, PORT_LIST, systemLookup, urlFault } from '../../upstream/http/guard.ts';

/** Why an address is refused for a target; null: it may be reached. */
export type AddressRule = (address: string) => string | null;
/** What may be told of a target: where it is, and whether it is one of a private network. */
export interface Reach {
  readonly fault: string | null;
  /** Private addresses are opened: the rule for each address, in place of the usual guard. */
  readonly opened: AddressRule | null;
}

type Own = Pick<Settings, 'SIGHTLINE_PRIVATE_TARGETS' | 'DATABASE_URL' | 'REDIS_URL' | 'SIGHTLINE_CACHE_URL'>;
export interface ReachParts {
  readonly settings: Own;
  /** Ports on which this process listens. */
  readonly ownPorts: () => readonly number[];
  /** Loopback targets are allowed (the demo). */
  readonly allowsLoopback: boolean;
  readonly clock: Clock;
  readonly lookup?: Lookup;
}

const publicHost = (has: string): string =>
  `must name a public host, not an address or a host of a private network, and a port of ${PORT_LIST}: it has ${has}`;
/** Why a target is not accepted by its text alone; null: it is. */
export function targetFault(url: URL): string | null {
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
  const fault = isIP(bareHost(url.hostname)) !== 0 ? 'an address' : urlFault(url);
  return fault && publicHost(fault);
}

/** A name that has no address after this is looked up again with the message. */
const LOOKUP_MS = 3_000;
const SETTING = 'SIGHTLINE_PRIVATE_TARGETS';
const USUAL_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
};
const portOf = ({ port, protocol }: URL): number => (port === '' ? (USUAL_PORTS[protocol] ?? 0) : Number(port));

const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}
/** An IPv6 address in its eight groups. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = bareHost(new URL(`http://[${address}]/`).hostname).split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0);
  return [...(first ?? []), ...Array.from({ length: zeros }, () => '0'), ...(last ?? [])].map((group) => Number.parseInt(group, 16));
}
const isNat64 = ([a, b]: readonly number[]): boolean => a === 0x64 && b === 0xff9b;
/** The address, and the IPv4 address that an IPv6 one reaches: mapped and compatible (RFC 4291), NAT64 (RFC 6052, 8215), 6to4 (RFC 3056). */
function formsOf(address: string): readonly string[] {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return [bare];
  const groups = groupsOf(bare);
  const isLow = groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0xffff || groups[5] === 0);
  const [high, low] = groups[0] === 0x2002 ? groups.slice(1, 3) : isLow || isNat64(groups) ? groups.slice(6) : [];
  if (high === undefined || low === undefined) return [bare];
  return [bare, [high >> 8, high & 255, low >> 8, low & 255].join('.')];
}
const isOfThisMachine = (address: string): boolean =>
  isLoopback(address) ||
  address === '0.0.0.0' ||
  address === '::' ||
  Object.values(networkInterfaces()).some((entries) => entries?.some((one) => one.address === address));

/** The targets that the operator opens: hosts, with a port or with all, and networks. Our own listeners and stores, and link-local addresses, stay closed. */
export function createReach({ settings, ownPorts, allowsLoopback, clock, lookup = systemLookup }: ReachParts) {
  const entries = settings.SIGHTLINE_PRIVATE_TARGETS;
  const isNetwork = (entry: string): boolean => isIP(entry) !== 0 || entry.includes('/');
  const networks = listOf(entries.filter(isNetwork));
  const hosts = new Set(entries.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase()));

  const isListed = (url: URL): boolean =>
    [bareHost(url.hostname), `${bareHost(url.hostname)}:${portOf(url)}`].some((name) => hosts.has(name));

  async function addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host)) return [host];
    let found: readonly string[] = [];
    await atLongest(
      clock,
      LOOKUP_MS,
      lookup(host).then((all) => {
        found = all.map(({ address }) => address);
      }),
    );
    if (found.length === 0) throw new Error(`${host} has no address`);
    return found;
  }
  /** Where the stores of this service are: address and port. */
  async function stores(): Promise<readonly { readonly address: string; readonly port: number }[]> {
    const urls = [settings.DATABASE_URL, settings.REDIS_URL, settings.SIGHTLINE_CACHE_URL]
      .filter((text) => text !== null)
      .map((text) => new URL(text));
    const found = await Promise.all(
      urls.map(async (url) => {
        const addresses = await addressesOf(bareHost(url.hostname)).catch(() => []);
        return addresses.flatMap(formsOf).map((address) => ({ address, port: portOf(url) }));
      }),
    );
    return found.flat();
  }

  /** The rule for the addresses of a target that the operator may have opened. `said`: what a public one lacks. */
  async function ruleFor(url: URL, said: string | null): Promise<AddressRule> {
    const port = portOf(url);
    const isNamed = isListed(url);
    const closed = await stores();
    const isStore = (address: string): boolean =>
      closed.some(
        (store) => store.port === port && (store.address === address || (isOfThisMachine(store.address) && isOfThisMachine(address))),
      );
    return (address) => {
      // an address that stands for another one is what that one is
      const forms = formsOf(address);
      if (forms.some((form) => linkLocal.check(form, familyOf(form)))) return 'a link-local address';
      if (forms.some(isStore)) return 'a store of this service';
      if (ownPorts().includes(port) && forms.some(isOfThisMachine)) return 'a listener of this service';
      if (isNamed || networks.check(address, familyOf(address))) return null;
      return addressFault(address) ?? said;
    };
  }

  /** Whether a target may be reached, as far as it is known now; the addresses are checked with every attempt. */
  return async function reachOf(url: URL): Promise<Reach> {
    const host = bareHost(url.hostname);
    if (allowsLoopback && isLoopback(host)) return { fault: null, opened: (address) => (isLoopback(address) ? null : 'not this computer') };
    const said = targetFault(url);
    const addresses = await addressesOf(host).catch(() => null);
    const inner = addresses?.map(addressFault).find((fault) => fault !== null) ?? null;
    // a name without an address may get one
    if (said === null && inner === null) return { fault: null, opened: null };
    const fault = `${said ?? publicHost(inner ?? '')}; ${SETTING} of the operator opens private targets`;
    if (entries.length === 0 || formFault(url) !== null) return { fault, opened: null };
    const rule = await ruleFor(url, said);
    if (addresses === null) return isListed(url) ? { fault: null, opened: rule } : { fault, opened: null };
    const refused = addresses.map(rule).find((why) => why !== null) ?? null;
    return refused === null
      ? { fault: null, opened: rule }
      : { fault: `${publicHost(refused)}; ${SETTING} does not open it`, opened: null };
  };
}
export type ReachOf = ReturnType<typeof createReach>;
