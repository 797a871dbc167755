import type { Role } from '../facts.ts';
import { ANYWHERE_NON_ENGLISH, DOMAIN_NON_ENGLISH, HEADINGS_NON_ENGLISH, PERSON_NON_ENGLISH } from './languages.ts';

/**
 * Labels of WHOIS answers and the field that each means. Keys are normalised (see `keyOf`): lower case, single spaces, no brackets, no
 * dots, no number at the end. A plain label ("created", "name") means something only in its section; the others mean it anywhere.
 */
export type Field =
  | 'domain'
  | 'registrar'
  | 'registrarName'
  | 'registrarHandle'
  | 'provider'
  | 'ianaId'
  | 'abuseEmail'
  | 'abusePhone'
  | 'created'
  | 'expires'
  | 'registrarExpires'
  | 'updated'
  | 'status'
  | 'state'
  | 'ns'
  | 'dnssec'
  | 'dsRecord'
  | 'keyset'
  | 'whoisServer'
  | 'handle'
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'organization'
  | 'email'
  | 'phone'
  | 'anonymous'
  | `${Role}.${'name' | 'firstName' | 'lastName' | 'organization' | 'email' | 'phone'}`
  | `${Role}.ref`;
/** The section of a line. `object`: a person or role with a handle; `other`: ignored. */
export type Section = 'domain' | 'registrar' | 'abuse' | 'ns' | 'keys' | 'object' | 'other' | Role;

const wordsOf = (labels: string): readonly string[] => labels.split('|').map((label) => label.trim().replaceAll('’', "'"));
const table = (rows: Readonly<Record<string, string>>): Map<string, Field> =>
  new Map(Object.entries(rows).flatMap(([field, labels]) => wordsOf(labels).map((label) => [label, field as Field] as const)));

const ROLE_WORDS: Readonly<Record<Role, readonly string[]>> = {
  registrant: ['registrant', 'registrant contact', 'owner', 'holder', 'domain holder'],
  administrative: ['admin', 'admin contact', 'administrative', 'administrative contact'],
  technical: ['tech', 'tech contact', 'technical', 'technical contact', 'tec'],
  billing: ['billing', 'billing contact', 'bill'],
};
const PARTS: Readonly<Record<'name' | 'firstName' | 'lastName' | 'organization' | 'email' | 'phone', readonly string[]>> = {
  name: ['name', 'contact name', 'full name', 'contact person'],
  firstName: ['first name', 'firstname', 'given name'],
  lastName: ['last name', 'lastname', 'family name', 'surname'],
  organization: ['organization', 'organisation', 'org', 'company', 'organization name', 'organisation name', 'company name', 'org name'],
  email: ['email', 'e-mail', 'e-mail address', 'email address', 'contact email', 'mail', 'mail address', 'email id'],
  phone: ['phone', 'phone number', 'telephone', 'tel', 'telephone number', 'contact phone', 'phone no', 'tel no', 'voice'],
};
const roleLabels = (Object.keys(ROLE_WORDS) as Role[]).flatMap((role) =>
  ROLE_WORDS[role].flatMap((word) =>
    (Object.keys(PARTS) as (keyof typeof PARTS)[]).flatMap((part) =>
      PARTS[part].flatMap((p) => [[`${word} ${p}`, `${role}.${part}`] as const, [`${word}-${p}`, `${role}.${part}`] as const]),
    ),
  ),
);

