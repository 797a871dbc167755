import { SPECIAL } from './facts.ts';

export type Layout = 'icann' | 'nominet' | 'afnic' | 'sidn' | 'iis' | 'jprs' | 'eurid' | 'nicit' | 'denic';
/** A simulated registry: its RDAP and WHOIS addresses and its formats. */
export interface Registry {
  readonly suffix: string;
  /** Base of its RDAP service; null: WHOIS only. */
  readonly rdap: string | null;
  /** Whether IANA's bootstrap file lists that base URL. */
  readonly listed: boolean;
  readonly whois: string;
  readonly layout: Layout;
  /** A thin registry stores no contacts and refers to the registrar for them. */
  readonly thin: boolean;
}

const registry = (suffix: string, rdap: string | null, whois: string, layout: Layout, more: Partial<Registry> = {}): Registry => ({
  suffix,
  rdap,
  listed: rdap !== null,
  whois,
  layout,
  thin: false,
  ...more,
});

export const REGISTRIES: readonly Registry[] = [
  registry('com', 'https://rdap.verisign.com/com/v1/', 'whois.verisign-grs.com', 'icann', { thin: true }),
  registry('net', 'https://rdap.verisign.com/net/v1/', 'whois.verisign-grs.com', 'icann', { thin: true }),
  registry('org', 'https://rdap.publicinterestregistry.org/rdap/', 'whois.pir.org', 'icann'),
  registry('app', 'https://pubapi.registry.google/rdap/', 'whois.nic.google', 'icann'),
  registry('biz', 'https://rdap.nic.biz/', 'whois.nic.biz', 'icann'),
  registry('lat', 'https://rdap.nic.lat/', 'whois.nic.lat', 'icann'),
  registry('uk', 'https://rdap.nominet.uk/uk/', 'whois.nic.uk', 'nominet'),
  registry('fr', 'https://rdap.nic.fr/', 'whois.nic.fr', 'afnic'),
  registry('nl', 'https://rdap.sidn.nl/', 'whois.domain-registry.nl', 'sidn'),
  registry('br', 'https://rdap.registro.br/', 'whois.registro.br', 'icann'),
  registry('ca', 'https://rdap.ca.fury.ca/rdap/', 'whois.cira.ca', 'icann'),
  registry('au', 'https://rdap.cctld.au/rdap/', 'whois.auda.org.au', 'icann'),
  registry('pl', 'https://rdap.dns.pl/', 'whois.dns.pl', 'icann'),
  registry('de', 'https://rdap.denic.de/', 'whois.denic.de', 'denic', { listed: false }),
  registry('io', 'https://rdap.identitydigital.services/rdap/', 'whois.nic.io', 'icann', { listed: false }),
  registry('co', 'https://rdap.registry.co/co/', 'whois.registry.co', 'icann', { listed: false }),
  registry('us', 'https://rdap.nic.us/', 'whois.nic.us', 'icann', { listed: false }),
  registry('ch', 'https://rdap.nic.ch/', 'whois.nic.ch', 'icann', { listed: false }),
  registry('uk.com', 'https://rdap.centralnic.com/uk.com/', 'whois.centralnic.com', 'icann', { listed: false }),
  registry('se', null, 'whois.iis.se', 'iis'),
  registry('jp', null, 'whois.jprs.jp', 'jprs'),
  registry('eu', null, 'whois.eu', 'eurid'),
  registry('it', null, 'whois.nic.it', 'nicit'),
];

/** The registry of a domain name, by its longest matching suffix. */
export const registryOf = (domain: string): Registry | null =>
  REGISTRIES.filter((r) => domain.endsWith(`.${r.suffix}`)).sort((a, b) => b.suffix.length - a.suffix.length)[0] ?? null;

/** Domain names for which RDAP fails, so that WHOIS is required. */
export const RDAP_FAILS: ReadonlySet<string> = new Set([
  SPECIAL.throttled,
  SPECIAL.quota,
  SPECIAL.walled,
  SPECIAL.broken,
  SPECIAL.otherName,
]);
/** Domain names for which WHOIS fails too. */
export const WHOIS_FAILS: ReadonlySet<string> = new Set([SPECIAL.throttled, SPECIAL.otherName]);
