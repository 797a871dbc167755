import { DOMAINS, type DomainFacts, type Person, SPECIAL } from './facts.ts';
import { type Layout, RDAP_FAILS, registryOf, WHOIS_FAILS } from './registries.ts';

/** The expected result of a lookup, without the retrieval time; built from the facts and from the fields that each registry publishes. */
export interface Expected {
  readonly outcome: 'found' | 'absent' | 'limited' | 'changed';
  readonly resource: Readonly<Record<string, unknown>> | null;
}
const day = (instant: string): string => instant.slice(0, 10);
const NONE = {
  registrar: null,
  registeredOn: null,
  expiresOn: null,
  updatedOn: null,
  status: [],
  nameServers: [],
  dnssec: null,
  contacts: [],
};

const shown = (role: string, p: Person) => ({ role, ...p, redacted: false });
const hidden = (role: string, organization: string | null) => ({
  role,
  name: null,
  organization,
  email: null,
  phone: null,
  redacted: true,
});

function rdapContacts(facts: DomainFacts): readonly object[] {
  const roles = [
    ['registrant', facts.registrant],
    ['administrative', facts.registrant],
    ['technical', facts.tech],
  ] as const;
  if (facts.domain === SPECIAL.silentRegistrar) return [];
  if (facts.privacy === 'proxy')
    return roles.map(([role]) => ({
      role,
      name: 'Withheld for Privacy Purposes',
      organization: 'Privacy service provided by Example Proxy',
      email: 'holder@proxy.example',
      phone: '+354.5550100',
      redacted: true,
    }));
  return roles.map(([role, person]) => (facts.privacy === 'shown' ? shown(role, person) : hidden(role, person.organization)));
}
function byRdap(facts: DomainFacts) {
  const { name, ianaId, abuseEmail, abusePhone } = facts.registrar;
  return {
    registrar: { name, ianaId, abuseEmail, abusePhone },
    registeredOn: facts.registeredOn,
    expiresOn: facts.expiresOn,
    updatedOn: facts.updatedOn,
    status: facts.status,
    nameServers: facts.nameServers,
    dnssec: facts.signed,
    contacts: rdapContacts(facts),
    source: 'authoritative',
  };
}

/** The fields that each WHOIS layout contains. */
const BY_WHOIS: Readonly<Record<Layout, (facts: DomainFacts) => object>> = {
  icann: (facts) => ({
    ...byRdap(facts),
    contacts:
      facts.domain === SPECIAL.silentRegistrar
        ? []
        : facts.privacy === 'shown'
          ? [shown('registrant', facts.registrant), shown('technical', facts.tech)]
          : [hidden('registrant', facts.registrant.organization), hidden('technical', facts.tech.organization)],
  }),
  nominet: (facts) => ({
    ...name(facts),
    registeredOn: day(facts.registeredOn),
    expiresOn: day(facts.expiresOn),
    updatedOn: day(facts.updatedOn),
    status: ['Registered until expiry date.'],
    dnssec: null,
    contacts: [],
  }),
  afnic: (facts) => ({
    ...name(facts),
    registeredOn: facts.registeredOn,
    expiresOn: facts.expiresOn,
    updatedOn: facts.updatedOn,
    status: ['ok'],
    dnssec: null,
    contacts: [{ ...shown('registrant', facts.registrant), name: facts.registrant.organization, organization: null }],
  }),
  sidn: (facts) => ({
    ...name(facts),
    registrar: { name: facts.registrar.name, ianaId: null, abuseEmail: facts.registrar.abuseEmail, abusePhone: facts.registrar.abusePhone },
    registeredOn: day(facts.registeredOn),
    expiresOn: null,
    updatedOn: day(facts.updatedOn),
    status: ['ok'],
    dnssec: facts.signed,
    contacts: [],
  }),
  iis: (facts) => ({
    ...name(facts),
    registeredOn: day(facts.registeredOn),
    expiresOn: day(facts.expiresOn),
    updatedOn: day(facts.updatedOn),
    status: ['ok'],
    dnssec: facts.signed,
    contacts: [],
  }),
  jprs: (facts) => ({
    ...name(facts),
    registrar: null,
    registeredOn: day(facts.registeredOn),
    expiresOn: day(facts.expiresOn),
    updatedOn: facts.updatedOn,
    status: ['ok'],
    dnssec: facts.signed ? true : null,
    contacts: [{ role: 'registrant', name: facts.registrant.organization, organization: null, email: null, phone: null, redacted: false }],
  }),
  eurid: (facts) => ({
    ...name(facts),
    registeredOn: null,
    expiresOn: null,
    updatedOn: null,
    status: [],
    dnssec: facts.signed ? true : null,
    contacts: [
      hidden('registrant', null),
      {
        role: 'technical',
        name: null,
        organization: facts.registrar.name,
        email: facts.registrar.abuseEmail,
        phone: null,
        redacted: false,
      },
    ],
  }),
  nicit: (facts) => ({
    ...name(facts),
    registeredOn: day(facts.registeredOn),
    expiresOn: day(facts.expiresOn),
    updatedOn: day(facts.updatedOn),
    status: ['ok'],
    dnssec: facts.signed,
    contacts: [
      { role: 'registrant', name: null, organization: facts.registrant.organization, email: null, phone: null, redacted: false },
      hidden('administrative', null),
    ],
  }),
  denic: (facts) => ({
    ...name(facts),
    registrar: null,
    registeredOn: null,
    expiresOn: null,
    updatedOn: facts.updatedOn,
    status: ['connect'],
    dnssec: null,
    contacts: [],
  }),
};
const name = (facts: DomainFacts) => ({
  registrar: { name: facts.registrar.name, ianaId: null, abuseEmail: null, abusePhone: null },
  nameServers: facts.nameServers,
});

/** The expected result of a lookup of this domain name. */
export function expectedOf(domain: string): Expected {
  const registry = registryOf(domain);
  if (!registry) return { outcome: 'absent', resource: null };
  if (domain === SPECIAL.throttled) return { outcome: 'limited', resource: null };
  if (WHOIS_FAILS.has(domain)) return { outcome: 'changed', resource: null };
  const rdap = registry.rdap !== null && !RDAP_FAILS.has(domain);
  const source = rdap ? 'authoritative' : 'fallback';
  if (domain === SPECIAL.reserved)
    return { outcome: 'found', resource: { ...NONE, domain, available: false, status: ['UNASSIGNABLE'], source } };
  const facts = DOMAINS.get(domain);
  if (!facts) return { outcome: 'found', resource: { ...NONE, domain, available: true, source } };
  return { outcome: 'found', resource: { domain, available: false, ...(rdap ? byRdap(facts) : BY_WHOIS[registry.layout](facts)), source } };
}
