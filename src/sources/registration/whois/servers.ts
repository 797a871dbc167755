import { PRIVATE_REGISTRIES } from '../../../contract/parameters/domain-name.ts';
import { longestMatch, registries } from '../registries.ts';

export interface WhoisServer {
  readonly host: string;
  /** The suffix whose domains it serves. */
  readonly suffix: string;
  /** True for a registry below a top-level domain: IANA does not list it, so the table decides. */
  readonly ownTable: boolean;
}

/** The server to query first for a domain; null if none is known. */
export function whoisServerOf(domain: string): WhoisServer | null {
  const below = PRIVATE_REGISTRIES.find((suffix) => domain.endsWith(`.${suffix}`));
  if (below) return { host: 'whois.centralnic.com', suffix: below, ownTable: true };
  const found = longestMatch(registries().whois, domain);
  return found && { host: found.value, suffix: found.suffix, ownTable: found.suffix.includes('.') };
}

/** Whether a host belongs to the registry of a domain, as far as the tables know without IANA. */
export function isRegistryHost(host: string, domain: string): boolean {
  const tld = domain.slice(domain.lastIndexOf('.') + 1);
  const { hosts, former } = registries();
  if (host === '' || former.get(tld)?.includes(host)) return false;
  if (host === whoisServerOf(domain)?.host || host === registries().whois.get(tld)) return true;
  if (host === `whois.nic.${tld}` || host === `whois.${tld}` || host === `whois1.nic.${tld}`) return true;
  if (host === 'whois.centralnic.com' || host === 'whois.centralnic.net') return true; // serves dozens of names, and private registries
  return hosts.get(tld)?.includes(host) ?? false;
}

/** The query for a domain; most servers take the bare domain (sources: Debian's whois, recorded sessions). */
export function queryFor(host: string, domain: string): string {
  const form = QUERIES.get(host);
  return form ? form.replace('*', domain) : domain;
}
const QUERIES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'whois.denic.de': '-T dn,ace *',
    'whois.punktum.dk': '--charset=utf-8 *',
    'whois.dk-hostmaster.dk': '--charset=utf-8 *',
    'whois.jprs.jp': '*/e',
    'whois.verisign-grs.com': 'domain *',
    'ccwhois.verisign-grs.com': 'domain *',
    'whois.nic.cat': '-C UTF-8 *',
    'whois.nic.museum': '-C UTF-8 *',
    'whois.corenic.net': '-C UTF-8 *',
  }),
);
