import { PRIVATE_REGISTRIES } from '../../../contract/parameters/domain-name.ts';
import { longestMatch, registries } from '../registries.ts';

export interface WhoisServer {
  readonly host: string;
  /** The suffix whose domains it serves. */
  readonly suffix: string;
  /** True for a registry below a top-level domain: IANA does not list it, so the table decides. */
  readonly ownTable: boolean;
}

/** Registries below a top-level domain with their own server. */
const SECOND_LEVEL: ReadonlyMap<string, string> = new Map([
  ...PRIVATE_REGISTRIES.map((suffix) => [suffix, 'whois.centralnic.com'] as const),
  ['ac.uk', 'whois.ja.net'],
  ['gov.uk', 'whois.ja.net'],
  ['co.za', 'coza-whois.registry.net.za'],
  ['net.za', 'net-whois.registry.net.za'],
  ['org.za', 'org-whois.registry.net.za'],
  ['web.za', 'web-whois.registry.net.za'],
]);

/** The server to query first for a domain; null if none is known. */
export function whoisServerOf(domain: string): WhoisServer | null {
  const below = longestMatch(SECOND_LEVEL, domain);
  if (below) return { host: below.value, suffix: below.suffix, ownTable: true };
  const found = longestMatch(registries().whois, domain);
  return found && { host: found.value, suffix: found.suffix, ownTable: found.suffix.includes('.') };
}

/** Other hosts of registries, present and past, from recorded answers, with the top-level domains that each serves. */
const REGISTRY_HOSTS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'whois.verisign-grs.com': 'com net edu',
    'whois.internic.net': 'com net edu',
    'whois.crsnic.net': 'com net',
    'ccwhois.verisign-grs.com': 'cc',
    'whois.publicinterestregistry.org': 'org ngo ong',
    'whois.publicinterestregistry.net': 'org ngo ong',
    'whois.pir.org': 'org ngo ong',
    'whois.twnic.net.tw': 'tw xn--kprw13d xn--kpry57d',
    'whois.twnic.net': 'tw xn--kprw13d xn--kpry57d',
    'whois.registro.br': 'br',
    'whois.nic.br': 'br',
    'whois.tcinet.ru': 'ru su xn--p1ai',
    'whois.ripn.net': 'ru su xn--p1ai',
    'whois.hkirc.hk': 'hk xn--j6w193g',
    'whois.hkdnr.net.hk': 'hk',
    'whois.website.ws': 'ws',
    'whois.worldsite.ws': 'ws',
    'whois.domainregistry.ie': 'ie',
    'whois.weare.ie': 'ie',
    'whois.arnes.si': 'si',
    'whois.register.si': 'si',
    'whois.thnic.co.th': 'th xn--o3cw4h',
    'whois.thnic.net': 'th',
    'whois.educause.edu': 'edu',
    'whois.educause.net': 'edu',
    'whois.cnnic.cn': 'cn xn--fiqs8s xn--fiqz9s',
    'cwhois.cnnic.cn': 'cn xn--fiqs8s xn--fiqz9s',
    'whois.cnnic.net.cn': 'cn',
    'whois.audns.net.au': 'au',
    'whois.auda.org.au': 'au',
    'whois.srs.net.nz': 'nz',
    'whois.irs.net.nz': 'nz',
    'whois.dotgov.gov': 'gov',
    'whois.dk-hostmaster.dk': 'dk',
    'whois.punktum.dk': 'dk',
    'whois.iis.se': 'se nu',
    'whois.iis.nu': 'nu',
    'whois.registry.net.za': 'za',
    'coza-whois.registry.net.za': 'za',
    'whois.mynic.my': 'my',
    'whois.netcom.cm': 'cm',
    'whois.mediaserv.net': 'gf gp mq',
    'whois.nic.org.uy': 'uy',
    'vunic.vu': 'vu',
    'whois.iedr.ie': 'ie',
    'whois.domainregistry.my': 'my',
    'whois.tonic.to': 'to',
    'whois.usp.ac.fj': 'fj',
    'whois.registration.ge': 'ge',
    'whois.pnina.ps': 'ps',
    'whois.belizenic.bz': 'bz',
    'whois.domain.kg': 'kg',
    'whois.kg': 'kg',
    'whois.nic.tr': 'tr',
    'whois.amnic.net': 'am xn--y9a3aq',
    'whois.kenic.or.ke': 'ke',
    'whois.inregistry.net': 'in',
    'whois.nixiregistry.in': 'in',
    'whois.registry.in': 'in',
    'whois.neulevel.biz': 'biz us',
    'whois.biz': 'biz',
    'whois.nic.us': 'us',
    'whois.restena.lu': 'lu',
    'whois.sgnic.net.sg': 'sg',
    'whois.identitydigital.services': 'ac ag ai bm bz gi io lc me mn mu pr sc sh vc info pro mobi',
    'whois.nic.google': 'app dev page new how soy foo zip mov google youtube gmail android chrome',
    'whois.nic.net.sa': 'sa',
    'whois.hostmaster.ua': 'ua',
    'whois.com.ua': 'ua',
    'whois.domain-registry.nl': 'nl',
    'whois.sidn.nl': 'nl',
    'whois.ati.tn': 'tn',
    'whois.nic.priv.at': 'at',
    'whois.iana.org': 'int arpa',
  }),
);
/** Former servers of registries; their answers about these domains are out of date. */
const FORMER_HOSTS: ReadonlySet<string> = new Set([
  'tvwhois.verisign-grs.com tv',
  'whois.registry.co co',
  'whois.afilias.net info',
  'whois.afilias.net pro',
  'whois.afilias-grs.info info',
]);

/** Whether a host belongs to the registry of a domain, as far as the tables know without IANA. */
export function isRegistryHost(host: string, domain: string): boolean {
  const tld = domain.slice(domain.lastIndexOf('.') + 1);
  if (host === '' || FORMER_HOSTS.has(`${host} ${tld}`)) return false;
  if (host === whoisServerOf(domain)?.host || host === registries().whois.get(tld)) return true;
  if (host === `whois.nic.${tld}` || host === `whois.${tld}` || host === `whois1.nic.${tld}`) return true;
  if (host === 'whois.centralnic.com' || host === 'whois.centralnic.net') return true; // serves dozens of names, and private registries
  return REGISTRY_HOSTS.get(host)?.split(' ').includes(tld) ?? false;
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