/** Labels that mean the same in every section. */
export const ANYWHERE: ReadonlyMap<string, Field> = new Map<string, Field>([
  ...table(ANYWHERE_NON_ENGLISH),
  ...roleLabels,
  ...table({
    domain: 'domain name|domain|domainname|nombre de dominio|nome de domínio|nome do domínio|nom de domaine|domain name utf8',
    registrarName:
      'registrar name|registrar of record|registrar-name|sponsoring registrar|sponsoring registrar organization|registrar organization|current registar|current registrar|authorized agency|authorised registrar name|registrar company|registered through|record maintained by registrar',
    registrarHandle: 'registrar handle|registrar id',
    provider: 'registration service provider|registration-service-provider',
    ianaId: 'registrar iana id|sponsoring registrar iana id|iana registrar id',
    abuseEmail:
      'registrar abuse contact email|registrar abuse email|abuse contact email|abuse-email|abuse email|abuse-mailbox|registrar-abuse-email',
    abusePhone: 'registrar abuse contact phone|registrar abuse phone|abuse contact phone|abuse-phone|abuse phone|registrar-abuse-phone',
    created:
      'creation date|created on|activated on|reg-date|created date|create date|creation time|registered on|registered date|registration date|registration time|domain registration date|domain create date|domain created|record created|record created on|domain record activated|domain registered|domain name commencement date|created-date|domain dateregistered|entry created|date registered|date created|first registration date|fecha de creacion|fecha de creación|fecha de registro|data de registo|data de criação|date de création|activation|activation date|registered date and time|assigned',
    expires:
      "registry expiry date|expiry date|expiration date|expiration time|expire date|expires on|expiration|expires date|exp date|expiry|paid-till|renewal date|valid until|validity|record expires on|record will expire on|domain expires|domain expiration date|expiration-date|expire-date|domain datebilleduntil|date expires|fecha de vencimiento|fecha de expiracion|fecha de expiración|data de expiração|date d'expiration|expires at|valid-date|expiry-date|registry expiration date",
    registrarExpires: 'registrar registration expiration date',
    updated:
      'updated date|update date|updated on|last updated on|last updated date|last modified|last modification|last modified date|modification date|modified date|domain last updated date|record last updated on|domain record last updated|updated-date|domain datelastmodified|entry updated|last-updated|last-update|last-modified|last updated|ultima actualizacion|ultima actualización|última actualización|last modified on|last change|last update date|date updated|date modified',
    status:
      'domain status|registration status|record status|domain state|query status|epp status|domaintype|flags|estatus del dominio|estado',
    ns: 'name server|name servers|nameserver|nameservers|nserver|nservers|domain nameservers|domain name servers|host name|hostname|dns server|dns servers|dns|ns name|ns|name server name|domain server|domain servers|primary server|secondary server|servers|domain servers in listed order|name servers in the listed order|servidor|servidor de nombres de dominio|servidores de nombres de dominio',
    dnssec: 'dnssec|domain signed|dnssec signed|dnssec status|signed|domain-signed|delegation signed',
    dsRecord:
      'ds-rdata|ds rdata|dsrecord|ds record|ds records|dnssec ds data|dnssec ds records|ds key tag|key1-tag|dnskey|ds-list|dnssec-ds|ds data|dnssec key tag|ds created|domain signing key',
    whoisServer: 'registrar whois server|registrar-whois-server',
    'registrant.organization': 'owner orgname',
    'registrant.name': 'org-name|company english name',
    'administrative.name': 'adm-name',
    'administrative.email': 'adm-email|ac e-mail',
    'administrative.phone': 'ac phone number',
    'technical.name': 'tec-name',
    'technical.email': 'tec-email',
  }),
]);

/** Labels whose meaning depends on the section. */
const DOMAIN = new Map([
  ...table(DOMAIN_NON_ENGLISH),
  ...table({
    registrar: 'registrar',
    created: 'created|registered|registration|domain_dateregistered|record created|create|commenced',
    expires: 'expires|expire|expiration|expired|renewal',
    updated: 'updated|changed|modified|last update|update',
    status: 'status|eppstatus',
    state: 'state',
    keyset: 'keyset',
    'registrant.ref': 'registrant|holder|holder-c|owner-c|descr|domain registrant',
    'registrant.name': 'owner|registrant-name',
    'registrant.organization': 'org',
    'administrative.ref': 'admin-c|administrative contact|admin contact|admin',
    'technical.ref': 'tech-c|technical contact|tech contact|tech',
    'billing.ref': 'billing-c|bill-c|billing contact',
    whoisServer: 'whois server',
  }),
]);
const REGISTRAR = table({
  registrarName: 'organization|organisation|organization name|org|company name',
  registrar: 'name|registrar',
  abuseEmail: 'abuse-mailbox',
});
const PERSON = new Map([
  ...table(PERSON_NON_ENGLISH),
  ...table({
    handle: 'nic-hdl|nic-hdl-br|contact-id|nic handle|handle|pid|contact id',
    name: 'name|person|personname|contact|full name|contact name|role',
    organization: 'org|organization|organisation|organization name|organisation name|company|company name|organisation name english',
    email: 'email|e-mail|email address|e-mail address|mail|holder email',
    phone: 'phone|telephone|phone number|tel|telephone number|voice',
    anonymous: 'anonymous|private',
  }),
]);
const NS = table({ ns: 'name|host name|hostname|host|ns|server|dns' });
const NOTHING: ReadonlyMap<string, Field> = new Map();

export const IN_SECTION: Readonly<Record<Section, ReadonlyMap<string, Field>>> = {
  domain: DOMAIN,
  registrar: REGISTRAR,
  abuse: table({ abuseEmail: 'email|e-mail|mail', abusePhone: 'phone|telephone|tel' }),
  ns: NS,
  keys: NOTHING,
  object: PERSON,
  other: NOTHING,
  registrant: PERSON,
  administrative: PERSON,
  technical: PERSON,
  billing: PERSON,
};

