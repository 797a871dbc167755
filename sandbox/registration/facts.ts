import { COMPETITORS, competitorOf, DAY_MS as DAY, SANDBOX_NOW } from '../competitors.ts';
import { random } from '../random.ts';

/**
 * Data of the simulated domain registrations: every competitor, and some domain names with one special response each (`SPECIAL`). All other
 * names are unregistered. Nothing here is imported from the service's code, so that tests can compare lookup results with it.
 */
export interface Person {
  readonly name: string;
  readonly organization: string;
  readonly email: string;
  readonly phone: string;
}
export interface RegistrarFacts {
  readonly name: string;
  readonly ianaId: string;
  readonly abuseEmail: string;
  readonly abusePhone: string;
  /** The registrar's own servers, to which a thin registry refers. */
  readonly rdap: string;
  readonly whois: string;
}
/** How a registry treats the personal data of a registration. */
export type Privacy = 'shown' | 'rfc9537' | 'remarks' | 'placeholder' | 'proxy';

export interface DomainFacts {
  readonly domain: string;
  readonly registrar: RegistrarFacts;
  /** RFC 3339 UTC; whole seconds, as registries print them. */
  readonly registeredOn: string;
  readonly expiresOn: string;
  readonly updatedOn: string;
  /** EPP status codes. */
  readonly status: readonly string[];
  readonly nameServers: readonly string[];
  readonly signed: boolean;
  readonly registrant: Person;
  readonly tech: Person;
  readonly privacy: Privacy;
}

/**
 * Domain names with one special response each (names that trigger a rate limit have registries of their own); use with `sightline lookup
 * registration --domain …` in the demo.
 */
export const SPECIAL = {
  free: 'never-asked-before.com',
  freeByWhois: 'never-asked-before.se',
  reserved: 'reserved-name.it',
  redacted: 'redacted-fields.org',
  redactedByRemarks: 'redacted-remarks.app',
  proxied: 'proxied-holder.net',
  throttled: 'throttled-everywhere.lat',
  quota: 'quota-exceeded.biz',
  walled: 'walled-registry.net',
  broken: 'broken-answer.com',
  otherName: 'answers-for-another.de',
  silentRegistrar: 'silent-registrar.com',
  expiring: 'pending-delete.com',
  noSuchSuffix: 'shop.no-such-suffix',
} as const;

const REGISTRARS: readonly RegistrarFacts[] = (
  [
    ['Harbor Registrar LLC', '9101', 'harbor-registrar.com', '+1.5550100101'],
    ['Nordlicht Domains GmbH', '9102', 'nordlicht-domains.net', '+49.30555010'],
    ['Quill & Anchor Names Ltd', '9103', 'quillanchor.net', '+44.2055550103'],
  ] as const
).map(([name, ianaId, host, abusePhone]) => ({
  name,
  ianaId,
  abuseEmail: `abuse@${host}`,
  abusePhone,
  rdap: `https://rdap.${host}`,
  whois: `whois.${host}`,
}));
export const registrars = REGISTRARS;

const instant = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString();

function factsOf(domain: string, name: string, founded: number, privacy: Privacy, more: Partial<DomainFacts> = {}): DomainFacts {
  const r = random(`registration ${domain}`);
  const registered = Date.UTC(founded, r.int(0, 11), r.int(1, 28), r.int(0, 23), r.int(0, 59), r.int(0, 59));
  const host = domain.split('.')[0] ?? '';
  const born = new Date(registered);
  const expires = Date.UTC(
    2026 + r.int(1, 4),
    born.getUTCMonth(),
    born.getUTCDate(),
    born.getUTCHours(),
    born.getUTCMinutes(),
    born.getUTCSeconds(),
  );
  const person = (who: string): Person => ({
    name: `${who} of ${name}`,
    organization: `${name} Ltd`,
    email: `${who.toLowerCase().replace(/\s/g, '-')}@${domain}`,
    phone: `+1.555${r.int(1_000_000, 9_999_999)}`,
  });
  return {
    domain,
    registrar: r.pick(REGISTRARS),
    registeredOn: instant(registered),
    expiresOn: instant(expires),
    updatedOn: instant(SANDBOX_NOW - r.int(20, 900) * DAY - r.int(0, DAY)),
    status: r.chance(0.3) ? ['ok'] : ['clientDeleteProhibited', 'clientTransferProhibited'],
    nameServers: r.chance(0.5) ? [`ns1.${domain}`, `ns2.${domain}`] : [`a.${host}-dns.net`, `b.${host}-dns.net`, `c.${host}-dns.org`],
    signed: r.chance(0.35),
    registrant: person('Domain Holder'),
    tech: person('Hostmaster'),
    privacy,
    ...more,
  };
}

const special = (domain: string, privacy: Privacy = 'shown', more?: Partial<DomainFacts>): DomainFacts =>
  factsOf(domain, 'Example Goods', 2012, privacy, more);

/** All registered domain names. */
export const DOMAINS: ReadonlyMap<string, DomainFacts> = new Map(
  [
    ...COMPETITORS.map((c) => factsOf(c.domain, c.name, c.founded, 'shown')),
    // the example of README and setup, which is registered in reality, too
    factsOf('wikipedia.org', 'Example Encyclopedia', 2001, 'rfc9537'),
    special(SPECIAL.redacted, 'rfc9537'),
    special(SPECIAL.redactedByRemarks, 'remarks'),
    special(SPECIAL.proxied, 'proxy'),
    special(SPECIAL.throttled),
    special(SPECIAL.quota, 'placeholder'),
    special(SPECIAL.walled),
    special(SPECIAL.broken),
    special(SPECIAL.otherName),
    special(SPECIAL.silentRegistrar),
    special(SPECIAL.expiring, 'shown', { status: ['pendingDelete', 'redemptionPeriod'] }),
  ].map((facts) => [facts.domain, facts] as const),
);

const LOCKED = ['clientTransferProhibited'];
/** A registration on a day. A competitor's domain is transferred every day, which adds a year (eight at most), and is locked or unlocked. */
export function registrationOf(domain: string, day = 0): DomainFacts | undefined {
  const facts = DOMAINS.get(domain);
  if (!facts || day === 0 || !competitorOf(domain)) return facts;
  const { registrar, expiresOn, status } = facts;
  return {
    ...facts,
    registrar: REGISTRARS[(REGISTRARS.indexOf(registrar) + day) % REGISTRARS.length] ?? registrar,
    expiresOn: `${Number(expiresOn.slice(0, 4)) + (day % 9)}${expiresOn.slice(4)}`,
    updatedOn: instant(SANDBOX_NOW + day * DAY),
    status: day % 2 === 0 ? status : status.includes('ok') ? LOCKED : ['ok'],
  };
}
