import { json, type SandboxHost, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { DOMAINS, type DomainFacts, type Person, registrars, registrationOf, SPECIAL } from './facts.ts';
import { REGISTRIES, type Registry, registryOf } from './registries.ts';

const RDAP_TYPE = { 'content-type': 'application/rdap+json' };
const rdap = (body: unknown, status = 200, headers: Record<string, string> = {}): SandboxResponse =>
  json(body, status, { ...RDAP_TYPE, ...headers });

/** EPP status codes mapped to RDAP status values (RFC 8056). */
const words = (epp: string): string => (epp === 'ok' ? 'active' : epp.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`));

type Row = readonly [string, object, string, unknown];
const vcard = (rows: readonly Row[]) => ['vcard', [['version', {}, 'text', '4.0'], ...rows]];
const reach = (email: string, phone: string): readonly Row[] => [
  ['tel', { type: 'voice' }, 'uri', `tel:${phone}`],
  ['tel', { type: 'fax' }, 'uri', 'tel:+1.5550009999'],
  ['email', {}, 'text', email],
];

function registrarEntity(facts: DomainFacts) {
  const { name, ianaId, abuseEmail, abusePhone } = facts.registrar;
  const abuse = {
    objectClassName: 'entity',
    roles: ['abuse'],
    vcardArray: vcard([['fn', {}, 'text', ''], ...reach(abuseEmail, abusePhone)]),
  };
  return {
    objectClassName: 'entity',
    handle: ianaId,
    roles: ['registrar'],
    publicIds: [{ type: 'IANA Registrar ID', identifier: ianaId }],
    vcardArray: vcard([['fn', {}, 'text', name]]),
    entities: [abuse],
  };
}

const PROXY: Person = {
  name: 'Withheld for Privacy Purposes',
  organization: 'Privacy service provided by Example Proxy',
  email: 'holder@proxy.example',
  phone: '+354.5550100',
};
const REMARK = {
  title: 'REDACTED FOR PRIVACY',
  type: 'object redacted due to authorization',
  description: ['Some of the data in this object has been removed.'],
};

function contactEntity(facts: DomainFacts, roles: readonly string[], given: Person) {
  const person = facts.privacy === 'proxy' ? PROXY : given;
  const base = { objectClassName: 'entity', handle: `C-${roles[0]}`, roles };
  const org: Row = ['org', { type: 'work' }, 'text', person.organization];
  const place: Row = ['adr', { cc: 'US' }, 'text', ['', '', ['1 Main Street', ''], 'Springfield', 'IL', '62701', '']];
  if (facts.privacy === 'rfc9537' || facts.privacy === 'placeholder')
    return { ...base, vcardArray: vcard([['fn', {}, 'text', ''], org, place]) };
  if (facts.privacy === 'remarks') return { ...base, remarks: [REMARK], vcardArray: vcard([org, place]) };
  return { ...base, vcardArray: vcard([['fn', {}, 'text', person.name], org, ...reach(person.email, person.phone), place]) };
}
const redaction = (role: string, words: string, part: string) => ({
  name: { description: `${words} ${part}` },
  postPath: `$.entities[?(@.roles[0]=='${role}')].vcardArray[1][?(@[0]=='${part === 'Name' ? 'fn' : part.toLowerCase()}')][3]`,
  pathLang: 'jsonpath',
  method: part === 'Name' ? 'emptyValue' : 'removal',
});

/** An RDAP domain object as a registry or a registrar returns it. */
function record(facts: DomainFacts, self: string, withContacts: boolean, related: string | null) {
  const contacts = withContacts
    ? [contactEntity(facts, ['registrant', 'administrative'], facts.registrant), contactEntity(facts, ['technical'], facts.tech)]
    : [];
  const redacted = ['Name', 'Phone', 'Email'].flatMap((part) => [
    redaction('registrant', 'Registrant', part),
    redaction('technical', 'Tech', part),
  ]);
  return {
    rdapConformance: ['rdap_level_0', 'icann_rdap_response_profile_1'],
    objectClassName: 'domain',
    handle: `${facts.domain.length}01_DOMAIN`,
    ldhName: facts.domain.toUpperCase(),
    links: [
      { value: self, rel: 'self', href: self, type: 'application/rdap+json' },
      ...(related ? [{ value: self, rel: 'related', href: related, type: 'application/rdap+json' }] : []),
    ],
    status: facts.status.map(words),
    entities: [registrarEntity(facts), ...contacts],
    events: [
      { eventAction: 'registration', eventDate: facts.registeredOn.replace('.000Z', 'Z') },
      { eventAction: 'expiration', eventDate: facts.expiresOn.replace('.000Z', 'Z') },
      { eventAction: 'last changed', eventDate: facts.updatedOn },
      { eventAction: 'last update of RDAP database', eventDate: '2026-10-31T23:59:00Z' },
    ],
    secureDNS: facts.signed
      ? { delegationSigned: true, keyData: [{ flags: 257, protocol: 3, algorithm: 13, publicKey: 'AwEAAb==' }] }
      : { delegationSigned: false },
    nameservers: facts.nameServers.map((ldhName) => ({ objectClassName: 'nameserver', ldhName: ldhName.toUpperCase() })),
    ...(facts.privacy === 'rfc9537' &&
      withContacts && { redacted: [{ name: { description: 'Registry Domain ID' }, prePath: '$.handle', method: 'removal' }, ...redacted] }),
    notices: [
      {
        title: 'Terms of Service',
        description: ['If too many queries are received from a single address, further queries are rejected for a time.'],
      },
    ],
  };
}

/** Responses other than a domain object, by domain name. */
function special(domain: string, self: string, registry: Registry): SandboxResponse | null {
  if (domain === SPECIAL.throttled) return rdap({ errorCode: 429, title: 'Too Many Requests' }, 429, { 'retry-after': '120' });
  if (domain === SPECIAL.quota)
    return {
      status: 403,
      headers: { 'content-type': 'text/html' },
      body: '<HTML><HEAD><TITLE>Number of allowed queries exceeded.</TITLE></HEAD><BODY><h3>403 Forbidden</h3></BODY></HTML>',
    };
  if (domain === SPECIAL.walled)
    return {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x.js"></script></html>',
    };
  if (domain === SPECIAL.broken) return { status: 200, headers: RDAP_TYPE, body: '{"objectClassName":"domain","label":"BROKEN-ANSWER"}' };
  const another = domain === SPECIAL.otherName ? DOMAINS.get('eberhard-messer.de') : undefined;
  return another ? rdap(record(another, self, !registry.thin, null)) : null;
}

function registryAnswer({ url, day }: SandboxRequest): SandboxResponse {
  const [, path = '', domain = ''] = /^(.*\/)domain\/([^/]+)$/.exec(url.pathname) ?? [];
  const registry = registryOf(domain);
  const base = registry?.rdap && new URL(registry.rdap);
  if (!registry || !base || base.host !== url.host || base.pathname !== path)
    return rdap({ errorCode: 404, title: 'Not served here: unsupported TLD' }, 404);
  const odd = special(domain, url.href, registry);
  if (odd) return odd;
  const facts = registrationOf(domain, day);
  if (!facts)
    return registry.thin
      ? { status: 404, headers: RDAP_TYPE, body: '' }
      : rdap({ errorCode: 404, title: 'Object not found', description: ['Object not found'], lang: 'en' }, 404);
  const related = registry.thin ? `${facts.registrar.rdap}/domain/${facts.domain.toUpperCase()}` : null;
  return rdap(record(facts, url.href, !registry.thin, related));
}

function registrarAnswer({ url, day }: SandboxRequest): SandboxResponse {
  const facts = registrationOf((/\/domain\/([^/]+)$/.exec(url.pathname)?.[1] ?? '').toLowerCase(), day);
  if (!facts || facts.registrar.rdap !== url.origin) return rdap({ errorCode: 404, title: 'Not Found' }, 404);
  if (facts.domain === SPECIAL.silentRegistrar) return rdap({ errorCode: 500, title: 'Internal Error' }, 500);
  // The registrar may state another expiry date; the registry's date takes precedence.
  return rdap(record({ ...facts, expiresOn: facts.expiresOn.replace(/T.*/, 'T00:00:00.000Z') }, url.href, true, null));
}

const ETAG = '"sandbox-bootstrap-1"';
function bootstrap({ headers }: SandboxRequest): SandboxResponse {
  if (headers['if-none-match'] === ETAG) return { status: 304, headers: { etag: ETAG }, body: '' };
  const services = REGISTRIES.filter((r) => r.listed).map((r) => [[r.suffix], [r.rdap]]);
  return json(
    {
      version: '1.0',
      publication: '2026-10-31T00:00:00Z',
      description: 'RDAP bootstrap file for Domain Name System registrations',
      services,
    },
    200,
    {
      etag: ETAG,
      'last-modified': 'Sat, 31 Oct 2026 00:00:00 GMT',
      'cache-control': 'public, max-age=86400',
    },
  );
}

const origins = (urls: readonly string[]): readonly string[] => [...new Set(urls.map((url) => new URL(url).origin))];

/** RDAP services of registries and registrars, and IANA's bootstrap file. */
export const RDAP_HOSTS: readonly SandboxHost[] = [
  { origins: ['https://data.iana.org'], answer: bootstrap },
  { origins: origins(REGISTRIES.flatMap((r) => r.rdap ?? [])), answer: registryAnswer },
  { origins: origins(registrars.map((r) => r.rdap)), answer: registrarAnswer },
];
