import type { PaceRule } from '../../upstream/ports.ts';
import type { Ports } from '../source.ts';

/** Rate limit of a server, as published or as its refusals show. */
interface Quota {
  readonly everyMs: number;
  readonly burst: number;
  /** A second limit over a longer window. */
  readonly long?: { readonly requests: number; readonly windowMs: number };
}
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const slow = (everyMs: number, burst = 1): Quota => ({ everyMs, burst });

const QUOTAS: ReadonlyMap<string, Quota> = new Map(
  Object.entries<Quota>({
    'whois.nic.uk': { everyMs: 200, burst: 5, long: { requests: 1000, windowMs: DAY } },
    'whois.norid.no': { everyMs: 1000, burst: 5, long: { requests: 3000, windowMs: DAY } },
    'whois.dns.be': { everyMs: 1000, burst: 2, long: { requests: 100, windowMs: HOUR } },
    'whois.centralnic.com': { everyMs: 500, burst: 10, long: { requests: 1800, windowMs: HOUR / 4 } },
    'whois.eu': slow(1000),
    'whois.dns.lu': slow(1500),
    'coza-whois.registry.net.za': slow(1500),
    'whois.domain-registry.nl': slow(1000),
    'whois.denic.de': slow(500),
    'whois.iana.org': slow(500, 2),
    'rdap.nic.biz': slow(2000, 5),
    'rdap.godaddy.com': slow(10_000, 2),
    'rdap.namecheap.com': slow(5000, 2),
  }),
);
const WHOIS: Quota = { everyMs: 400, burst: 2 };
const RDAP: Quota = { everyMs: 250, burst: 4 };

const keyOf = (protocol: 'rdap' | 'whois', host: string): string => `${protocol} ${host}`;

/** The pace rule for requests to a host. */
export function paceOf(protocol: 'rdap' | 'whois', host: string): PaceRule {
  const { everyMs, burst } = QUOTAS.get(host) ?? (protocol === 'rdap' ? RDAP : WHOIS);
  return { key: keyOf(protocol, host), everyMs, burst };
}

/** Counts one request in the host's longer window, if it has one. 0: allowed; otherwise the wait in ms. No window exceeds its limit. */
export async function takeQuota(ports: Ports, protocol: 'rdap' | 'whois', host: string, signal: AbortSignal): Promise<number> {
  const long = QUOTAS.get(host)?.long;
  if (!long) return 0;
  const half = Math.floor(long.requests / 2);
  return ports.pace.take({ key: `${keyOf(protocol, host)} long`, everyMs: Math.ceil(long.windowMs / half), burst: half }, 0, signal);
}

/** Pauses requests to a host that requested it; 30 s by default, a day at most. */
export async function restHost(ports: Ports, protocol: 'rdap' | 'whois', host: string, waitMs: number | null): Promise<void> {
  await ports.pace.rest(keyOf(protocol, host), Math.min(waitMs ?? 30_000, DAY));
}
