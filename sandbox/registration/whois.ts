import type { SandboxWhois } from '../host.ts';
import { registrars, registrationOf, SPECIAL } from './facts.ts';
import { REGISTRIES, registryOf } from './registries.ts';
import { FREE } from './whois-free.ts';
import { recordText, registrarText } from './whois-texts.ts';

const MISSING = 'Invalid query\n';
/** The domain name in a query: some servers expect options before it or a suffix after it. */
const nameIn = (query: string): string => (query.trim().split(/\s+/).at(-1) ?? '').replace(/\/e$/, '').toLowerCase();

const registryWhois = (host: string): SandboxWhois => ({
  host,
  answer(query, _at, day) {
    const domain = nameIn(query);
    const registry = registryOf(domain);
    if (!registry || registry.whois !== host) return MISSING;
    if (domain === SPECIAL.throttled) return 'WHOIS LIMIT EXCEEDED - please try again after: 2m0s\n';
    if (domain === SPECIAL.reserved) return `Domain:             ${domain}\nStatus:             UNASSIGNABLE\n`;
    const facts = registrationOf(domain === SPECIAL.otherName ? 'eberhard-messer.de' : domain, day);
    return facts ? recordText(facts, registry) : FREE[registry.layout](domain);
  },
});

const registrarWhois = (host: string): SandboxWhois => ({
  host,
  answer(query, _at, day) {
    const facts = registrationOf(nameIn(query), day);
    const registry = facts && registryOf(facts.domain);
    if (!registry || facts.registrar.whois !== host || facts.domain === SPECIAL.silentRegistrar)
      return `Domain '${nameIn(query)}' not found\n`;
    return registrarText(facts, registry);
  },
});

/** IANA's referrals: the current WHOIS server of each top-level domain. */
const iana: SandboxWhois = {
  host: 'whois.iana.org',
  answer(query) {
    const tld = nameIn(query);
    const registry = REGISTRIES.find((r) => r.suffix === tld);
    const head = '% IANA WHOIS server\n% for more information on IANA, visit http://www.iana.org\n';
    if (!registry)
      return `${head}% This query returned 0 objects.\n%\n% You queried for ${tld} but this server does not have\n% any data for ${tld}.\n`;
    return `${head}% This query returned 1 object\n\ndomain:       ${tld.toUpperCase()}\n\norganisation: Simulated Registry\naddress:      1 Main Street\n\ncontact:      administrative\nname:         Nobody\nphone:        +1 555 0100\n\nnserver:      A.NIC.${tld.toUpperCase()} 192.0.2.1\n\nwhois:        ${registry.whois}\n\nstatus:       ACTIVE\n\ncreated:      1985-01-01\nchanged:      2026-01-01\nsource:       IANA\n`;
  },
};

/** All simulated WHOIS servers. */
export const WHOIS_HOSTS: readonly SandboxWhois[] = [
  iana,
  ...[...new Set(REGISTRIES.map((r) => r.whois))].map(registryWhois),
  ...registrars.map((r) => registrarWhois(r.whois)),
];