const headings = (rows: Readonly<Record<string, string>>): Map<string, Section> =>
  new Map(Object.entries(rows).flatMap(([section, labels]) => wordsOf(labels).map((label) => [label, section as Section] as const)));

/** Headings that open a section: a label without a value, or the words alone. */
export const HEADINGS: ReadonlyMap<string, Section> = new Map([
  ...headings(HEADINGS_NON_ENGLISH),
  ...headings({
    registrar: 'registrar|registrar information|registrar contact|registrar details|sponsoring registrar|entidade gestora',
    abuse: 'abuse contact|abuse contacts|registrar abuse contact',
    registrant:
      'registrant|holder|domain holder|registrant contact|registrant contact information|registrant information|owner|owner contact|domain owner|domain owners / registrant|holder of domain name|registered for|domain registrant|organization using domain name|titular|titular / registrant|registrant details|organisation using domain name|organisation|organization',
    administrative:
      'administrative contact|admin contact|admin contacts|administrative contacts|administrativ contact|administrative contact information|administrative contact/agent|administrator|administrative|admin|contacto administrativo|administrative contact details|administration',
    technical:
      'technical contact|technical contacts|tech contact|technical contact information|tech|technical|registrar technical contacts|contacto tecnico|contacto técnico|responsável técnico / tech contact|technical contact details|zone contact',
    billing:
      'billing contact|billing contacts|billing contact information|billing|contacto de cobranza|contacto financiero|entidade gestora / billing contact',
    ns: 'name server|name servers|nameservers|domain nameservers|domain name servers|name servers information|dns servers|nameserver in listed order|name servers in the listed order|domain servers in listed order|domain servers|servers|nservers|nserver|nameserver information|informação da nome servidor / nameserver information|primary name server|secondary name server|servidor de nombres de dominio|servidores de nombres de dominio|dns|hosts|nameservers in listed order|delegation',
    keys: 'keys|dnssec keys|ds records|dnskeys|ds list|dnskey',
    domain:
      'domain information|domain details|relevant dates|additional info|domain name information|domain|additional information|dates|important dates|domain dates|registration information|status information|additional section',
    other:
      'whois|whois server|disclaimer|domain managers|reseller|reseller information|on-site|onsite|data validation|cdn variant / punycode|active variants|inactive variants|contact information|privacy',
  }),
]);

/** Labels that show that a paragraph describes a person or a set of hosts, not the domain. */
export const PERSONAL: ReadonlySet<string> = new Set([
  ...PERSON.keys(),
  ...'address|street|street address|city|country|postal code|postal-code|fax|fax-no|fax number|type|mnt-by|nsset|nserver|source-id'.split(
    '|',
  ),
]);

/** First labels of paragraphs that are objects with a handle. */
export const OBJECT_LABELS: ReadonlySet<string> = new Set([
  'nic-hdl',
  'nic-hdl-br',
  'contact',
  'contact-id',
  'person',
  'personname',
  'role',
  'organisation',
  'person-loc',
]);
/** Labels of database objects with their values in a record: a text that has one does not say "not registered". */
export const DATABASE_LABELS: ReadonlyMap<string, RegExp> = new Map([
  ['object', /^\d+$/],
  ['type', /^(?:person|role|nameserver|organi[sz]ation)$/i],
  ['mntner', /./],
  ['mntnr', /./],
  ['mnt-by', /./],
]);
/** First labels of paragraphs that open a section although they have a value. */
export const PARAGRAPH_SECTIONS: ReadonlyMap<string, Section> = new Map<string, Section>([
  ['registrar', 'registrar'],
  ['nsset', 'ns'],
  ['ns-list', 'ns'],
  ['keyset', 'other'],
  ['registrant', 'registrant'],
  ['domain registrant', 'registrant'],
  ['holder', 'registrant'],
  ['owner', 'registrant'],
  ['administrative contact', 'administrative'],
  ['technical contact', 'technical'],
  ['billing contact', 'billing'],
  ['key1-tag', 'other'],
  ['nserver', 'ns'],
]);
/** JPRS labels in brackets, English and Japanese. */
export const BRACKETED: ReadonlyMap<string, Field> = table({
  domain: 'domain name|ドメイン名',
  'registrant.name': 'registrant|登録者名',
  'registrant.organization': 'organization|組織名',
  ns: 'name server|ネームサーバ',
  dsRecord: 'signing key|署名鍵',
  created: 'created on|registered date|登録年月日',
  expires: 'expires on|有効期限',
  status: 'status|state|状態|lock status|ロック状態',
  updated: 'last updated|last update|最終更新',
});
